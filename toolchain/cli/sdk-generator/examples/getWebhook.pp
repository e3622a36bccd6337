onCall = invoke("pipestack:index:getWebhook", {
  name    = "on-call"
  service = "slack"
})

output "webhookId" {
  value = onCall.id
}
