resource "payments" "pipestack:index:ClickStackRole" {
  permissions = [
    { integration = "mongodb", action = "read", subject = "Dashboard", conditions = { tags = "payments" } },
    { integration = "mongodb", action = "manage", subject = "Alert", patterns = { name = { pattern = "^payments" } } }
  ]
}
