import { type Rewrite, seededCredentials } from "../../../sandbox/index";
import { type Host, hostUnlessTold } from "../pluginHost";

export type Data = Record<string, unknown>;
export type Api = "management" | "observability";

/** A server that a user may have, and in what it truly differs from the others. */
export interface Setup {
  readonly title: string;
  /** What runs the provider. */
  readonly host: Host;
  readonly dialect: "neutral" | "clickhouse";
  /** Which APIs there are. */
  readonly apis: "both" | Api;
  /** Which of them serves dashboards and alerts. */
  readonly home: { readonly updates: Api; readonly everythingElse: Api };
  /** How answers differ from what was sent. */
  readonly rewrites: readonly Rewrite[];
  /** The body of a request in the dialect of the servers. */
  inDialect(body: Data): Data;
  /** A dashboard in the dialect of the servers, as they keep it. */
  stored(dashboard: Data): Data;
  /** A declared tile with what an update carries over of the entries that the servers have filled in. */
  carried(tile: Data): Data;
  /** Two scopes for an object: what a program declares for each, and which service of the sandbox that is. */
  readonly scopes: { readonly first: ServiceScope; readonly second: ServiceScope };
  /** What an alert on a search has to say. */
  readonly search: { readonly source: "search"; readonly savedSearch?: string };
  /** An alert on a search with all that the servers know. */
  readonly fullSearch: Data;
  /** An interval that not every server takes, but these do. */
  readonly interval: string;
  /** An alert that only the other dialect supports, and of which property the check says what. */
  readonly unsupportedAlert: { readonly inputs: Data; readonly property: string; readonly problem: string };
  /** A dashboard with all that the servers know beside tiles; absent where they know no more than the document. */
  readonly wholeDashboard?: Data;
  /** What a tile shows, in the newest way that the servers know. */
  readonly shown: Data;
  /** A dashboard that only the servers refuse, and what they say of it. */
  readonly refusedDashboard: { readonly inputs: Data; readonly message: string };
  /** What a destroy asks of a dashboard that is gone, and how the servers answer. */
  readonly goneDashboard: readonly string[];
  /** What of a scaling only some servers have. */
  readonly scaling: Scaling;
}

interface Scaling {
  /** The operation that changes all but the deprecated members. */
  readonly operation: "updateScaling" | "updateReplicaScaling";
  /** What is declared of the replicas, when they are created and changed. */
  readonly created: Data;
  readonly changed: Data;
  /** What restores the service: its replicas before. */
  readonly before: Data;
  /** What to use in place of the total memory. */
  readonly advice: string;
  /** What a refresh asks for to read the scalings of two services: operations, and a list that not every server has. */
  readonly looks: readonly string[];
  /** Members of a service that answers do not show. */
  readonly unshown: readonly string[];
}

interface ServiceScope {
  readonly declared: Data;
  readonly service: "serviceId" | "secondServiceId";
}

export const webhookId = "65f1c0a2b3d4e5f607182921";
export const sourceId = "65f1c0a2b3d4e5f607182911";
const channel = { type: "webhook", webhookId };
const savedSearch = "65f1c0a2b3d4e5f607182931";
const { secondServiceId } = seededCredentials;

const neutral = {
  dialect: "neutral",
  rewrites: [],
  inDialect: (body: Data) => body,
  stored: (dashboard: Data) => dashboard,
  carried: (tile: Data) => tile,
  search: { source: "search" },
  fullSearch: { source: "search", thresholdType: "below", channel },
  interval: "90s",
  unsupportedAlert: {
    inputs: { source: "search", savedSearch },
    property: "savedSearch",
    problem: "needs the setting dialect to be clickhouse",
  },
  shown: { series: [{ type: "number", dataSource: "cpu" }] },
  refusedDashboard: {
    inputs: {
      name: "Too wide",
      tiles: [{ name: "Rows", x: 30, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
    },
    message: 'tiles["Rows"].x must be <= 23',
  },
  goneDashboard: ["DELETE 404", "GET 404"],
  scaling: {
    operation: "updateScaling",
    created: { numReplicas: 2 },
    changed: { numReplicas: 3 },
    before: { numReplicas: 1 },
    advice: "numReplicas",
    looks: ["GET /services 404", "getService", "getService on the second service"],
    unshown: ["provider", "region", "state", "releaseChannel", "tags", "autoscalingMode"],
  },
} as const;

const shownByProduct = {
  config: {
    displayType: "number",
    sourceId: "65f1c0a2b3d4e5f607182913",
    select: [{ aggFn: "max", valueExpression: "cpu" }],
  },
};

const product = {
  dialect: "clickhouse",
  rewrites: ["defaults", "reorder", "seriesAsConfig", "movingState"],
  inDialect: ({ source, savedSearch, ...body }: Data) => ({
    ...body,
    ...(Array.isArray(body.tiles) ? { tiles: body.tiles.map(tileInProduct) } : {}),
    ...(source === undefined ? {} : { source: source === "search" ? "saved_search" : source }),
    ...(savedSearch === undefined ? {} : { savedSearchId: savedSearch }),
  }),
  stored: (dashboard: Data) => ({ ...dashboard, tiles: (dashboard.tiles as Data[]).map(storedByProduct) }),
  carried: ({ config, ...tile }: Data) => ({ ...tile, config: withDefaults(config as Data, { where: "" }) }),
  search: { source: "search", savedSearch },
  fullSearch: {
    source: "search",
    savedSearch,
    groupBy: "ServiceName",
    thresholdType: "between",
    thresholdMax: 10,
    note: "Ask the owner",
    numConsecutiveWindows: 2,
    scheduleOffsetMinutes: 1,
  },
  interval: "15m",
  unsupportedAlert: {
    inputs: { source: "search", savedSearch, interval: "90s" },
    property: "interval",
    problem: "must be one of 1m, 5m, 15m",
  },
  wholeDashboard: {
    name: "Whole",
    tiles: [{ name: "Load", x: 0, y: 0, w: 6, h: 4, containerId: "hosts", tabId: "load", ...shownByProduct }],
    filters: [
      {
        type: "QUERY_EXPRESSION",
        name: "Service",
        expression: "ServiceName",
        sourceId,
      },
    ],
    savedQuery: "level:error",
    savedQueryLanguage: "lucene",
    savedFilterValues: [{ type: "sql", condition: "ServiceName IN ('api')" }],
    containers: [{ id: "hosts", title: "Hosts", collapsed: false, tabs: [{ id: "load", title: "Load" }] }],
  },
  shown: shownByProduct,
  refusedDashboard: {
    inputs: {
      name: "Without a source",
      tiles: [
        {
          name: "Rows",
          x: 0,
          y: 0,
          w: 6,
          h: 4,
          config: {
            displayType: "number",
            sourceId: "65f1c0a2b3d4e5f6071829ff",
            select: [{ aggFn: "count" }],
          },
        },
      ],
    },
    message: "Could not find the following source IDs: 65f1c0a2b3d4e5f6071829ff",
  },
  // The product does not say that there was nothing to delete.
  goneDashboard: ["DELETE 200"],
  scaling: {
    operation: "updateReplicaScaling",
    created: { numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 20 },
    changed: {
      autoscalingMode: "horizontal",
      minReplicas: 2,
      maxReplicas: 4,
      minReplicaMemoryGb: 12,
      maxReplicaMemoryGb: 12,
    },
    before: { autoscalingMode: "vertical", numReplicas: 1, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 },
    advice: "minReplicaMemoryGb",
    looks: ["listServices"],
    unshown: [],
  },
} as const;

/** A tile as the product takes it: with all that it requires of a series. */
function tileInProduct({ series, ...tile }: Data): Data {
  if (!Array.isArray(series)) return { ...tile, config: withDefaults(tile.config as Data) };
  return { ...tile, series: series.map((each) => ({ where: "", whereLanguage: "lucene", ...each })) };
}

/** A tile as the product keeps it: with `config` in place of series, and with what it fills in. */
function storedByProduct({ series, asRatio, config, ...tile }: Data): Data {
  if (config !== undefined) return { ...tile, config: filled(config as Data) };
  const [first = {}] = series as Data[];
  const { type, sourceId, groupBy = [], ...item } = first;
  const ofTime = { asRatio: false, groupBy: (groupBy as string[]).join(","), fillNulls: true };
  const shown = { displayType: type === "time" ? "line" : type, ...(type === "time" && ofTime), sourceId };
  return { ...tile, config: filled({ ...shown, select: [item] }) };
}

function filled(config: Data): Data {
  return withDefaults(config, { valueExpression: "", where: "" });
}

function withDefaults(config: Data, defaults: Data = {}): Data {
  const select = (config.select as Data[]).map((item) => ({ whereLanguage: "lucene", ...defaults, ...item }));
  return { ...config, select };
}

const services = {
  first: { declared: {}, service: "serviceId" },
  second: { declared: { serviceId: secondServiceId }, service: "secondServiceId" },
} as const;

/** A server alone is one place, however many services a program speaks of. */
const oneServer = {
  first: { declared: { serviceId: "11111111-1111-4111-8111-111111111111" }, service: "serviceId" },
  second: { declared: { serviceId: secondServiceId }, service: "serviceId" },
} as const;

const bothApis = {
  apis: "both",
  home: { updates: "observability", everythingElse: "management" },
  scopes: services,
} as const;

/** An alert with what only this API has. */
const byManagement = {
  fullSearch: {
    ...product.fullSearch,
    channel: { ...channel, webhookService: "pagerduty_api", severity: "error" },
  },
} as const;
const byObservability = { fullSearch: { ...product.fullSearch, channels: [channel] } } as const;

const managementAlone = {
  apis: "management",
  home: { updates: "management", everythingElse: "management" },
  scopes: services,
} as const;

const observabilityAlone = {
  apis: "observability",
  home: { updates: "observability", everythingElse: "observability" },
  scopes: oneServer,
} as const;

/** All setups that dashboards and alerts work in. */
export const setups = {
  documented: {
    title: "both APIs of the API document",
    host: hostUnlessTold("dynamic"),
    ...neutral,
    ...bothApis,
  },
  management: {
    title: "the management API of the product alone, on the plugin",
    host: hostUnlessTold("plugin"),
    ...product,
    ...byManagement,
    ...managementAlone,
  },
  observability: {
    title: "the observability API of the product alone",
    host: hostUnlessTold("dynamic"),
    ...product,
    ...byObservability,
    ...observabilityAlone,
  },
} as const satisfies { readonly [name: string]: Setup };
