resource "reporting" "pipestack:index:ApiKey" {
  roles        = ["query_endpoints"]
  expireAt     = "2027-12-31T00:00:00Z"
  ipAccessList = [{ source = "203.0.113.0/24", description = "office" }]
  keepers      = { rotation = "2027-01" }
}

output "keySecret" {
  value = reporting.keySecret
}
