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
export type { FunctionOptions } from "./hosts/dynamic/functionCall";
export type { ScopeArgs } from "./hosts/dynamic/managedResource";
export { Provider, type ProviderArgs } from "./hosts/dynamic/provider";
export { Alert, type AlertArgs } from "./resources/alert";
export { ApiKey, type ApiKeyArgs } from "./resources/apiKey";
export { Dashboard, type DashboardArgs, type TileConfig } from "./resources/dashboard";
export { QueryEndpoint, type QueryEndpointArgs } from "./resources/queryEndpoint";
export { ServiceScaling, type ServiceScalingArgs } from "./resources/serviceScaling";
