import type { FunctionDefinition } from "../lifecycle/function";
import { getChartSeries } from "./chartSeries";
import { getAlerts, getDashboards, getSources, getWebhooks } from "./observability";
import { getPipe, getPipeSettings, getPipes } from "./pipes";
import { getReversePrivateEndpoints } from "./reversePrivateEndpoints";

/** Every function, by its name. */
export const functions = {
  getAlerts,
  getChartSeries,
  getDashboards,
  getPipe,
  getPipeSettings,
  getPipes,
  getReversePrivateEndpoints,
  getSources,
  getWebhooks,
} as const satisfies { readonly [name: string]: FunctionDefinition };

export type FunctionName = keyof typeof functions;
