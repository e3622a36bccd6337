import type {
  AccessToken,
  Alert,
  ApiKey,
  Dashboard,
  Organization,
  Pipe,
  QueryEndpoint,
  ReversePrivateEndpoint,
  Service,
  Source,
  Webhook,
} from "./records";

/** Everything that a sandbox holds, as plain JSON. Seeds and state files consist of it. */
export interface StoreContents {
  organization: Organization;
  services: Service[];
  keys: ApiKey[];
  accessTokens: AccessToken[];
  queryEndpoints: QueryEndpoint[];
  pipes: Pipe[];
  reversePrivateEndpoints: ReversePrivateEndpoint[];
  dashboards: Dashboard[];
  alerts: Alert[];
  sources: Source[];
  webhooks: Webhook[];
}

/** The members of {@link StoreContents} that are lists. */
export const collections = [
  "services",
  "keys",
  "accessTokens",
  "queryEndpoints",
  "pipes",
  "reversePrivateEndpoints",
  "dashboards",
  "alerts",
  "sources",
  "webhooks",
] as const;

/**
 * The records behind both APIs, by id. A test may read them, and change them behind a client's back.
 *
 * @example
 * sandbox.store.dashboards.get(id)!.name = "changed by somebody else";
 */
export class Store {
  organization!: Organization;
  readonly services = new Map<string, Service>();
  readonly keys = new Map<string, ApiKey>();
  readonly accessTokens = new Map<string, AccessToken>();
  readonly queryEndpoints = new Map<string, QueryEndpoint>();
  readonly pipes = new Map<string, Pipe>();
  readonly reversePrivateEndpoints = new Map<string, ReversePrivateEndpoint>();
  readonly dashboards = new Map<string, Dashboard>();
  readonly alerts = new Map<string, Alert>();
  readonly sources = new Map<string, Source>();
  readonly webhooks = new Map<string, Webhook>();

  constructor(contents: StoreContents) {
    this.load(contents);
  }

  /** Replaces everything with a copy of `contents`. */
  load(contents: StoreContents): void {
    const copy = structuredClone(contents);
    this.organization = copy.organization;
    for (const name of collections) {
      const records = this[name] as Map<string, { id: string }>;
      records.clear();
      for (const record of copy[name]) records.set(record.id, record);
    }
  }

  /** Everything as plain JSON. Shares the records. */
  contents(): StoreContents {
    const lists = collections.map((name) => [name, [...this[name].values()]]);
    return { organization: this.organization, ...Object.fromEntries(lists) } as StoreContents;
  }

  /** The id of another record of the same collection; undefined if there is none. */
  otherIdThan(id: string): string | undefined {
    const records = collections.map((name) => this[name]).find((candidates) => candidates.has(id));
    return [...(records?.keys() ?? [])].find((other) => other !== id);
  }

  /** The query endpoint of a service; undefined if none is configured. */
  queryEndpointOf(serviceId: string): QueryEndpoint | undefined {
    return ofService(this.queryEndpoints, serviceId)[0];
  }

  /** Deletes the alerts of a dashboard; with `isGone`, only those of the tiles for which it returns true. */
  deleteAlerts(dashboardId: string, isGone: (tileId: string | undefined) => boolean = () => true): void {
    for (const alert of this.alerts.values()) {
      if (alert.dashboard === dashboardId && isGone(alert.tileId)) this.alerts.delete(alert.id);
    }
  }
}

/** The records of a collection that belong to one service, oldest first. */
export function ofService<T extends { serviceId: string }>(records: Map<string, T>, serviceId: string): T[] {
  return [...records.values()].filter((record) => record.serviceId === serviceId);
}
