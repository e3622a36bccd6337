resource "sticky" "pipestack:index:ReplicaAwareRouting" {
  httpEnabled = true
}
