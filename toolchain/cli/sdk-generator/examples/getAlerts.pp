found = invoke("pipestack:index:getAlerts", {})
