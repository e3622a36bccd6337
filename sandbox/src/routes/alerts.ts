import { Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import { serves } from "../operations";
import type { Alert, AlertChannel } from "../records";
import { idParameters, type RouteContext } from "../routeContext";
import { ofService, type Store } from "../store";
import { isRange, type Vocabulary } from "../vocabulary";

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
export function alertRoutes({ api, store, answers, vocabulary, envelope }: RouteContext, path: string): void {
  const bodies = bodiesIn(vocabulary);
  const show = ({ serviceId, ...alert }: Alert) => answers.show("alert", inVocabulary(alert, vocabulary));
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
      ...toMembers({ ...request.body, channel }, vocabulary),
      state: "inactive",
      team,
      createdAt: now,
      updatedAt: now,
    } as Alert;
    checkBounds(alert);
    checkReferences(store, alert, vocabulary);
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
      const change = { ...toMembers(request.body, vocabulary), updatedAt: new Date().toISOString() };
      checkBounds({ ...alert, ...change });
      checkReferences(store, { ...alert, ...change }, vocabulary);
      Object.assign(alert, change);
      return envelope(request, show(alert));
    },
  );

  api.delete(`${path}/:id`, { ...one, ...serves("deleteAlert") }, async (request) => {
    store.alerts.delete(find(request.params.id, request.service.id).id);
    return envelope(request);
  });
}

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

function checkReferences(store: Store, alert: Alert, vocabulary: Vocabulary): void {
  for (const { webhookId } of alert.channels ?? [alert.channel]) {
    if (store.webhooks.get(webhookId)?.serviceId !== alert.serviceId) throw badRequest("Webhook not found");
  }
  if (alert.source !== "tile") {
    if (vocabulary.newerAlerts && !isObjectId(alert.savedSearch ?? ""))
      throw badRequest("Invalid saved search id");
    return;
  }
  if (!isObjectId(alert.dashboard ?? "")) throw badRequest("Invalid dashboard id");
  const dashboard = store.dashboards.get(alert.dashboard ?? "");
  if (dashboard?.serviceId !== alert.serviceId) throw badRequest("Dashboard not found");
  if (!dashboard.tiles.some((tile) => tile.id === alert.tileId)) throw badRequest("Tile not found");
}
