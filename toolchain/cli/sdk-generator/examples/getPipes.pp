running = invoke("pipestack:index:getPipes", { state = "Running" })
