logs = invoke("pipestack:index:getSource", { name = "Logs" })

output "sourceId" {
  value = logs.id
}
