import { Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import type { Collection, Records } from "../records";
import { idParameters, type RouteContext } from "../routeContext";
import { isRange, type Vocabulary } from "../vocabulary";
import { dashboards } from "./dashboards";
import { type Resource, serves } from "./resource";
import { webhooks } from "./webhooks";

/** What an alert can watch. */
export type AlertSource = "tile" | "search";

/** Where an alert sends its notifications. */
export interface AlertChannel {
  type: string;
  webhookId: string;
}

/** An alert of a service; answers omit `serviceId`. */
export interface Alert {
  id: string;
  serviceId: string;
  name: string | null;
  message: string | null;
  threshold: number;
  interval: string;
  thresholdType: string;
  /** Upper bound of a range. */
  thresholdMax?: number;
  source: AlertSource;
  state: string;
  /** The first of `channels`. */
  channel: AlertChannel;
  channels?: AlertChannel[];
  team: string;
  tileId?: string;
  /** The id of the dashboard; `dashboardId` in requests. */
  dashboard?: string;
  /** The id of the saved search; `savedSearchId` in requests. */
  savedSearch?: string;
  groupBy?: string;
  createdAt: string;
  updatedAt: string;
}

const Channel = Type.Object(
  { type: Type.Literal("webhook"), webhookId: Type.String() },
  { additionalProperties: false },
);
const text = Type.Unsafe<string | null>({ type: ["string", "null"] });

/** The bodies of create and update. */
function bodiesIn(vocabulary: Vocabulary) {
  const required = {
    threshold: Type.Number(),
    interval: Type.String({ pattern: vocabulary.alertInterval }),
    thresholdType: Type.Unsafe<string>({ enum: vocabulary.thresholdTypes }),
    source: Type.Unsafe<string>({ enum: ["tile", vocabulary.search] }),
  };
  const optional = {
    dashboardId: Type.Optional(Type.String()),
    tileId: Type.Optional(Type.String()),
    name: Type.Optional(text),
    message: Type.Optional(text),
  };
  const newer = {
    savedSearchId: Type.Optional(Type.String()),
    groupBy: Type.Optional(Type.String()),
    thresholdMax: Type.Optional(Type.Number()),
    channels: Type.Optional(Type.Array(Channel, { minItems: 1, maxItems: 10, uniqueItems: true })),
  };
  const all = Type.Object(
    { ...required, channel: Channel, ...optional, ...newer },
    { additionalProperties: false },
  );
  const known = vocabulary.newerAlerts ? all : Type.Omit(all, Object.keys(newer) as (keyof typeof newer)[]);
  const { required: needed, ...whole } = known;
  const create = vocabulary.newerAlerts ? needed?.filter((name) => name !== "channel") : needed;
  return {
    create: Type.Unsafe<CreateBody>({ ...whole, required: create }),
    update: Type.Unsafe<UpdateBody>(whole),
  };
}

interface CreateBody extends UpdateBody {
  threshold: number;
  interval: string;
  thresholdType: string;
  source: string;
}

interface UpdateBody {
  threshold?: number;
  thresholdMax?: number;
  interval?: string;
  thresholdType?: string;
  source?: string;
  channel?: AlertChannel;
  channels?: AlertChannel[];
  dashboardId?: string;
  tileId?: string;
  savedSearchId?: string;
  groupBy?: string;
  name?: string | null;
  message?: string | null;
}

/** All alerts of the sandbox belong to one team. */
const team = "65f1c0a2b3d4e5f607182902";

/** The alerts of a service: list, create, get, update and delete. */
export const alerts = {
  place: "stack",
  operations: ["listAlerts", "createAlert", "getAlert", "updateAlert", "deleteAlert"],
  path: () => "alerts",

  seed: (): Alert[] => [],
  onConsole: describeAlert,

  /** An alert goes with its dashboard, and with its tile. */
  follow(records: Records, changed: Collection, id: string): void {
    if (changed !== dashboards) return;
    const tiles = records.of(dashboards).get(id)?.tiles;
    const own = records.of(alerts);
    for (const alert of own.values()) {
      const { tileId } = alert;
      const isGone = !tiles || (tileId !== undefined && !tiles.some((tile) => tile.id === tileId));
      if (alert.dashboard === id && isGone) own.delete(alert.id);
    }
  },

  routes({ api, store, answers, vocabulary, envelope }: RouteContext, path: string): void {
    const bodies = bodiesIn(vocabulary);
    const show = ({ serviceId, ...alert }: Alert) => answers.show("alert", inVocabulary(alert, vocabulary));
    const one = { schema: { params: idParameters } };
    const find = (id: string, serviceId: string): Alert => {
      if (!isObjectId(id)) throw badRequest("Invalid alert id");
      const alert = store.of(alerts).get(id);
      if (alert?.serviceId !== serviceId) throw notFound("Alert not found");
      return alert;
    };

    api.get(path, serves("listAlerts"), async (request) =>
      envelope(request, store.ofService(alerts, request.service.id).map(show)),
    );

    api.post(path, { ...serves("createAlert"), schema: { body: bodies.create } }, async (request) => {
      const now = new Date().toISOString();
      const { channel = request.body.channels?.[0] } = request.body;
      if (!channel) throw badRequest("channel or channels is required");
      const alert = {
        id: newObjectId(),
        serviceId: request.service.id,
        ...toMembers({ ...request.body, channel }, vocabulary),
        state: "inactive",
        team,
        createdAt: now,
        updatedAt: now,
      } as Alert;
      checkBounds(alert);
      checkReferences(store, alert, vocabulary);
      store.of(alerts).set(alert.id, alert);
      return envelope(request, show(alert));
    });

    api.get(`${path}/:id`, { ...one, ...serves("getAlert") }, async (request) =>
      envelope(request, show(find(request.params.id, request.service.id))),
    );

    api.put(
      `${path}/:id`,
      { ...serves("updateAlert"), schema: { ...one.schema, body: bodies.update } },
      async (request) => {
        const alert = find(request.params.id, request.service.id);
        const change = { ...toMembers(request.body, vocabulary), updatedAt: new Date().toISOString() };
        checkBounds({ ...alert, ...change });
        checkReferences(store, { ...alert, ...change }, vocabulary);
        Object.assign(alert, change);
        return envelope(request, show(alert));
      },
    );

    api.delete(`${path}/:id`, { ...one, ...serves("deleteAlert") }, async (request) => {
      store.of(alerts).delete(find(request.params.id, request.service.id).id);
      return envelope(request);
    });
  },
} as const satisfies Resource;

/** The members that a body changes. A missing name or message is removed; other missing members stay. */
function toMembers(
  {
    dashboardId,
    savedSearchId,
    groupBy,
    source,
    channel,
    channels,
    name = null,
    message = null,
    ...body
  }: UpdateBody,
  vocabulary: Vocabulary,
): Partial<Alert> {
  const first = channels?.[0] ?? channel;
  if (channel && channels && channel.webhookId !== first?.webhookId) {
    throw badRequest("channel must be the first of channels");
  }
  return {
    ...body,
    ...(source !== undefined && { source: source === vocabulary.search ? "search" : "tile" }),
    ...(dashboardId !== undefined && { dashboard: dashboardId }),
    ...(savedSearchId !== undefined && { savedSearch: savedSearchId }),
    // The service silently drops the group of an alert on a tile.
    ...(groupBy !== undefined && source === vocabulary.search && { groupBy }),
    ...(first && { channel: first, ...(vocabulary.newerAlerts && { channels: channels ?? [first] }) }),
    name,
    message,
  };
}

/** An alert in the vocabulary of the dialect. */
function inVocabulary(
  { dashboard, savedSearch, team, source, ...alert }: Omit<Alert, "serviceId">,
  vocabulary: Vocabulary,
): object {
  const { alertMembers: names } = vocabulary;
  return {
    ...alert,
    source: source === "search" ? vocabulary.search : source,
    [names.team]: team,
    ...(dashboard !== undefined && { [names.dashboard]: dashboard }),
    ...(savedSearch !== undefined && { [names.savedSearch]: savedSearch }),
  };
}

function checkBounds({ threshold, thresholdMax, thresholdType }: Alert): void {
  if (!isRange(thresholdType)) return;
  if (thresholdMax === undefined) throw badRequest(`thresholdMax is required for ${thresholdType}`);
  if (thresholdMax < threshold) throw badRequest("thresholdMax must not be below threshold");
}

function checkReferences(store: Records, alert: Alert, vocabulary: Vocabulary): void {
  for (const { webhookId } of alert.channels ?? [alert.channel]) {
    if (store.of(webhooks).get(webhookId)?.serviceId !== alert.serviceId)
      throw badRequest("Webhook not found");
  }
  if (alert.source !== "tile") {
    if (vocabulary.newerAlerts && !isObjectId(alert.savedSearch ?? ""))
      throw badRequest("Invalid saved search id");
    return;
  }
  if (!isObjectId(alert.dashboard ?? "")) throw badRequest("Invalid dashboard id");
  const dashboard = store.of(dashboards).get(alert.dashboard ?? "");
  if (dashboard?.serviceId !== alert.serviceId) throw badRequest("Dashboard not found");
  if (!dashboard.tiles.some((tile) => tile.id === alert.tileId)) throw badRequest("Tile not found");
}

/** An alert without what it kept from an earlier source or threshold type: updates keep members that they do not name. */
function describeAlert({ dashboard, tileId, savedSearch, groupBy, thresholdMax, ...alert }: Alert): Alert {
  return {
    ...alert,
    ...(alert.source === "tile" ? { dashboard, tileId } : { savedSearch, groupBy }),
    ...(isRange(alert.thresholdType) && { thresholdMax }),
  };
}
