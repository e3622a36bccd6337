const { Alert, ApiKey, Dashboard, QueryEndpoint, ServiceScaling } = require("pipestack");

new ServiceScaling("scaling", { numReplicas: 4, onDestroy: "restore" });
const key = new ApiKey("key", { roles: ["query_endpoints"], expireAt: "2031-01-01T00:00:00Z" });
new QueryEndpoint("endpoint", {
  roles: ["sql_console_read_only", "sql_console_admin"],
  openApiKeys: [key.id],
  allowedOrigins: ["https://b.example", "https://a.example"],
});
const series = [{ type: "time", where: "level:error", groupBy: ["host"] }];
const board = new Dashboard("board", {
  name: "Board",
  tiles: [{ name: "Errors", x: 0, y: 0, w: 12, h: 4, series }],
});
new Alert("alert", {
  name: "Errors",
  source: "tile",
  dashboardId: board.id,
  tileId: board.tileIds.Errors,
  threshold: 10,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
exports.keySecret = key.keySecret;
