package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// The dashboard shows the service's logs.
		logs, err := pipestack.LookupSource(ctx, &pipestack.LookupSourceArgs{Name: pulumi.StringRef("Logs")})
		if err != nil {
			return err
		}
		dashboard, err := pipestack.NewDashboard(ctx, "ingestion", &pipestack.DashboardArgs{
			Name: pulumi.String("Ingestion"),
			Tiles: pipestack.DashboardTileArray{
				pipestack.DashboardTileArgs{
					Name: pulumi.String("Errors"),
					X:    pulumi.Int(0), Y: pulumi.Int(0), W: pulumi.Int(12), H: pulumi.Int(6),
					Config: pipestack.DashboardTileConfigLineArgs{
						DisplayType: pulumi.String("line"),
						SourceId:    pulumi.String(logs.Id),
						Select: pipestack.ChartSelectArray{
							pipestack.ChartSelectArgs{
								AggFn: pipestack.AggFnCount,
								Where: pulumi.String("SeverityText:error"),
							},
						},
						GroupBy: pulumi.String("ServiceName"),
					},
				},
			},
		})
		if err != nil {
			return err
		}

		webhook, err := pipestack.NewWebhook(ctx, "team", &pipestack.WebhookArgs{
			Service: pipestack.WebhookServiceGeneric,
			Url:     pulumi.String("https://hooks.example.com/team"),
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewAlert(ctx, "errors", &pipestack.AlertArgs{
			Name:          pulumi.String("Too many errors"),
			Source:        pipestack.AlertSourceTile,
			DashboardId:   dashboard.ID(),
			TileId:        dashboard.TileIds.MapIndex(pulumi.String("Errors")),
			Threshold:     pulumi.Float64(100),
			ThresholdType: pipestack.AlertThresholdTypeAbove,
			Interval:      pulumi.String(pipestack.AlertIntervalFiveMinutes),
			Channel: pipestack.AlertChannelArgs{
				Type:      pulumi.String("webhook"),
				WebhookId: webhook.ID(),
			},
		})
		ctx.Export("dashboardId", dashboard.ID())
		return err
	})
}
