import type { Data, Kind, Store } from "../../promises/store";
import type { Behaviour } from "./behaviour";
import {
  alertMembers,
  alertsWithoutTile,
  dashboardMembers,
  keyMembers,
  nulledMembers,
  shownAlert,
  shownDashboard,
  shownKey,
} from "./records";

/** The kinds of which a service has many. */
export type Collected = Exclude<Kind, "service" | "endpoint" | "query-api-endpoints" | "saved-queries">;

/** What is particular to a kind of which a service has many. */
export interface Noun {
  /** What the API calls one of them. */
  readonly word: string;
  readonly isOfOrganization?: true;
  /** Whether the observability API alone has them. */
  readonly isOfServer?: true;
  /** Whether that API says of a missing one no more than "Not Found", as text. */
  readonly isMissingAsText?: true;
  /** Whether lists of the observability API have pages. */
  readonly hasPages?: true;
  /** Whether no route shows one of them by itself. */
  readonly isListedAlone?: true;
  /** What the service keeps of a body. */
  readonly members: readonly string[];
  /** What a new one has of which its body says nothing. */
  readonly byDefault: Data;
  /** What an update keeps of what was there before and its body does not give. */
  kept(before: Data, body: Data, behaviour: Behaviour): Data;
  /** Why a body is refused. */
  refusal?(body: Data, store: Store, behaviour: Behaviour, before?: Data): string | undefined;
  /** Why one cannot be deleted. */
  heldBy?(id: unknown, store: Store): string | undefined;
  /** The alerts that the service deletes with it, or with the parts of it that an update takes away. */
  alertsOf?(id: string, after: Data | undefined, store: Store): Data[];
  /** A record as an answer shows it. */
  shown(record: Data, behaviour: Behaviour, isListed: boolean): Data;
}

const nulls = Object.fromEntries(nulledMembers.map((name) => [name, null]));
const without = (record: Data, names: readonly string[]): Data =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const searchDefaults = { select: "", where: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] };
const sourceDefaults = { disabled: false, querySettings: [] };
const hiddenOfWebhook = ["headers", "queryParams"] as const;

/** Every kind, as the documents and the server of the product have it. */
export const nouns: Readonly<Record<Collected, Noun>> = {
  alerts: {
    word: "Alert",
    hasPages: true,
    members: alertMembers,
    byDefault: nulls,
    kept: (before, _body, { putNulls }) => (putNulls ? { ...before, ...nulls } : before),
    refusal: refusalOfAlert,
    shown: shownAlert,
  },
  dashboards: {
    word: "Dashboard",
    isMissingAsText: true,
    members: dashboardMembers,
    byDefault: { tags: [] },
    kept: (before, _body, { putClears }) =>
      putClears ? { ...without(before, dashboardMembers), tags: [] } : before,
    refusal: ({ name, tiles }) =>
      typeof name === "string" && Array.isArray(tiles) ? undefined : "name and tiles are required",
    alertsOf: (id, after, store) => alertsWithoutTile(store, id, (after?.tiles ?? []) as Data[]),
    shown: shownDashboard,
  },
  keys: {
    word: "API key",
    isOfOrganization: true,
    members: keyMembers,
    byDefault: { state: "enabled", expireAt: null },
    kept: (before) => before,
    shown: (record, behaviour, isListed) => shownKey(record, isListed, behaviour),
  },
  webhooks: {
    word: "Webhook",
    hasPages: true,
    isListedAlone: true,
    members: ["name", "service", "url", "description", "body", ...hiddenOfWebhook],
    byDefault: {},
    kept: (before, { url, service }) =>
      without(before, [
        "description",
        "body",
        // They would be sent elsewhere.
        ...(url === before.url && service === before.service ? [] : hiddenOfWebhook),
      ]),
    refusal: ({ name, service }, store, _behaviour, before) =>
      store
        .all("webhooks")
        .some((other) => other.id !== before?.id && other.name === name && other.service === service)
        ? "A webhook with this service and name already exists"
        : undefined,
    heldBy: (id, store) =>
      store.all("alerts").some(({ channel }) => (channel as Data).webhookId === id)
        ? "the webhook is used by an alert"
        : undefined,
    shown: (record) =>
      without(record, record.service === "generic" ? hiddenOfWebhook : ["body", ...hiddenOfWebhook]),
  },
  "saved-searches": {
    word: "Saved search",
    hasPages: true,
    members: ["name", "sourceId", ...Object.keys(searchDefaults)],
    byDefault: searchDefaults,
    kept: (before) => ({ ...before, ...searchDefaults }),
    refusal: ({ name, sourceId }) =>
      typeof name === "string" && typeof sourceId === "string" ? undefined : "name and sourceId are required",
    alertsOf: (id, after, store) =>
      after ? [] : store.all("alerts").filter(({ savedSearch }) => savedSearch === id),
    shown: (record) => record,
  },
  connections: {
    word: "Connection",
    isOfServer: true,
    isMissingAsText: true,
    members: ["name", "host", "username", "password", "hyperdxSettingPrefix", "isPrometheusEndpoint"],
    byDefault: {},
    kept: (before) => before,
    refusal: (body) =>
      ["name", "host", "username"].every((name) => typeof body[name] === "string")
        ? undefined
        : "name, host and username are required",
    shown: (record) => {
      const { password: _, hyperdxSettingPrefix, ...rest } = record;
      return hyperdxSettingPrefix ? { ...rest, hyperdxSettingPrefix } : rest;
    },
  },
  sources: {
    word: "Source",
    members: [
      ...["name", "kind", "connection", "from", "timestampValueExpression", "defaultTableSelectExpression"],
      ...["section", "disabled", "querySettings", "bodyExpression", "serviceNameExpression"],
      ...["highlightedTraceAttributeExpressions", "highlightedRowAttributeExpressions", "materializedViews"],
    ],
    byDefault: sourceDefaults,
    kept: (before, body) => ({ id: before.id, createdAt: before.createdAt, ...sourceDefaults, ...body }),
    refusal: ({ kind, connection }, store) =>
      kind === "log" && store.get("connections", String(connection))
        ? undefined
        : "connection must be an existing connection id",
    shown: ({ createdAt: _, ...record }) => ({
      highlightedTraceAttributeExpressions: [],
      highlightedRowAttributeExpressions: [],
      materializedViews: [],
      ...record,
    }),
  },
};

/** All of them. */
export const collections = Object.keys(nouns) as readonly Collected[];

export function isCollection(kind: string | undefined): kind is Collected {
  return kind !== undefined && Object.hasOwn(nouns, kind);
}

function refusalOfAlert(body: Data, store: Store, { dialect }: Behaviour): string | undefined {
  const { webhookId } = (body.channel ?? {}) as Data;
  if (!store.get("webhooks", String(webhookId))) return "webhook not found";
  if (body.source !== "tile") {
    const { savedSearch } = body;
    const isWhole =
      savedSearch === undefined
        ? dialect === "neutral"
        : store.get("saved-searches", String(savedSearch)) !== undefined;
    return isWhole ? undefined : "saved search not found";
  }
  const dashboard = store.get("dashboards", String(body.dashboardId));
  const hasTile = (dashboard?.tiles as Data[] | undefined)?.some((tile) => tile.id === body.tileId);
  return hasTile ? undefined : "the alert names no tile of a dashboard";
}
