import pulumi
import pulumi_pipestack as pipestack

config = pulumi.Config()

# The brokers are in a network of your own, whose owner accepts the output endpoint_id.
brokers = pipestack.ReversePrivateEndpoint(
    "brokers",
    description="brokers of the shop",
    type=pipestack.ReversePrivateEndpointType.VPC_ENDPOINT_SERVICE,
    vpc_endpoint_service_name="com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
    custom_private_dns_mappings=[{"private_dns_name": "broker.example.com"}],
)

columns: list[pipestack.PipeColumnArgsDict] = [
    {"name": "id", "type": "UInt64"},
    {"name": "amount", "type": "Decimal(18, 2)"},
]
field_mappings: list[pipestack.PipeFieldMappingArgsDict] = [
    {"source_field": column["name"], "destination_field": column["name"]} for column in columns
]
table_definition: pipestack.PipeDestinationTableDefinitionArgsDict = {
    "engine": {"type": pipestack.PipeDestinationTableDefinitionEngineType.MERGE_TREE},
    "sorting_key": ["id"],
}

orders = pipestack.Pipe(
    "orders",
    name="orders",
    source={
        "kafka": {
            "type": pipestack.PipeSourceKafkaType.KAFKA,
            "format": pipestack.PipeSourceStreamFormat.AVRO_CONFLUENT,
            "brokers": "broker.example.com:9092",
            "topics": "orders",
            "authentication": pipestack.PipeSourceKafkaAuthentication.SCRAM_SHA512,
            "reverse_private_endpoint_ids": [brokers.id],
            "schema_registry": {"url": "https://registry.example.com"},
        },
    },
    # Sent when they change, and kept encrypted in the state.
    credentials={"username": "reader", "password": config.require_secret("kafkaPassword")},
    schema_registry_credentials={"username": "reader", "password": config.require_secret("registryPassword")},
    destination={
        "database": "default",
        "table": "orders",
        "table_definition": table_definition,
        "columns": columns,
    },
    field_mappings=field_mappings,
    scaling={"replicas": 2, "replica_cpu_millicores": 250, "replica_memory_gb": 1},
)

# A queue tells of new objects, which a role reads.
files = pipestack.Pipe(
    "files",
    name="files",
    source={
        "object_storage": {
            "type": pipestack.PipeSourceObjectStorageType.S3,
            "format": pipestack.PipeSourceObjectStorageFormat.JSON_EACH_ROW,
            "url": "https://files.s3.eu-central-1.amazonaws.com/**/*.json",
            "is_continuous": True,
            "queue_url": "https://sqs.eu-central-1.amazonaws.com/000000000000/files",
            "authentication": pipestack.PipeSourceObjectStorageAuthentication.IAM_ROLE,
            "iam_role": "arn:aws:iam::000000000000:role/files",
        },
    },
    destination={
        "database": "default",
        "table": "files",
        "table_definition": table_definition,
        "columns": columns,
    },
    field_mappings=field_mappings,
    settings={"object_storage_concurrency": 4},
)

# Loads the tables, and then follows their changes. A change that would load them anew is refused.
shop = pipestack.Pipe(
    "shop",
    name="shop",
    source={
        "postgres": {
            "host": "shop.db.example.com",
            "port": 5432,
            "database": "shop",
            "settings": {
                "replication_mode": pipestack.PipeSourceReplicationMode.CDC,
                "sync_interval_seconds": 60,
            },
            "table_mappings": [
                {"source_schema_name": "public", "source_table": "customers", "target_table": "customers"},
                {"source_schema_name": "public", "source_table": "invoices", "target_table": "invoices"},
            ],
        },
    },
    credentials={"username": "replicator", "password": config.require_secret("postgresPassword")},
    destination={"database": "default"},
)

pulumi.export("toAccept", brokers.endpoint_id)
pulumi.export("states", [orders.status, files.status, shop.status])
