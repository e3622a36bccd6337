resource "scaling" "pipestack:index:ServiceScaling" {
  numReplicas        = 3
  idleScaling        = true
  idleTimeoutMinutes = 15
}

output "endpoints" {
  value = scaling.endpoints
}
