resource "domainOf" "pipestack:index:UdfAttachment" {
  functionName = "domain_of"
  version      = 3
}
