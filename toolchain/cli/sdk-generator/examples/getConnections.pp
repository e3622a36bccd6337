found = invoke("pipestack:index:getConnections", {})
