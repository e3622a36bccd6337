/**
 * Pulumi provider for a cloud data warehouse service: its auto-scaling, API keys, query endpoint, dashboards and
 * alerts as resources, its pipes and other records as data functions.
 *
 * @packageDocumentation
 */
export {
  type ChartPoint,
  type GetChartSeriesArgs,
  type GetChartSeriesOutputArgs,
  getChartSeries,
  getChartSeriesOutput,
} from "./functions/chartSeries";
export {
  type AlertSummary,
  type DashboardSummary,
  type DataSource,
  getAlerts,
  getAlertsOutput,
  getDashboards,
  getDashboardsOutput,
  getSources,
  getSourcesOutput,
  getWebhooks,
  getWebhooksOutput,
  type TileSummary,
  type Webhook,
} from "./functions/observability";
export type * from "./functions/pipe";
export {
  type GetPipeArgs,
  type GetPipeOutputArgs,
  type GetPipeSettingsArgs,
  type GetPipeSettingsOutputArgs,
  type GetPipesArgs,
  type GetPipesOutputArgs,
  getPipe,
  getPipeOutput,
  getPipeSettings,
  getPipeSettingsOutput,
  getPipes,
  getPipesOutput,
} from "./functions/pipes";
export {
  getReversePrivateEndpoints,
  getReversePrivateEndpointsOutput,
  type ReversePrivateEndpoint,
} from "./functions/reversePrivateEndpoints";
export type { ServiceArgs, ServiceOutputArgs } from "./functions/serviceArguments";
export { Alert, type AlertArgs } from "./hosts/dynamic/alert";
export { ApiKey, type ApiKeyArgs } from "./hosts/dynamic/apiKey";
export { Dashboard, type DashboardArgs } from "./hosts/dynamic/dashboard";
export type { FunctionOptions } from "./hosts/dynamic/functionCall";
export type { ScopeArgs } from "./hosts/dynamic/managedResource";
export { Provider, type ProviderArgs } from "./hosts/dynamic/provider";
export { QueryEndpoint, type QueryEndpointArgs } from "./hosts/dynamic/queryEndpoint";
export { ServiceScaling, type ServiceScalingArgs } from "./hosts/dynamic/serviceScaling";
export type { TileConfig } from "./resources/dashboard";
