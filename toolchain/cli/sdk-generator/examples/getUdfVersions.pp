versions = invoke("pipestack:index:getUdfVersions", { functionName = "domain_of" })
