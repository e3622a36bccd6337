import pulumi
import pulumi_pipestack as pipestack

# The alert queries the warehouse by the connection that its server has.
warehouse = pipestack.get_connection_output(name="Default").id

key = pipestack.ApiKey("reports", name="Reports", roles=[pipestack.ApiKeyRole.QUERY_ENDPOINTS])

errors = pipestack.QueryApiEndpoint(
    "errors-by-service",
    name="Errors by service",
    sql="""SELECT ServiceName, count() AS errors
FROM otel_logs
WHERE SeverityText = 'error' AND Timestamp > now() - INTERVAL {minutes: UInt32} MINUTE
GROUP BY ServiceName
""",
    database="default",
    parameters={"minutes": "60"},
    api_key_ids=[key.id],
    roles=[pipestack.QueryEndpointRole.SQL_CONSOLE_READ_ONLY],
)

pipestack.ServiceScalingSchedule(
    "office-hours",
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

webhook = pipestack.Webhook(
    "team", service=pipestack.WebhookService.GENERIC, url="https://hooks.example.com/team"
)

pipestack.Alert(
    "error-ratio",
    name="One request in a hundred fails",
    source=pipestack.AlertSource.INLINE,
    chart_config={
        "config_type": "sql",
        "display_type": "number",
        "connection_id": warehouse,
        "sql_template": """SELECT countIf(StatusCode = 'Error') / greatest(count(), 1)
FROM otel_traces
WHERE Timestamp > now() - INTERVAL 1 HOUR
""",
    },
    threshold=0.01,
    threshold_type=pipestack.AlertThresholdType.ABOVE,
    interval=pipestack.AlertInterval.FIVE_MINUTES,
    channel={"type": "webhook", "webhook_id": webhook.id},
)

pulumi.export("address", errors.url)
