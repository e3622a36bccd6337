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
} from "./data/chartSeries";
export type { FunctionOptions } from "./data/dataFunction";
export type * from "./data/pipe";
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
} from "./data/pipes";
export {
  getReversePrivateEndpoints,
  getReversePrivateEndpointsOutput,
  type ReversePrivateEndpoint,
} from "./data/reversePrivateEndpoints";
export type { ServiceArgs, ServiceOutputArgs } from "./data/serviceArguments";
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
} from "./data/stack";
export type { PlaceArgs } from "./pulumi/managedResource";
export { Provider, type ProviderArgs } from "./pulumi/provider";
export { Alert, type AlertArgs } from "./resources/alert";
export { ApiKey, type ApiKeyArgs } from "./resources/apiKey";
export { Dashboard, type DashboardArgs, type TileConfig } from "./resources/dashboard";
export { QueryEndpoint, type QueryEndpointArgs } from "./resources/queryEndpoint";
export { ServiceScaling, type ServiceScalingArgs } from "./resources/serviceScaling";
