resource "orders" "pipestack:index:ReversePrivateEndpoint" {
  description            = "orders database"
  type                   = "VPC_ENDPOINT_SERVICE"
  vpcEndpointServiceName = "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320"
  customPrivateDnsMappings = [{
    privateDnsName = "orders.example.com"
  }]
}
