resource "domainOf" "pipestack:index:Udf" {
  functionName = "domain_of"
  sourcePath   = "functions/domain_of"
  runtime      = "python3.11"
  type         = "executable_pool"
  arguments    = [{ name = "url", type = "String" }]
  returnType   = "String"
}
