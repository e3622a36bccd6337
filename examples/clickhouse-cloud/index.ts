import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

// How much the service may use. Properties that are not declared stay as they are.
const scaling = new pipestack.ServiceScaling("scaling", {
  numReplicas: config.requireNumber("replicas"),
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: config.requireNumber("maxReplicaMemoryGb"),
  idleScaling: true,
  idleTimeoutMinutes: 15,
  onDestroy: "restore",
});

// A key for the reporting application, with the role that lets it query, and the endpoint that it queries.
const key = new pipestack.ApiKey("reporting", {
  assignedRoleIds: [pipestack.getRoleOutput({ name: config.require("reportingRole") }).id],
  keepers: { generation: config.require("keyGeneration") },
});

new pipestack.QueryEndpoint("queries", {
  roles: ["sql_console_read_only"],
  openApiKeys: [key.id],
  allowedOrigins: ["https://reports.example.com"],
});

// ClickStack: the table that the team's logs are in, read through the connection of the source that every service has.
const source = new pipestack.Source("logs", {
  name: "Team logs",
  kind: "log",
  connection: pipestack.getSourceOutput({ name: "Logs" }).apply(({ connection }) => connection ?? ""),
  from: { databaseName: "default", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp",
  defaultTableSelectExpression: "Timestamp, ServiceName, SeverityText, Body",
  serviceNameExpression: "ServiceName",
  severityTextExpression: "SeverityText",
  bodyExpression: "Body",
});
const logs = source.id;

const dashboard = new pipestack.Dashboard("logs", {
  name: "Logs",
  tags: ["pulumi"],
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
        groupBy: "ServiceName",
        select: [{ aggFn: "count", where: "SeverityText:error", whereLanguage: "lucene" }],
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

// Who is told, by a webhook of Slack.
const webhook = new pipestack.Webhook("on-call", {
  service: "slack",
  url: config.requireSecret("slackUrl"),
});
const channel = { type: "webhook", webhookId: webhook.id };

new pipestack.Alert("errors", {
  name: "Too many errors",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds.Errors,
  threshold: config.requireNumber("errorsPerInterval"),
  thresholdType: "above",
  interval: "5m",
  channel,
});

// The search that people open, and an alert for each service of which it finds nothing in an hour.
const search = new pipestack.SavedSearch("requests", {
  name: "Requests",
  sourceId: logs,
  where: 'Body:"request"',
  tags: ["pulumi"],
});

new pipestack.Alert("silence", {
  name: "A service is silent",
  source: "search",
  savedSearch: search.id,
  groupBy: "ServiceName",
  threshold: 1,
  thresholdType: "below",
  interval: "1h",
  channel,
});

export const version = scaling.engineVersion;
export const endpoints = scaling.endpoints;
export const keyId = key.keyId;
export const keySecret = key.keySecret;
export const pipes = pipestack
  .getPipesOutput()
  .apply((all) => Object.fromEntries(all.map(({ name, state }) => [name, state])));
