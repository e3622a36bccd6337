found = invoke("pipestack:index:getQuotas", {})
