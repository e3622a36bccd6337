import type { Kind } from "./store";

/** What a service has many of, as the provider calls it. */
interface CollectedKind {
  readonly type: string;
  readonly noun: string;
  /** The operation that creates one. */
  readonly create: string;
  /** Members that are secrets: no message shows them. */
  readonly secrets?: readonly string[];
  /** Members that no answer shows. */
  readonly hidden?: readonly string[];
}

/** Those with which programs have to do, by the name in the paths of requests. */
export const kinds = {
  alerts: { type: "Alert", noun: "alert", create: "createAlert" },
  dashboards: { type: "Dashboard", noun: "dashboard", create: "createDashboard" },
  keys: { type: "ApiKey", noun: "API key", create: "createKey" },
  webhooks: {
    type: "Webhook",
    noun: "webhook",
    create: "createWebhook",
    secrets: ["url", "headers", "queryParams"],
    hidden: ["headers", "queryParams"],
  },
  "saved-searches": { type: "SavedSearch", noun: "saved search", create: "createSavedSearch" },
  connections: {
    type: "Connection",
    noun: "connection",
    create: "createConnection",
    secrets: ["password"],
    hidden: ["password"],
  },
  "query-api-endpoints": {
    type: "QueryApiEndpoint",
    noun: "query API endpoint",
    create: "createQueryApiEndpoint",
  },
  "saved-queries": { type: "SavedQuery", noun: "saved query", create: "createSavedQuery" },
  sources: { type: "Source", noun: "source", create: "createSource" },
} as const satisfies { readonly [kind: string]: CollectedKind };

export type CollectedName = keyof typeof kinds;

/** All of them. */
export const collectedKinds = Object.keys(kinds) as readonly CollectedName[];

export function isCollection(kind: string | undefined): kind is CollectedName {
  return kind !== undefined && Object.hasOwn(kinds, kind);
}

export function ofKind(kind: string): CollectedKind | undefined {
  return isCollection(kind) ? kinds[kind] : undefined;
}

const byType = new Map<string, Kind>([
  ...collectedKinds.map((kind) => [kinds[kind].type, kind] as const),
  ["QueryEndpoint", "endpoint"],
  ["ServiceScaling", "service"],
]);

/** The records that resources of a type manage. */
export function kindOf(type: string): Kind {
  return byType.get(type) ?? (type as Kind);
}

/** Whether a type is one of those of which a service has many. */
export function isCollected(type: string): boolean {
  return isCollection(kindOf(type));
}
