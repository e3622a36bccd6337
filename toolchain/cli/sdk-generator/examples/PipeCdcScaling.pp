config "customers" "string" {
}

resource "cdc" "pipestack:index:PipeCdcScaling" {
  serviceId            = customers
  replicaCpuMillicores = 4000
}
