found = invoke("pipestack:index:getPrivateEndpointConfig", {})

output "serviceName" {
  value = found.endpointServiceId
}
