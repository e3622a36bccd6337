resource "logs" "pipestack:index:Source" {
  kind                         = "log"
  connection                   = "66f0c2d8a1b2c3d4e5f60719"
  from                         = { databaseName = "otel", tableName = "otel_logs" }
  timestampValueExpression     = "Timestamp"
  defaultTableSelectExpression = "Timestamp, ServiceName, Body"
  serviceNameExpression        = "ServiceName"
  bodyExpression               = "Body"
}

resource "errors" "pipestack:index:SavedSearch" {
  sourceId = logs.id
  where    = "SeverityText:error"
}
