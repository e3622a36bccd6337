import { Type } from "../values/schemaBuilders";
import {
  AnyObject,
  change,
  create,
  get,
  Identified,
  inOrganization,
  inService,
  list,
  managed,
  type Operation,
  onBoth,
  onBothElsewhere,
  onServer,
  remove,
  replace,
} from "./operation";

const QueryEndpoint = Type.Object({
  openApiKeys: Type.Optional(Type.Array(Type.Unknown())),
  roles: Type.Optional(Type.Array(Type.Unknown())),
});
const ScalingSchedule = Type.Object({ entries: Type.Array(Type.Unknown()) });
const CreatedKey = Type.Object({
  key: Identified,
  keyId: Type.Optional(Type.String()),
  keySecret: Type.Optional(Type.String()),
});
const Validation = Type.Object({
  errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
});
const readSource = "use getSource instead of a Source";
const forgetSource = `take the Source out of the program and the state (pulumi state delete), and ${readSource}`;
const webhookSecrets = ["url", "body", "headers", "queryParams"] as const;

/** The operations that the neutral API document has, and ClickHouse Cloud under other names. */
export const neutralOperations = {
  whoami: { ...managed("/v1/whoami"), method: "GET", response: AnyObject, idempotent: true },

  listPipes: list(inService("pipes")),
  getPipe: get(inService("pipes/{id}"), "pipe"),
  getPipeSettings: get(inService("pipes/{id}/settings"), "pipe", AnyObject),
  listReversePrivateEndpoints: list(inService("pipesReversePrivateEndpoints")),

  updateScaling: change(inService("scaling"), "service"),
  // The newer operation `replicaScaling` also changes values of a service's scaling that the operation `scaling` cannot change.
  updateReplicaScaling: change(inService("replicaScaling"), "service"),
  putScalingSchedule: {
    ...create(inService("scalingSchedule"), ScalingSchedule),
    ...{ idempotent: true, replaces: true },
  },
  getScalingSchedule: get(inService("scalingSchedule"), "scaling schedule", ScalingSchedule),
  deleteScalingSchedule: remove(inService("scalingSchedule"), "scaling schedule"),
  getService: get(inOrganization("services/{serviceId}"), "service"),

  createKey: { ...create(inOrganization("keys"), CreatedKey), wrapped: "key", secrets: ["hashData"] },
  listKeys: list(inOrganization("keys")),
  getKey: get(inOrganization("keys/{id}"), "key"),
  updateKey: change(inOrganization("keys/{id}"), "key"),
  deleteKey: remove(inOrganization("keys/{id}"), "key"),

  putQueryEndpoint: {
    ...create(inService("serviceQueryEndpoint"), QueryEndpoint),
    idempotent: true,
    replaces: true,
  },
  getQueryEndpoint: get(inService("serviceQueryEndpoint"), "query endpoint", QueryEndpoint),
  deleteQueryEndpoint: remove(inService("serviceQueryEndpoint"), "query endpoint"),

  listQueryApiEndpoints: {
    ...list(inService("query-api-endpoints")),
    pageSize: 100,
  },
  createQueryApiEndpoint: create(inService("query-api-endpoints")),
  getQueryApiEndpoint: get(inService("query-api-endpoints/{id}"), "query API endpoint"),
  updateQueryApiEndpoint: replace(inService("query-api-endpoints/{id}"), "query API endpoint"),
  deleteQueryApiEndpoint: remove(inService("query-api-endpoints/{id}"), "query API endpoint"),

  listSavedQueries: { ...list(inService("saved-queries")), pageSize: 100 },
  createSavedQuery: create(inService("saved-queries")),
  getSavedQuery: get(inService("saved-queries/{id}"), "saved query"),
  updateSavedQuery: replace(inService("saved-queries/{id}"), "saved query"),
  deleteSavedQuery: remove(inService("saved-queries/{id}"), "saved query"),

  listDashboards: list(onBoth("dashboards")),
  createDashboard: create(onBoth("dashboards")),
  // A failed validation request is not repeated, since the later create of the dashboard reports the same faults.
  validateDashboard: {
    ...create(onBoth("dashboards/validate"), Validation),
    changesNothing: true,
    isBare: true,
  },
  getDashboard: get(onBoth("dashboards/{id}"), "dashboard"),
  updateDashboard: replace(onBothElsewhere("dashboards/{id}"), "dashboard"),
  deleteDashboard: remove(onBoth("dashboards/{id}"), "dashboard"),

  listAlerts: { ...list(onBoth("alerts")), hasOffsets: true },
  createAlert: create(onBoth("alerts")),
  getAlert: get(onBoth("alerts/{id}"), "alert"),
  updateAlert: replace(onBothElsewhere("alerts/{id}"), "alert"),
  deleteAlert: remove(onBoth("alerts/{id}"), "alert"),

  listConnections: list(onServer("connections")),
  createConnection: { ...create(onServer("connections")), secrets: ["password"] },
  getConnection: get(onServer("connections/{id}"), "connection"),
  // The PUT of a connection, unlike other PUTs, keeps the properties that its body omits.
  updateConnection: {
    ...replace(onServer("connections/{id}"), "connection"),
    replaces: false,
    secrets: ["password"],
  },
  deleteConnection: remove(onServer("connections/{id}"), "connection"),

  listSources: list(onBoth("sources")),
  createSource: { ...create(onBoth("sources")), whereFullyManaged: readSource },
  getSource: get(onBoth("sources/{id}"), "source"),
  updateSource: { ...replace(onBoth("sources/{id}"), "source"), whereFullyManaged: forgetSource },
  deleteSource: { ...remove(onBoth("sources/{id}"), "source"), whereFullyManaged: forgetSource },

  // No server has a route to read a single webhook, so the provider reads it from the list of webhooks.
  listWebhooks: { ...list(onBoth("webhooks")), hasOffsets: true },
  createWebhook: { ...create(onBoth("webhooks")), secrets: webhookSecrets },
  updateWebhook: { ...replace(onBoth("webhooks/{id}"), "webhook"), secrets: webhookSecrets },
  deleteWebhook: remove(onBoth("webhooks/{id}"), "webhook"),

  listSavedSearches: { ...list(onBoth("saved-searches")), hasOffsets: true },
  createSavedSearch: create(onBoth("saved-searches")),
  getSavedSearch: get(onBoth("saved-searches/{id}"), "saved search"),
  updateSavedSearch: replace(onBoth("saved-searches/{id}"), "saved search"),
  deleteSavedSearch: remove(onBoth("saved-searches/{id}"), "saved search"),

  getChartSeries: {
    ...create(onServer("charts/series"), Type.Array(AnyObject)),
    idempotent: true,
    asksForData: true,
    changesNothing: true,
  },
} as const satisfies Record<string, Operation>;
