resource "slow" "pipestack:index:SavedQuery" {
  name       = "Slow queries"
  database   = "system"
  sql        = "SELECT query FROM query_log WHERE query_duration_ms > {least:UInt32}"
  parameters = {
    least = "1000"
  }
}
