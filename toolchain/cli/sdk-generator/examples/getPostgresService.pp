orders = invoke("pipestack:index:getPostgresService", { name = "orders" })

output "host" {
  value = orders.hostname
}
