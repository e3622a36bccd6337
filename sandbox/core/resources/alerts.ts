import { ApiError } from "../apiError";
import { seededTeam } from "../credentials";
import type { Collection, Records } from "../records";
import { present } from "../rewrites";
import { type Call, madeOnce, type Route, type RouteContext } from "../routes";
import { isRange, type Vocabulary } from "../vocabulary";
import type { Alert } from "./alertRecords";
import { neutralAlerts } from "./alertRules";
import type { Tile } from "./dashboardRecords";
import { dashboards } from "./dashboards";
import { datesOf, listedRoutes, usualOperations } from "./listed";
import { productAlerts } from "./productAlerts";
import type { Resource } from "./resource";
import { savedSearches } from "./savedSearches";
import { webhooks } from "./webhooks";

/** The alerts of a service in the sandbox, with the operations list, create, get, update and delete. */
export const alerts = {
  place: "stack",
  operations: usualOperations("Alert", "Alerts"),
  path: () => "alerts",

  seed: (): Alert[] => [],
  onConsole: describeAlert,
  requested: ({ search }: Vocabulary) => ({
    ...{ dashboard: ["dashboardId"], savedSearch: ["savedSearchId"] },
    source: ["source", (source: unknown) => (source === "search" ? search : source)],
  }),

  /** HyperDX refuses to delete a webhook while it is the first channel of an alert. */
  hold(records: Records, deleted: Collection, id: string): void {
    if (deleted !== webhooks) return;
    const users = [...records.of(alerts).values()].filter(({ channel }) => channel.webhookId === id).length;
    const reason = `${users} alert(s) still reference it. Reassign or remove those alerts first.`;
    if (users > 0) throw new ApiError(409, `Cannot delete webhook: ${reason}`);
  },

  /**
   * HyperDX deletes an alert along with its saved search, dashboard or tile, and when its tile becomes one that cannot carry
   * alerts.
   */
  follow(records: Records, changed: Collection, id: string): void {
    const alertRecords = records.of(alerts);
    if (changed === savedSearches && !records.of(savedSearches).has(id))
      for (const alert of alertRecords.values())
        if (alert.savedSearch === id) records.remove(alerts, alert.id);
    if (changed !== dashboards) return;
    const tiles = records.of(dashboards).get(id)?.tiles;
    for (const alert of alertRecords.values()) {
      const { tileId } = alert;
      const isGone =
        !tiles || (tileId !== undefined && !tiles.some((tile) => tile.id === tileId && carries(tile)));
      if (alert.dashboard === id && isGone) records.remove(alerts, alert.id);
    }
  },

  routes(context: RouteContext): Route[] {
    const { store, answers } = context;
    const rules = rulesIn(context);
    const show = (alert: Alert) => answers.show("alert", rules.show(alert, store));
    return listedRoutes<Alert>(context, {
      collection: alerts,
      noun: "Alert",
      bodies: rules.bodies,
      membersOf({ body, now, service }: Call, current) {
        const inherited = current ?? { state: "inactive", team: seededTeam };
        const members = present({
          ...inherited,
          ...rules.changeOf(body, now),
          ...datesOf(now, current),
        }) as Alert;
        rules.check(store, { ...members, serviceId: service.id });
        return members;
      },
      show,
      showInList: ({ chartConfig, ...alert }) => show(alert),
    });
  },
} as const satisfies Resource;

const rulesIn = madeOnce(({ name, vocabulary }) =>
  vocabulary.dialect === "clickhouse"
    ? productAlerts(name, name === "management" || vocabulary.isSince("2.38"))
    : neutralAlerts,
);

/** Whether a tile of a dashboard can carry alerts. On newer servers the `config` of a tile contains its type. */
function carries({ config }: Tile): boolean {
  const kinds = ["line", "stacked_bar", "stacked_line", "number"];
  return config === undefined || kinds.includes(String(config.displayType));
}

/**
 * Removes from an alert the properties of its former source or threshold type, since updates keep properties that their bodies
 * omit.
 */
function describeAlert({ dashboard, tileId, savedSearch, groupBy, thresholdMax, ...alert }: Alert): Alert {
  return {
    ...alert,
    ...(alert.source === "tile" && { dashboard, tileId }),
    ...(alert.source === "search" && { savedSearch, groupBy }),
    ...(isRange(alert.thresholdType) && { thresholdMax }),
  };
}
