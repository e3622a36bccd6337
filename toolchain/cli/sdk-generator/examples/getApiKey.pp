reporting = invoke("pipestack:index:getApiKey", { name = "reporting" })

resource "endpoint" "pipestack:index:QueryEndpoint" {
  openApiKeys = [reporting.id]
  roles       = ["sql_console_read_only"]
}
