udfs = invoke("pipestack:index:getUdfs", {})
