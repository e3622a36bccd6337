finished = invoke("pipestack:index:getBackups", { status = "done" })
