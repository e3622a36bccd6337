ada = invoke("pipestack:index:getMember", { email = "ada@example.com" })

reports = invoke("pipestack:index:getRole", { name = "Reports" })

resource "adaReports" "pipestack:index:RoleAssignment" {
  roleId = reports.id
  userId = ada.userId
}
