orders = invoke("pipestack:index:getPipe", { pipeId = "3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21" })

output "state" {
  value = orders.state
}
