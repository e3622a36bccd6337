resource "lake" "pipestack:index:Service" {
  provider           = "aws"
  region             = "eu-central-1"
  ipAccessList       = [{ source = "203.0.113.0/24", description = "office" }]
  minReplicaMemoryGb = 16
  maxReplicaMemoryGb = 64
}

resource "queries" "pipestack:index:QueryEndpoint" {
  serviceId   = lake.id
  roles       = ["sql_console_read_only"]
  openApiKeys = []
}

output "password" {
  value = lake.generatedPassword
}
