found = invoke("pipestack:index:getServiceSettingsSchema", {})
