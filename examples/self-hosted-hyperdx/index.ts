import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

const sources = pipestack.getSourcesOutput();
const sourceOf = (kind: string) =>
  sources.apply((all) => all.find((source) => source.kind === kind)?.id ?? "");

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
        sourceId: sourceOf("log"),
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
        sourceId: sourceOf("trace"),
        select: [
          { aggFn: "quantile", level: 0.95, valueExpression: "Duration", where: "", whereLanguage: "lucene" },
        ],
      },
    },
  ],
});

// Alerts notify the server's first webhook.
const channel = {
  type: "webhook",
  webhookId: pipestack.getWebhooksOutput().apply(([webhook]) => webhook?.id ?? ""),
};

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

// Fires for each service for which the saved search finds nothing in an hour.
const savedSearch = config.get("savedSearch");
if (savedSearch) {
  new pipestack.Alert("silence", {
    name: "A service is silent",
    source: "search",
    savedSearch,
    groupBy: "ServiceName",
    threshold: 1,
    thresholdType: "below",
    interval: "1h",
    channel,
  });
}

export const dashboardId = dashboard.id;
export const tileIds = dashboard.tileIds;
