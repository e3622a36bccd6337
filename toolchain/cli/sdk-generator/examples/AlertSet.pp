resource "search" "pipestack:index:AlertSet" {
  alerts = {
    errors = {
      source        = "search"
      savedSearch   = "66f0c2d8a1b2c3d4e5f60731"
      threshold     = 100
      thresholdType = "above"
      interval      = "5m"
      channel       = { type = "webhook", webhookId = "66f0c2d8a1b2c3d4e5f60718" }
    }
    silence = {
      source        = "search"
      savedSearch   = "66f0c2d8a1b2c3d4e5f60731"
      threshold     = 1
      thresholdType = "below"
      interval      = "1h"
      channel       = { type = "webhook", webhookId = "66f0c2d8a1b2c3d4e5f60718" }
    }
  }
}
