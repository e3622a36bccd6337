import type { RouteContext } from "../routeContext";
import { alertRoutes } from "./alerts";
import { dashboardRoutes } from "./dashboards";
import { sourceRoutes } from "./sources";
import { webhookRoutes } from "./webhooks";

/** What both APIs serve, each below a path of its own. */
export function stackRoutes(routes: RouteContext, path: string): void {
  dashboardRoutes(routes, `${path}/dashboards`);
  alertRoutes(routes, `${path}/alerts`);
  sourceRoutes(routes, `${path}/sources`);
  webhookRoutes(routes, `${path}/webhooks`);
}
