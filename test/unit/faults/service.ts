import { resolveSettings } from "../../../provider/api/settings";
import { Session } from "../../../provider/lifecycle/session";
import type {
  Alert,
  ApiKey,
  Connection,
  Dashboard,
  Sandbox,
  SavedSearch,
  Service as ServiceRecord,
  Source,
  Tile,
  Webhook,
} from "../../../sandbox/src";
import { sha256 } from "../../../sandbox/src/identifiers";
import { settingsOf } from "../../serviceContents";

/** The last rate that was set for a process on a sandbox: processes with different rates share no rate limiter. */
const rates = new WeakMap<Sandbox, number>();

/** What a test needs of a sandbox: sessions like those of one process each, and what there is beside the objects of a test. */
export class Service {
  /** Everything that users were told. */
  readonly told: string[] = [];
  /** The service before anything was done to it. */
  readonly original: ServiceRecord;
  #others = new Map<string, string>();

  constructor(
    readonly sandbox: Sandbox,
    private readonly further: Readonly<Record<string, string>>,
  ) {
    const { store, credentials } = sandbox;
    this.original = structuredClone(store.services.get(credentials.serviceId)) as ServiceRecord;
  }

  /** A session as a new process has it. */
  session(): Session {
    const { settings } = this;
    const tell = (text: string) => void this.told.push(text);
    return new Session(() => resolveSettings([(name) => settings[name]]), { warn: tell, info: tell });
  }

  /**
   * Settings by name, as stack configuration has them, for one process more. No two of them share a rate limiter, which real
   * processes do not do either: a fault of one would hold back another.
   */
  get settings(): Record<string, string> {
    const rate = (rates.get(this.sandbox) ?? 1000) - 1;
    rates.set(this.sandbox, rate);
    const limits = {
      maxRetries: "1",
      requestsPerSecond: String(rate),
      timeoutSeconds: "20",
    };
    return { ...settingsOf(this.sandbox), ...limits, ...this.further };
  }

  get webhookId(): string {
    return [...this.sandbox.store.webhooks.keys()][0] ?? "";
  }

  /** Takes down what is there now, except for one record, so that {@link changedOthers} can tell what became of it. */
  remember(own?: string): void {
    this.#others = new Map([...this.#records()].filter(([id]) => id !== own));
  }

  /** Ids of records that were there before and have been changed or removed. */
  changedOthers(): string[] {
    const now = this.#records();
    return [...this.#others].flatMap(([id, record]) => (now.get(id) === record ? [] : [id]));
  }

  /** Ids of records that were not there before. */
  get added(): string[] {
    return [...this.#records().keys()].filter((id) => !this.#others.has(id));
  }

  /** Every record as JSON, by its id. */
  #records(): Map<string, string> {
    const { organization, ...collections } = this.sandbox.store.contents();
    const all = Object.values(collections).flat();
    // Signing a request changes a key.
    return new Map(all.map((record) => [record.id, JSON.stringify({ ...record, usedAt: undefined })]));
  }
}

export const tile: Omit<Tile, "id"> = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "number", aggFn: "count", where: "" }],
};

/** The dashboard and the tile that alerts are about. */
export const home = { id: "aaaaaaaaaaaaaaaaaaaaaaa1", tileId: "aaaaaaaaaaaaaaaaaaaaaaa2" };

/** The alert of somebody else. */
export const homeAlert = "aaaaaaaaaaaaaaaaaaaaaaa4";

/** The webhook of somebody else, which no alert uses. */
export const homeWebhook = "aaaaaaaaaaaaaaaaaaaaaaa6";

/** The saved search of somebody else, which no alert uses. */
export const homeSearch = "65f1c0a2b3d4e5f607182932";

/** The connection of somebody else, which the sources of the sandbox use. */
export const homeConnection = "65f1c0a2b3d4e5f607182900";

/** The source of somebody else, which nothing uses. */
export const homeSource = "65f1c0a2b3d4e5f607182913";

/** A key for requests about keys. */
export const ownKey = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

/** Puts objects into a sandbox that belong to somebody else, some of them with the content of those of the tests. */
export function furnish({ sandbox, webhookId }: Service): void {
  const { store } = sandbox;
  addDashboard(sandbox, { id: home.id, name: "Home", tiles: [{ ...tile, id: home.tileId }] });
  addDashboard(sandbox, { id: "aaaaaaaaaaaaaaaaaaaaaaa3" });
  addAlert(sandbox, webhookId, { id: homeAlert });
  addKey(sandbox, { id: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaa5" });
  addWebhook(sandbox, { id: homeWebhook, name: "of somebody else" });
  const serviceId = sandbox.credentials.secondServiceId;
  store.queryEndpoints.set("other", {
    id: "other",
    serviceId,
    roles: [],
    openApiKeys: [],
    allowedOrigins: "",
  });
}

export function addDashboard({ store, credentials }: Sandbox, changed: Partial<Dashboard>): void {
  const tiles = [{ ...tile, id: `${changed.id?.slice(0, -1)}f` }];
  const own = { id: "", serviceId: credentials.serviceId, name: "Ingestion", tiles, tags: ["a"], ...changed };
  store.dashboards.set(own.id, own);
}

/** What is declared of an alert on the tile of {@link home}. */
export function alertContents(webhookId: string) {
  return {
    name: "Slow",
    threshold: 1,
    interval: "5m",
    thresholdType: "above",
    source: "tile",
    dashboardId: home.id,
    tileId: home.tileId,
    channel: { type: "webhook", webhookId },
  };
}

export function addAlert({ store, credentials }: Sandbox, webhookId: string, changed: Partial<Alert>): void {
  const now = new Date(0).toISOString();
  const own: Alert = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Slow",
    message: null,
    threshold: 1,
    interval: "5m",
    thresholdType: "above",
    source: "tile",
    dashboard: home.id,
    tileId: home.tileId,
    state: "inactive",
    channel: { type: "webhook", webhookId },
    team: "t",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.alerts.set(own.id, own);
}

export function addWebhook({ store, credentials }: Sandbox, changed: Partial<Webhook>): void {
  const now = new Date(0).toISOString();
  const own: Webhook = {
    id: "",
    serviceId: credentials.serviceId,
    name: "paging",
    service: "generic",
    url: "https://hooks.example.com/paging",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.webhooks.set(own.id, own);
}

export function addSavedSearch({ store }: Sandbox, changed: Partial<SavedSearch>): void {
  const [seeded] = store.savedSearches.values();
  if (!seeded) throw new Error("the sandbox has no saved search");
  const own = {
    ...structuredClone(seeded),
    name: "Failing",
    where: "SeverityText:error",
    select: "",
    ...changed,
  };
  store.savedSearches.set(own.id, own);
}

export function addConnection({ store, credentials }: Sandbox, changed: Partial<Connection>): void {
  const now = new Date(0).toISOString();
  const own: Connection = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Lake",
    host: "https://lake.example.com:8443",
    username: "reader",
    password: "",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.connections.set(own.id, own);
}

export function addSource({ store, credentials }: Sandbox, changed: Partial<Source>): void {
  const own: Source = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Requests",
    kind: "log",
    connection: "65f1c0a2b3d4e5f607182900",
    from: { databaseName: "otel", tableName: "requests" },
    timestampValueExpression: "Timestamp",
    defaultTableSelectExpression: "Timestamp",
    disabled: false,
    querySettings: [],
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
    ...changed,
  };
  store.sources.set(own.id, own);
}

export function addKey({ store }: Sandbox, changed: Partial<ApiKey>): void {
  const own: ApiKey = {
    id: "",
    name: "reporting",
    state: "enabled",
    roles: ["developer"],
    keySuffix: "abcd",
    createdAt: new Date(0).toISOString(),
    keyIdHash: sha256(`id of ${changed.id}`),
    keySecretHash: sha256(`secret of ${changed.id}`),
    ...changed,
  };
  store.keys.set(own.id, own);
}
