import type { Caller, Data, Kind, Store } from "../../promises/store";
import { beginning } from "../virtualTime";
import type { Behaviour } from "./behaviour";
import { type Collected, isCollection, nouns } from "./nouns";
import {
  alertMembers,
  dashboardMembers,
  given,
  type Ids,
  inWordsOfDocument,
  scalingMembers,
  stored,
} from "./records";

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

/** One about a kind of which a service has many. */
type OfCollection = Understood & { readonly kind: Collected };

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
    return isOfStack(kind) ? { ...own, kind, id } : undefined;
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
  const isOfStackThere = part === (isOfProduct ? "clickstack" : "stack") && rest.length === 0;
  return isOfStackThere && isOfStack(kind) && !nouns[kind].isOfServer ? { ...own, kind, id } : undefined;
}

function isOfStack(kind: string | undefined): kind is Collected {
  return isCollection(kind) && !nouns[kind].isOfOrganization;
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
    if (!isCollection(kind)) return noRoute;
    const own = { ...request, kind };
    if (method === "POST" && request.id === "validate" && kind === "dashboards")
      return this.#validate(request);
    if (method === "POST" && request.id === undefined) return this.#create(own);
    if (request.id === undefined) return method === "GET" ? this.#list(own, at) : noRoute;
    if (method === "GET") return nouns[kind].isListedAlone ? noRoute : this.#one(own, at);
    if (method === "DELETE") return this.#delete(own);
    return method === (kind === "keys" ? "PATCH" : "PUT") ? this.#update(own) : noRoute;
  }

  /** The product's gateway refuses members that its document lacks. */
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
    return isCollection(kind) ? nouns[kind].shown(record, this.behaviour, isListed) : record;
  }

  /** A list may show what was there a while ago, throughout a history. */
  #list({ kind, api, query }: OfCollection, at = Number.POSITIVE_INFINITY): Result {
    const seen = this.#lagging(at);
    const all = this.store.all(kind, seen).map((record) => this.shown(kind, record, true));
    if (!nouns[kind].hasPages || api !== "observability") return { status: 200, payload: all };
    const limit = Math.min(Number(query.limit ?? this.behaviour.page), this.behaviour.page);
    const offset = Number(query.offset ?? 0);
    const meta = { total: all.length, limit, offset };
    return { status: 200, payload: all.slice(offset, offset + limit), meta };
  }

  /** The moment that a look shows which lags throughout a history. */
  #lagging(at = Number.POSITIVE_INFINITY): number {
    return Math.max(beginning, Math.min(at, Date.now() - this.behaviour.listLag));
  }

  /** A record by itself: it lags where such looks do. A replica that lags for once shows old values, and denies nothing. */
  #seen(kind: Kind, id: string, at?: number): Data | undefined {
    if (this.behaviour.readsLag) return this.store.get(kind, id, this.#lagging(at));
    return this.store.get(kind, id, at) ?? this.store.get(kind, id);
  }

  #one({ kind, id = "" }: OfCollection, at?: number): Result {
    const record = this.#seen(kind, id, at);
    return record ? { status: 200, payload: this.shown(kind, record) } : this.#missing(nouns[kind].word);
  }

  #missing(word: string): Result {
    if (word === nouns.keys.word && this.behaviour.invalidIds)
      return { status: 400, error: "BAD_REQUEST: Invalid API key id" };
    return { status: 404, error: `${word} not found` };
  }

  #create({ kind, caller, body }: OfCollection): Result {
    const { store, ids, behaviour } = this;
    const { members, byDefault } = nouns[kind];
    const own = stored(given(body, members), behaviour);
    const refusal = this.#refusal(kind, own);
    if (refusal) return refusal;
    const createdAt = new Date(Date.now() + behaviour.skew).toISOString();
    if (kind === "keys") {
      const [id, keyId, keySecret] = [ids.uuid(), `key${ids.object()}`, ids.secret()];
      const record = { ...byDefault, ...own, id, keyId, keySecret, keySuffix: keyId.slice(-4), createdAt };
      store.write(caller, kind, id, record);
      return { status: 200, payload: { key: this.shown(kind, record), keyId, keySecret } };
    }
    const id = ids.object();
    const record: Data = { ...byDefault, ...own, id };
    // Dashboards do not say when they were created.
    const full =
      kind === "dashboards"
        ? { ...record, tiles: this.#withIds(record, []) }
        : kind === "alerts" && !behaviour.datesAlerts
          ? record
          : { ...record, createdAt };
    store.write(caller, kind, id, full);
    const isReceipt = behaviour.receipts && (kind === "alerts" || kind === "dashboards");
    return { status: 200, payload: isReceipt ? { id } : this.shown(kind, full) };
  }

  /** Takes everything; bare on the observability API. */
  #validate({ api, body }: Understood): Result {
    if (!this.behaviour.validates) return noRoute;
    const payload = { valid: true, errors: [], normalized: body };
    return api === "management" ? { status: 200, payload } : { status: 200, payload, isBare: true };
  }

  #update({ kind, id = "", caller, body }: OfCollection): Result {
    const { store, behaviour } = this;
    const noun = nouns[kind];
    const before = store.get(kind, id);
    if (!before) return this.#missing(noun.word);
    const own = stored(given(body, noun.members), behaviour);
    const refusal = this.#refusal(kind, own, before);
    if (refusal) return refusal;
    const known = kind === "dashboards" ? (before.tiles as Data[]).map((tile) => tile.id) : [];
    const merged: Data = { ...noun.kept(before, own, behaviour), ...own, id: before.id };
    const after = kind === "dashboards" ? { ...merged, tiles: this.#withIds(merged, known) } : merged;
    store.write(caller, kind, String(before.id), after);
    deleteAlerts(store, caller, kind, String(before.id), after);
    return { status: 200, payload: this.shown(kind, after) };
  }

  #delete({ kind, id = "", caller, api }: OfCollection): Result {
    const { store } = this;
    const before = store.get(kind, id);
    // The observability API takes the deletion of a missing dashboard.
    if (!before)
      return kind === "dashboards" && api === "observability"
        ? { status: 200 }
        : this.#missing(nouns[kind].word);
    if (before.signsFor === (caller.actor === "b" ? "b" : "a"))
      return { status: 400, error: "BAD_REQUEST: the key signs this request" };
    const holder = nouns[kind].heldBy?.(before.id, store);
    if (holder) return { status: 409, error: `CONFLICT: ${holder}` };
    store.write(caller, kind, String(before.id), undefined);
    deleteAlerts(store, caller, kind, String(before.id), undefined);
    return { status: 200 };
  }

  #withIds({ tiles }: Data, known: readonly unknown[]): Data[] {
    return (tiles as Data[]).map((tile) => ({
      ...tile,
      id: known.includes(tile.id) ? tile.id : this.ids.object(),
    }));
  }

  #refusal(kind: Collected, body: Data, before?: Data): Result | undefined {
    const reason = nouns[kind].refusal?.(body, this.store, this.behaviour, before);
    return reason === undefined ? undefined : { status: 400, error: `BAD_REQUEST: ${reason}` };
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
    const before =
      method === "GET" ? this.#seen("endpoint", serviceId, at) : store.get("endpoint", serviceId);
    if (method === "POST") {
      const { roles = [], openApiKeys = [], allowedOrigins = "" } = body;
      const after = { id: before?.id ?? this.ids.uuid(), roles, openApiKeys, allowedOrigins };
      store.write(caller, "endpoint", serviceId, after);
      return { status: 200, payload: after };
    }
    if (!before) return this.#missing("Query endpoint");
    if (method === "GET") return { status: 200, payload: before };
    if (method !== "DELETE") return noRoute;
    store.write(caller, "endpoint", serviceId, undefined);
    return { status: 200 };
  }
}

/** Deletes the alerts that go with an object, or with parts of it. */
export function deleteAlerts(
  store: Store,
  by: Caller,
  kind: Collected,
  id: string,
  after: Data | undefined,
): void {
  for (const alert of nouns[kind].alertsOf?.(id, after, store) ?? [])
    store.write(by, "alerts", String(alert.id), undefined, true);
}

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
