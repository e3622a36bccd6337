import { type Static, type TSchema, Type } from "../typebox";

/** One operation of the service. Response schemas name only the members that the provider needs; others pass through. */
export interface Operation {
  /** Which API serves it: Basic authentication and envelope, or Bearer and `{data}`. */
  readonly api: "management" | "observability";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Path of the same operation on the other API, for users who have only that one. */
  readonly otherPath?: string;
  /** Schema of the payload inside the envelope; absent if the API returns none or its shape is unknown. */
  readonly response?: TSchema;
  /** What the API calls the object in the path where it says that it is missing; absent where no single object is asked for. */
  readonly object?: string;
  /** Whether repeating the request changes nothing more: only then is it retried after a lost answer. */
  readonly idempotent: boolean;
  /** Whether it queries the user's own data, which is not translated. */
  readonly asksForData?: true;
  /** Whether it is no GET and changes nothing all the same. */
  readonly changesNothing?: true;
  /** Whether the observability API answers without an envelope. */
  readonly isBare?: true;
  /** Whether the API document shows it. Undocumented operations are used only with `operations: all`. */
  readonly documented: boolean;
}

const organization = "/v1/organizations/{organizationId}";
const service = `${organization}/services/{serviceId}`;

const Identified = Type.Object({ id: Type.String({ minLength: 1 }) });
const ListOfIdentified = Type.Array(Identified);
const AnyObject = Type.Object({});
const QueryEndpoint = Type.Object({ roles: Type.Array(Type.Unknown()) });
const Validation = Type.Object({
  errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
});
const CreatedKey = Type.Object({
  key: Identified,
  keyId: Type.Optional(Type.String()),
  keySecret: Type.Optional(Type.String()),
});

/** Every operation that the provider knows: the documented ones, then the undocumented ones beside them. */
export const operations = {
  listPipes: {
    api: "management",
    method: "GET",
    path: `${service}/pipes`,
    response: ListOfIdentified,
    idempotent: true,
    documented: true,
  },
  // The document shows neither its request nor its response, so nothing calls it.
  createPipe: {
    api: "management",
    method: "POST",
    path: `${service}/pipes`,
    idempotent: false,
    documented: true,
  },
  getPipe: {
    api: "management",
    method: "GET",
    path: `${service}/pipes/{pipeId}`,
    response: Identified,
    object: "pipe",
    idempotent: true,
    documented: true,
  },
  getPipeSettings: {
    api: "management",
    method: "GET",
    path: `${service}/pipes/{pipeId}/settings`,
    response: AnyObject,
    object: "pipe",
    idempotent: true,
    documented: true,
  },
  listReversePrivateEndpoints: {
    api: "management",
    method: "GET",
    path: `${service}/pipesReversePrivateEndpoints`,
    response: ListOfIdentified,
    idempotent: true,
    documented: true,
  },

  updateScaling: {
    api: "management",
    method: "PATCH",
    path: `${service}/scaling`,
    response: Identified,
    object: "service",
    idempotent: true,
    documented: true,
  },
  // Newer than updateScaling, which does not have all of its members.
  updateReplicaScaling: {
    api: "management",
    method: "PATCH",
    path: `${service}/replicaScaling`,
    response: Identified,
    object: "service",
    idempotent: true,
    documented: false,
  },
  listServices: {
    api: "management",
    method: "GET",
    path: `${organization}/services`,
    response: ListOfIdentified,
    idempotent: true,
    documented: false,
  },
  getService: {
    api: "management",
    method: "GET",
    path: service,
    response: Identified,
    object: "service",
    idempotent: true,
    documented: false,
  },

  createKey: {
    api: "management",
    method: "POST",
    path: `${organization}/keys`,
    response: CreatedKey,
    idempotent: false,
    documented: true,
  },
  listKeys: {
    api: "management",
    method: "GET",
    path: `${organization}/keys`,
    response: ListOfIdentified,
    idempotent: true,
    documented: false,
  },
  getKey: {
    api: "management",
    method: "GET",
    path: `${organization}/keys/{id}`,
    response: Identified,
    object: "key",
    idempotent: true,
    documented: false,
  },
  updateKey: {
    api: "management",
    method: "PATCH",
    path: `${organization}/keys/{id}`,
    response: Identified,
    object: "key",
    idempotent: true,
    documented: false,
  },
  deleteKey: {
    api: "management",
    method: "DELETE",
    path: `${organization}/keys/{id}`,
    object: "key",
    idempotent: true,
    documented: false,
  },

  putQueryEndpoint: {
    api: "management",
    method: "POST",
    path: `${service}/serviceQueryEndpoint`,
    response: QueryEndpoint,
    idempotent: true,
    documented: true,
  },
  getQueryEndpoint: {
    api: "management",
    method: "GET",
    path: `${service}/serviceQueryEndpoint`,
    response: QueryEndpoint,
    object: "query endpoint",
    idempotent: true,
    documented: false,
  },
  deleteQueryEndpoint: {
    api: "management",
    method: "DELETE",
    path: `${service}/serviceQueryEndpoint`,
    object: "query endpoint",
    idempotent: true,
    documented: false,
  },

  listDashboards: {
    api: "management",
    method: "GET",
    path: `${service}/stack/dashboards`,
    otherPath: "/api/v2/dashboards",
    response: ListOfIdentified,
    idempotent: true,
    documented: true,
  },
  createDashboard: {
    api: "management",
    method: "POST",
    path: `${service}/stack/dashboards`,
    otherPath: "/api/v2/dashboards",
    response: Identified,
    idempotent: false,
    documented: true,
  },
  // It only tells earlier what a create would, so it is not worth a retry.
  validateDashboard: {
    api: "management",
    method: "POST",
    path: `${service}/stack/dashboards/validate`,
    otherPath: "/api/v2/dashboards/validate",
    response: Validation,
    idempotent: false,
    changesNothing: true,
    isBare: true,
    documented: false,
  },
  getDashboard: {
    api: "management",
    method: "GET",
    path: `${service}/stack/dashboards/{id}`,
    otherPath: "/api/v2/dashboards/{id}",
    response: Identified,
    object: "dashboard",
    idempotent: true,
    documented: false,
  },
  updateDashboard: {
    api: "observability",
    method: "PUT",
    path: "/api/v2/dashboards/{id}",
    otherPath: `${service}/stack/dashboards/{id}`,
    response: Identified,
    object: "dashboard",
    idempotent: true,
    documented: true,
  },
  deleteDashboard: {
    api: "management",
    method: "DELETE",
    path: `${service}/stack/dashboards/{id}`,
    otherPath: "/api/v2/dashboards/{id}",
    object: "dashboard",
    idempotent: true,
    documented: false,
  },

  listAlerts: {
    api: "management",
    method: "GET",
    path: `${service}/stack/alerts`,
    otherPath: "/api/v2/alerts",
    response: ListOfIdentified,
    idempotent: true,
    documented: false,
  },
  createAlert: {
    api: "management",
    method: "POST",
    path: `${service}/stack/alerts`,
    otherPath: "/api/v2/alerts",
    response: Identified,
    idempotent: false,
    documented: true,
  },
  getAlert: {
    api: "management",
    method: "GET",
    path: `${service}/stack/alerts/{id}`,
    otherPath: "/api/v2/alerts/{id}",
    response: Identified,
    object: "alert",
    idempotent: true,
    documented: false,
  },
  updateAlert: {
    api: "observability",
    method: "PUT",
    path: "/api/v2/alerts/{id}",
    otherPath: `${service}/stack/alerts/{id}`,
    response: Identified,
    object: "alert",
    idempotent: true,
    documented: true,
  },
  deleteAlert: {
    api: "management",
    method: "DELETE",
    path: `${service}/stack/alerts/{id}`,
    otherPath: "/api/v2/alerts/{id}",
    object: "alert",
    idempotent: true,
    documented: false,
  },

  listSources: {
    api: "management",
    method: "GET",
    path: `${service}/stack/sources`,
    otherPath: "/api/v2/sources",
    response: ListOfIdentified,
    idempotent: true,
    documented: false,
  },
  listWebhooks: {
    api: "management",
    method: "GET",
    path: `${service}/stack/webhooks`,
    otherPath: "/api/v2/webhooks",
    response: ListOfIdentified,
    idempotent: true,
    documented: false,
  },
  getChartSeries: {
    api: "observability",
    method: "POST",
    path: "/api/v2/charts/series",
    response: Type.Array(AnyObject),
    idempotent: true,
    asksForData: true,
    changesNothing: true,
    documented: true,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The APIs that serve dashboards, alerts, sources and webhooks; `both` are used as the API document shows. */
export const observabilityRoutes = ["both", "management", "observability"] as const;

export type ObservabilityVia = (typeof observabilityRoutes)[number];

/** An operation on both APIs or on one alone. */
export function operationOn(observabilityVia: ObservabilityVia, name: OperationName): Operation {
  const operation: Operation = operations[name];
  const { otherPath } = operation;
  if (otherPath === undefined || observabilityVia === "both" || observabilityVia === operation.api)
    return operation;
  return { ...operation, api: observabilityVia, path: otherPath, documented: false };
}

/** What a successful call returns. Members that the schema does not name are as the service sent them. */
export type Answer<Name extends OperationName> = Name extends OperationName
  ? (typeof operations)[Name] extends { response: infer Schema extends TSchema }
    ? Static<Schema> extends (infer Item)[]
      ? (Item & Record<string, unknown>)[]
      : Static<Schema> & Record<string, unknown>
    : undefined
  : never;

/** Lists objects of one kind. */
export type ListOperation = Extract<OperationName, `list${string}`>;

/** Path parameters by name; a missing one that the path needs is an error of the call. */
export type PathParameters = { readonly [parameter: string]: string | undefined };
