import { getChartSeries } from "./chartSeries";
import { getConnection, getConnections } from "./connections";
import type { FunctionDefinition } from "./definition";
import { getAlerts, getDashboards } from "./observability";
import { getPipe, getPipeSettings, getPipes } from "./pipes";
import { getReversePrivateEndpoints } from "./reversePrivateEndpoints";
import { getRole, getRoles } from "./roles";
import { getSavedSearch, getSavedSearches } from "./savedSearches";
import { getSource, getSources } from "./sources";
import { getWebhook, getWebhooks } from "./webhooks";

/** Every function, by its name. */
export const functions = {
  getAlerts,
  getChartSeries,
  getConnection,
  getConnections,
  getDashboards,
  getPipe,
  getPipeSettings,
  getPipes,
  getReversePrivateEndpoints,
  getRole,
  getRoles,
  getSavedSearch,
  getSavedSearches,
  getSource,
  getSources,
  getWebhook,
  getWebhooks,
} as const satisfies { readonly [name: string]: FunctionDefinition };

export type FunctionName = keyof typeof functions;
