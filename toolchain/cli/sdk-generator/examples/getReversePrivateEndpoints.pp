found = invoke("pipestack:index:getReversePrivateEndpoints", {})
