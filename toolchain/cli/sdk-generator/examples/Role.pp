resource "readers" "pipestack:index:Role" {
  policies = [
    {
      allowDeny = "ALLOW"
      permissions = ["control-plane:service:view", "control-plane:service:view-backups"]
      resources = ["instance/*"]
    }
  ]
}
