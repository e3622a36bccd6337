resource "dashboard" "pipestack:index:Dashboard" {
  name = "Queries"
  tiles = [{
    name   = "Query time"
    x      = 0
    y      = 0
    w      = 12
    h      = 6
    config = {
      displayType = "line"
      sourceId    = "66f0c2d8a1b2c3d4e5f60718"
      select      = [{ aggFn = "max", valueExpression = "Duration" }]
    }
  }]
}

resource "slowQueries" "pipestack:index:Alert" {
  __logicalName = "slow-queries"
  name          = "Slow queries"
  source        = "tile"
  dashboardId   = dashboard.id
  tileId        = dashboard.tileIds["Query time"]
  threshold     = 500
  thresholdType = "above"
  interval      = "5m"
  channel       = { type = "webhook", webhookId = "66f0c2d8a1b2c3d4e5f60718" }
}
