found = invoke("pipestack:index:getDashboards", {})
