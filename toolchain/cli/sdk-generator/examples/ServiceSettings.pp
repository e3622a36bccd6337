resource "lake" "pipestack:index:ServiceSettings" {
  settings = {
    max_concurrent_queries = 500
    session_timezone       = "UTC"
  }
}
