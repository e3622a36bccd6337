resource "queries" "pipestack:index:ApiKey" {
  roles = ["query_endpoints"]
}

resource "endpoint" "pipestack:index:QueryEndpoint" {
  roles          = ["sql_console_read_only"]
  openApiKeys    = [queries.id]
  allowedOrigins = ["https://app.example.com"]
}
