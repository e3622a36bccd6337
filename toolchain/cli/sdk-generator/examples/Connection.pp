config databasePassword string {
  secret = true
}

resource "warehouse" "pipestack:index:Connection" {
  host     = "https://warehouse.example.com:8443"
  username = "observability"
  password = databasePassword
}

resource "logs" "pipestack:index:Source" {
  kind                         = "log"
  connection                   = warehouse.id
  from                         = { databaseName = "otel", tableName = "otel_logs" }
  timestampValueExpression     = "Timestamp"
  defaultTableSelectExpression = "Timestamp, ServiceName, Body"
}
