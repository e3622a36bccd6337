package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// The alert queries the warehouse by the connection that its server has.
		warehouse, err := pipestack.LookupConnection(ctx, &pipestack.LookupConnectionArgs{Name: "Default"})
		if err != nil {
			return err
		}
		key, err := pipestack.NewApiKey(ctx, "reports", &pipestack.ApiKeyArgs{
			Name:  pulumi.String("Reports"),
			Roles: pipestack.ApiKeyRoleArray{pipestack.ApiKeyRoleQueryEndpoints},
		})
		if err != nil {
			return err
		}
		errors, err := pipestack.NewQueryApiEndpoint(ctx, "errors-by-service", &pipestack.QueryApiEndpointArgs{
			Name: pulumi.String("Errors by service"),
			Sql: pulumi.String(`SELECT ServiceName, count() AS errors
FROM otel_logs
WHERE SeverityText = 'error' AND Timestamp > now() - INTERVAL {minutes: UInt32} MINUTE
GROUP BY ServiceName
`),
			Database:   pulumi.String("default"),
			Parameters: pulumi.StringMap{"minutes": pulumi.String("60")},
			ApiKeyIds:  pulumi.StringArray{key.ID()},
			Roles:      pulumi.StringArray{pulumi.String("sql_console_read_only")},
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewServiceScalingSchedule(ctx, "office-hours", &pipestack.ServiceScalingScheduleArgs{
			Entries: pipestack.ServiceScalingScheduleEntryArray{
				pipestack.ServiceScalingScheduleEntryArgs{
					Name:         pulumi.String("Office hours"),
					Weekdays:     pulumi.IntArray{pulumi.Int(1), pulumi.Int(2), pulumi.Int(3), pulumi.Int(4), pulumi.Int(5)},
					StartHourUtc: pulumi.Int(7),
					EndHourUtc:   pulumi.Int(19),
					NumReplicas:  pulumi.Int(4),
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
		_, err = pipestack.NewAlert(ctx, "error-ratio", &pipestack.AlertArgs{
			Name:   pulumi.String("One request in a hundred fails"),
			Source: pipestack.AlertSourceInline,
			ChartConfig: pipestack.AlertChartConfigSqlNumberArgs{
				ConfigType:   pulumi.String("sql"),
				DisplayType:  pulumi.String("number"),
				ConnectionId: pulumi.String(warehouse.Id),
				SqlTemplate: pulumi.String(`SELECT countIf(StatusCode = 'Error') / greatest(count(), 1)
FROM otel_traces
WHERE Timestamp > now() - INTERVAL 1 HOUR
`),
			},
			Threshold:     pulumi.Float64(0.01),
			ThresholdType: pipestack.AlertThresholdTypeAbove,
			Interval:      pulumi.String(pipestack.AlertIntervalFiveMinutes),
			Channel: pipestack.AlertChannelArgs{
				Type:      pulumi.String("webhook"),
				WebhookId: webhook.ID(),
			},
		})
		ctx.Export("address", errors.Url)
		return err
	})
}
