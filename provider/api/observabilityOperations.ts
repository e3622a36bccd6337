import { Type } from "../values/schemaBuilders";
import { AnyObject, Identified, ListOfIdentified, type Operation, servicePath as service } from "./operation";

const Validation = Type.Object({
  errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
});

/** An operation on the stack of a service. */
const onBoth = (path: string) =>
  ({
    api: "management",
    path: `${service}/stack/${path}`,
    otherPath: `/api/v2/${path}`,
  }) as const;

const list = (path: string) =>
  ({ ...onBoth(path), method: "GET", response: ListOfIdentified, idempotent: true }) as const;

const create = (path: string) =>
  ({ ...onBoth(path), method: "POST", response: Identified, idempotent: false }) as const;

const get = (path: string, object: string) =>
  ({ ...onBoth(`${path}/{id}`), method: "GET", response: Identified, object, idempotent: true }) as const;

const replace = (path: string, object: string) =>
  ({ ...onBoth(`${path}/{id}`), method: "PUT", response: Identified, object, idempotent: true }) as const;

const remove = (path: string, object: string) =>
  ({ ...onBoth(`${path}/{id}`), method: "DELETE", object, idempotent: true }) as const;

/** Where there are both APIs, the document has updates on the observability API. */
const update = (path: string, object: string) => {
  const { path: otherPath, otherPath: own } = onBoth(`${path}/{id}`);
  return { ...replace(path, object), api: "observability", path: own, otherPath } as const;
};

/** What a self-hosted server alone has. */
const onServer = (path: string) => ({ api: "observability", path: `/api/v2/${path}` }) as const;

const webhookSecrets = ["url", "body", "headers", "queryParams"] as const;

/** The operations on the stack of a service, which both APIs serve, and those of the observability API alone. */
export const observabilityOperations = {
  listDashboards: list("dashboards"),
  createDashboard: create("dashboards"),
  // It only tells earlier what a create would, so it is not worth a retry.
  validateDashboard: {
    ...onBoth("dashboards/validate"),
    method: "POST",
    response: Validation,
    idempotent: false,
    changesNothing: true,
    isBare: true,
  },
  getDashboard: get("dashboards", "dashboard"),
  updateDashboard: update("dashboards", "dashboard"),
  deleteDashboard: remove("dashboards", "dashboard"),

  listAlerts: list("alerts"),
  createAlert: create("alerts"),
  getAlert: get("alerts", "alert"),
  updateAlert: update("alerts", "alert"),
  deleteAlert: remove("alerts", "alert"),

  listConnections: {
    ...onServer("connections"),
    method: "GET",
    response: ListOfIdentified,
    idempotent: true,
  },
  createConnection: {
    ...onServer("connections"),
    method: "POST",
    response: Identified,
    idempotent: false,
    secrets: ["password"],
  },
  getConnection: {
    ...onServer("connections/{id}"),
    method: "GET",
    response: Identified,
    object: "connection",
    idempotent: true,
  },
  updateConnection: {
    ...onServer("connections/{id}"),
    method: "PUT",
    response: Identified,
    object: "connection",
    idempotent: true,
    secrets: ["password"],
  },
  deleteConnection: {
    ...onServer("connections/{id}"),
    method: "DELETE",
    object: "connection",
    idempotent: true,
  },

  listSources: list("sources"),
  createSource: create("sources"),
  getSource: get("sources", "source"),
  updateSource: replace("sources", "source"),
  deleteSource: remove("sources", "source"),

  // No server has a GET of one.
  listWebhooks: list("webhooks"),
  createWebhook: { ...create("webhooks"), secrets: webhookSecrets },
  updateWebhook: { ...replace("webhooks", "webhook"), secrets: webhookSecrets },
  deleteWebhook: remove("webhooks", "webhook"),

  listSavedSearches: list("saved-searches"),
  createSavedSearch: create("saved-searches"),
  getSavedSearch: get("saved-searches", "saved search"),
  updateSavedSearch: replace("saved-searches", "saved search"),
  deleteSavedSearch: remove("saved-searches", "saved search"),

  getChartSeries: {
    api: "observability",
    method: "POST",
    path: "/api/v2/charts/series",
    response: Type.Array(AnyObject),
    idempotent: true,
    asksForData: true,
    changesNothing: true,
  },
} as const satisfies Record<string, Operation>;
