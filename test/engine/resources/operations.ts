import type { Setup } from "./setups";

const managementRoutes = {
  listServices: "GET /services",
  getService: "GET /",
  updateScaling: "PATCH /scaling",
  updateReplicaScaling: "PATCH /replicaScaling",
  listKeys: "GET /keys",
  getKey: "GET /keys/{id}",
  createKey: "POST /keys",
  updateKey: "PATCH /keys/{id}",
  deleteKey: "DELETE /keys/{id}",
  getQueryEndpoint: "GET /serviceQueryEndpoint",
  putQueryEndpoint: "POST /serviceQueryEndpoint",
  deleteQueryEndpoint: "DELETE /serviceQueryEndpoint",
};

/** The wire line of each operation in a setup, as `calls` writes it: `createAlert` is `POST /clickstack/alerts`. */
export function routesOf({ stack, home }: Setup): Record<string, string> {
  const rootOf = { management: stack, observability: "/api/v2" };
  const [updated, root] = [rootOf[home.updates], rootOf[home.everythingElse]];
  return {
    ...managementRoutes,
    listDashboards: `GET ${root}/dashboards`,
    getDashboard: `GET ${root}/dashboards/{id}`,
    createDashboard: `POST ${root}/dashboards`,
    validateDashboard: `POST ${root}/dashboards/validate`,
    updateDashboard: `PUT ${updated}/dashboards/{id}`,
    deleteDashboard: `DELETE ${root}/dashboards/{id}`,
    listAlerts: `GET ${root}/alerts`,
    getAlert: `GET ${root}/alerts/{id}`,
    createAlert: `POST ${root}/alerts`,
    updateAlert: `PUT ${updated}/alerts/{id}`,
    deleteAlert: `DELETE ${root}/alerts/{id}`,
  };
}

/**
 * A wire line by the name of its operation: `createAlert`, `deleteKey 404`, `getService on the second service`. What no
 * operation of the setup is, a route of the other API or of another dialect, stays as it is.
 */
export function operationIn(setup: Setup, line: string): string {
  const [, method, second, path, status = ""] =
    /^(\w+) (\/second|\/services\/\{id\})?(\S*)( \d+)?$/.exec(line) ?? [];
  const found = Object.entries(routesOf(setup)).find(([, route]) => route === `${method} ${path || "/"}`);
  if (!found) return line;
  const where = second === undefined ? "" : second === "/second" ? onSecondService : " on an unknown service";
  return found[0] + where + status;
}

/** What follows the name of an operation that was asked of the second service. */
export const onSecondService = " on the second service";

/** The line of an error for a refused operation: ends with its name, its path and, if any, the request id. */
export function refusalOf(setup: Setup, operation: string): RegExp {
  const [method, path = ""] = (routesOf(setup)[operation] ?? "").split(" ");
  const isManagement = !path.startsWith("/api/");
  const [place, request] = isManagement
    ? ["/v1/organizations/\\S+", ", request [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"]
    : ["", ""];
  return new RegExp(`^error: .* \\(${operation}: ${method} ${place}${path} answered 400${request}\\)`);
}
