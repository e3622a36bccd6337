import { isDeepStrictEqual } from "node:util";
import { apiOf } from "../../api/settings";
import { isReplaced, noteReplaced } from "../../lifecycle/deletions";
import { noteRead } from "../../lifecycle/holdings";
import { resourceOf } from "../../lifecycle/lifecycle";
import { observe } from "../../lifecycle/observe";
import { contextOf, inService } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaresNothing, isSeen, type State } from "../../lifecycle/state";
import { shows } from "../../values/compare";
import { type Data, isObject, pick } from "../../values/data";
import { oneOf, openSetOf, withoutOuterBlanks } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { sentenceOf, withLabels } from "../../values/validate";
import { consistent, inputsIn, sources } from "./alertBody";
import { type AlertChannel, channel, channelOfMany } from "./alertChannels";
import { alertChart } from "./alertChart";
import { alertFailures } from "./alertRules";
import { deletesAlerts, tileOfAlertFailures } from "./alertTiles";
import { withoutDerivedLabels } from "./derivedLabels";
import { isDeletedWithTile, isLeaving, isStaying, isWithoutTile, tileOf } from "./tileFates";
import { unsaid, warnOfUnsaid } from "./unsaidChart";

const thresholdTypes = [
  ...(["above", "below", "above_exclusive", "below_or_equal"] as const),
  ...(["equal", "not_equal", "between", "not_between"] as const),
] as const;

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
  adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", replaces: true })),
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
   * such as `5m`. The dialect `clickhouse` has 1m, 5m, 15m, 30m, 1h, 6h, 12h and 1d.
   */
  interval: openSetOf(["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"], {
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
   * Where the alert finds its value: a `tile` of a dashboard (with `dashboardId` and `tileId`), a saved `search`, or a chart
   * that belongs to the alert, `inline` (with `chartConfig`).
   */
  source: oneOf(sources, { since: { inline: "2.38" } }),
  /** Id of the dashboard with the tile that the alert watches: `dashboard.id`. Required when `source` is `tile`. */
  dashboardId: Type.Optional(Type.String({ minLength: 1 })),
  /** Id of the tile that the alert watches: `dashboard.tileIds["name of the tile"]`. Required when `source` is `tile`. */
  tileId: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Id of the saved search that the alert watches: `search.id`. Needs `dialect: clickhouse`; required there if `source` is
   * `search`.
   */
  savedSearch: Type.Optional(Type.String({ minLength: 1, dialect: "clickhouse" })),
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
   * of all alerts. Absent if the provider does not know where the console is: set `pageUrl`.
   */
  url: Type.Optional(Type.String({ volatile: true, sent: "never" })),
});

type Inputs = Static<typeof alertInputs>;

const alerts = resourceOf<Inputs>({
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

  page: (_id, { source, dashboardId, savedSearch }) =>
    source === "inline"
      ? ["alerts"]
      : dashboardId === undefined
        ? ["search", savedSearch]
        : ["dashboards", dashboardId],

  failures: alertFailures,

  warnings: (declared) => [
    ...(declared.channel?.emailRecipients?.length === 0
      ? ["Alert: channel.emailRecipients is empty, so the alert notifies nobody"]
      : []),
  ],

  isLike: (live, body) =>
    live.threshold !== undefined && shows(alertInputs, { ...absences, ...body }, inputsIn(live, body)),

  encode(body, settings, current) {
    const { tags, ...request } = current ? consistent(body, current) : body;
    // ClickHouse Cloud refuses null for the `tags` of an alert. The request leaves them out, which has the same effect, since
    // an update clears omitted members.
    const isLeftOut =
      tags === undefined || (tags === null && apiOf("updateAlert", settings) === "management");
    return isLeftOut ? request : { ...request, tags };
  },

  decode: (answer, declared) => ({
    inputs: inputsIn(answer, declared),
    outputs: pick(answer, Object.keys(alertOutputs.properties)),
  }),

  // The answer to a write request for an alert is not documented. If it has no threshold, the provider assumes that it shows
  // the alert only in part.
  sureMember: "threshold",

  isListedInPart: ({ source }) => source === "inline",

  goesWith: ({ dashboardId, dashboard = dashboardId, savedSearchId, savedSearch = savedSearchId }) => [
    ...(typeof dashboard === "string" ? [{ type: "Dashboard", id: dashboard }] : []),
    ...(typeof savedSearch === "string" ? [{ type: "SavedSearch", id: savedSearch }] : []),
  ],

  isDeletedAlong: isDeletedWithTile,

  way: (usual) => ({
    ...usual,
    async look(moment, id, state, context) {
      const answer = await usual.look(moment, id, state, context);
      if (!isSeen(answer) || answer.source !== "inline" || isObject(answer.chartConfig)) return answer;
      warnOfUnsaid(alerts, id, state, context);
      return { ...answer, chartConfig: unsaid };
    },
  }),

  // Newer servers show the first of several `channels` of an alert as `channel`, too. `pulumi import` declares only one of the
  // two.
  declaration({ channel, channels, displayName, tags, ...members }) {
    // Without a name of its own, the alert shows the name of its chart. If `pulumi import` declared this name, renaming the
    // chart would no longer rename the alert.
    const chart = isObject(members.chartConfig) ? members.chartConfig.name : undefined;
    const isDerived = members.source === "inline" && displayName === (chart ?? "Alert");
    const labels = {
      ...(isDerived || displayName === undefined ? {} : { displayName }),
      ...(Array.isArray(tags) && tags.length > 0 ? { tags } : {}),
    };
    return Array.isArray(channels) && channels.length > 1
      ? { ...members, ...labels, channels }
      : { ...members, ...labels, ...(channel === undefined ? { channels } : { channel }) };
  },
});

/** The lifecycle operations of an alert. */
export const alertResource: typeof alerts = {
  ...alerts,

  // The check refuses an alert on a tile that the program removes from its dashboard, or turns into a kind that cannot carry
  // alerts.
  async check(olds, news, session) {
    const checked = await alerts.check(olds, news, session);
    const { inputs, warnings } = checked;
    if (checked.failures.length > 0) return checked;
    const tile = tileOf(inputs);
    if (tile && isLeaving(tile, session))
      return {
        ...checked,
        failures: [{ path: "tileId", message: "names a tile that this update removes from its dashboard" }],
      };
    const deletes = deletesAlerts(session.settings);
    const failures = tileOfAlertFailures(inputs, deletes ? olds : {}, session);
    if (deletes) return { ...checked, failures: withLabels(failures, inputs) };
    return {
      ...checked,
      warnings: [...warnings, ...failures.map((failure) => `Alert: ${sentenceOf(failure)}`)],
    };
  },

  async read(id, state, session) {
    if (tileOf(state)) noteRead(alerts, id, session);
    const found = await alerts.read(id, state, session);
    if (!declaresNothing(alerts, state) || typeof found === "string") return found;
    return { ...found, inputs: await withoutDerivedLabels(found.inputs, session) };
  },

  // The service deletes an alert together with its dashboard tile. So if the program removes the tile, the alert is replaced
  // instead of updated.
  async diff(id, state, inputs, session) {
    const changes = await alerts.diff(id, state, inputs, session);
    const isMoved = changes.some(({ path, replaces }) => places.includes(path) && !replaces);
    if (!isMoved || !(await goesWithItsTile(id, state, session))) return changes;
    noteReplaced(alerts, id, session);
    // Only previews need the message about the replaced alert: an update is already approved.
    if (!session.hasWritten)
      session.warnOnce(
        `alert ${id}: this update removes its tile, and the service deletes the alert with the tile; a new alert takes its place`,
      );
    return changes.map((change) => (places.includes(change.path) ? { ...change, replaces: true } : change));
  },

  // If the service deletes the alert of `adoptId` together with its tile, a new alert is created instead of adopting that one.
  async create(inputs, session) {
    const { adoptId, ...others } = inputs;
    if (typeof adoptId !== "string" || !isReplaced(alerts, adoptId, session))
      return alerts.create(inputs, session);
    const created = await alerts.create(others, session);
    return { ...created, state: { ...created.state, adoptId } };
  },
};

/**
 * Whether a change takes an alert from its dashboard tile to another tile, a search or a chart of its own, so that the alert
 * may have to be replaced.
 */
export function leavesItsTile(state: State, inputs: Data): boolean {
  const tile = tileOf(state);
  return tile !== undefined && !isDeepStrictEqual(tile, tileOf(inputs));
}

/** The names of the inputs that determine which tile an alert watches. */
const places = ["source", "dashboardId", "tileId"];

/**
 * Whether the service deletes an alert together with its former tile, or has already done so: the program removes the tile, or
 * the service shows neither the alert nor the tile. If a preview does not know the ids of the tiles, the answer is no.
 */
async function goesWithItsTile(id: string, state: State, session: Session): Promise<boolean> {
  const tile = tileOf(state);
  if (!tile || isStaying(tile, session)) return false;
  if (isLeaving(tile, session)) return true;
  const context = contextOf(alerts, state, session);
  // If reading the alert fails, nothing is known, and the update will report the failure. A new alert that the API does not
  // show yet can be replaced without loss.
  const observed = await observe(alerts, id, context, { state, asOf: "now" }).catch(() => undefined);
  return observed !== undefined && !isSeen(observed) && (await isWithoutTile(tile, context));
}

/** Members with the value null, which a new alert has unless its create request sets them. */
const absences = {
  name: null,
  message: null,
  note: null,
  numConsecutiveWindows: null,
  scheduleStartAt: null,
  groupBy: null,
};
