found = invoke("pipestack:index:getPipesContext", {})
