// The program of every contender: BENCH_WORK holds the number of resources, BENCH_CONTENDER whose classes to use, and
// BENCH_CHANGED is set once every alert has changed.
const contender = require(`./${process.env.BENCH_CONTENDER}`);
const work = JSON.parse(process.env.BENCH_WORK);

const leastThreshold = process.env.BENCH_CHANGED ? 200 : 100;

const numbers = (count) => Array.from({ length: count }, (_, index) => index);

const dashboards = numbers(work.dashboards).map(
  (index) =>
    new contender.Dashboard(`dashboard-${index}`, {
      name: `Service ${index}`,
      tags: ["production", "bench"],
      tiles: ["Errors", "Requests", "Latency"].map((name, column) => ({
        name,
        x: column * 8,
        y: 0,
        w: 8,
        h: 6,
        series: [{ type: "time", aggFn: "count", where: `ServiceName:service-${index}`, groupBy: ["host"] }],
      })),
    }),
);

const alerts = numbers(work.alerts).map((index) => {
  const dashboard = dashboards[index % dashboards.length];
  const watched = dashboard
    ? { source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.apply((ids) => ids.Errors) }
    : { source: "search" };
  return {
    ...watched,
    name: `Alert ${index}`,
    message: "More errors than usual while loading data",
    threshold: leastThreshold + index,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId: work.webhookId },
  };
});
const named = alerts.map((alert, index) => [`alert-${index}`, alert]);
if (process.env.BENCH_CONTENDER === "set")
  new contender.AlertSet("alerts", { alerts: Object.fromEntries(named) });
else for (const [name, alert] of named) new contender.Alert(name, alert);

const keys = numbers(work.keys).map(
  (index) => new contender.ApiKey(`key-${index}`, { name: `Key ${index}`, roles: ["query_endpoints"] }),
);

for (const [index, serviceId] of work.services.entries()) {
  new contender.ServiceScaling(`scaling-${index}`, {
    serviceId,
    numReplicas: 2 + (index % 4),
    idleScaling: true,
    idleTimeoutMinutes: 10,
  });
  new contender.QueryEndpoint(`endpoint-${index}`, {
    serviceId,
    roles: ["sql_console_read_only"],
    openApiKeys: [keys[index % keys.length].id],
    allowedOrigins: "https://reports.example.com",
  });
}
