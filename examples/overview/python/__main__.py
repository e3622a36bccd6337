from typing import Any

import pulumi
import pulumi_pipestack as pipestack

traces = pipestack.get_source_output(kind="trace").id
logs = pipestack.get_source_output(kind="log").id

# Series without a filter are of requests: the spans of servers, by the defaults of the dashboard.
requests = {"agg_fn": "count", "alias": "requests"}
failed = {"agg_fn": "count", "where": "SpanKind:Server StatusCode:Error"}
p95 = {"agg_fn": "quantile", "level": 0.95, "value_expression": "Duration", "alias": "p95"}
in_seconds = {"number_format": {"output": "duration", "factor": 1e-9}}
errors = {"agg_fn": "count", "where": "SeverityText:error"}

lines = {"display_type": "line", "group_by": "ServiceName"}
ratio = {"as_ratio": True, "number_format": {"output": "percent"}}
table = {"display_type": "table", "group_by": "ServiceName, SpanName", "order_by": "p95 DESC"}
bars = {"display_type": "stacked_bar", "group_by": "ServiceName", "source_id": logs}
rows = {"display_type": "search", "select": "Timestamp, ServiceName, Body", "source_id": logs}

tiles: Any = [
    {"name": "Requests", "config": {**lines, "select": [requests]}},
    {"name": "Error rate", "config": {**lines, **ratio, "select": [failed, requests]}},
    {"name": "Duration", "config": {**lines, **in_seconds, "select": [p95]}},
    {"name": "Slowest operations", "w": 24, "config": {**table, "select": [{**p95, **in_seconds}, requests]}},
    {"name": "Errors by service", "config": {**bars, "select": [errors]}},
    {"name": "Recent errors", "w": 16, "config": {**rows, "where": errors["where"]}},
]

dashboard = pipestack.Dashboard(
    "overview",
    name="Services",
    filters=[{"type": "QUERY_EXPRESSION", "name": "Service", "expression": "ServiceName", "source_id": traces}],
    defaults={"source_id": traces, "where": "SpanKind:Server", "w": 8, "h": 8},
    tiles=tiles,
)

pulumi.export("dashboardId", dashboard.id)
