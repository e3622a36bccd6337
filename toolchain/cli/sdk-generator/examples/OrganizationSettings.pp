resource "organization" "pipestack:index:OrganizationSettings" {
  name            = "Acme"
  enableCoreDumps = false
}
