backups = invoke("pipestack:index:getPostgresBackups", { postgresServiceId = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190" })
