resource "ann" "pipestack:index:Member" {
  email = "ann@example.com"
  assignedRoleIds = ["5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11"]
}
