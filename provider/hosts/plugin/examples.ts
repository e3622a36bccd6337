// Generated from toolchain/cli/sdk-generator/examples: npm run sdk -- --examples

/** Programs by the type or function that they show, and by language. */
export const examples: { readonly [name: string]: { readonly [language: string]: string } } = {
  Alert: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		dashboard, err := pipestack.NewDashboard(ctx, "dashboard", &pipestack.DashboardArgs{
			Name: pulumi.String("Queries"),
			Tiles: pipestack.DashboardTileArray{
				&pipestack.DashboardTileArgs{
					Name: pulumi.String("Query time"),
					X:    pulumi.Float64(0),
					Y:    pulumi.Float64(0),
					W:    pulumi.Float64(12),
					H:    pulumi.Float64(6),
					Series: pipestack.DashboardTileSeriesArray{
						&pipestack.DashboardTileSeriesArgs{
							Type:       pulumi.String(pipestack.DashboardTileSeriesTypeTime),
							DataSource: pulumi.String("events"),
							AggFn:      pulumi.String(pipestack.DashboardTileSeriesAggFnMax),
							Field:      pulumi.String("duration"),
							GroupBy:    pulumi.StringArray{},
						},
					},
				},
			},
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewAlert(ctx, "slow-queries", &pipestack.AlertArgs{
			Name:        pulumi.String("Slow queries"),
			Source:      pipestack.AlertSourceTile,
			DashboardId: dashboard.ID().ToIDOutput().ToStringOutput(),
			TileId: dashboard.TileIds.ApplyT(func(tileIds map[string]string) (string, error) {
				return tileIds["Query time"], nil
			}).(pulumi.StringOutput),
			Threshold:     pulumi.Float64(500),
			ThresholdType: pulumi.String(pipestack.AlertThresholdTypeAbove),
			Interval:      pulumi.String("5m"),
			Channel: &pipestack.AlertChannelArgs{
				Type:      pulumi.String("webhook"),
				WebhookId: pulumi.String("66f0c2d8a1b2c3d4e5f60718"),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

dashboard = pipestack.Dashboard("dashboard",
    name="Queries",
    tiles=[{
        "name": "Query time",
        "x": float(0),
        "y": float(0),
        "w": float(12),
        "h": float(6),
        "series": [{
            "type": pipestack.DashboardTileSeriesType.TIME,
            "data_source": "events",
            "agg_fn": pipestack.DashboardTileSeriesAggFn.MAX,
            "field": "duration",
            "group_by": [],
        }],
    }])
slow_queries = pipestack.Alert("slow-queries",
    name="Slow queries",
    source=pipestack.AlertSource.TILE,
    dashboard_id=dashboard.id,
    tile_id=dashboard.tile_ids["Query time"],
    threshold=float(500),
    threshold_type=pipestack.AlertThresholdType.ABOVE,
    interval="5m",
    channel={
        "type": "webhook",
        "webhook_id": "66f0c2d8a1b2c3d4e5f60718",
    })
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const dashboard = new pipestack.Dashboard("dashboard", {
    name: "Queries",
    tiles: [{
        name: "Query time",
        x: 0,
        y: 0,
        w: 12,
        h: 6,
        series: [{
            type: pipestack.DashboardTileSeriesType.Time,
            dataSource: "events",
            aggFn: pipestack.DashboardTileSeriesAggFn.Max,
            field: "duration",
            groupBy: [],
        }],
    }],
});
const slowQueries = new pipestack.Alert("slow-queries", {
    name: "Slow queries",
    source: pipestack.AlertSource.Tile,
    dashboardId: dashboard.id,
    tileId: dashboard.tileIds["Query time"],
    threshold: 500,
    thresholdType: pipestack.AlertThresholdType.Above,
    interval: "5m",
    channel: {
        type: "webhook",
        webhookId: "66f0c2d8a1b2c3d4e5f60718",
    },
});
`,
  },
  ApiKey: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		reporting, err := pipestack.NewApiKey(ctx, "reporting", &pipestack.ApiKeyArgs{
			Roles: pipestack.ApiKeyRoleArray{
				pipestack.ApiKeyRole_Query_endpoints,
			},
			ExpireAt: pulumi.String("2027-12-31T00:00:00Z"),
			IpAccessList: pipestack.ApiKeyIpAccessListArray{
				&pipestack.ApiKeyIpAccessListArgs{
					Source:      pulumi.String("203.0.113.0/24"),
					Description: pulumi.String("office"),
				},
			},
			Keepers: pulumi.StringMap{
				"rotation": pulumi.String("2027-01"),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("keySecret", reporting.KeySecret)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

reporting = pipestack.ApiKey("reporting",
    roles=[pipestack.ApiKeyRole.QUERY_ENDPOINTS],
    expire_at="2027-12-31T00:00:00Z",
    ip_access_list=[{
        "source": "203.0.113.0/24",
        "description": "office",
    }],
    keepers={
        "rotation": "2027-01",
    })
pulumi.export("keySecret", reporting.key_secret)
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const reporting = new pipestack.ApiKey("reporting", {
    roles: [pipestack.ApiKeyRole.Query_endpoints],
    expireAt: "2027-12-31T00:00:00Z",
    ipAccessList: [{
        source: "203.0.113.0/24",
        description: "office",
    }],
    keepers: {
        rotation: "2027-01",
    },
});
export const keySecret = reporting.keySecret;
`,
  },
  Dashboard: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ingestion, err := pipestack.NewDashboard(ctx, "ingestion", &pipestack.DashboardArgs{
			Name: pulumi.String("Ingestion"),
			Tags: pulumi.StringArray{
				pulumi.String("production"),
			},
			Tiles: pipestack.DashboardTileArray{
				&pipestack.DashboardTileArgs{
					Name: pulumi.String("Errors"),
					X:    pulumi.Float64(0),
					Y:    pulumi.Float64(0),
					W:    pulumi.Float64(12),
					H:    pulumi.Float64(4),
					Series: pipestack.DashboardTileSeriesArray{
						&pipestack.DashboardTileSeriesArgs{
							Type:     pulumi.String(pipestack.DashboardTileSeriesTypeTime),
							SourceId: pulumi.String("66f0c2d8a1b2c3d4e5f60718"),
							AggFn:    pulumi.String(pipestack.DashboardTileSeriesAggFnCount),
							Where:    pulumi.String("SeverityText:error"),
							GroupBy: pulumi.StringArray{
								pulumi.String("ServiceName"),
							},
						},
					},
				},
				&pipestack.DashboardTileArgs{
					Name: pulumi.String("Rows"),
					X:    pulumi.Float64(12),
					Y:    pulumi.Float64(0),
					W:    pulumi.Float64(6),
					H:    pulumi.Float64(4),
					Series: pipestack.DashboardTileSeriesArray{
						&pipestack.DashboardTileSeriesArgs{
							Type:     pulumi.String(pipestack.DashboardTileSeriesTypeNumber),
							SourceId: pulumi.String("66f0c2d8a1b2c3d4e5f60718"),
							AggFn:    pulumi.String(pipestack.DashboardTileSeriesAggFnCount),
							Where:    pulumi.String(""),
						},
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("errorsTile", ingestion.TileIds.ApplyT(func(tileIds map[string]string) (string, error) {
			return tileIds["Errors"], nil
		}).(pulumi.StringOutput))
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

ingestion = pipestack.Dashboard("ingestion",
    name="Ingestion",
    tags=["production"],
    tiles=[
        {
            "name": "Errors",
            "x": float(0),
            "y": float(0),
            "w": float(12),
            "h": float(4),
            "series": [{
                "type": pipestack.DashboardTileSeriesType.TIME,
                "source_id": "66f0c2d8a1b2c3d4e5f60718",
                "agg_fn": pipestack.DashboardTileSeriesAggFn.COUNT,
                "where": "SeverityText:error",
                "group_by": ["ServiceName"],
            }],
        },
        {
            "name": "Rows",
            "x": float(12),
            "y": float(0),
            "w": float(6),
            "h": float(4),
            "series": [{
                "type": pipestack.DashboardTileSeriesType.NUMBER,
                "source_id": "66f0c2d8a1b2c3d4e5f60718",
                "agg_fn": pipestack.DashboardTileSeriesAggFn.COUNT,
                "where": "",
            }],
        },
    ])
pulumi.export("errorsTile", ingestion.tile_ids["Errors"])
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const ingestion = new pipestack.Dashboard("ingestion", {
    name: "Ingestion",
    tags: ["production"],
    tiles: [
        {
            name: "Errors",
            x: 0,
            y: 0,
            w: 12,
            h: 4,
            series: [{
                type: pipestack.DashboardTileSeriesType.Time,
                sourceId: "66f0c2d8a1b2c3d4e5f60718",
                aggFn: pipestack.DashboardTileSeriesAggFn.Count,
                where: "SeverityText:error",
                groupBy: ["ServiceName"],
            }],
        },
        {
            name: "Rows",
            x: 12,
            y: 0,
            w: 6,
            h: 4,
            series: [{
                type: pipestack.DashboardTileSeriesType.Number,
                sourceId: "66f0c2d8a1b2c3d4e5f60718",
                aggFn: pipestack.DashboardTileSeriesAggFn.Count,
                where: "",
            }],
        },
    ],
});
export const errorsTile = ingestion.tileIds.Errors;
`,
  },
  QueryEndpoint: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		queries, err := pipestack.NewApiKey(ctx, "queries", &pipestack.ApiKeyArgs{
			Roles: pipestack.ApiKeyRoleArray{
				pipestack.ApiKeyRole_Query_endpoints,
			},
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewQueryEndpoint(ctx, "endpoint", &pipestack.QueryEndpointArgs{
			Roles: pipestack.QueryEndpointRoleArray{
				pipestack.QueryEndpointRole_Sql_console_read_only,
			},
			OpenApiKeys: pulumi.StringArray{
				queries.ID().ToIDOutput().ToStringOutput(),
			},
			AllowedOrigins: pulumi.Any("https://app.example.com"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

queries = pipestack.ApiKey("queries", roles=[pipestack.ApiKeyRole.QUERY_ENDPOINTS])
endpoint = pipestack.QueryEndpoint("endpoint",
    roles=[pipestack.QueryEndpointRole.SQL_CONSOLE_READ_ONLY],
    open_api_keys=[queries.id],
    allowed_origins="https://app.example.com")
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const queries = new pipestack.ApiKey("queries", {roles: [pipestack.ApiKeyRole.Query_endpoints]});
const endpoint = new pipestack.QueryEndpoint("endpoint", {
    roles: [pipestack.QueryEndpointRole.Sql_console_read_only],
    openApiKeys: [queries.id],
    allowedOrigins: "https://app.example.com",
});
`,
  },
  SavedSearch: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := pipestack.NewSavedSearch(ctx, "errors", &pipestack.SavedSearchArgs{
			SourceId: pulumi.String("66f0c2d8a1b2c3d4e5f60718"),
			Select:   pulumi.String("Timestamp, ServiceName, Body"),
			Where:    pulumi.String("SeverityText:error"),
		})
		if err != nil {
			return err
		}
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

errors = pipestack.SavedSearch("errors",
    source_id="66f0c2d8a1b2c3d4e5f60718",
    select="Timestamp, ServiceName, Body",
    where="SeverityText:error")
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const errors = new pipestack.SavedSearch("errors", {
    sourceId: "66f0c2d8a1b2c3d4e5f60718",
    select: "Timestamp, ServiceName, Body",
    where: "SeverityText:error",
});
`,
  },
  ServiceScaling: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		scaling, err := pipestack.NewServiceScaling(ctx, "scaling", &pipestack.ServiceScalingArgs{
			NumReplicas:        pulumi.Int(3),
			IdleScaling:        pulumi.Bool(true),
			IdleTimeoutMinutes: pulumi.Int(15),
		})
		if err != nil {
			return err
		}
		ctx.Export("endpoints", scaling.Endpoints)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

scaling = pipestack.ServiceScaling("scaling",
    num_replicas=3,
    idle_scaling=True,
    idle_timeout_minutes=15)
pulumi.export("endpoints", scaling.endpoints)
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const scaling = new pipestack.ServiceScaling("scaling", {
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
});
export const endpoints = scaling.endpoints;
`,
  },
  Webhook: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		slackUrl := cfg.RequireSecret("slackUrl")
		onCall, err := pipestack.NewWebhook(ctx, "on-call", &pipestack.WebhookArgs{
			Service: pipestack.WebhookServiceSlack,
			Url:     slackUrl,
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewAlert(ctx, "silent", &pipestack.AlertArgs{
			Source:        pipestack.AlertSourceSearch,
			Threshold:     pulumi.Float64(1),
			ThresholdType: pulumi.String(pipestack.AlertThresholdTypeBelow),
			Interval:      pulumi.String("1h"),
			Channel: &pipestack.AlertChannelArgs{
				Type:      pulumi.String("webhook"),
				WebhookId: onCall.ID().ToIDOutput().ToStringOutput(),
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

config = pulumi.Config()
slack_url = config.require_secret("slackUrl")
on_call = pipestack.Webhook("on-call",
    service=pipestack.WebhookService.SLACK,
    url=slack_url)
silent = pipestack.Alert("silent",
    source=pipestack.AlertSource.SEARCH,
    threshold=float(1),
    threshold_type=pipestack.AlertThresholdType.BELOW,
    interval="1h",
    channel={
        "type": "webhook",
        "webhook_id": on_call.id,
    })
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const config = new pulumi.Config();
const slackUrl = config.requireSecret("slackUrl");
const onCall = new pipestack.Webhook("on-call", {
    service: pipestack.WebhookService.Slack,
    url: slackUrl,
});
const silent = new pipestack.Alert("silent", {
    source: pipestack.AlertSource.Search,
    threshold: 1,
    thresholdType: pipestack.AlertThresholdType.Below,
    interval: "1h",
    channel: {
        type: "webhook",
        webhookId: onCall.id,
    },
});
`,
  },
  getAlerts: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetAlertsOutput(ctx, pipestack.GetAlertsOutputArgs{}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

found = pipestack.get_alerts_output()
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const found = pipestack.getAlertsOutput({});
`,
  },
  getChartSeries: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetChartSeriesOutput(ctx, pipestack.GetChartSeriesOutputArgs{
			Series: pipestack.GetChartSeriesSeriesArray{
				&pipestack.GetChartSeriesSeriesArgs{
					SourceId: pulumi.String("66f0c2d8a1b2c3d4e5f60718"),
					AggFn:    pulumi.String("count"),
					Where:    pulumi.String("SeverityText:error"),
					GroupBy: pulumi.StringArray{
						pulumi.String("ServiceName"),
					},
				},
			},
			StartTime:   pulumi.Int(1767225600000),
			EndTime:     pulumi.Int(1767312000000),
			Granularity: pipestack.GetChartSeriesGranularity_1h,
		}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

errors = pipestack.get_chart_series_output(series=[{
        "source_id": "66f0c2d8a1b2c3d4e5f60718",
        "agg_fn": "count",
        "where": "SeverityText:error",
        "group_by": ["ServiceName"],
    }],
    start_time=int(1767225600000),
    end_time=int(1767312000000),
    granularity=pipestack.GetChartSeriesGranularity.GET_CHART_SERIES_GRANULARITY_1H)
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const errors = pipestack.getChartSeriesOutput({
    series: [{
        sourceId: "66f0c2d8a1b2c3d4e5f60718",
        aggFn: "count",
        where: "SeverityText:error",
        groupBy: ["ServiceName"],
    }],
    startTime: 1767225600000,
    endTime: 1767312000000,
    granularity: pipestack.GetChartSeriesGranularity.GetChartSeriesGranularity_1h,
});
`,
  },
  getDashboards: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetDashboardsOutput(ctx, pipestack.GetDashboardsOutputArgs{}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

found = pipestack.get_dashboards_output()
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const found = pipestack.getDashboardsOutput({});
`,
  },
  getPipe: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		orders := pipestack.GetPipeOutput(ctx, pipestack.GetPipeOutputArgs{
			PipeId: pulumi.String("3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21"),
		}, nil)
		ctx.Export("state", orders.State())
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

orders = pipestack.get_pipe_output(pipe_id="3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21")
pulumi.export("state", orders.state)
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const orders = pipestack.getPipeOutput({
    pipeId: "3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21",
});
export const state = orders.state;
`,
  },
  getPipeSettings: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := pipestack.GetPipeSettingsOutput(ctx, pipestack.GetPipeSettingsOutputArgs{
			PipeId: pulumi.String("3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21"),
		}, nil)
		ctx.Export("settings", settings)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

settings = pipestack.get_pipe_settings_output(pipe_id="3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21")
pulumi.export("settings", settings)
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

export = async () => {
    const settings = pipestack.getPipeSettingsOutput({
        pipeId: "3f0c2a1e-6a3b-4f5d-9c11-0a4c1b7e5d21",
    });
    return {
        settings: settings,
    };
}
`,
  },
  getPipes: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetPipesOutput(ctx, pipestack.GetPipesOutputArgs{
			State: pulumi.String("Running"),
		}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

running = pipestack.get_pipes_output(state="Running")
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const running = pipestack.getPipesOutput({
    state: "Running",
});
`,
  },
  getReversePrivateEndpoints: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetReversePrivateEndpointsOutput(ctx, pipestack.GetReversePrivateEndpointsOutputArgs{}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

found = pipestack.get_reverse_private_endpoints_output()
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const found = pipestack.getReversePrivateEndpointsOutput({});
`,
  },
  getSources: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetSourcesOutput(ctx, pipestack.GetSourcesOutputArgs{}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

found = pipestack.get_sources_output()
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const found = pipestack.getSourcesOutput({});
`,
  },
  getWebhooks: {
    go: `package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_ = pipestack.GetWebhooksOutput(ctx, pipestack.GetWebhooksOutputArgs{}, nil)
		return nil
	})
}
`,
    python: `import pulumi
import pulumi_pipestack as pipestack

found = pipestack.get_webhooks_output()
`,
    typescript: `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const found = pipestack.getWebhooksOutput({});
`,
  },
};
