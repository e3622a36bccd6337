found = invoke("pipestack:index:getApiKeys", {})
