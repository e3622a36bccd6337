import { ApiError, badRequest, notFound } from "../apiError";
import { seededTeam } from "../credentials";
import { isObjectId, newObjectId } from "../identifiers";
import type { Collection, Records } from "../records";
import { idParameters, type RouteContext } from "../routeContext";
import { isRange } from "../vocabulary";
import type { Alert } from "./alertRecords";
import { neutralAlerts } from "./alertRules";
import type { Tile } from "./dashboardRecords";
import { dashboards } from "./dashboards";
import { productAlerts } from "./productAlerts";
import { type Resource, serves } from "./resource";
import { savedSearches } from "./savedSearches";
import { webhooks } from "./webhooks";

/** The alerts of a service: list, create, get, update and delete. */
export const alerts = {
  place: "stack",
  operations: ["listAlerts", "createAlert", "getAlert", "updateAlert", "deleteAlert"],
  path: () => "alerts",

  seed: (): Alert[] => [],
  onConsole: describeAlert,

  /** A webhook stays while it is the first channel of an alert. */
  hold(records: Records, deleted: Collection, id: string): void {
    if (deleted !== webhooks) return;
    const users = [...records.of(alerts).values()].filter(({ channel }) => channel.webhookId === id).length;
    const reason = `${users} alert(s) still reference it. Reassign or remove those alerts first.`;
    if (users > 0) throw new ApiError(409, `Cannot delete webhook: ${reason}`);
  },

  /** An alert goes with its saved search, with its dashboard, with its tile, and when the tile becomes one that cannot have alerts. */
  follow(records: Records, changed: Collection, id: string): void {
    const own = records.of(alerts);
    if (changed === savedSearches && !records.of(savedSearches).has(id))
      for (const alert of own.values()) if (alert.savedSearch === id) own.delete(alert.id);
    if (changed !== dashboards) return;
    const tiles = records.of(dashboards).get(id)?.tiles;
    for (const alert of own.values()) {
      const { tileId } = alert;
      const isGone =
        !tiles || (tileId !== undefined && !tiles.some((tile) => tile.id === tileId && carries(tile)));
      if (alert.dashboard === id && isGone) own.delete(alert.id);
    }
  },

  routes({ api, store, answers, vocabulary, name, list, envelope }: RouteContext, path: string): void {
    const rules = vocabulary.dialect === "clickhouse" ? productAlerts(name) : neutralAlerts;
    const show = (alert: Alert) => answers.show("alert", rules.show(alert));
    const one = { schema: { params: idParameters } };
    const find = (id: string, serviceId: string): Alert => {
      if (!isObjectId(id)) throw badRequest("Invalid alert id");
      const alert = store.of(alerts).get(id);
      if (alert?.serviceId !== serviceId) throw notFound("Alert not found");
      return alert;
    };

    api.get(path, serves("listAlerts"), async (request, reply) =>
      list(request, reply, store.ofService(alerts, request.service.id), show),
    );

    api.post(path, { ...serves("createAlert"), schema: { body: rules.bodies.create } }, async (request) => {
      const now = new Date().toISOString();
      const alert = {
        id: newObjectId(),
        serviceId: request.service.id,
        state: "inactive",
        team: seededTeam,
        ...present(rules.changeOf(request.body)),
        createdAt: now,
        updatedAt: now,
      } as Alert;
      rules.check(store, alert);
      store.of(alerts).set(alert.id, alert);
      return envelope(request, show(alert));
    });

    api.get(`${path}/:id`, { ...one, ...serves("getAlert") }, async (request) =>
      envelope(request, show(find(request.params.id, request.service.id))),
    );

    api.put(
      `${path}/:id`,
      { ...serves("updateAlert"), schema: { ...one.schema, body: rules.bodies.update } },
      async (request) => {
        const alert = find(request.params.id, request.service.id);
        const change = rules.changeOf(request.body);
        const changed = present({ ...alert, ...change, updatedAt: new Date().toISOString() });
        rules.check(store, changed);
        for (const member of Object.keys(change) as (keyof Alert)[]) delete alert[member];
        Object.assign(alert, changed);
        return envelope(request, show(alert));
      },
    );

    api.delete(`${path}/:id`, { ...one, ...serves("deleteAlert") }, async (request) => {
      store.of(alerts).delete(find(request.params.id, request.service.id).id);
      return envelope(request);
    });
  },
} as const satisfies Resource;

/** Whether a tile can have alerts: those of newer servers say in their config how they look. */
function carries({ config }: Tile): boolean {
  return config === undefined || ["line", "stacked_bar", "number"].includes(String(config.displayType));
}

/** An object without its undefined members. */
function present<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

/** An alert without what it kept from an earlier source or threshold type: updates keep members that they do not name. */
function describeAlert({ dashboard, tileId, savedSearch, groupBy, thresholdMax, ...alert }: Alert): Alert {
  return {
    ...alert,
    ...(alert.source === "tile" ? { dashboard, tileId } : { savedSearch, groupBy }),
    ...(isRange(alert.thresholdType) && { thresholdMax }),
  };
}
