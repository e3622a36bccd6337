import { type DialectName, dialects } from "../api/dialect";
import { collection } from "../lifecycle/collection";
import { shows } from "../lifecycle/compare";
import { type Data, isObject, pick } from "../lifecycle/data";
import { lookUp } from "../lifecycle/objects";
import { oneOf } from "../lifecycle/schema";
import { inService } from "../lifecycle/scope";
import type { LiveState } from "../lifecycle/state";
import type { Failure } from "../lifecycle/validate";
import { type Static, Type } from "../typebox";

const channel = Type.Object(
  {
    /** Kind of channel, such as `webhook`. */
    type: Type.String({ minLength: 1 }),
    /** Id of the webhook; `getWebhooks` lists them. */
    webhookId: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);

/** Inputs of an alert (API document: "Create alert body", "Update alert body"). */
export const alertInputs = inService({
  /**
   * Adopts the existing alert with this id instead of creating one. Has no effect once the alert is in state; a
   * change that replaces the alert is refused while it is declared.
   */
  adoptId: Type.Optional(Type.String({ minLength: 1, local: true, replaces: true })),
  /** Name of the alert. Default: none. */
  name: Type.Optional(Type.String({ minLength: 1 })),
  /** Text that the alert sends. Default: the service's own text. */
  message: Type.Optional(Type.String({ minLength: 1 })),
  /** Threshold, in the unit of the tile's or search's value. */
  threshold: Type.Number(),
  /** Upper end of the range if `thresholdType` is `between` or `not_between`; `threshold` is the lower end. */
  thresholdMax: Type.Optional(Type.Number({ dialect: "clickhouse" })),
  /**
   * How often the value is evaluated, and over what period: a count and a unit (s, m, h or d), such as `5m`. The dialect
   * `clickhouse` has 1m, 5m, 15m, 30m, 1h, 6h, 12h and 1d.
   */
  interval: Type.String({
    pattern: "^[1-9]\\d*[smhd]$",
    rule: "a count and a unit (s, m, h or d), such as 5m",
  }),
  /**
   * When the alert fires: the value is `above` or `below` the threshold. The dialect `clickhouse` also has
   * `above_exclusive`, `below_or_equal`, `equal`, `not_equal`, `between` and `not_between`.
   */
  thresholdType: Type.Unsafe<
    | "above"
    | "below"
    | "above_exclusive"
    | "below_or_equal"
    | "equal"
    | "not_equal"
    | "between"
    | "not_between"
  >({ type: "string", rule: "a threshold type, such as above" }),
  /** Where the value comes from: a `tile` of a dashboard (with `dashboardId` and `tileId`), or a saved `search`. */
  source: oneOf(["tile", "search"]),
  /** Dashboard of the tile: `dashboard.id`. Required when `source` is `tile`. */
  dashboardId: Type.Optional(Type.String({ minLength: 1 })),
  /** The tile: `dashboard.tileIds["name of the tile"]`. Required when `source` is `tile`. */
  tileId: Type.Optional(Type.String({ minLength: 1 })),
  /** Id of the saved search. Needs `dialect: clickhouse`; required there if `source` is `search`. */
  savedSearch: Type.Optional(Type.String({ minLength: 1, dialect: "clickhouse" })),
  /** Expression that groups the results of the saved search. Needs `dialect: clickhouse`. */
  groupBy: Type.Optional(
    Type.String({
      minLength: 1,
      dialect: "clickhouse",
      irremovable: "replace the alert to remove it",
    }),
  ),
  /** Where the alert is sent. Required unless `channels` is declared. */
  channel: Type.Optional(channel),
  /** Up to ten channels, in place of `channel`. Needs `dialect: clickhouse`. */
  channels: Type.Optional(
    Type.Array(channel, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      comparison: "set",
      dialect: "clickhouse",
    }),
  ),
});

/** Outputs of an alert beyond its inputs (API document: "Alert (observability API)"). */
export const alertOutputs = Type.Object({
  /** Whether the alert is firing, as last read. Changes by itself and never counts as drift. */
  state: Type.Optional(Type.String({ volatile: true })),
  /** Team that the alert belongs to. */
  team: Type.Optional(Type.String()),
  /** Whether the alert is silenced. */
  silenced: Type.Optional(Type.Boolean()),
  /** When the alert was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the alert was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
});

type Inputs = Static<typeof alertInputs>;

/** Lifecycle of an alert. */
export const alertResource = collection<Inputs>({
  type: "Alert",
  noun: "alert",
  inputs: alertInputs,
  outputs: alertOutputs,
  scope: "observability",
  operations: {
    create: "createAlert",
    list: "listAlerts",
    get: "getAlert",
    update: "updateAlert",
    delete: "deleteAlert",
  },
  references: { dashboardId: "Dashboard", tileId: "tile" },

  failures: (declared, _olds, { settings }) => [
    ...sourceFailures(declared, settings.dialect),
    ...channelFailures(declared),
    ...thresholdFailures(declared, settings.dialect),
  ],

  describe: ({ name, threshold }) => (name ? `named ${JSON.stringify(name)}` : `with threshold ${threshold}`),

  isLike: (found, body) =>
    found.threshold !== undefined &&
    shows(alertInputs, { name: null, message: null, groupBy: null, ...body }, liveState(found).inputs),

  liveState,

  // The shape of the answer to a write is not documented: it may be a mere receipt.
  async complete(answer, context) {
    if (answer.threshold !== undefined) return answer;
    const found = await lookUp(alertResource, answer.id as string, context);
    return typeof found === "string" ? answer : found;
  },

  // Newer servers answer the first channel of an alert by itself, too.
  declaration: ({ channel, channels, ...found }) =>
    Array.isArray(channels) && channels.length > 1
      ? { ...found, channels }
      : { ...found, ...(channel === undefined ? { channels } : { channel }) },
});

function sourceFailures(declared: Partial<Inputs>, dialect: DialectName): Failure[] {
  const { source, dashboardId, tileId, savedSearch, groupBy } = declared;
  if (source === "search") {
    const isMissing = dialects[dialect].hasSavedSearches && savedSearch === undefined;
    return isMissing ? [{ path: "savedSearch", message: 'is required when source is "search"' }] : [];
  }
  if (source !== "tile") return [];
  return [
    ...namesOf({ dashboardId, tileId }, (value) => value === undefined).map((path) => ({
      path,
      message: 'is required when source is "tile"',
    })),
    ...namesOf({ savedSearch, groupBy }, (value) => value !== undefined).map((path) => ({
      path,
      message: 'does not apply when source is "tile"',
    })),
  ];
}

function namesOf(members: Data, holds: (value: unknown) => boolean): string[] {
  return Object.keys(members).filter((name) => holds(members[name]));
}

function channelFailures({ channel, channels }: Partial<Inputs>): Failure[] {
  if (channel === undefined && channels === undefined) return [{ path: "channel", message: "is required" }];
  return channel === undefined || channels === undefined
    ? []
    : [{ path: "channels", message: "conflicts with channel" }];
}

function thresholdFailures(declared: Partial<Inputs>, dialect: DialectName): Failure[] {
  const { thresholdType, threshold, thresholdMax, interval } = declared;
  const { thresholdTypes, alertIntervals } = dialects[dialect];
  const failures: Failure[] = [];
  const check = (path: string, value: unknown, known: readonly string[] | undefined) => {
    if (typeof value === "string" && known && !known.includes(value))
      failures.push({ path, message: `must be one of ${known.join(", ")}` });
  };
  check("thresholdType", thresholdType, thresholdTypes);
  check("interval", interval, alertIntervals);
  if (typeof thresholdType !== "string" || !thresholdTypes.includes(thresholdType)) return failures;
  if (isRange(thresholdType) && thresholdMax === undefined)
    failures.push({ path: "thresholdMax", message: `is required when thresholdType is "${thresholdType}"` });
  if (!isRange(thresholdType) && thresholdMax !== undefined)
    failures.push({
      path: "thresholdMax",
      message: `does not apply when thresholdType is "${thresholdType}"`,
    });
  if (typeof threshold === "number" && typeof thresholdMax === "number" && thresholdMax < threshold)
    failures.push({ path: "thresholdMax", message: "must be at least threshold" });
  return failures;
}

function isRange(thresholdType: string): boolean {
  return thresholdType === "between" || thresholdType === "not_between";
}

function liveState(answer: Data): LiveState {
  const { dashboardId = answer.dashboard, channel, channels } = answer;
  const { source, thresholdType } = answer;
  const channelOf = (found: unknown) => (isObject(found) ? pick(found, ["type", "webhookId"]) : found);
  return {
    inputs: {
      ...pick(answer, ["name", "message", "threshold", "interval", "thresholdType", "source"]),
      // A server keeps values of the alert's former kind, which no longer apply.
      ...(typeof thresholdType === "string" && !isRange(thresholdType) ? {} : pick(answer, ["thresholdMax"])),
      ...(source === "search" ? {} : pick({ ...answer, dashboardId }, ["dashboardId", "tileId"])),
      ...(source === "tile" ? {} : pick(answer, ["savedSearch", "groupBy"])),
      ...(channel ? { channel: channelOf(channel) } : {}),
      ...(Array.isArray(channels) ? { channels: channels.map(channelOf) } : {}),
    },
    outputs: pick(answer, Object.keys(alertOutputs.properties)),
  };
}
