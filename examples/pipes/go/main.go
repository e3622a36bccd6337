package main

import (
	"github.com/pipestack/pipestack/sdk/go/pipestack"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		secret := config.New(ctx, "").RequireSecret
		// The brokers are in a network of your own, whose owner accepts the output EndpointId.
		brokers, err := pipestack.NewReversePrivateEndpoint(ctx, "brokers", &pipestack.ReversePrivateEndpointArgs{
			Description:            pulumi.String("brokers of the shop"),
			Type:                   pipestack.ReversePrivateEndpointTypeVpcEndpointService,
			VpcEndpointServiceName: pulumi.String("com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320"),
			CustomPrivateDnsMappings: pipestack.ReversePrivateEndpointCustomPrivateDnsMappingArray{
				pipestack.ReversePrivateEndpointCustomPrivateDnsMappingArgs{
					PrivateDnsName: pulumi.String("broker.example.com"),
				},
			},
		})
		if err != nil {
			return err
		}
		columns := pipestack.PipeColumnArray{
			pipestack.PipeColumnArgs{Name: pulumi.String("id"), Type: pulumi.String("UInt64")},
			pipestack.PipeColumnArgs{Name: pulumi.String("amount"), Type: pulumi.String("Decimal(18, 2)")},
		}
		fieldMappings := pipestack.PipeFieldMappingArray{
			pipestack.PipeFieldMappingArgs{SourceField: pulumi.String("id"), DestinationField: pulumi.String("id")},
			pipestack.PipeFieldMappingArgs{SourceField: pulumi.String("amount"), DestinationField: pulumi.String("amount")},
		}
		tableDefinition := pipestack.PipeDestinationTableDefinitionArgs{
			Engine: pipestack.PipeDestinationTableDefinitionEngineArgs{
				Type: pipestack.PipeDestinationTableDefinitionEngineTypeMergeTree,
			},
			SortingKey: pulumi.StringArray{pulumi.String("id")},
		}
		orders, err := pipestack.NewPipe(ctx, "orders", &pipestack.PipeArgs{
			Name: pulumi.String("orders"),
			Source: pipestack.PipeSourceArgs{
				Kafka: pipestack.PipeSourceKafkaArgs{
					Type:                      pipestack.PipeSourceKafkaTypeKafka,
					Format:                    pipestack.PipeSourceStreamFormatAvroConfluent,
					Brokers:                   pulumi.String("broker.example.com:9092"),
					Topics:                    pulumi.String("orders"),
					Authentication:            pipestack.PipeSourceKafkaAuthenticationScramSha512,
					ReversePrivateEndpointIds: pulumi.StringArray{brokers.ID()},
					SchemaRegistry: pipestack.PipeSourceKafkaSchemaRegistryArgs{
						Url: pulumi.String("https://registry.example.com"),
					},
				},
			},
			// Sent when they change, and kept encrypted in the state.
			Credentials: pipestack.PipeCredentialsArgs{
				Username: pulumi.String("reader"),
				Password: secret("kafkaPassword"),
			},
			SchemaRegistryCredentials: pipestack.PipeSchemaRegistryCredentialsArgs{
				Username: pulumi.String("reader"),
				Password: secret("registryPassword"),
			},
			Destination: pipestack.PipeDestinationArgs{
				Database:        pulumi.String("default"),
				Table:           pulumi.String("orders"),
				TableDefinition: tableDefinition,
				Columns:         columns,
			},
			FieldMappings: fieldMappings,
			Scaling: pipestack.PipeScalingArgs{
				Replicas:             pulumi.Int(2),
				ReplicaCpuMillicores: pulumi.Int(250),
				ReplicaMemoryGb:      pulumi.Float64(1),
			},
		})
		if err != nil {
			return err
		}
		// A queue tells of new objects, which a role reads.
		files, err := pipestack.NewPipe(ctx, "files", &pipestack.PipeArgs{
			Name: pulumi.String("files"),
			Source: pipestack.PipeSourceArgs{
				ObjectStorage: pipestack.PipeSourceObjectStorageArgs{
					Type:           pipestack.PipeSourceObjectStorageTypeS3,
					Format:         pipestack.PipeSourceObjectStorageFormatJSONEachRow,
					Url:            pulumi.String("https://files.s3.eu-central-1.amazonaws.com/**/*.json"),
					IsContinuous:   pulumi.Bool(true),
					QueueUrl:       pulumi.String("https://sqs.eu-central-1.amazonaws.com/000000000000/files"),
					Authentication: pipestack.PipeSourceObjectStorageAuthenticationIamRole,
					IamRole:        pulumi.String("arn:aws:iam::000000000000:role/files"),
				},
			},
			Destination: pipestack.PipeDestinationArgs{
				Database:        pulumi.String("default"),
				Table:           pulumi.String("files"),
				TableDefinition: tableDefinition,
				Columns:         columns,
			},
			FieldMappings: fieldMappings,
			Settings:      pipestack.PipeSettingsArgs{Object_storage_concurrency: pulumi.Int(4)},
		})
		if err != nil {
			return err
		}
		// Loads the tables, and then follows their changes. A change that would load them anew is refused.
		shop, err := pipestack.NewPipe(ctx, "shop", &pipestack.PipeArgs{
			Name: pulumi.String("shop"),
			Source: pipestack.PipeSourceArgs{
				Postgres: pipestack.PipeSourcePostgresArgs{
					Host:     pulumi.String("shop.db.example.com"),
					Port:     pulumi.Int(5432),
					Database: pulumi.String("shop"),
					Settings: pipestack.PipeSourcePostgresSettingsArgs{
						ReplicationMode:     pipestack.PipeSourceReplicationModeCdc,
						SyncIntervalSeconds: pulumi.Int(60),
					},
					TableMappings: pipestack.PipeSourceTableMappingArray{
						pipestack.PipeSourceTableMappingArgs{
							SourceSchemaName: pulumi.String("public"),
							SourceTable:      pulumi.String("customers"),
							TargetTable:      pulumi.String("customers"),
						},
						pipestack.PipeSourceTableMappingArgs{
							SourceSchemaName: pulumi.String("public"),
							SourceTable:      pulumi.String("invoices"),
							TargetTable:      pulumi.String("invoices"),
						},
					},
				},
			},
			Credentials: pipestack.PipeCredentialsArgs{
				Username: pulumi.String("replicator"),
				Password: secret("postgresPassword"),
			},
			Destination: pipestack.PipeDestinationArgs{Database: pulumi.String("default")},
		})
		if err != nil {
			return err
		}
		ctx.Export("toAccept", brokers.EndpointId)
		ctx.Export("states", pulumi.Array{orders.Status, files.Status, shop.Status})
		return nil
	})
}
