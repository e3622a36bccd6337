import { isDeepStrictEqual } from "node:util";
import { apiOf } from "../../api/settings";
import { resourceOf } from "../../lifecycle/lifecycle";
import { observe } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { contextOf, elsewhere } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { declaresNothing, isSeen, type State } from "../../lifecycle/state";
import { shows } from "../../values/compare";
import { isObject, type PropertyMap, pick } from "../../values/data";
import type { Static } from "../../values/schemaBuilders";
import { withLabels } from "../../values/validate";
import { asVerdict, deletesAlerts, tileOfAlertFailures } from "../tiles/alertTiles";
import { isDeletedWithTile, isLeaving, isStaying, isWithoutTile, tileOf } from "../tiles/tileRemovals";
import { consistent, inputsIn } from "./alertBody";
import { alertInputs, alertOutputs } from "./alertInputs";
import { alertFailures } from "./alertRules";
import { withoutDerivedLabels } from "./derivedLabels";
import { inexpressible, warnOfInexpressible } from "./inexpressibleChart";

type Inputs = Static<typeof alertInputs>;

export const alertResource: Resource = resourceOf({
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

  warnings: (declared: Partial<Inputs>) => [
    ...(declared.channel?.emailRecipients?.length === 0
      ? ["Alert: channel.emailRecipients is empty, so the alert notifies nobody"]
      : []),
  ],

  isLike: (live, body) =>
    live.threshold !== undefined && shows(alertInputs, { ...absences, ...body }, inputsIn(live, body)),

  encode(body, settings, current) {
    const { tags, ...request } = current ? consistent(body, current) : body;
    // ClickHouse Cloud refuses null for the `tags` of an alert. An update clears omitted members anyway.
    const isLeftOut =
      tags === undefined || (tags === null && apiOf("updateAlert", settings) === "management");
    return isLeftOut ? request : { ...request, tags };
  },

  formOf: (live, declared) => ({
    ...pick(live, Object.keys(alertOutputs.properties)),
    ...inputsIn(live, declared),
  }),

  // The answer to a write of an alert is not documented. Without a threshold, it probably shows the alert only in part.
  completenessField: "threshold",

  // A request that omits a member may change what the alert is, as one without `detectionMode` does.
  keepsUnknown: true,

  uses: {
    Webhook:
      "The service keeps a webhook that is the first channel of an alert; an alert that has it as a further channel can then no longer be updated",
    Dashboard: "deletedToo",
    SavedSearch: "deletedToo",
  },

  isCascadeDeleted: isDeletedWithTile,

  async look(look, usual) {
    // The list shows the chart of an inline alert in part. An import and a write need the whole of it.
    const isWanted = look.moment === "afterWrite" || declaresNothing(alertResource, look.state);
    const answer = await usual({ ...look, isDoubtful: ({ source }) => isWanted && source === "inline" });
    if (!isSeen(answer) || answer.source !== "inline" || isObject(answer.chartConfig)) return answer;
    warnOfInexpressible(alertResource, look);
    return { ...answer, chartConfig: inexpressible };
  },

  // Newer servers show the first of several `channels` also as `channel`. `pulumi import` declares only one of the two.
  declaration({ channel, channels, displayName, tags, ...members }) {
    // Without a name of its own, the alert shows its chart's name. A declared name would not follow when the chart is renamed.
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

  around: {
    // The check refuses an alert on a tile that the program removes, or turns into a kind that cannot carry alerts.
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      const { inputs, warnings } = checked;
      if (checked.failures.length > 0) return checked;
      const tile = tileOf(inputs);
      if (tile && isLeaving(tile, session))
        return {
          ...checked,
          failures: [
            {
              path: "tileId",
              message: "names a tile that this update removes from its dashboard; name a tile that stays",
            },
          ],
        };
      const before = deletesAlerts(session.settings) ? olds : {};
      const verdict = asVerdict(tileOfAlertFailures(inputs, before, session), session);
      return {
        ...checked,
        failures: withLabels(verdict.failures, inputs),
        warnings: [...warnings, ...verdict.warnings],
      };
    },

    async read(usual, id, state, session) {
      if (tileOf(state)) session.run.noteRead(alertResource, id);
      const found = await usual(id, state, session);
      if (!declaresNothing(alertResource, state) || typeof found === "string") return found;
      return { ...found, inputs: await withoutDerivedLabels(found.inputs, session) };
    },

    // The service deletes an alert together with its tile, so an alert whose tile the program removes is replaced.
    async diff(usual, id, state, inputs, session) {
      const changes = await usual(id, state, inputs, session);
      const isMoved = changes.some(({ path, replaces }) => places.includes(path) && !replaces);
      if (!isMoved || !(await goesWithItsTile(id, state, session))) return changes;
      session.run.noteReplaced(alertResource, id);
      // Only previews need the message about the replaced alert: an update is already approved.
      if (!session.hasWritten)
        session.warnOnce(
          `alert ${id}: this update removes its tile, and the service deletes the alert with the tile; a new alert takes its place`,
        );
      return changes.map((change) => (places.includes(change.path) ? { ...change, replaces: true } : change));
    },

    // If the service deletes the alert of `adoptId` together with its tile, a new alert is created instead of adopting that one.
    async create(usual, inputs, session) {
      const { adoptId, ...others } = inputs;
      if (typeof adoptId !== "string" || !session.run.isReplaced(alertResource, adoptId))
        return usual(inputs, session);
      const created = await usual(others, session);
      return { ...created, state: { ...created.state, adoptId } };
    },
  },
});

/** Whether a change takes an alert from its tile to another tile, a search or its own chart, which may replace the alert. */
export function leavesItsTile(state: State, inputs: PropertyMap): boolean {
  const tile = tileOf(state);
  return tile !== undefined && !isDeepStrictEqual(tile, tileOf(inputs));
}

/** The inputs that determine which tile an alert watches. */
const places = ["source", "dashboardId", "tileId"];

/**
 * Whether an alert is lost together with its former tile: the program removes the tile, so the service will delete the alert,
 * or the service no longer shows either of them. False if a preview does not know the ids of the tiles.
 */
async function goesWithItsTile(id: string, state: State, session: Session): Promise<boolean> {
  const tile = tileOf(state);
  if (!tile || isStaying(tile, session)) return false;
  if (isLeaving(tile, session)) return true;
  const context = contextOf(alertResource, state, session);
  // An alert that cannot be read is not replaced: its update will report the failure. An alert that the API does not show yet
  // is new, and can be replaced without loss.
  const observed = await observe(alertResource, id, context, { state, asOf: "now" }).catch(() => undefined);
  if (observed === undefined || isSeen(observed)) return false;
  // An alert on another system is not gone with its tile, though its dashboard is not shown here: its update says where it may be.
  return isWithoutTile(tile, context, elsewhere(alertResource, id, state, session) !== undefined);
}

/** Members that are null in a new alert, or have this default, unless its create request sets them. */
const absences = {
  detectionMode: "threshold",
  name: null,
  message: null,
  note: null,
  numConsecutiveWindows: null,
  scheduleStartAt: null,
  groupBy: null,
};
