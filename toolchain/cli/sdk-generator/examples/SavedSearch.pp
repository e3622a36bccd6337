resource "errors" "pipestack:index:SavedSearch" {
  sourceId = "66f0c2d8a1b2c3d4e5f60718"
  select   = "Timestamp, ServiceName, Body"
  where    = "SeverityText:error"
}
