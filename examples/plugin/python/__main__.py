import pulumi
import pulumi_pipestack as pipestack

# The dashboard shows the service's logs.
sources = pipestack.get_sources_output().sources
logs = sources.apply(lambda found: next((source.id for source in found if source.kind == "log"), ""))

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

# The alert notifies the service's first webhook.
webhooks = pipestack.get_webhooks_output().webhooks

pipestack.Alert(
    "errors",
    name="Too many errors",
    source="tile",
    dashboard_id=dashboard.id,
    tile_id=dashboard.tile_ids["Errors"],
    threshold=100,
    threshold_type="above",
    interval="5m",
    channel={"type": "webhook", "webhook_id": webhooks[0].id},
)

pulumi.export("dashboardId", dashboard.id)
