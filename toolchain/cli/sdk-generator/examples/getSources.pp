found = invoke("pipestack:index:getSources", {})
