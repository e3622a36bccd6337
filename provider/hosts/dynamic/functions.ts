import type { serviceArguments } from "../../functions/listing";
import { functions } from "../../functions/registry";
import type { Static } from "../../values/schemaBuilders";
import { forms } from "./functionCall";
import type { InputsOf } from "./types";

/** The service that a function reads. */
export interface OfServiceArgs extends Static<typeof serviceArguments> {}
/** The service that a function reads; the properties may be outputs. */
export interface OfServiceOutputArgs extends InputsOf<typeof serviceArguments> {}
/** Arguments of {@link getApiKeysOutput}. */
export interface GetApiKeysOutputArgs extends InputsOf<typeof functions.getApiKeys.arguments> {}
/** Arguments of {@link getApiKeyOutput}. */
export interface GetApiKeyOutputArgs extends InputsOf<typeof functions.getApiKey.arguments> {}
/** Arguments of {@link getChartSeriesOutput}. */
export interface GetChartSeriesOutputArgs extends InputsOf<typeof functions.getChartSeries.arguments> {}
/** Arguments of {@link getConnectionOutput}. */
export interface GetConnectionOutputArgs extends InputsOf<typeof functions.getConnection.arguments> {}
/** Arguments of {@link discoverPipeSchemaOutput}. */
export interface DiscoverPipeSchemaOutputArgs
  extends InputsOf<typeof functions.discoverPipeSchema.arguments> {}
/** Arguments of {@link getPipesOutput}. */
export interface GetPipesOutputArgs extends InputsOf<typeof functions.getPipes.arguments> {}
/** Arguments of {@link getPipeOutput}. */
export interface GetPipeOutputArgs extends InputsOf<typeof functions.getPipe.arguments> {}
/** Arguments of {@link getPipeSettingsOutput}. */
export interface GetPipeSettingsOutputArgs extends InputsOf<typeof functions.getPipeSettings.arguments> {}
/** Arguments of {@link getRolesOutput}. */
export interface GetRolesOutputArgs extends InputsOf<typeof functions.getRoles.arguments> {}
/** Arguments of {@link getRoleOutput}. */
export interface GetRoleOutputArgs extends InputsOf<typeof functions.getRole.arguments> {}
/** Arguments of {@link getBackupsOutput}. */
export interface GetBackupsOutputArgs extends InputsOf<typeof functions.getBackups.arguments> {}
/** Arguments of {@link getMemberOutput}. */
export interface GetMemberOutputArgs extends InputsOf<typeof functions.getMember.arguments> {}
/** Arguments of {@link getQuotasOutput}. */
export interface GetQuotasOutputArgs extends InputsOf<typeof functions.getQuotas.arguments> {}
/** Arguments of {@link getServiceProfilesOutput}. */
export interface GetServiceProfilesOutputArgs
  extends InputsOf<typeof functions.getServiceProfiles.arguments> {}
/** Arguments of {@link getSnapshotsOutput}. */
export interface GetSnapshotsOutputArgs extends InputsOf<typeof functions.getSnapshots.arguments> {}
/** Arguments of {@link getPostgresServicesOutput}. */
export interface GetPostgresServicesOutputArgs
  extends InputsOf<typeof functions.getPostgresServices.arguments> {}
/** Arguments of {@link getPostgresServiceOutput}. */
export interface GetPostgresServiceOutputArgs
  extends InputsOf<typeof functions.getPostgresService.arguments> {}
/** Arguments of {@link getPostgresBackupsOutput}. */
export interface GetPostgresBackupsOutputArgs
  extends InputsOf<typeof functions.getPostgresBackups.arguments> {}
/** Arguments of {@link getPostgresCaCertificatesOutput}. */
export interface GetPostgresCaCertificatesOutputArgs
  extends InputsOf<typeof functions.getPostgresCaCertificates.arguments> {}
/** Arguments of {@link getUdfsOutput}. */
export interface GetUdfsOutputArgs extends InputsOf<typeof functions.getUdfs.arguments> {}
/** Arguments of {@link getUdfVersionsOutput}. */
export interface GetUdfVersionsOutputArgs extends InputsOf<typeof functions.getUdfVersions.arguments> {}
/** Arguments of {@link getSavedSearchOutput}. */
export interface GetSavedSearchOutputArgs extends InputsOf<typeof functions.getSavedSearch.arguments> {}
/** Arguments of {@link getServicesOutput}. */
export interface GetServicesOutputArgs extends InputsOf<typeof functions.getServices.arguments> {}
/** Arguments of {@link getServiceOutput}. */
export interface GetServiceOutputArgs extends InputsOf<typeof functions.getService.arguments> {}
/** Arguments of {@link getSourceOutput}. */
export interface GetSourceOutputArgs extends InputsOf<typeof functions.getSource.arguments> {}
/** Arguments of {@link getWebhooksOutput}. */
export interface GetWebhooksOutputArgs extends InputsOf<typeof functions.getWebhooks.arguments> {}
/** Arguments of {@link getWebhookOutput}. */
export interface GetWebhookOutputArgs extends InputsOf<typeof functions.getWebhook.arguments> {}
/** Arguments of {@link whoamiOutput}. */
export interface WhoamiOutputArgs extends InputsOf<typeof functions.whoami.arguments> {}

export const [getApiKeys, getApiKeysOutput] = forms(functions.getApiKeys);
export const [getApiKey, getApiKeyOutput] = forms(functions.getApiKey);
export const [getChartSeries, getChartSeriesOutput] = forms(functions.getChartSeries);
export const [getPrivateEndpointConfig, getPrivateEndpointConfigOutput] = forms(
  functions.getPrivateEndpointConfig,
);
export const [getServiceSettingsSchema, getServiceSettingsSchemaOutput] = forms(
  functions.getServiceSettingsSchema,
);
export const [getBackups, getBackupsOutput] = forms(functions.getBackups);
export const [getMember, getMemberOutput] = forms(functions.getMember);
export const [getQuotas, getQuotasOutput] = forms(functions.getQuotas);
export const [getServiceProfiles, getServiceProfilesOutput] = forms(functions.getServiceProfiles);
export const [getSnapshots, getSnapshotsOutput] = forms(functions.getSnapshots);
export const [getSshTunnels, getSshTunnelsOutput] = forms(functions.getSshTunnels);
export const [getPostgresServices, getPostgresServicesOutput] = forms(functions.getPostgresServices);
export const [getPostgresService, getPostgresServiceOutput] = forms(functions.getPostgresService);
export const [getPostgresBackups, getPostgresBackupsOutput] = forms(functions.getPostgresBackups);
export const [getPostgresCaCertificates, getPostgresCaCertificatesOutput] = forms(
  functions.getPostgresCaCertificates,
);
export const [getUdfs, getUdfsOutput] = forms(functions.getUdfs);
export const [getUdfVersions, getUdfVersionsOutput] = forms(functions.getUdfVersions);
export const [getConnections, getConnectionsOutput] = forms(functions.getConnections);
export const [getConnection, getConnectionOutput] = forms(functions.getConnection);
export const [getDashboards, getDashboardsOutput] = forms(functions.getDashboards);
export const [getAlerts, getAlertsOutput] = forms(functions.getAlerts);
export const [discoverPipeSchema, discoverPipeSchemaOutput] = forms(functions.discoverPipeSchema);
export const [getPipesContext, getPipesContextOutput] = forms(functions.getPipesContext);
export const [getPipes, getPipesOutput] = forms(functions.getPipes);
export const [getPipe, getPipeOutput] = forms(functions.getPipe);
export const [getPipeSettings, getPipeSettingsOutput] = forms(functions.getPipeSettings);
export const [getReversePrivateEndpoints, getReversePrivateEndpointsOutput] = forms(
  functions.getReversePrivateEndpoints,
);
export const [getRoles, getRolesOutput] = forms(functions.getRoles);
export const [getRole, getRoleOutput] = forms(functions.getRole);
export const [getSavedSearches, getSavedSearchesOutput] = forms(functions.getSavedSearches);
export const [getSavedSearch, getSavedSearchOutput] = forms(functions.getSavedSearch);
export const [getServices, getServicesOutput] = forms(functions.getServices);
export const [getService, getServiceOutput] = forms(functions.getService);
export const [getSources, getSourcesOutput] = forms(functions.getSources);
export const [getSource, getSourceOutput] = forms(functions.getSource);
export const [getWebhooks, getWebhooksOutput] = forms(functions.getWebhooks);
export const [getWebhook, getWebhookOutput] = forms(functions.getWebhook);
export const [whoami, whoamiOutput] = forms(functions.whoami);
