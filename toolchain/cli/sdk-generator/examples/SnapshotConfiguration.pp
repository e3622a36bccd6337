resource "often" "pipestack:index:SnapshotConfiguration" {
  enabled   = true
  gap       = 30
  timeFrame = 1440
}
