running = invoke("pipestack:index:getPostgresServices", { state = "running" })
