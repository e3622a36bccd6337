reporting = invoke("pipestack:index:getService", { name = "reporting" })

output "version" {
  value = reporting.engineVersion
}
