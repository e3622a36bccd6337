found = invoke("pipestack:index:getSavedSearches", {})
