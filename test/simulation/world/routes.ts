import type { Behaviour } from "./behaviour";
import {
  alertMembers,
  alertsWithoutTile,
  dashboardMembers,
  given,
  type Ids,
  inWordsOfDocument,
  keyMembers,
  nulledMembers,
  scalingMembers,
  shownAlert,
  shownDashboard,
  shownKey,
  stored,
} from "./records";
import type { Caller, Data, Kind, Store } from "./store";

export const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
/** What the answer to a request without a route says. */
export const noRouteText = "no such route";

/** What alerts on a search name where the product serves them. */
export const savedSearchId = "66f0c2d8a1b2c3d4e5f60740";

export const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

/** What the service does with a request, and what it answers. */
export interface Result {
  readonly status: number;
  /** The payload; of an error, what the service says. */
  readonly payload?: unknown;
  readonly error?: string;
  /** Whether the payload is sent without an envelope. */
  readonly isBare?: true;
  /** Of a list: how many there are, and how many are left out. */
  readonly meta?: Data;
}

/** A request as the service understands it. */
export interface Understood {
  readonly caller: Caller;
  readonly api: "management" | "observability";
  readonly method: string;
  readonly kind: Kind;
  readonly id?: string;
  /** `scaling` or `replicaScaling` of a service. */
  readonly part?: string;
  readonly query: Data;
  readonly body: Data;
}

/** Which records a path means. Undefined for a path that no route serves. */
export function understand(
  { dialect }: Behaviour,
  caller: Caller,
  api: Understood["api"],
  method: string,
  path: string,
  query: Data,
  sent: Data,
): Understood | undefined {
  const isOfProduct = dialect === "clickhouse";
  const own = { caller, api, method, query, body: isOfProduct ? inWordsOfDocument(sent) : sent };
  const parts = decodeURIComponent(path).split("/").slice(1);
  if (api === "observability") {
    const [first, second, kind, id, ...rest] = parts;
    if (first !== "api" || second !== "v2" || rest.length > 0) return undefined;
    return isStackKind(kind) ? { ...own, kind, id } : undefined;
  }
  const [version, organizations, organization, ...inside] = parts;
  if (version !== "v1" || organizations !== "organizations" || organization !== organizationId)
    return undefined;
  if (inside[0] === "keys" && inside.length <= 2) return { ...own, kind: "keys", id: inside[1] };
  if (inside[0] !== "services") return undefined;
  if (inside.length === 1) return isOfProduct ? { ...own, kind: "service" } : undefined;
  if (inside[1] !== serviceId) return undefined;
  const [part, kind, id, ...rest] = inside.slice(2);
  const isScaling = part === "scaling" || (part === "replicaScaling" && isOfProduct);
  if (part === undefined || isScaling) return { ...own, kind: "service", id: serviceId, part };
  if (part === "serviceQueryEndpoint") return { ...own, kind: "endpoint", id: serviceId };
  return part === (isOfProduct ? "clickstack" : "stack") && isStackKind(kind) && rest.length === 0
    ? { ...own, kind, id }
    : undefined;
}

function isStackKind(kind: string | undefined): kind is "alerts" | "dashboards" | "webhooks" {
  return kind === "alerts" || kind === "dashboards" || kind === "webhooks";
}

/** Carries out requests, as the API document and what is known of the product say. */
export class Routes {
  constructor(
    private readonly store: Store,
    private readonly behaviour: Behaviour,
    private readonly ids: Ids,
  ) {}

  /** @param at the moment whose records a read shows; now, if it is absent */
  carryOut(request: Understood, at?: number): Result {
    const { kind, method } = request;
    const refusal = this.#ofGateway(request);
    if (refusal) return refusal;
    if (kind === "service") return this.#service(request, at);
    if (kind === "endpoint") return this.#endpoint(request, at);
    if (method === "POST" && request.id === "validate" && kind === "dashboards")
      return this.#validate(request);
    if (method === "POST" && request.id === undefined) return this.#create(request);
    if (request.id === undefined) return method === "GET" ? this.#list(request, at) : noRoute;
    if (method === "GET") return this.#one(request, at);
    if (method === "DELETE") return this.#delete(request);
    const updates = kind === "keys" ? "PATCH" : "PUT";
    return method === updates ? this.#update(request) : noRoute;
  }

  /** The product's gateway refuses members that its document lacks (product-members: "All of ClickStack"). */
  #ofGateway({ kind, api, method, body, id }: Understood): Result | undefined {
    const isWrite = method === "POST" || method === "PUT";
    const documented: readonly string[] | undefined =
      kind === "alerts" ? [...alertMembers, ...alertMembersOfProduct] : documentedMembers[kind];
    if (this.behaviour.dialect !== "clickhouse" || api !== "management" || !isWrite || !documented) return;
    const other = Object.keys(body).find((member) => !documented.includes(member));
    if (other === undefined || id === "validate") return undefined;
    return { status: 400, error: `BAD_REQUEST: request body property can't be validated: ${other}` };
  }

  /** A record as an answer shows it. */
  shown(kind: Kind, record: Data, isListed = false): Data {
    if (kind === "alerts") return shownAlert(record, this.behaviour);
    if (kind === "dashboards") return shownDashboard(record, this.behaviour);
    return kind === "keys" ? shownKey(record, isListed, this.behaviour) : record;
  }

  #list({ kind, api, query }: Understood, at?: number): Result {
    const all = this.store.all(kind, at).map((record) => this.shown(kind, record, true));
    if (kind !== "alerts" || api !== "observability") return { status: 200, payload: all };
    const limit = Math.min(Number(query.limit ?? this.behaviour.page), this.behaviour.page);
    const offset = Number(query.offset ?? 0);
    const meta = { total: all.length, limit, offset };
    return { status: 200, payload: all.slice(offset, offset + limit), meta };
  }

  #one({ kind, id = "" }: Understood, at?: number): Result {
    // A replica that lags may show old values of an object, but none denies in its own words what exists.
    const record = this.store.get(kind, id, at) ?? this.store.get(kind, id);
    return record ? { status: 200, payload: this.shown(kind, record) } : this.#missing(kind);
  }

  #missing(kind: Kind): Result {
    if (kind === "keys" && this.behaviour.invalidIds)
      return { status: 400, error: "BAD_REQUEST: Invalid API key id" };
    return { status: 404, error: `${nouns[kind]} not found` };
  }

  #create({ kind, caller, body }: Understood): Result {
    const { store, ids, behaviour } = this;
    if (kind === "webhooks") return noRoute;
    const createdAt = new Date(Date.now() + behaviour.skew).toISOString();
    if (kind === "keys") {
      const [id, keyId, keySecret] = [ids.uuid(), `key${ids.object()}`, ids.secret()];
      const own = stored(given(body, keyMembers), behaviour);
      const record = {
        state: "enabled",
        expireAt: null,
        ...own,
        id,
        keyId,
        keySecret,
        keySuffix: keyId.slice(-4),
        createdAt,
      };
      store.write(caller, kind, id, record);
      return { status: 200, payload: { key: this.shown(kind, record), keyId, keySecret } };
    }
    const refusal = this.#refusal(kind, body);
    if (refusal) return refusal;
    const id = ids.object();
    const record =
      kind === "alerts"
        ? { ...nulls, ...stored(given(body, alertMembers), behaviour), id, createdAt }
        : { tags: [], ...stored(given(body, dashboardMembers), behaviour), id };
    const full = kind === "alerts" ? record : { ...record, tiles: this.#withIds(record as Data, []) };
    store.write(caller, kind, id, full);
    return { status: 200, payload: behaviour.receipts ? { id } : this.shown(kind, full) };
  }

  /** Takes everything; bare on the observability API (product-members: "POST dashboards/validate"). */
  #validate({ api, body }: Understood): Result {
    if (!this.behaviour.validates) return noRoute;
    const payload = { valid: true, errors: [], normalized: body };
    return api === "management" ? { status: 200, payload } : { status: 200, payload, isBare: true };
  }

  #update({ kind, id = "", caller, body }: Understood): Result {
    const { store, behaviour } = this;
    const before = store.get(kind, id);
    if (!before) return this.#missing(kind);
    const refusal = kind === "keys" ? undefined : this.#refusal(kind, body);
    if (refusal) return refusal;
    const members = kind === "keys" ? keyMembers : kind === "alerts" ? alertMembers : dashboardMembers;
    const own = stored(given(body, members), behaviour);
    const kept = kind === "alerts" && behaviour.putNulls ? { ...before, ...nulls } : before;
    const known = kind === "dashboards" ? (before.tiles as Data[]).map((tile) => tile.id) : [];
    const merged: Data = { ...kept, ...own, id: before.id };
    const after = kind === "dashboards" ? { ...merged, tiles: this.#withIds(merged, known) } : merged;
    store.write(caller, kind, String(before.id), after);
    if (kind === "dashboards") this.#deleteAlerts(caller, String(before.id), after.tiles as Data[]);
    return { status: 200, payload: this.shown(kind, after) };
  }

  #delete({ kind, id = "", caller, api }: Understood): Result {
    const { store } = this;
    const before = store.get(kind, id);
    // The observability API takes the deletion of a missing dashboard (product-members: "Missing object").
    if (!before)
      return kind === "dashboards" && api === "observability" ? { status: 200 } : this.#missing(kind);
    if (before.signsFor === (caller.actor === "b" ? "b" : "a"))
      return { status: 400, error: "BAD_REQUEST: the key signs this request" };
    store.write(caller, kind, String(before.id), undefined);
    if (kind === "dashboards") this.#deleteAlerts(caller, String(before.id), []);
    return { status: 200 };
  }

  #deleteAlerts(caller: Caller, dashboardId: string, tiles: readonly Data[]): void {
    for (const { id } of alertsWithoutTile(this.store, dashboardId, tiles))
      this.store.write(caller, "alerts", String(id), undefined, true);
  }

  #withIds({ tiles }: Data, known: readonly unknown[]): Data[] {
    return (tiles as Data[]).map((tile) => ({
      ...tile,
      id: known.includes(tile.id) ? tile.id : this.ids.object(),
    }));
  }

  #refusal(kind: Kind, body: Data): Result | undefined {
    const refused = (error: string): Result => ({ status: 400, error: `BAD_REQUEST: ${error}` });
    if (kind === "dashboards")
      return typeof body.name === "string" && Array.isArray(body.tiles)
        ? undefined
        : refused("name and tiles are required");
    const { webhookId } = (body.channel ?? {}) as Data;
    if (!this.store.get("webhooks", String(webhookId))) return refused("webhook not found");
    if (body.source !== "tile") {
      const isWhole = this.behaviour.dialect === "neutral" || body.savedSearch === savedSearchId;
      return isWhole ? undefined : refused("saved search not found");
    }
    const dashboard = this.store.get("dashboards", String(body.dashboardId));
    const hasTile = (dashboard?.tiles as Data[] | undefined)?.some((tile) => tile.id === body.tileId);
    return hasTile ? undefined : refused("the alert names no tile of a dashboard");
  }

  #service({ id, method, part, caller, body }: Understood, at?: number): Result {
    const { store, behaviour } = this;
    const lag = behaviour.scalingLag;
    const seen = Math.min(at ?? Number.POSITIVE_INFINITY, Date.now() - lag);
    if (part === undefined && method === "GET") {
      const shown = store.get("service", serviceId, seen);
      return { status: 200, payload: id === undefined ? [shown] : shown };
    }
    if (part === undefined || method !== "PATCH") return noRoute;
    const before = store.get("service", serviceId) as Data;
    const after = { ...before, ...given(body, scalingMembers) };
    store.write(caller, "service", serviceId, after);
    return { status: 200, payload: lag > 0 ? before : after };
  }

  #endpoint({ method, caller, body }: Understood, at?: number): Result {
    const { store } = this;
    const before = store.get("endpoint", serviceId, at) ?? store.get("endpoint", serviceId);
    if (method === "POST") {
      const { roles = [], openApiKeys = [], allowedOrigins = "" } = body;
      const after = { id: before?.id ?? this.ids.uuid(), roles, openApiKeys, allowedOrigins };
      store.write(caller, "endpoint", serviceId, after);
      return { status: 200, payload: after };
    }
    if (!before) return this.#missing("endpoint");
    if (method === "GET") return { status: 200, payload: before };
    if (method !== "DELETE") return noRoute;
    store.write(caller, "endpoint", serviceId, undefined);
    return { status: 200 };
  }
}

const nulls = Object.fromEntries(nulledMembers.map((name) => [name, null]));

/** Servers that lack a route answer as the framework behind them does, and not as the API. */
const noRoute: Result = { status: 404, error: noRouteText };

const alertMembersOfProduct = [
  "groupBy",
  "note",
  "thresholdMax",
  "numConsecutiveWindows",
  "scheduleOffsetMinutes",
  "scheduleStartAt",
];

const documentedMembers: { readonly [kind in Kind]?: readonly string[] } = {
  dashboards: [...dashboardMembers, "filters", "savedQuery", "savedQueryLanguage", "savedFilterValues"],
};

const nouns: Record<Kind, string> = {
  alerts: "Alert",
  dashboards: "Dashboard",
  keys: "API key",
  webhooks: "Webhook",
  service: "Service",
  endpoint: "Query endpoint",
};
