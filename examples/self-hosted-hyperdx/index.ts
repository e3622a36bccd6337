import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

const logs = pipestack.getSourceOutput({ kind: "log" }).id;
const traces = pipestack.getSourceOutput({ kind: "trace" }).id;

const dashboard = new pipestack.Dashboard("overview", {
  name: "Overview",
  tags: ["pulumi"],
  tiles: [
    {
      name: "Errors",
      x: 0,
      y: 0,
      w: 12,
      h: 6,
      config: {
        displayType: "line",
        sourceId: logs,
        groupBy: "ServiceName",
        select: [{ aggFn: "count", where: "SeverityText:error", whereLanguage: "lucene" }],
      },
    },
    {
      name: "Slowest requests",
      x: 12,
      y: 0,
      w: 12,
      h: 6,
      config: {
        displayType: "line",
        sourceId: traces,
        select: [
          { aggFn: "quantile", level: 0.95, valueExpression: "Duration", where: "", whereLanguage: "lucene" },
        ],
      },
    },
  ],
});

// Alerts notify this webhook. Whoever knows its address may send messages there, so it is a secret.
const webhook = new pipestack.Webhook("team", {
  service: "generic",
  url: config.requireSecret("webhookUrl"),
});
const channel = { type: "webhook", webhookId: webhook.id };

new pipestack.Alert("errors", {
  name: "Too many errors",
  message: "More errors than usual in five minutes",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds.Errors,
  threshold: config.requireNumber("errorsPerInterval"),
  thresholdType: "above",
  interval: "5m",
  channel,
});

// Fires for each service for which the search finds nothing in an hour.
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

export const dashboardId = dashboard.id;
export const tileIds = dashboard.tileIds;
