import { type Static, Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../apiError";
import { isObjectId, newObjectId } from "../identifiers";
import { idParameters, type Surface } from "../listener";
import type { Alert, AlertSource } from "../records";
import { ofService, type Store } from "../store";
import { words } from "../words";

const required = {
  threshold: Type.Number(),
  interval: Type.String({ pattern: words.alertInterval }),
  thresholdType: Type.Unsafe<Alert["thresholdType"]>({ enum: ["above", "below"] }),
  source: Type.Unsafe<AlertSource>({ enum: words.alertSources }),
  channel: Type.Object(
    { type: Type.Literal("webhook"), webhookId: Type.String() },
    { additionalProperties: false },
  ),
};
const text = Type.Unsafe<string | null>({ type: ["string", "null"] });
const optional = {
  dashboardId: Type.Optional(Type.String()),
  tileId: Type.Optional(Type.String()),
  name: Type.Optional(text),
  message: Type.Optional(text),
};

const CreateBody = Type.Object({ ...required, ...optional }, { additionalProperties: false });
const UpdateBody = Type.Object(
  { ...Type.Partial(Type.Object(required)).properties, ...optional },
  { additionalProperties: false },
);

/** Every alert of the sandbox belongs to one team. */
const team = "65f1c0a2b3d4e5f607182902";

/** The alerts of a service: list, create, get, update and delete. */
export function alertRoutes({ api, store, answers, envelope }: Surface, path: string): void {
  const show = ({ serviceId, ...alert }: Alert) => answers.show("alert", alert);
  const one = { schema: { params: idParameters } };
  const find = (id: string, serviceId: string): Alert => {
    if (!isObjectId(id)) throw badRequest("Invalid alert id");
    const alert = store.alerts.get(id);
    if (alert?.serviceId !== serviceId) throw notFound("Alert not found");
    return alert;
  };

  api.get(path, async (request) => envelope(request, ofService(store.alerts, request.service.id).map(show)));

  api.post(path, { schema: { body: CreateBody } }, async (request) => {
    const now = new Date().toISOString();
    const alert: Alert = {
      id: newObjectId(),
      serviceId: request.service.id,
      ...toMembers(request.body),
      state: "inactive",
      team,
      createdAt: now,
      updatedAt: now,
    };
    checkReferences(store, alert);
    store.alerts.set(alert.id, alert);
    return envelope(request, show(alert));
  });

  api.get(`${path}/:id`, one, async (request) =>
    envelope(request, show(find(request.params.id, request.service.id))),
  );

  api.put(`${path}/:id`, { schema: { ...one.schema, body: UpdateBody } }, async (request) => {
    const alert = find(request.params.id, request.service.id);
    const change = { ...toMembers(request.body), updatedAt: new Date().toISOString() };
    checkReferences(store, { ...alert, ...change });
    Object.assign(alert, change);
    return envelope(request, show(alert));
  });

  api.delete(`${path}/:id`, one, async (request) => {
    store.alerts.delete(find(request.params.id, request.service.id).id);
    return envelope(request);
  });
}

/** What a body makes of an alert: without a name or a message it takes them away, the rest it leaves as it was. */
function toMembers<T extends Static<typeof UpdateBody>>({
  dashboardId,
  name = null,
  message = null,
  ...body
}: T) {
  return { ...body, ...(dashboardId !== undefined && { dashboard: dashboardId }), name, message };
}

function checkReferences(store: Store, alert: Alert): void {
  if (store.webhooks.get(alert.channel.webhookId)?.serviceId !== alert.serviceId) {
    throw badRequest("Webhook not found");
  }
  if (alert.source !== "tile") return;
  if (!isObjectId(alert.dashboard ?? "")) throw badRequest("Invalid dashboard id");
  const dashboard = store.dashboards.get(alert.dashboard ?? "");
  if (dashboard?.serviceId !== alert.serviceId) throw badRequest("Dashboard not found");
  if (!dashboard.tiles.some((tile) => tile.id === alert.tileId)) throw badRequest("Tile not found");
}
