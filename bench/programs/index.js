// The program of every contender: BENCH_ALERTS is the number of alerts, BENCH_CONTENDER whose classes to use, and BENCH_CHANGED
// is set once every alert has changed.
const { BENCH_ALERTS, BENCH_CHANGED, BENCH_CONTENDER, BENCH_WEBHOOK } = process.env;
const contender = require(`./${BENCH_CONTENDER}`);

const named = Array.from({ length: Number(BENCH_ALERTS) }, (_, index) => [
  `alert-${index}`,
  {
    source: "search",
    name: `Alert ${index}`,
    message: "More errors than usual while loading data",
    threshold: (BENCH_CHANGED ? 200 : 100) + index,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId: BENCH_WEBHOOK },
  },
]);
if (BENCH_CONTENDER === "set") new contender.AlertSet("alerts", { alerts: Object.fromEntries(named) });
else for (const [name, alert] of named) new contender.Alert(name, alert);
