found = invoke("pipestack:index:getRoles", {})
