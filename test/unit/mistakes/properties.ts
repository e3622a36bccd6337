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
  mistakes: [
    {
      made: "Mistyped a property",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), treshold: 7 }),
      told: "treshold is not a valid property; did you mean threshold?",
      remedy: "Editors complete the names ([reference](resources.md)).",
    },
    {
      made: "Wrote a property in snake_case (YAML)",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), threshold_type: "above" }),
      told: "threshold_type is not a valid property; did you mean thresholdType?",
      remedy: "Only Python has names with underscores; all other languages have those of the reference.",
    },
    {
      made: "Left out a property",
      play: (world) => {
        const { threshold, ...rest } = onSearch(world.webhookId);
        return world.preview("Alert", rest);
      },
      told: "threshold is required",
      remedy: "Declare it. An output without a value counts as left out.",
    },
    {
      made: "Mistyped one of a few values",
      play: (world) => world.preview("ApiKey", { ...key, roles: ["develper"] }),
      told: 'roles[0] must be one of admin, developer, query_endpoints, not "develper"; did you mean developer?',
      remedy: "Correct it.",
    },
    {
      made: "Mistyped a threshold type",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), thresholdType: "abov" }),
      told: 'thresholdType must be one of above, below, not "abov"; did you mean above?',
      remedy: "Correct it. `dialect: clickhouse` has more of them.",
    },
    {
      made: "Mistyped a word of which a service may know more than this version",
      play: (world) =>
        world.preview("Dashboard", dashboard({ ...tile, series: [{ type: "number", aggFn: "cuont" }] })),
      told: 'warning: pipestack: Dashboard: tiles["Errors"].series[0].aggFn is not known to this version; did you mean count?',
      remedy:
        "Correct it. Other words are sent without a warning; `dialect: clickhouse` refuses those that it lacks.",
    },
    {
      made: "Mistyped a property of a tile's content",
      play: (world) => world.preview("Dashboard", dashboard(showing({ agFn: "count" })), clickhouse),
      told: 'tiles["Latency"].config.select[0].agFn is not known; did you mean aggFn?',
      remedy: "Correct it. A member that is not required is sent with a warning: newer servers may know it.",
    },
    {
      made: "Gave a service of webhooks as the kind of a channel",
      play: (world) =>
        world.preview(
          "Alert",
          {
            ...onSearch(world.webhookId),
            savedSearch: "65f1c0a2b3d4e5f607182931",
            channel: { type: "slack" },
          },
          clickhouse,
        ),
      told: "channel.type must be webhook; slack is the service of a Webhook, whose id is webhookId",
      remedy:
        'Declare a `Webhook` with `service: "slack"`, and the channel `{ type: "webhook", webhookId: webhook.id }`.',
    },
    {
      made: "Gave the `keyId` of a key in place of its `id`",
      play: (world) =>
        world.preview("QueryEndpoint", { roles: ["sql_console_admin"], openApiKeys: ["bXlLZXlJZA"] }),
      told: "warning: pipestack: QueryEndpoint: openApiKeys are the ids of keys (key.id), each a uuid; a keyId is none",
      remedy: "Declare `openApiKeys: [key.id]`.",
    },
    {
      made: "Wrote an interval in words",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), interval: "5 minutes" }),
      told: 'interval must be a count and a unit (s, m, h or d), such as 5m, not "5 minutes"',
      remedy: "Write `5m`.",
    },
    {
      made: "Wrote a cron expression",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), interval: "*/5 * * * *" }),
      told: "interval must be a count and a unit (s, m, h or d), such as 5m",
      remedy: "Alerts have intervals, such as `5m`, and no schedule of their own.",
    },
    {
      made: "Passed a number as text",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), threshold: "5" }),
      told: 'threshold must be a number, not "5"',
      remedy: "Pass a number: `config.requireNumber` reads one from the configuration.",
    },
    {
      made: "Made a number of a text that is none",
      play: (world) =>
        world.preview("Alert", { ...onSearch(world.webhookId), threshold: Number("a hundred") }),
      told: "threshold must be a number, not NaN",
      remedy: "`Number(…)` answers NaN for a text that is no number, and for a value that is missing.",
    },
    {
      made: "Passed a quantile as text",
      play: (world) => world.preview("Dashboard", dashboard(latency("0.95")), clickhouse),
      told: 'tiles["Latency"].config.select[0].level must be one of 0.5, 0.9, 0.95, 0.99, not "0.95"',
      remedy: "Pass a number: `0.95`.",
    },
    {
      made: "Passed true as text",
      play: (world) => world.preview("ServiceScaling", { idleScaling: "true" }),
      told: 'idleScaling must be true or false, not "true"',
      remedy: "`config.requireBoolean` reads it from the configuration.",
    },
    {
      made: "Wrote one entry in place of a list",
      play: (world) =>
        world.preview(
          "Dashboard",
          dashboard({ ...tile, series: [{ type: "number", aggFn: "count", groupBy: "ServiceName" }] }),
        ),
      told: 'tiles["Errors"].series[0].groupBy must be a list, not a string',
      remedy: 'Write `groupBy: ["ServiceName"]`. In the `config` of a tile, `groupBy` is a text.',
    },
    {
      made: "Wrote a text in place of an object",
      play: (world) => world.preview("ApiKey", { ...key, ipAccessList: ["203.0.113.0/24"] }),
      told: "ipAccessList[0] must be an object with source, not a string",
      remedy: 'Write `ipAccessList: [{ source: "203.0.113.0/24" }]`. The message names what is required.',
    },
    {
      made: "Declared a range of addresses that there is not",
      play: (world) => world.preview("ApiKey", { ...key, ipAccessList: [{ source: "203.0.113.0/33" }] }),
      told: 'ipAccessList[0].source must be an IP address or a CIDR range, such as 203.0.113.0/24, not "203.0.113.0/33"',
      remedy: "Correct it.",
    },
    {
      made: "Declared an expiry in the past",
      play: (world) => world.preview("ApiKey", { ...key, expireAt: "2020-01-31T00:00:00Z" }),
      told: 'expireAt must be in the future, not "2020-01-31T00:00:00Z"',
      remedy: "A key that exists keeps its expiry; a new one needs another.",
    },
    {
      made: "Gave a tile no width",
      play: (world) => world.preview("Dashboard", dashboard({ ...tile, w: 0 })),
      told: 'tiles["Errors"].w must be a number of at least 1, not 0',
      remedy:
        "Tiles are named by their names where each has one of its own, and by positions from 0 otherwise.",
    },
    {
      made: "Placed a tile beyond the grid",
      play: (world) => world.preview("Dashboard", dashboard({ ...tile, x: 20 })),
      told: 'warning: pipestack: Dashboard "Ingestion": the tile "Errors" reaches beyond the 24 columns of the grid',
      remedy: "`x + w` is at most 24. `npx pipestack draw` shows the grid ([draw](draw.md)).",
    },
    {
      made: "Placed tiles on one another",
      play: (world) => world.preview("Dashboard", dashboard(tile, { ...tile, name: "Events", x: 6 })),
      told: 'warning: pipestack: Dashboard "Ingestion": the tiles "Errors" and "Events" overlap',
      remedy: "`npx pipestack draw --check` fails for that in a pipeline ([draw](draw.md)).",
    },
    {
      made: "Gave two tiles one name",
      play: (world) => world.preview("Dashboard", dashboard(tile, { ...tile, x: 12 })),
      told: 'warning: pipestack: Dashboard "Ingestion": several tiles are named "Errors"; tileIds numbers them',
      remedy: "In `tileIds` the second one is `Errors (2)`.",
    },
    {
      made: "Declared a tile without content",
      play: (world) => {
        const { series, ...empty } = tile;
        return world.preview("Dashboard", dashboard(empty));
      },
      told: 'tiles["Errors"].series is required unless config is declared',
      remedy: "Declare `config`, or `series` for a server that has only what the API document shows.",
    },
    {
      made: "Forgot the tile of an alert",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), source: "tile" }),
      told: 'dashboardId is required when source is "tile"\ntileId is required when source is "tile"',
      remedy: 'Declare `dashboardId: dashboard.id` and `tileId: dashboard.tileIds["Errors"]`.',
    },
    {
      made: "Declared what another dialect has",
      play: (world) => world.preview("Alert", { ...onSearch(world.webhookId), note: "See the runbook" }),
      told: "note needs the setting dialect to be clickhouse",
      remedy: "Set `dialect` if the server is ClickHouse Cloud or HyperDX, else leave the property out.",
    },
    {
      made: "Declared an expiry without a zone",
      play: (world) => world.preview("ApiKey", { ...key, expireAt: "2030-01-31" }),
      told: "expireAt must be a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never",
      remedy: "Write `2030-01-31T00:00:00Z`.",
    },
    {
      made: "Scaled to more at least than at most",
      play: (world) => world.preview("ServiceScaling", { minTotalMemoryGb: 120, maxTotalMemoryGb: 48 }),
      told: "minTotalMemoryGb must be at most maxTotalMemoryGb",
      remedy: "Swap them.",
    },
  ],
};
