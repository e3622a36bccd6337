taken = invoke("pipestack:index:getSnapshots", { status = "done" })
