errors = invoke("pipestack:index:getSavedSearch", { name = "Errors" })

output "savedSearch" {
  value = errors.id
}
