import { getApiKey, getApiKeys } from "./apiKeys";
import { getBackups } from "./backups";
import { getChartSeries } from "./chartSeries";
import { getPrivateEndpointConfig, getServiceSettingsSchema } from "./cloudServices";
import { getConnection, getConnections } from "./connections";
import type { FunctionDefinition } from "./definition";
import { getAlerts, getDashboards } from "./observability";
import { getMember, getQuotas } from "./organization";
import { discoverPipeSchema, getPipesContext } from "./pipeDiscovery";
import { getPipe, getPipeSettings, getPipes } from "./pipes";
import {
  getPostgresBackups,
  getPostgresCaCertificates,
  getPostgresService,
  getPostgresServices,
} from "./postgres";
import { getReversePrivateEndpoints } from "./reversePrivateEndpoints";
import { getRole, getRoles } from "./roles";
import { getSavedSearch, getSavedSearches } from "./savedSearches";
import { getServiceProfiles } from "./serviceProfiles";
import { getService, getServices } from "./services";
import { getSnapshots } from "./snapshots";
import { getSource, getSources } from "./sources";
import { getSshTunnels } from "./sshTunnels";
import { getUdfs, getUdfVersions } from "./udfs";
import { getWebhook, getWebhooks } from "./webhooks";
import { whoami } from "./whoami";

/** Every provider function, by its name. */
export const functions = {
  getAlerts,
  getApiKey,
  getApiKeys,
  getChartSeries,
  getConnection,
  getConnections,
  getDashboards,
  getPipe,
  getPipeSettings,
  getPipes,
  getPipesContext,
  getPrivateEndpointConfig,
  getReversePrivateEndpoints,
  getRole,
  getRoles,
  getSavedSearch,
  getSavedSearches,
  getService,
  getServiceSettingsSchema,
  getServices,
  getSource,
  getSources,
  getWebhook,
  getWebhooks,
  whoami,
  getBackups,
  getMember,
  getQuotas,
  getServiceProfiles,
  getSnapshots,
  getSshTunnels,
  getPostgresBackups,
  getPostgresCaCertificates,
  getPostgresService,
  getPostgresServices,
  getUdfs,
  getUdfVersions,
  // The package schema names types of equal structure after the first of them. `discoverPipeSchema` comes last, so that the
  // types it shares with pipes keep the names that pipes give them.
  discoverPipeSchema,
} as const satisfies { readonly [name: string]: FunctionDefinition };

export type FunctionName = keyof typeof functions;
