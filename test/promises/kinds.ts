/** What programs have to do with: all that a new type needs here. */
interface ManagedKind {
  readonly type: string;
  /** Its word for one of them. */
  readonly noun: string;
  /** The end of the paths of its requests. Default: the name of the kind. */
  readonly path?: string;
  /** Whether a service has one of them, and not many. */
  readonly isSingle?: true;
  /** Members that are secrets: no message shows them. */
  readonly secrets?: readonly string[];
  /** Members that no answer shows. */
  readonly hidden?: readonly string[];
}

/** All of them, by the name of the sandbox's collection. The scaling of a service is a part of its record. */
export const kinds = {
  alerts: { type: "Alert", noun: "alert" },
  dashboards: { type: "Dashboard", noun: "dashboard" },
  keys: { type: "ApiKey", noun: "API key" },
  webhooks: {
    ...{ type: "Webhook", noun: "webhook" },
    secrets: ["url", "headers", "queryParams"],
    hidden: ["headers", "queryParams"],
  },
  savedSearches: { type: "SavedSearch", noun: "saved search", path: "saved-searches" },
  connections: { type: "Connection", noun: "connection", secrets: ["password"], hidden: ["password"] },
  sources: { type: "Source", noun: "source" },
  queryApiEndpoints: {
    ...{ type: "QueryApiEndpoint", noun: "query API endpoint", path: "query-api-endpoints" },
  },
  savedQueries: { type: "SavedQuery", noun: "saved query", path: "saved-queries" },
  services: { type: "ServiceScaling", noun: "scaling", path: "scaling", isSingle: true },
  queryEndpoints: {
    ...{ type: "QueryEndpoint", noun: "query endpoint", path: "serviceQueryEndpoint" },
    isSingle: true,
  },
  scalingSchedules: {
    ...{ type: "ServiceScalingSchedule", noun: "scaling schedule", path: "scalingSchedule" },
    isSingle: true,
  },
} as const satisfies { readonly [kind: string]: ManagedKind };

export type Kind = keyof typeof kinds;

/** Those of which a service has many. */
export const collectedKinds = (Object.keys(kinds) as Kind[]).filter((kind) => !ofKind(kind).isSingle);

export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

export function isCollection(kind: string): boolean {
  return isKind(kind) && !ofKind(kind).isSingle;
}

export function ofKind(kind: Kind): ManagedKind {
  return kinds[kind];
}

/** The end of the path of requests about all of a kind. */
export function pathOf(kind: Kind): string {
  return ofKind(kind).path ?? kind;
}

const byType = new Map<string, Kind>((Object.keys(kinds) as Kind[]).map((kind) => [kinds[kind].type, kind]));

/** The records that resources of a type manage. */
export function kindOf(type: string): Kind {
  return byType.get(type) ?? (type as Kind);
}

/** Whether a type is one of those of which a service has many. */
export function isCollected(type: string): boolean {
  return isCollection(kindOf(type));
}

/** A record of the sandbox as promises judge it; undefined for one with which programs have nothing to do. */
export function judgedRecord(
  collection: string,
  record: object,
):
  | { readonly kind: Kind; readonly id: string; readonly record: { readonly [name: string]: unknown } }
  | undefined {
  if (!isKind(collection)) return undefined;
  const { id, serviceId = id } = record as { id: string; serviceId?: string };
  const isMode = collection === "services" ? { autoscalingMode: "vertical" } : {};
  // Signing a request changes a key.
  const judged = { ...isMode, ...record, usedAt: undefined };
  return { kind: collection, id: ofKind(collection).isSingle ? serviceId : id, record: judged };
}
