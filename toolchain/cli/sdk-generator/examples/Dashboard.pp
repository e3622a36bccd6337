resource "ingestion" "pipestack:index:Dashboard" {
  name = "Ingestion"
  tags = ["production"]
  tiles = [
    {
      name = "Errors"
      x    = 0
      y    = 0
      w    = 12
      h    = 4
      config = {
        displayType = "line"
        sourceId    = "66f0c2d8a1b2c3d4e5f60718"
        select      = [{ aggFn = "count", where = "SeverityText:error" }]
        groupBy     = "ServiceName"
      }
    },
    {
      name   = "Rows"
      x      = 12
      y      = 0
      w      = 6
      h      = 4
      config = {
        displayType = "number"
        sourceId    = "66f0c2d8a1b2c3d4e5f60718"
        select      = [{ aggFn = "count" }]
      }
    }
  ]
}

output "errorsTile" {
  value = ingestion.tileIds["Errors"]
}
