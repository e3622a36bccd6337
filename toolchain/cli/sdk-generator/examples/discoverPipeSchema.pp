found = invoke("pipestack:index:discoverPipeSchema", {
  source = {
    objectStorage = {
      type   = "s3"
      format = "Parquet"
      url    = "https://files.s3.amazonaws.com/*.parquet"
    }
  }
})
