import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import { sessionFor } from "../lifecycle/note";
import { alert, inDays, inline, onTile, savedSearch } from "./clickhouseAlerts";
import { channel } from "./product";
import { clickhouse, itKeeps, onManagement, onObservability, type Rule } from "./rules";
import { absent } from "./validInputs";

const interval = "interval must be a count and a unit (s, m, h or d), such as 5m";
const instant = "scheduleStartAt must be a moment in UTC, such as 2026-01-31T08:00:00Z";
const tooFar = "scheduleStartAt must be at most ten years ago and at most one year ahead";
const mail = { type: "email", emailRecipients: ["a@b.example"] };

const inTheDocument: readonly Rule[] = [
  [{ interval: "5 minutes" }, interval],
  [{ interval: "0m" }, interval],
  [{ interval: "10m" }, []],
  [{ thresholdType: "equal" }, "thresholdType must be one of above, below"],
  [{ dashboardId: absent }, 'dashboardId is required when source is "tile"'],
  [{ tileId: absent }, 'tileId is required when source is "tile"'],
  [{ tileId: "" }, 'tileId is required when source is "tile"'],
  [{ tileId: null }, "tileId must be the id of a tile; a mistyped name of a tile in tileIds gives none"],
  [{ source: "search", dashboardId: absent, tileId: absent }, []],
  [{ "channel.type": "pager" }, []],
  [{ scheduleStartAt: "2026-01-31T08:00:00+01:00" }, instant],
  [{ scheduleStartAt: "2026-13-31T08:00:00Z" }, instant],
  [{ detectionMode: "threshold" }, "detectionMode needs the setting dialect to be clickhouse"],
];

const onAnyServer: readonly Rule[] = [
  [{ thresholdType: "between" }, 'thresholdMax is required when thresholdType is "between"'],
  [{ thresholdType: "not_between", thresholdMax: 4 }, "thresholdMax must be at least threshold"],
  [{ thresholdMax: 9 }, 'thresholdMax does not apply when thresholdType is "above"'],
  [{ savedSearch: absent }, 'savedSearch is required when source is "search"'],
  [
    { "channel.type": "slack" },
    "channel.type must be webhook; slack is the service of a Webhook, whose id is webhookId",
  ],
  [{ scheduleOffsetMinutes: 4 }, []],
  [{ scheduleOffsetMinutes: 5 }, "scheduleOffsetMinutes must be less than the interval, 5m"],
  [
    { scheduleOffsetMinutes: 1, scheduleStartAt: inDays(-1) },
    "scheduleOffsetMinutes conflicts with scheduleStartAt; declare only one of them",
  ],
  [{ scheduleOffsetMinutes: 0, scheduleStartAt: inDays(-1) }, []],
  [{ scheduleStartAt: inDays(364) }, []],
  [{ scheduleStartAt: inDays(366) }, tooFar],
  [{ scheduleStartAt: inDays(-3651) }, tooFar],
  [{ "channel.type": unknown, scheduleStartAt: unknown }, []],
];

const onTheManagementApi: readonly Rule[] = [
  [{ detectionMode: "threshold", interval: "30s" }, []],
  [{ detectionMode: "anomaly", anomalyConfig: { zScoreThreshold: 2.5 } }, []],
  [{ detectionMode: "anomaly", anomalyConfig: unknown, interval: unknown }, []],
  [{ detectionMode: unknown, anomalyConfig: {}, interval: "1d" }, []],
  [
    { detectionMode: "anomaly", interval: "30s" },
    'interval must be one of 5m, 15m, 30m, 1h when detectionMode is "anomaly"',
  ],
  [{ anomalyConfig: {} }, 'anomalyConfig needs detectionMode to be "anomaly"'],
  [{ detectionMode: "threshold", anomalyConfig: {} }, 'anomalyConfig needs detectionMode to be "anomaly"'],
  [{ channel: mail }, []],
  [{ "channel.severity": "error" }, []],
  [{ channel: { ...mail, webhookId: "w" } }, 'channel.webhookId does not apply when type is "email"'],
  [
    { "channel.emailRecipients": ["a@b.example"] },
    'channel.emailRecipients does not apply when type is "webhook"',
  ],
  [{ channel: absent, channels: [channel, mail] }, []],
  [
    { channel: absent, channels: [channel, { ...mail, webhookId: "w" }] },
    'channels[1].webhookId does not apply when type is "email"',
  ],
];

const onlyOnCloud =
  "would be dropped by the server; it needs ClickHouse Cloud, with the setting observabilityVia: management";
const onTheObservabilityApi: readonly Rule[] = [
  [{ detectionMode: "anomaly" }, `detectionMode ${onlyOnCloud}`],
  [{ anomalyConfig: {} }, `anomalyConfig ${onlyOnCloud}`],
  [{ channels: [channel] }, "channels conflicts with channel; declare only one of them"],
  [
    { channel: absent, channels: [{ ...channel, severity: "error" }] },
    "channels[0].severity would be dropped by the server; it needs ClickHouse Cloud, with the setting observabilityVia: management",
  ],
  [
    { channel: { type: "email" } },
    'channel.type "email" needs the setting observabilityVia to be management',
  ],
];

const sql = { ...{ configType: "sql", displayType: "number", connectionId: "c", sqlTemplate: "SELECT 1" } };
const ofSql = (further: object) => ({ chartConfig: { ...sql, ...further } });
const count = { aggFn: "count" };
const onAChart: readonly Rule[] = [
  [{ chartConfig: absent }, 'chartConfig is required when source is "inline"'],
  [{ savedSearch }, 'savedSearch does not apply when source is "inline"'],
  [{ groupBy: "host" }, 'groupBy does not apply when source is "inline"; chartConfig has its own'],
  [{ displayName: " Errors" }, "displayName must be a text that neither begins nor ends with a blank"],
  [{ "chartConfig.asRatio": true }, "chartConfig.asRatio needs exactly two entries of select"],
  [
    {
      "chartConfig.asRatio": true,
      "chartConfig.select": [count, count],
      "chartConfig.formulas": [{ expression: "A" }],
    },
    "chartConfig.formulas conflicts with asRatio; declare only one of them",
  ],
  [{ "chartConfig.whereLanguage": "sql" }, "chartConfig.whereLanguage needs where"],
  [
    { "chartConfig.displayType": "number", "chartConfig.groupBy": "host" },
    'chartConfig.groupBy does not apply when displayType is "number"',
  ],
  [
    { "chartConfig.displayType": "number", "chartConfig.select": [count, count] },
    "chartConfig.select must be a list of one entry unless formulas is declared",
  ],
  [ofSql({}), []],
  [
    ofSql({ where: "1" }),
    'chartConfig.where does not apply when configType is "sql"; write the filter into sqlTemplate',
  ],
  [
    ofSql({ displayType: "line" }),
    'chartConfig.sqlTemplate must have an interval, such as $__timeInterval(Timestamp) or {intervalSeconds:Int64}, when displayType is "line"',
  ],
  [ofSql({ displayType: "line", sqlTemplate: "SELECT {intervalSeconds:Int64}" }), []],
  [ofSql({ displayType: "line", sqlTemplate: unknown }), []],
];

describe("The check of an alert", () => {
  itKeeps({ type: "Alert" }, inTheDocument);
  itKeeps({ type: "Alert", valid: alert, settings: clickhouse }, onAnyServer);
  itKeeps({ type: "Alert", valid: onTile, settings: clickhouse }, [
    [{ savedSearch }, 'savedSearch does not apply when source is "tile"'],
    [{ groupBy: "host" }, 'groupBy does not apply when source is "tile"'],
  ]);
  itKeeps({ type: "Alert", valid: inline, settings: onObservability }, onAChart);
  itKeeps({ type: "Alert", valid: inline, settings: onManagement }, [
    [{ displayName: "Errors", tags: ["a"] }, []],
    ...onAChart,
  ]);
  itKeeps({ type: "Alert", valid: alert, settings: onManagement }, onTheManagementApi);
  itKeeps({ type: "Alert", valid: alert, settings: onObservability }, onTheObservabilityApi);

  it("the check of an alert names a mistyped tile name as the cause of a missing or empty tileId", () => {
    for (const tileId of [undefined, ""]) {
      const { session } = sessionFor(onObservability);
      const { failures } = check(resources.Alert, {}, { ...onTile, tileId }, session);
      expect(failures.map(({ hint }) => hint)).to.deep.equal([
        "; a mistyped name of a tile in tileIds gives none",
      ]);
    }
  });

  // The declared start time of an alert was valid at its create, so the check still accepts it when it has become too old for a
  // new alert.
  const old = { ...alert, scheduleStartAt: inDays(-4000) };
  itKeeps({ type: "Alert", valid: old, settings: clickhouse, before: old }, [[{}, []]]);
});
