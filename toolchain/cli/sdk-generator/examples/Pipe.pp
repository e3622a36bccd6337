config kafkaPassword string {
  secret = true
}

resource "orders" "pipestack:index:Pipe" {
  source = {
    kafka = {
      type           = "kafka"
      format         = "JSONEachRow"
      brokers        = "broker.example.com:9092"
      topics         = "orders"
      authentication = "SCRAM-SHA-512"
    }
  }
  credentials = {
    username = "reader"
    password = kafkaPassword
  }
  destination = {
    database = "default"
    table    = "orders"
    tableDefinition = {
      engine     = { type = "MergeTree" }
      sortingKey = ["id"]
    }
    columns = [{
      name = "id"
      type = "UInt64"
    }]
  }
  fieldMappings = [{
    sourceField      = "id"
    destinationField = "id"
  }]
}
