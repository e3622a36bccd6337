resource "bastion" "pipestack:index:SshTunnel" {
  host     = "bastion.example.com"
  username = "clickpipes"
}
