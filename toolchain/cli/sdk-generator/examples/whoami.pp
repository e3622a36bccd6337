caller = invoke("pipestack:index:whoami", {})

output "key" {
  value = caller.name
}
