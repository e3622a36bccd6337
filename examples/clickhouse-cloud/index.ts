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

// A key for the reporting application, and the endpoint that it queries.
const key = new pipestack.ApiKey("reporting", {
  roles: ["query_endpoints"],
  keepers: { generation: config.require("keyGeneration") },
});

new pipestack.QueryEndpoint("queries", {
  roles: ["sql_console_read_only"],
  openApiKeys: [key.id],
  allowedOrigins: ["https://reports.example.com"],
});

// ClickStack: the team's dashboard. Its tiles read from the sources that the service has.
const logs = pipestack
  .getSourcesOutput()
  .apply((sources) => sources.find((source) => source.kind === "log")?.id ?? "");

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

// The alert notifies the first webhook.
const webhookId = pipestack.getWebhooksOutput().apply(([webhook]) => webhook?.id ?? "");

new pipestack.Alert("errors", {
  name: "Too many errors",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds.Errors,
  threshold: config.requireNumber("errorsPerInterval"),
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId },
});

export const version = scaling.engineVersion;
export const endpoints = scaling.endpoints;
export const keyId = key.keyId;
export const keySecret = key.keySecret;
export const pipes = pipestack
  .getPipesOutput()
  .apply((all) => Object.fromEntries(all.map(({ name, state }) => [name, state])));
