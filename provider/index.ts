/**
 * Pulumi provider for a cloud data warehouse service: its scaling, API keys, query endpoint, connections, sources,
 * dashboards, saved searches, webhooks and alerts as resources, its pipes and other records as functions.
 *
 * @packageDocumentation
 */
export type { ChartPoint, GetChartSeriesArgs } from "./functions/chartSeries";
export type { ConnectionSummary, GetConnectionArgs } from "./functions/connections";
export type {
  BigquerySettings,
  BigquerySource,
  BigqueryTableMapping,
  MongodbSettings,
  MongodbSource,
  MongodbTableMapping,
  MysqlSettings,
  MysqlSource,
  MysqlTableMapping,
  PostgresSettings,
  PostgresSource,
  PostgresTableMapping,
} from "./functions/databaseSources";
export type { AlertSummary, DashboardSummary, TileSummary } from "./functions/observability";
export type { Pipe, PipeDestination, PipeScaling, PipeSettings, PipeSource } from "./functions/pipe";
export type { GetPipeArgs, GetPipeSettingsArgs, GetPipesArgs } from "./functions/pipes";
export type { ReversePrivateEndpoint } from "./functions/reversePrivateEndpoints";
export type { GetRoleArgs, GetRolesArgs, Role } from "./functions/roles";
export type { GetSavedSearchArgs, SavedSearchSummary } from "./functions/savedSearches";
export type { DataSource, GetSourceArgs } from "./functions/sources";
export type {
  KafkaSource,
  KinesisSource,
  ObjectStorageSource,
  PubsubSource,
} from "./functions/streamSources";
export type { GetWebhookArgs, GetWebhooksArgs, WebhookSummary } from "./functions/webhooks";
export { Alert, type AlertArgs, type AlertChannelArgs } from "./hosts/dynamic/alert";
export { ApiKey, type ApiKeyArgs } from "./hosts/dynamic/apiKey";
export { Connection, type ConnectionArgs } from "./hosts/dynamic/connection";
export { Dashboard, type DashboardArgs } from "./hosts/dynamic/dashboard";
export type {
  BackgroundChartArgs,
  BarTileConfigArgs,
  ColorRuleArgs,
  DashboardContainerArgs,
  DashboardFilterArgs,
  DashboardSeriesArgs,
  DashboardTileArgs,
  EventPatternsTileConfigArgs,
  HeatmapSelectArgs,
  HeatmapTileConfigArgs,
  LineTileConfigArgs,
  MarkdownTileConfigArgs,
  NumberFormatArgs,
  NumberTileConfigArgs,
  OtherTileConfigArgs,
  PieTileConfigArgs,
  SavedFilterValueArgs,
  SearchTileConfigArgs,
  SqlTileConfigArgs,
  StackedBarTileConfigArgs,
  TableTileConfigArgs,
  TileConfigArgs,
  TileOnClickArgs,
  TileSelectArgs,
} from "./hosts/dynamic/dashboardArgs";
export type { FunctionOptions } from "./hosts/dynamic/functionCall";
export {
  type GetChartSeriesOutputArgs,
  getChartSeries,
  getChartSeriesOutput,
} from "./hosts/dynamic/functions/chartSeries";
export {
  type GetConnectionOutputArgs,
  getConnection,
  getConnectionOutput,
  getConnections,
  getConnectionsOutput,
} from "./hosts/dynamic/functions/connections";
export {
  getAlerts,
  getAlertsOutput,
  getDashboards,
  getDashboardsOutput,
} from "./hosts/dynamic/functions/observability";
export {
  type GetPipeOutputArgs,
  type GetPipeSettingsOutputArgs,
  type GetPipesOutputArgs,
  getPipe,
  getPipeOutput,
  getPipeSettings,
  getPipeSettingsOutput,
  getPipes,
  getPipesOutput,
} from "./hosts/dynamic/functions/pipes";
export {
  getReversePrivateEndpoints,
  getReversePrivateEndpointsOutput,
} from "./hosts/dynamic/functions/reversePrivateEndpoints";
export {
  type GetRoleOutputArgs,
  type GetRolesOutputArgs,
  getRole,
  getRoleOutput,
  getRoles,
  getRolesOutput,
} from "./hosts/dynamic/functions/roles";
export {
  type GetSavedSearchOutputArgs,
  getSavedSearch,
  getSavedSearches,
  getSavedSearchesOutput,
  getSavedSearchOutput,
} from "./hosts/dynamic/functions/savedSearches";
export type { ServiceArgs, ServiceOutputArgs } from "./hosts/dynamic/functions/serviceArguments";
export {
  type GetSourceOutputArgs,
  getSource,
  getSourceOutput,
  getSources,
  getSourcesOutput,
} from "./hosts/dynamic/functions/sources";
export {
  type GetWebhookOutputArgs,
  type GetWebhooksOutputArgs,
  getWebhook,
  getWebhookOutput,
  getWebhooks,
  getWebhooksOutput,
} from "./hosts/dynamic/functions/webhooks";
export type { ScopeArgs } from "./hosts/dynamic/managedResource";
export { Provider, type ProviderArgs } from "./hosts/dynamic/provider";
export { QueryEndpoint, type QueryEndpointArgs } from "./hosts/dynamic/queryEndpoint";
export { SavedSearch, type SavedSearchArgs, type SearchFilterArgs } from "./hosts/dynamic/savedSearch";
export { ServiceScaling, type ServiceScalingArgs } from "./hosts/dynamic/serviceScaling";
export {
  type LogSourceArgs,
  type MetricSourceArgs,
  type PromqlSourceArgs,
  type SessionSourceArgs,
  Source,
  type SourceArgs,
  type TraceSourceArgs,
} from "./hosts/dynamic/source";
export { Webhook, type WebhookArgs } from "./hosts/dynamic/webhook";
export type { OtherDisplayType, TileConfig } from "./resources/tileConfig";
