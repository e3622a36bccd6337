import pulumi
import pulumi_pipestack as pipestack

protected = pulumi.Config().get_bool("protected")

# Billed from its creation on. Until an update of its own sets the protection to false, nothing deletes or replaces it.
lake = pipestack.Service(
    "lake",
    name="lake",
    provider=pipestack.ServiceProvider.AWS,
    region="eu-central-1",
    ip_access_list=[{"source": "203.0.113.0/24", "description": "office"}],
    min_replica_memory_gb=16,
    max_replica_memory_gb=64,
    idle_timeout_minutes=15,
    tags=[{"key": "team", "value": "data"}],
    deletion_protection=True if protected is None else protected,
)

# All that follows names the id of the service, and so is created once the service runs.
pipestack.ServiceScalingSchedule(
    "office-hours",
    service_id=lake.id,
    entries=[
        {
            "name": "Office hours",
            "weekdays": [1, 2, 3, 4, 5],
            "start_hour_utc": 7,
            "end_hour_utc": 19,
            "num_replicas": 4,
        }
    ],
)

pipestack.BackupConfiguration(
    "nightly",
    service_id=lake.id,
    backup_start_time="03:00",
    backup_retention_period_in_hours=7 * 24,
)

pipestack.ServiceSettings(
    "settings",
    service_id=lake.id,
    settings={"max_concurrent_queries": 500},
)

key = pipestack.ApiKey("reports", name="Reports", roles=[pipestack.ApiKeyRole.QUERY_ENDPOINTS])

pipestack.QueryEndpoint(
    "queries",
    service_id=lake.id,
    roles=[pipestack.QueryEndpointRole.SQL_CONSOLE_READ_ONLY],
    open_api_keys=[key.id],
)

# A tile of text, since a new service has no source of data: it gets some when ClickStack is opened in its
# console, once it has data (docs/services.md).
pipestack.Dashboard(
    "start",
    service_id=lake.id,
    name="Start here",
    tiles=[
        {
            "name": "What is where",
            "w": 12,
            "h": 4,
            "config": {
                "display_type": "markdown",
                "markdown": "Tables of the data team: see the runbook.",
            },
        }
    ],
)

pulumi.export("host", lake.endpoints.apply(lambda endpoints: endpoints[0].host if endpoints else None))
pulumi.export("password", lake.generated_password)
