resource "reports" "pipestack:index:ApiKey" {
  roles = ["query_endpoints"]
}

resource "revenue" "pipestack:index:QueryApiEndpoint" {
  database   = "default"
  sql        = fileAsset("revenue.sql")
  apiKeyIds  = [reports.id]
  roles      = ["sql_console_read_only"]
  parameters = {
    year = "2026"
  }
}
