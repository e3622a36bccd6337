import { type Area, type Changes, key, onSearch, previewOf, tile } from "./mistake";

const clickhouse = { dialect: "clickhouse", observabilityVia: "management" };

const alert = (changes: object, settings?: Changes) =>
  previewOf("Alert", { ...onSearch, ...changes }, settings);
const keyWith = (changes: object) => previewOf("ApiKey", { ...key, ...changes });
const dashboard = (...tiles: object[]) => previewOf("Dashboard", { name: "Ingestion", tiles });
const withSeries = (series: object) => dashboard({ ...tile, series: [{ type: "number", ...series }] });

function showing(series: object) {
  const config = { displayType: "number", sourceId: "65f1c0a2b3d4e5f607182912", select: [series] };
  const tiles = [{ ...tile, name: "Latency", series: undefined, config }];
  return previewOf("Dashboard", { name: "Ingestion", tiles }, clickhouse);
}

export const propertyMistakes: Area = {
  title: "Properties",
  mistakes: {
    "Mistyped a property": alert({ treshold: 7 }),
    "Wrote a property in snake_case (YAML)": alert({ threshold_type: "above" }),
    "Left out a property": alert({ threshold: undefined }),
    "Mistyped one of a few values": keyWith({ roles: ["develper"] }),
    "Mistyped a threshold type": alert({ thresholdType: "abov" }),
    "Mistyped a word of which a service may know more than this version": withSeries({ aggFn: "cuont" }),
    "Mistyped a property of a tile's content": showing({ agFn: "count" }),
    "Gave a service of webhooks as the kind of a channel": alert(
      { savedSearch: "65f1c0a2b3d4e5f607182931", channel: { type: "slack" } },
      clickhouse,
    ),
    "Gave the `keyId` of a key in place of its `id`": previewOf("QueryEndpoint", {
      ...{ roles: ["sql_console_admin"], openApiKeys: ["bXlLZXlJZA"] },
    }),
    "Wrote an interval in words": alert({ interval: "5 minutes" }),
    "Wrote a cron expression": alert({ interval: "*/5 * * * *" }),
    "Passed a number as text": alert({ threshold: "5" }),
    "Made a number of a text that is none": alert({ threshold: Number("a hundred") }),
    "Passed a quantile as text": showing({ aggFn: "quantile", level: "0.95", valueExpression: "Duration" }),
    "Passed true as text": previewOf("ServiceScaling", { idleScaling: "true" }),
    "Wrote one entry in place of a list": withSeries({ aggFn: "count", groupBy: "ServiceName" }),
    "Wrote a text in place of an object": keyWith({ ipAccessList: ["203.0.113.0/24"] }),
    "Declared a range of addresses that there is not": keyWith({
      ipAccessList: [{ source: "203.0.113.0/33" }],
    }),
    "Declared an expiry in the past": keyWith({ expireAt: "2020-01-31T00:00:00Z" }),
    "Gave a tile no width": dashboard({ ...tile, w: 0 }),
    "Placed a tile beyond the grid": dashboard({ ...tile, x: 20 }),
    "Placed tiles on one another": dashboard(tile, { ...tile, name: "Events", x: 6 }),
    "Gave two tiles one name": dashboard(tile, { ...tile, x: 12 }),
    "Declared a tile without content": dashboard({ ...tile, series: undefined }),
    "Forgot the tile of an alert": alert({ source: "tile" }),
    "Declared what another dialect has": alert({ note: "See the runbook" }),
    "Declared an expiry without a zone": keyWith({ expireAt: "2030-01-31" }),
    "Scaled to more at least than at most": previewOf("ServiceScaling", {
      ...{ minTotalMemoryGb: 120, maxTotalMemoryGb: 48 },
    }),
  },
};
