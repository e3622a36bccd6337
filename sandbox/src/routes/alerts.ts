import { Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import { idParameters, type Surface } from "../listener";
import { serves } from "../operations";
import type { Alert, AlertChannel } from "../records";
import { ofService, type Store } from "../store";
import { isRange, type Words } from "../words";

const Channel = Type.Object(
  { type: Type.Literal("webhook"), webhookId: Type.String() },
  { additionalProperties: false },
);
const text = Type.Unsafe<string | null>({ type: ["string", "null"] });

/** The bodies of create and update in a dialect. */
function bodiesIn(words: Words) {
  const required = {
    threshold: Type.Number(),
    interval: Type.String({ pattern: words.alertInterval }),
    thresholdType: Type.Unsafe<string>({ enum: words.thresholdTypes }),
    source: Type.Unsafe<string>({ enum: ["tile", words.search] }),
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
  const known = words.newerAlerts ? all : Type.Omit(all, Object.keys(newer) as (keyof typeof newer)[]);
  const { required: needed, ...whole } = known;
  const create = words.newerAlerts ? needed?.filter((name) => name !== "channel") : needed;
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

/** Every alert of the sandbox belongs to one team. */
const team = "65f1c0a2b3d4e5f607182902";

/** The alerts of a service: list, create, get, update and delete. */
export function alertRoutes({ api, store, answers, words, envelope }: Surface, path: string): void {
  const bodies = bodiesIn(words);
  const show = ({ serviceId, ...alert }: Alert) => answers.show("alert", inWords(alert, words));
  const one = { schema: { params: idParameters } };
  const find = (id: string, serviceId: string): Alert => {
    if (!isObjectId(id)) throw badRequest("Invalid alert id");
    const alert = store.alerts.get(id);
    if (alert?.serviceId !== serviceId) throw notFound("Alert not found");
    return alert;
  };

  api.get(path, serves("listAlerts"), async (request) =>
    envelope(request, ofService(store.alerts, request.service.id).map(show)),
  );

  api.post(path, { ...serves("createAlert"), schema: { body: bodies.create } }, async (request) => {
    const now = new Date().toISOString();
    const { channel = request.body.channels?.[0] } = request.body;
    if (!channel) throw badRequest("channel or channels is required");
    const alert = {
      id: newObjectId(),
      serviceId: request.service.id,
      ...toMembers({ ...request.body, channel }, words),
      state: "inactive",
      team,
      createdAt: now,
      updatedAt: now,
    } as Alert;
    checkBounds(alert);
    checkReferences(store, alert, words);
    store.alerts.set(alert.id, alert);
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
      const change = { ...toMembers(request.body, words), updatedAt: new Date().toISOString() };
      checkBounds({ ...alert, ...change });
      checkReferences(store, { ...alert, ...change }, words);
      Object.assign(alert, change);
      return envelope(request, show(alert));
    },
  );

  api.delete(`${path}/:id`, { ...one, ...serves("deleteAlert") }, async (request) => {
    store.alerts.delete(find(request.params.id, request.service.id).id);
    return envelope(request);
  });
}

/** What a body makes of an alert: without a name or a message it takes them away, the rest it leaves as it was. */
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
  words: Words,
): Partial<Alert> {
  const first = channels?.[0] ?? channel;
  if (channel && channels && channel.webhookId !== first?.webhookId) {
    throw badRequest("channel must be the first one of channels");
  }
  return {
    ...body,
    ...(source !== undefined && { source: source === words.search ? "search" : "tile" }),
    ...(dashboardId !== undefined && { dashboard: dashboardId }),
    ...(savedSearchId !== undefined && { savedSearch: savedSearchId }),
    // The group of an alert on a tile is dropped without a word.
    ...(groupBy !== undefined && source === words.search && { groupBy }),
    ...(first && { channel: first, ...(words.newerAlerts && { channels: channels ?? [first] }) }),
    name,
    message,
  };
}

/** An alert as a server of the dialect answers it. */
function inWords(
  { dashboard, savedSearch, team, source, ...alert }: Omit<Alert, "serviceId">,
  words: Words,
): object {
  const { alertMembers: names } = words;
  return {
    ...alert,
    source: source === "search" ? words.search : source,
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

function checkReferences(store: Store, alert: Alert, words: Words): void {
  for (const { webhookId } of alert.channels ?? [alert.channel]) {
    if (store.webhooks.get(webhookId)?.serviceId !== alert.serviceId) throw badRequest("Webhook not found");
  }
  if (alert.source !== "tile") {
    if (words.newerAlerts && !isObjectId(alert.savedSearch ?? ""))
      throw badRequest("Invalid saved search id");
    return;
  }
  if (!isObjectId(alert.dashboard ?? "")) throw badRequest("Invalid dashboard id");
  const dashboard = store.dashboards.get(alert.dashboard ?? "");
  if (dashboard?.serviceId !== alert.serviceId) throw badRequest("Dashboard not found");
  if (!dashboard.tiles.some((tile) => tile.id === alert.tileId)) throw badRequest("Tile not found");
}
