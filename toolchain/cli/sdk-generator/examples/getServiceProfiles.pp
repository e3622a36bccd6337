profiles = invoke("pipestack:index:getServiceProfiles", {})
