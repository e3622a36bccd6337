import pulumi
import pulumi_pipestack as pipestack

# The dashboard shows the service's logs.
logs = pipestack.get_source_output(name="Logs").id

dashboard = pipestack.Dashboard(
    "ingestion",
    name="Ingestion",
    tiles=[
        {
            "name": "Errors",
            "x": 0,
            "y": 0,
            "w": 12,
            "h": 6,
            "config": {
                "display_type": "line",
                "source_id": logs,
                "select": [
                    {
                        "agg_fn": pipestack.AggFn.COUNT,
                        "where": "SeverityText:error",
                    }
                ],
                "group_by": "ServiceName",
            },
        }
    ],
)

webhook = pipestack.Webhook(
    "team",
    service=pipestack.WebhookService.GENERIC,
    url="https://hooks.example.com/team",
)

pipestack.Alert(
    "errors",
    name="Too many errors",
    source=pipestack.AlertSource.TILE,
    dashboard_id=dashboard.id,
    tile_id=dashboard.tile_ids["Errors"],
    threshold=100,
    threshold_type=pipestack.AlertThresholdType.ABOVE,
    interval=pipestack.AlertInterval.FIVE_MINUTES,
    channel={"type": "webhook", "webhook_id": webhook.id},
)

pulumi.export("dashboardId", dashboard.id)
