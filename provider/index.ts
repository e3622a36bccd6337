/**
 * Pulumi provider for ClickHouse Cloud and HyperDX / ClickStack. Its resources are services, their scaling, pipes, API keys, query
 * endpoints, saved queries, connections, sources, dashboards, saved searches, webhooks, alerts and others; its functions read
 * these objects and further records.
 *
 * @packageDocumentation
 */
export type { ApiKeySummary, GetApiKeyArgs, GetApiKeysArgs } from "./functions/apiKeys";
export type { Backup, GetBackupsArgs } from "./functions/backups";
export type { ChartPoint, GetChartSeriesArgs } from "./functions/chartSeries";
export type { PrivateEndpointConfig, ServiceSettingSchema } from "./functions/cloudServices";
export type { ConnectionSummary, GetConnectionArgs } from "./functions/connections";
export type { AlertSummary, DashboardSummary, TileSummary } from "./functions/observability";
export type { GetMemberArgs, GetQuotasArgs, MemberSummary, Quota } from "./functions/organization";
export type {
  BigquerySettings,
  BigquerySource,
  BigqueryTableMapping,
  KafkaSource,
  KinesisSource,
  MongodbSettings,
  MongodbSource,
  MongodbTableMapping,
  MysqlSettings,
  MysqlSource,
  MysqlTableMapping,
  ObjectStorageSource,
  PipeDestination,
  PipeScaling,
  PipeSettings,
  PipeSource,
  PipeSummary,
  PostgresSettings,
  PostgresSource,
  PostgresTableMapping,
  PubsubSource,
} from "./functions/pipe";
export type { DiscoveredPipeSchema, DiscoverPipeSchemaArgs, PipesContext } from "./functions/pipeDiscovery";
export type { GetPipeArgs, GetPipeSettingsArgs, GetPipesArgs } from "./functions/pipes";
export type {
  GetPostgresBackupsArgs,
  GetPostgresCaCertificatesArgs,
  GetPostgresServiceArgs,
  GetPostgresServicesArgs,
  PostgresBackup,
  PostgresCaCertificates,
  PostgresServiceEntry,
  PostgresServiceSummary,
} from "./functions/postgres";
export type { ReversePrivateEndpointSummary } from "./functions/reversePrivateEndpoints";
export type { GetRoleArgs, GetRolesArgs, RoleSummary } from "./functions/roles";
export type { GetSavedSearchArgs, SavedSearchSummary } from "./functions/savedSearches";
export type { GetServiceProfilesArgs, ServiceProfile } from "./functions/serviceProfiles";
export type { GetServiceArgs, GetServicesArgs, ServiceSummary } from "./functions/services";
export type { GetSnapshotsArgs, Snapshot } from "./functions/snapshots";
export type { DataSource, GetSourceArgs } from "./functions/sources";
export type { SshTunnelSummary } from "./functions/sshTunnels";
export type { GetUdfsArgs, GetUdfVersionsArgs, UdfSummary } from "./functions/udfs";
export type { GetWebhookArgs, GetWebhooksArgs, WebhookSummary } from "./functions/webhooks";
export type { Caller, WhoamiArgs } from "./functions/whoami";
export * from "./hosts/dynamic/alert";
export * from "./hosts/dynamic/alertArgs";
export * from "./hosts/dynamic/alertSet";
export * from "./hosts/dynamic/apiKey";
export * from "./hosts/dynamic/backupBucket";
export * from "./hosts/dynamic/backupConfiguration";
export * from "./hosts/dynamic/clickStackRole";
export * from "./hosts/dynamic/connection";
export * from "./hosts/dynamic/dashboard";
export * from "./hosts/dynamic/dashboardArgs";
export type { FunctionOptions } from "./hosts/dynamic/functionCall";
export * from "./hosts/dynamic/functions";
export type { ScopeArgs } from "./hosts/dynamic/managedResource";
export * from "./hosts/dynamic/member";
export * from "./hosts/dynamic/organizationSettings";
export * from "./hosts/dynamic/pipe";
export * from "./hosts/dynamic/pipeCdcScaling";
export * from "./hosts/dynamic/postgresService";
export * from "./hosts/dynamic/privateEndpoint";
export * from "./hosts/dynamic/provider";
export * from "./hosts/dynamic/queryApiEndpoint";
export * from "./hosts/dynamic/queryEndpoint";
export * from "./hosts/dynamic/replicaAwareRouting";
export * from "./hosts/dynamic/reversePrivateEndpoint";
export * from "./hosts/dynamic/role";
export * from "./hosts/dynamic/roleAssignment";
export * from "./hosts/dynamic/savedQuery";
export * from "./hosts/dynamic/savedSearch";
export * from "./hosts/dynamic/service";
export * from "./hosts/dynamic/serviceScaling";
export * from "./hosts/dynamic/serviceScalingSchedule";
export * from "./hosts/dynamic/serviceSettings";
export * from "./hosts/dynamic/slo";
export * from "./hosts/dynamic/snapshotConfiguration";
export * from "./hosts/dynamic/source";
export * from "./hosts/dynamic/sourceLinks";
export * from "./hosts/dynamic/sshTunnel";
export type { TileReference } from "./hosts/dynamic/tileIds";
export * from "./hosts/dynamic/udf";
export * from "./hosts/dynamic/udfAttachment";
export * from "./hosts/dynamic/upgradeWindow";
export * from "./hosts/dynamic/webhook";
export type { OtherDisplayType, TileConfig } from "./resources/tiles/tileConfig";
export type { TileOnClick } from "./resources/tiles/tileOnClick";
