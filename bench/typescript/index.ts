import * as pipestack from "pipestack";

const alert = new pipestack.Alert("errors", {
  name: "Too many errors",
  source: "search",
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: process.env.BENCH_WEBHOOK ?? "" },
});

export const alertId = alert.id;
