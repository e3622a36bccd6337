resource "orders" "pipestack:index:PostgresService" {
  provider     = "aws"
  region       = "us-east-1"
  size         = "r8gd.large"
  haType       = "async"
  ipAccessList = [{ source = "203.0.113.0/24", portRange = "5432" }]
}

resource "reports" "pipestack:index:PostgresService" {
  readReplicaOf = orders.id
}

output "host" {
  value = orders.hostname
}
