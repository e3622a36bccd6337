found = invoke("pipestack:index:getWebhooks", {})
