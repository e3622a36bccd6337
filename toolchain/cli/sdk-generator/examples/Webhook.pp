config slackUrl string {
  secret = true
}

resource "onCall" "pipestack:index:Webhook" {
  __logicalName = "on-call"
  service       = "slack"
  url           = slackUrl
}

resource "silent" "pipestack:index:Alert" {
  source        = "search"
  threshold     = 1
  thresholdType = "below"
  interval      = "1h"
  channel       = { type = "webhook", webhookId = onCall.id }
}
