import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

// How much the service may use. Properties that are not declared stay as they are.
const scaling = new pipestack.ServiceScaling("scaling", {
  numReplicas: config.requireNumber("replicas"),
  idleScaling: true,
  idleTimeoutMinutes: 15,
});

// A key for the reporting application, and the endpoint that it queries. Increasing the generation rotates the key.
const key = new pipestack.ApiKey("reporting", {
  roles: ["query_endpoints"],
  keepers: { generation: config.require("keyGeneration") },
});

const endpoint = new pipestack.QueryEndpoint("queries", {
  roles: ["sql_console_read_only"],
  openApiKeys: [key.id],
  allowedOrigins: ["https://reports.example.com"],
});

// The team's dashboard, the alert that wakes the team, and the search in which the team looks for the reason.
const service = pipestack.getSourceOutput({ name: "Logs" });
const logs = service.id;

// A server that has no more than the API document takes, in place of the `config` of a tile,
// `series: [{ type: "number", dataSource: "Logs", aggFn: "count" }]`.
const dashboard = new pipestack.Dashboard("ingestion", {
  name: "Ingestion",
  tags: ["production"],
  tiles: [
    {
      name: "Errors",
      x: 0,
      y: 0,
      w: 16,
      h: 6,
      config: {
        displayType: "line",
        sourceId: logs,
        select: [{ aggFn: "count", where: "SeverityText:error" }],
        groupBy: "ServiceName",
      },
    },
    {
      name: "Events",
      x: 16,
      y: 0,
      w: 8,
      h: 6,
      config: { displayType: "number", sourceId: logs, select: [{ aggFn: "count" }] },
    },
  ],
});

const webhook = new pipestack.Webhook("team", {
  service: "generic",
  url: "https://hooks.example.com/team",
});

const alert = new pipestack.Alert("errors", {
  name: "Too many errors",
  message: "More errors than usual while loading data",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds.Errors,
  threshold: config.requireNumber("threshold"),
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: webhook.id },
});

// The same logs with the columns that the team reads.
const source = new pipestack.Source("loading", {
  name: "Loading",
  kind: "log",
  connection: service.apply(({ connection }) => connection ?? ""),
  from: { databaseName: "otel", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp",
  defaultTableSelectExpression: "Timestamp, ServiceName, Body",
});

const search = new pipestack.SavedSearch("errors", {
  name: "Errors while loading",
  sourceId: source.id,
  where: "SeverityText:error",
});

// What loads data into the service, and how many errors it logged in the last day.
const pipes = pipestack.getPipesOutput();
const endpoints = pipestack.getReversePrivateEndpointsOutput();
const errorsLastDay = logs.apply((sourceId) =>
  pipestack.getChartSeriesOutput({
    series: [{ sourceId, aggFn: "count", where: "SeverityText:error", groupBy: [] }],
    startTime: Date.now() - 24 * 60 * 60 * 1000,
    endTime: Date.now(),
    granularity: "1h",
  }),
);

export const replicas = scaling.numReplicas;
export const keyId = key.keyId;
export const keySecret = key.keySecret;
export const queryRoles = endpoint.roles;
export const dashboardId = dashboard.id;
export const alertId = alert.id;
export const searchId = search.id;
export const pipeStates = pipes.apply((all) =>
  Object.fromEntries(all.map(({ name, state }) => [name, state])),
);
export const privateEndpoints = endpoints.apply((all) =>
  all.map(({ description, status }) => `${description}: ${status}`),
);
export const errors = errorsLastDay.apply((points) =>
  points.reduce((sum, { values }) => sum + (values[0] ?? 0), 0),
);
