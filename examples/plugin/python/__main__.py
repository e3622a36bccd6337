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
            "series": [
                {
                    "type": "time",
                    "source_id": logs,
                    "agg_fn": "count",
                    "where": "SeverityText:error",
                    "group_by": ["ServiceName"],
                }
            ],
        }
    ],
)

webhook = pipestack.Webhook("team", service="generic", url="https://hooks.example.com/team")

pipestack.Alert(
    "errors",
    name="Too many errors",
    source="tile",
    dashboard_id=dashboard.id,
    tile_id=dashboard.tile_ids["Errors"],
    threshold=100,
    threshold_type="above",
    interval="5m",
    channel={"type": "webhook", "webhook_id": webhook.id},
)

pulumi.export("dashboardId", dashboard.id)
