import { type Area, key, onSearch, tile } from "./mistake";

const dashboard = (...tiles: object[]) => ({ name: "Ingestion", tiles });

const clickhouse = { dialect: "clickhouse", observabilityVia: "management" };

/** A tile that shows a number, on the product's servers. */
const showing = (series: object) => ({
  ...{ name: "Latency", x: 0, y: 0, w: 12, h: 4 },
  config: { displayType: "number", sourceId: "65f1c0a2b3d4e5f607182912", select: [series] },
});
const latency = (level: unknown) => showing({ aggFn: "quantile", level, valueExpression: "Duration" });

/** Properties with wrong names or values. */
export const propertyMistakes: Area = {
  title: "Properties",
  mistakes: {
    "Mistyped a property": (world) => world.preview("Alert", { ...onSearch(world.webhookId), treshold: 7 }),
    "Wrote a property in snake_case (YAML)": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), threshold_type: "above" }),
    "Left out a property": (world) => {
      const { threshold, ...rest } = onSearch(world.webhookId);
      return world.preview("Alert", rest);
    },
    "Mistyped one of a few values": (world) => world.preview("ApiKey", { ...key, roles: ["develper"] }),
    "Mistyped a threshold type": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), thresholdType: "abov" }),
    "Mistyped a word of which a service may know more than this version": (world) =>
      world.preview("Dashboard", dashboard({ ...tile, series: [{ type: "number", aggFn: "cuont" }] })),
    "Mistyped a property of a tile's content": (world) =>
      world.preview("Dashboard", dashboard(showing({ agFn: "count" })), clickhouse),
    "Gave a service of webhooks as the kind of a channel": (world) =>
      world.preview(
        "Alert",
        {
          ...onSearch(world.webhookId),
          savedSearch: "65f1c0a2b3d4e5f607182931",
          channel: { type: "slack" },
        },
        clickhouse,
      ),
    "Gave the `keyId` of a key in place of its `id`": (world) =>
      world.preview("QueryEndpoint", { roles: ["sql_console_admin"], openApiKeys: ["bXlLZXlJZA"] }),
    "Wrote an interval in words": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), interval: "5 minutes" }),
    "Wrote a cron expression": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), interval: "*/5 * * * *" }),
    "Passed a number as text": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), threshold: "5" }),
    "Made a number of a text that is none": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), threshold: Number("a hundred") }),
    "Passed a quantile as text": (world) =>
      world.preview("Dashboard", dashboard(latency("0.95")), clickhouse),
    "Passed true as text": (world) => world.preview("ServiceScaling", { idleScaling: "true" }),
    "Wrote one entry in place of a list": (world) =>
      world.preview(
        "Dashboard",
        dashboard({ ...tile, series: [{ type: "number", aggFn: "count", groupBy: "ServiceName" }] }),
      ),
    "Wrote a text in place of an object": (world) =>
      world.preview("ApiKey", { ...key, ipAccessList: ["203.0.113.0/24"] }),
    "Declared a range of addresses that there is not": (world) =>
      world.preview("ApiKey", { ...key, ipAccessList: [{ source: "203.0.113.0/33" }] }),
    "Declared an expiry in the past": (world) =>
      world.preview("ApiKey", { ...key, expireAt: "2020-01-31T00:00:00Z" }),
    "Gave a tile no width": (world) => world.preview("Dashboard", dashboard({ ...tile, w: 0 })),
    "Placed a tile beyond the grid": (world) => world.preview("Dashboard", dashboard({ ...tile, x: 20 })),
    "Placed tiles on one another": (world) =>
      world.preview("Dashboard", dashboard(tile, { ...tile, name: "Events", x: 6 })),
    "Gave two tiles one name": (world) => world.preview("Dashboard", dashboard(tile, { ...tile, x: 12 })),
    "Declared a tile without content": (world) => {
      const { series, ...empty } = tile;
      return world.preview("Dashboard", dashboard(empty));
    },
    "Forgot the tile of an alert": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), source: "tile" }),
    "Declared what another dialect has": (world) =>
      world.preview("Alert", { ...onSearch(world.webhookId), note: "See the runbook" }),
    "Declared an expiry without a zone": (world) =>
      world.preview("ApiKey", { ...key, expireAt: "2030-01-31" }),
    "Scaled to more at least than at most": (world) =>
      world.preview("ServiceScaling", { minTotalMemoryGb: 120, maxTotalMemoryGb: 48 }),
  },
};
