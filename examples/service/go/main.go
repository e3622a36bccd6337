package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		protected, _ := ctx.GetConfig(ctx.Project() + ":protected")
		// Billed from its creation on. Until an update of its own sets the protection to false, nothing deletes or replaces it.
		lake, err := pipestack.NewService(ctx, "lake", &pipestack.ServiceArgs{
			Name:     pulumi.String("lake"),
			Provider: pipestack.ServiceProviderAws,
			Region:   pulumi.String("eu-central-1"),
			IpAccessList: pipestack.IpAccessEntryArray{
				pipestack.IpAccessEntryArgs{
					Source:      pulumi.String("203.0.113.0/24"),
					Description: pulumi.String("office"),
				},
			},
			MinReplicaMemoryGb: pulumi.Int(16),
			MaxReplicaMemoryGb: pulumi.Int(64),
			IdleTimeoutMinutes: pulumi.Int(15),
			Tags: pipestack.ServiceTagArray{
				pipestack.ServiceTagArgs{Key: pulumi.String("team"), Value: pulumi.String("data")},
			},
			DeletionProtection: pulumi.Bool(protected != "false"),
		})
		if err != nil {
			return err
		}
		// All that follows names the id of the service, and so is created once the service runs.
		_, err = pipestack.NewServiceScalingSchedule(ctx, "office-hours", &pipestack.ServiceScalingScheduleArgs{
			ServiceId: lake.ID(),
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
		_, err = pipestack.NewBackupConfiguration(ctx, "nightly", &pipestack.BackupConfigurationArgs{
			ServiceId:                    lake.ID(),
			BackupStartTime:              pulumi.String("03:00"),
			BackupRetentionPeriodInHours: pulumi.Int(7 * 24),
		})
		if err != nil {
			return err
		}
		_, err = pipestack.NewServiceSettings(ctx, "settings", &pipestack.ServiceSettingsArgs{
			ServiceId: lake.ID(),
			Settings:  pulumi.Map{"max_concurrent_queries": pulumi.Int(500)},
		})
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
		_, err = pipestack.NewQueryEndpoint(ctx, "queries", &pipestack.QueryEndpointArgs{
			ServiceId:   lake.ID(),
			Roles:       pipestack.QueryEndpointRoleArray{pipestack.QueryEndpointRoleSqlConsoleReadOnly},
			OpenApiKeys: pulumi.StringArray{key.ID()},
		})
		if err != nil {
			return err
		}
		// A tile of text, since a new service has no source of data: it gets some when ClickStack is opened in its
		// console, once it has data (docs/services.md).
		_, err = pipestack.NewDashboard(ctx, "start", &pipestack.DashboardArgs{
			ServiceId: lake.ID(),
			Name:      pulumi.String("Start here"),
			Tiles: pipestack.DashboardTileArray{
				pipestack.DashboardTileArgs{
					Name: pulumi.String("What is where"),
					W:    pulumi.Int(12),
					H:    pulumi.Int(4),
					Config: pipestack.DashboardTileConfigMarkdownArgs{
						DisplayType: pulumi.String("markdown"),
						Markdown:    pulumi.String("Tables of the data team: see the runbook."),
					},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("host", lake.Endpoints.Index(pulumi.Int(0)).Host())
		ctx.Export("password", lake.GeneratedPassword)
		return nil
	})
}
