import * as apiKeys from "../../functions/apiKeys";
import * as chartSeries from "../../functions/chartSeries";
import * as cloudServices from "../../functions/cloudServices";
import * as connections from "../../functions/connections";
import * as observability from "../../functions/observability";
import * as pipeDiscovery from "../../functions/pipeDiscovery";
import * as pipes from "../../functions/pipes";
import * as reversePrivateEndpoints from "../../functions/reversePrivateEndpoints";
import * as roles from "../../functions/roles";
import * as savedSearches from "../../functions/savedSearches";
import type { serviceArguments } from "../../functions/serviceArguments";
import * as services from "../../functions/services";
import * as sources from "../../functions/sources";
import * as webhooks from "../../functions/webhooks";
import * as callers from "../../functions/whoami";
import type { Static } from "../../values/schemaBuilders";
import { forms } from "./functionCall";
import type { InputsOf } from "./types";

/** The service that a function reads. */
export interface OfServiceArgs extends Static<typeof serviceArguments> {}
/** The service that a function reads; the properties may be outputs. */
export interface OfServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
/** Arguments of {@link getApiKeysOutput}. */
export interface GetApiKeysOutputArgs extends InputsOf<typeof apiKeys.getApiKeys.arguments> {}
/** Arguments of {@link getApiKeyOutput}. */
export interface GetApiKeyOutputArgs extends InputsOf<typeof apiKeys.getApiKey.arguments> {}
/** Arguments of {@link getChartSeriesOutput}. */
export interface GetChartSeriesOutputArgs extends InputsOf<typeof chartSeries.getChartSeries.arguments> {}
/** Arguments of {@link getConnectionOutput}. */
export interface GetConnectionOutputArgs extends InputsOf<typeof connections.getConnection.arguments> {}
/** Arguments of {@link discoverPipeSchemaOutput}. */
export interface DiscoverPipeSchemaOutputArgs
  extends InputsOf<typeof pipeDiscovery.discoverPipeSchema.arguments> {}
/** Arguments of {@link getPipesOutput}. */
export interface GetPipesOutputArgs extends InputsOf<typeof pipes.getPipes.arguments> {}
/** Arguments of {@link getPipeOutput}. */
export interface GetPipeOutputArgs extends InputsOf<typeof pipes.getPipe.arguments> {}
/** Arguments of {@link getPipeSettingsOutput}. */
export interface GetPipeSettingsOutputArgs extends InputsOf<typeof pipes.getPipeSettings.arguments> {}
/** Arguments of {@link getRolesOutput}. */
export interface GetRolesOutputArgs extends InputsOf<typeof roles.getRoles.arguments> {}
/** Arguments of {@link getRoleOutput}. */
export interface GetRoleOutputArgs extends InputsOf<typeof roles.getRole.arguments> {}
/** Arguments of {@link getSavedSearchOutput}. */
export interface GetSavedSearchOutputArgs extends InputsOf<typeof savedSearches.getSavedSearch.arguments> {}
/** Arguments of {@link getServicesOutput}. */
export interface GetServicesOutputArgs extends InputsOf<typeof services.getServices.arguments> {}
/** Arguments of {@link getServiceOutput}. */
export interface GetServiceOutputArgs extends InputsOf<typeof services.getService.arguments> {}
/** Arguments of {@link getSourceOutput}. */
export interface GetSourceOutputArgs extends InputsOf<typeof sources.getSource.arguments> {}
/** Arguments of {@link getWebhooksOutput}. */
export interface GetWebhooksOutputArgs extends InputsOf<typeof webhooks.getWebhooks.arguments> {}
/** Arguments of {@link getWebhookOutput}. */
export interface GetWebhookOutputArgs extends InputsOf<typeof webhooks.getWebhook.arguments> {}
/** Arguments of {@link whoamiOutput}. */
export interface WhoamiOutputArgs extends InputsOf<typeof callers.whoami.arguments> {}

export const [getApiKeys, getApiKeysOutput] = forms(apiKeys.getApiKeys);
export const [getApiKey, getApiKeyOutput] = forms(apiKeys.getApiKey);
export const [getChartSeries, getChartSeriesOutput] = forms(chartSeries.getChartSeries);
export const [getPrivateEndpointConfig, getPrivateEndpointConfigOutput] = forms(
  cloudServices.getPrivateEndpointConfig,
);
export const [getServiceSettingsSchema, getServiceSettingsSchemaOutput] = forms(
  cloudServices.getServiceSettingsSchema,
);
export const [getConnections, getConnectionsOutput] = forms(connections.getConnections);
export const [getConnection, getConnectionOutput] = forms(connections.getConnection);
export const [getDashboards, getDashboardsOutput] = forms(observability.getDashboards);
export const [getAlerts, getAlertsOutput] = forms(observability.getAlerts);
export const [discoverPipeSchema, discoverPipeSchemaOutput] = forms(pipeDiscovery.discoverPipeSchema);
export const [getPipesContext, getPipesContextOutput] = forms(pipeDiscovery.getPipesContext);
export const [getPipes, getPipesOutput] = forms(pipes.getPipes);
export const [getPipe, getPipeOutput] = forms(pipes.getPipe);
export const [getPipeSettings, getPipeSettingsOutput] = forms(pipes.getPipeSettings);
export const [getReversePrivateEndpoints, getReversePrivateEndpointsOutput] = forms(
  reversePrivateEndpoints.getReversePrivateEndpoints,
);
export const [getRoles, getRolesOutput] = forms(roles.getRoles);
export const [getRole, getRoleOutput] = forms(roles.getRole);
export const [getSavedSearches, getSavedSearchesOutput] = forms(savedSearches.getSavedSearches);
export const [getSavedSearch, getSavedSearchOutput] = forms(savedSearches.getSavedSearch);
export const [getServices, getServicesOutput] = forms(services.getServices);
export const [getService, getServiceOutput] = forms(services.getService);
export const [getSources, getSourcesOutput] = forms(sources.getSources);
export const [getSource, getSourceOutput] = forms(sources.getSource);
export const [getWebhooks, getWebhooksOutput] = forms(webhooks.getWebhooks);
export const [getWebhook, getWebhookOutput] = forms(webhooks.getWebhook);
export const [whoami, whoamiOutput] = forms(callers.whoami);
