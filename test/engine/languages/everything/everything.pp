resource "organization" "pipestack:index:OrganizationSettings" {
  name            = "Acme"
  enableCoreDumps = false
}

resource "payments" "pipestack:index:ClickStackRole" {
  permissions = [
    { integration = "mongodb", action = "read", subject = "Dashboard", conditions = { tags = "payments" } },
    { integration = "mongodb", action = "manage", subject = "Alert", patterns = { name = { pattern = "^payments" } } }
  ]
}

resource "bucket" "pipestack:index:BackupBucket" {
  bucketProvider = "AWS"
  bucketPath     = "https://acme-backups.s3.amazonaws.com"
  iamRoleArn     = "arn:aws:iam::123456789012:role/clickhouse-backups"
}

resource "snapshots" "pipestack:index:SnapshotConfiguration" {
  enabled   = true
  gap       = 30
  timeFrame = 1440
}

resource "routing" "pipestack:index:ReplicaAwareRouting" {
  httpEnabled = true
}

resource "bastion" "pipestack:index:SshTunnel" {
  host     = "bastion.example.com"
  username = "clickpipes"
}

resource "orders" "pipestack:index:Pipe" {
  source = {
    kafka = {
      type             = "kafka"
      format           = "JSONEachRow"
      brokers          = "broker.example.com:9092"
      topics           = "orders"
      authentication   = "SCRAM-SHA-512"
      sshKeyResourceId = bastion.id
    }
  }
  credentials = {
    username = "reader"
    password = "a-password"
  }
  destination = {
    database = "default"
    table    = "orders"
    tableDefinition = {
      engine     = { type = "MergeTree" }
      sortingKey = ["id"]
    }
    columns = [{
      name = "id"
      type = "UInt64"
    }]
  }
  fieldMappings = [{
    sourceField      = "id"
    destinationField = "id"
  }]
}

resource "logs" "pipestack:index:Source" {
  kind                         = "log"
  connection                   = "65f1c0a2b3d4e5f607182900"
  from                         = { databaseName = "otel", tableName = "otel_logs" }
  timestampValueExpression     = "Timestamp"
  defaultTableSelectExpression = "Timestamp, ServiceName, Body"
}

resource "traces" "pipestack:index:Source" {
  kind                         = "trace"
  connection                   = "65f1c0a2b3d4e5f607182900"
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

resource "board" "pipestack:index:Dashboard" {
  name = "Payments"
  tags = ["payments"]
  tiles = [{
    name = "Errors"
    x    = 0
    y    = 0
    w    = 12
    h    = 6
    config = {
      displayType = "line"
      sourceId    = logs.id
      select      = [{ aggFn = "count", where = "SeverityText:error" }]
    }
  }]
}

resource "hook" "pipestack:index:Webhook" {
  service = "generic"
  url     = "https://hooks.example.com/team"
}

resource "anomalies" "pipestack:index:Alert" {
  name          = "payments: unusual errors"
  source        = "tile"
  dashboardId   = board.id
  tileId        = board.tileIds["Errors"]
  threshold     = 1
  thresholdType = "above"
  interval      = "15m"
  detectionMode = "anomaly"
  anomalyConfig = { zScoreThreshold = 3.5, bucketSizeSeconds = 300 }
  channel       = { type = "webhook", webhookId = hook.id }
}

output "publicKey" {
  value = bastion.publicKey
}

resource "shop" "pipestack:index:PostgresService" {
  provider           = "aws"
  region             = "us-east-1"
  size               = "r8gd.large"
  ipAccessList       = [{ source = "203.0.113.0/24", portRange = "5432" }]
  deletionProtection = false
}

resource "echo" "pipestack:index:Udf" {
  sourcePath = "code"
  runtime    = "python3.11"
  type       = "executable"
  arguments  = [{ name = "line", type = "String" }]
  returnType = "String"
}

resource "attached" "pipestack:index:UdfAttachment" {
  functionName = echo.id
  version      = echo.version
}
