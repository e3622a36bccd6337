reports = invoke("pipestack:index:getRole", { name = "Reports" })

resource "reporting" "pipestack:index:ApiKey" {
  assignedRoleIds = [reports.id]
}
