warehouse = invoke("pipestack:index:getConnection", { name = "Default" })

output "connection" {
  value = warehouse.id
}
