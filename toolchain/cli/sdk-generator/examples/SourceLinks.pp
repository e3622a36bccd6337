resource "logs" "pipestack:index:Source" {
  kind                         = "log"
  connection                   = "66f0c2d8a1b2c3d4e5f60719"
  from                         = { databaseName = "otel", tableName = "otel_logs" }
  timestampValueExpression     = "Timestamp"
  defaultTableSelectExpression = "Timestamp, ServiceName, Body"
}

resource "traces" "pipestack:index:Source" {
  kind                         = "trace"
  connection                   = "66f0c2d8a1b2c3d4e5f60719"
  from                         = { databaseName = "otel", tableName = "otel_traces" }
  timestampValueExpression     = "Timestamp"
  defaultTableSelectExpression = "Timestamp, ServiceName, SpanName"
  durationExpression           = "Duration"
  traceIdExpression            = "TraceId"
  spanIdExpression             = "SpanId"
  parentSpanIdExpression       = "ParentSpanId"
  spanNameExpression           = "SpanName"
  spanKindExpression           = "SpanKind"
  logSourceId                  = logs.id
}

resource "links" "pipestack:index:SourceLinks" {
  sourceId      = logs.id
  traceSourceId = traces.id
}
