import { enums } from "../../api/enums.golden";
import { adoptable, inService } from "../../lifecycle/scope";
import { oneOf, openSetOf, withoutOuterBlanks } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { sources } from "./alertBody";
import { type AlertChannel, channel, channelOfMany, ofCloud } from "./alertChannels";
import { alertChart } from "./alertChart";
import { anomalyConfig, detectionModes } from "./alertDetection";
import { noTile } from "./alertRules";

const thresholdTypes = enums.alertThresholdType;

const label = { dialect: "clickhouse", since: "2.38", shown: "declared" } as const;

/**
 * Inputs of an alert.
 * @see "Create alert body", "Update alert body" in the API document
 */
export const alertInputs = inService({
  /**
   * Adopts the existing alert with this id instead of creating one. Has no effect once the alert is in the Pulumi state; a
   * change that replaces the alert is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the alert, up to 512 characters. Default: none. */
  name: Type.Optional(Type.String({ minLength: 1, longest: 512 })),
  /** Text that the alert sends, up to 4096 characters. Default: the service's own text. */
  message: Type.Optional(Type.String({ minLength: 1, longest: 4096 })),
  /**
   * Note for the people whom the alert reaches, up to 4096 characters of Markdown. Needs `dialect: clickhouse`. Default: none.
   */
  note: Type.Optional(Type.String({ minLength: 1, longest: 4096, dialect: "clickhouse" })),
  /** Threshold with which the alert compares the value of its tile, search or chart, in the unit of that value. */
  threshold: Type.Number(),
  /**
   * Upper end of the range with which the alert compares its value, if `thresholdType` is `between` or `not_between`;
   * `threshold` is the lower end.
   */
  thresholdMax: Type.Optional(Type.Number({ dialect: "clickhouse" })),
  /**
   * How often the alert's value is evaluated, and also the length of the evaluated period: a count and a unit (s, m, h or d),
   * such as `5m`. The dialect `clickhouse` has 1m, 5m, 15m, 30m, 1h, 6h, 12h and 1d, and ClickHouse Cloud
   * for some teams 30s.
   */
  interval: openSetOf(enums.alertInterval, {
    pattern: "^[1-9]\\d*[smhd]$",
    rule: "a count and a unit (s, m, h or d), such as 5m",
  }),
  /**
   * How many minutes after the start of an interval the alert's value is evaluated: 0 to 1439, less than the interval. Not with
   * `scheduleStartAt`. Needs `dialect: clickhouse`. Default: 0.
   */
  scheduleOffsetMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1439,
      dialect: "clickhouse",
      reset: 0,
      notBeside: ["scheduleStartAt"],
    }),
  ),
  /**
   * Moment from which the alert's intervals are counted, in UTC with a final `Z`, such as `2026-01-31T08:00:00Z`: at most ten
   * years ago and one year ahead. Needs `dialect: clickhouse`. Default: the intervals begin at full hours and days.
   */
  scheduleStartAt: Type.Optional(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$",
      format: "date-time",
      rule: "a moment in UTC, such as 2026-01-31T08:00:00Z",
      comparison: "instant",
      dialect: "clickhouse",
      reset: null,
    }),
  ),
  /**
   * How many evaluations in a row the alert's condition must hold before the alert fires, at least 1. Needs `dialect:
   * clickhouse`. Default: 1.
   */
  numConsecutiveWindows: Type.Optional(Type.Integer({ minimum: 1, dialect: "clickhouse" })),
  /**
   * When the alert fires: its value is `above` or `below` the threshold. The dialect `clickhouse` also has `above_exclusive`,
   * `below_or_equal`, `equal`, `not_equal`, `between` and `not_between`.
   */
  thresholdType: Type.Unsafe<(typeof thresholdTypes)[number]>({
    ...{ type: "string", known: thresholdTypes, isClosed: true },
    rule: "a threshold type, such as above",
  }),
  /**
   * How the alert recognizes what it notifies of: `threshold` compares the value with the threshold, and `anomaly` with what was
   * usual in recent history, as `anomalyConfig` says. With `anomaly`, `interval` is `5m`, `15m`, `30m` or `1h`; `threshold` and
   * `thresholdType` are still sent. A beta of ClickHouse Cloud: needs `dialect: clickhouse` through the management API. An update
   * keeps the mode that somebody else has set, unless the program declares one; one that leaves the program is reset. Default:
   * `threshold`.
   * @see https://clickhouse.com/docs/clickstack/observability/features/anomaly-detection
   */
  detectionMode: Type.Optional(oneOf(detectionModes, { reset: "threshold", ...ofCloud })),
  /**
   * How an alert with `detectionMode: anomaly` recognizes anomalies; refused without it. Needs `dialect: clickhouse` through the
   * management API. What the program does not declare in it stays as it is. Default: the service's own values.
   */
  anomalyConfig: Type.Optional(anomalyConfig),
  /**
   * Where the alert finds its value: a `tile` of a dashboard (with `dashboardId` and `tileId`), a saved `search`, or a chart
   * that belongs to the alert, `inline` (with `chartConfig`).
   */
  source: oneOf(sources, { since: { inline: "2.38" } }),
  /** Id of the dashboard with the tile that the alert watches: `dashboard.id`. Required when `source` is `tile`. */
  dashboardId: Type.Optional(Type.String({ minLength: 1, of: "Dashboard", alsoNamed: ["dashboard"] })),
  /** Id of the tile that the alert watches: `dashboard.tileIds["name of the tile"]`. Required when `source` is `tile`. */
  tileId: Type.Optional(Type.String({ rule: `the id of a tile${noTile}`, of: "tile" })),
  /**
   * Id of the saved search that the alert watches: `search.id`. Needs `dialect: clickhouse`; required there if `source` is
   * `search`.
   */
  savedSearch: Type.Optional(
    Type.String({ minLength: 1, dialect: "clickhouse", of: "SavedSearch", alsoNamed: ["savedSearchId"] }),
  ),
  /** Expression by which the alert groups the results of the saved search. Needs `dialect: clickhouse`. */
  groupBy: Type.Optional(
    Type.String({
      minLength: 1,
      dialect: "clickhouse",
      // Servers before ClickStack 2.33 keep an alert's `groupBy` even if an update clears it.
      keptBySome: "replace the alert to remove it",
    }),
  ),
  /**
   * The chart that an alert with `source: inline` watches, in the form of a tile's `config`: a line, stacked bars or a number.
   * Required when `source` is `inline`. Needs `dialect: clickhouse`; a HyperDX server must have version 2.38 or newer.
   */
  chartConfig: Type.Optional(alertChart),
  /**
   * Name of the alert in lists, up to 512 characters. Needs `dialect: clickhouse`; a HyperDX server must have version 2.38 or
   * newer. Default: the name of the tile, search or chart that the alert watches. It is an output only if it is declared.
   */
  displayName: Type.Optional(Type.String({ ...withoutOuterBlanks, longest: 512, reset: null, ...label })),
  /**
   * Tags of the alert, in any order: up to 50 tags of up to 32 characters. Needs `dialect: clickhouse`; a HyperDX server must
   * have version 2.38 or newer. Default: the tags of the dashboard or search that the alert watches; an empty list means no
   * tags. They are an output only if they are declared.
   */
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, longest: 32 }), {
      uniqueItems: true,
      comparison: "set",
      most: 50,
      reset: null,
      ...label,
      defaultTags: "textsIfDeclared",
    }),
  ),
  /** Target of the alert's notifications. Required unless `channels` is declared. */
  channel: Type.Optional(Type.Unsafe<AlertChannel>(channel)),
  /** Up to ten notification channels of the alert, instead of `channel`. Needs `dialect: clickhouse`. */
  channels: Type.Optional(
    Type.Array(Type.Unsafe<AlertChannel>(channelOfMany), {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      comparison: "set",
      dialect: "clickhouse",
    }),
  ),
});

const silence = Type.Object({
  /** User who silenced the alert. */
  by: Type.Optional(Type.String()),
  /** When the alert was silenced (ISO 8601). */
  at: Type.String(),
  /** When the alert stops being silenced (ISO 8601). */
  until: Type.String(),
});

const executionError = Type.Object({
  /** When the evaluation of the alert failed (ISO 8601). */
  timestamp: Type.String(),
  /** The kind of failure of the alert's evaluation, such as `QUERY_ERROR` or `WEBHOOK_ERROR`. */
  type: Type.String(),
  /** The error message of the alert's failed evaluation. */
  message: Type.String(),
});

/**
 * Outputs of an alert beyond its inputs.
 * @see "Alert (observability API)" in the API document
 */
export const alertOutputs = Type.Object({
  /** Whether the alert is firing, as last read. It changes by itself and never counts as drift. */
  state: Type.Optional(Type.String({ volatile: true })),
  /** Id of the HyperDX team that the alert belongs to. */
  team: Type.Optional(Type.String()),
  /** Whether the alert is silenced; newer servers also show by whom and until when. */
  silenced: Type.Optional(Type.Union([Type.Boolean(), silence])),
  /** The failures of the alert's last evaluation. They change by themselves and never count as drift. */
  executionErrors: Type.Optional(Type.Array(executionError, { volatile: true })),
  /** When the alert was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the alert was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
  /**
   * Address, in the console, of the dashboard or search that the alert watches; for an alert with `source: inline`, of the list
   * of all alerts. Absent if the provider does not know where the console is: set the provider's `pageUrl`.
   */
  url: Type.Optional(Type.String({ volatile: true, sent: "never" })),
});
