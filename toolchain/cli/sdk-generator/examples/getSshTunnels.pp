tunnels = invoke("pipestack:index:getSshTunnels", {})
