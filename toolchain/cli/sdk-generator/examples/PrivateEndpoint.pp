resource "office" "pipestack:index:PrivateEndpoint" {
  endpointId  = "vpce-0123456789abcdef0"
  description = "office"
}
