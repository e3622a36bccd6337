found = invoke("pipestack:index:getServices", {})
