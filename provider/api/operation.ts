import { type TSchema, Type } from "../values/schemaBuilders";

/** One operation of an API. Its response schema names only properties that the provider needs; others pass through. */
export interface Operation {
  /** The API that serves the operation: `management` with Basic authentication, or `observability` with a Bearer token. */
  readonly api: "management" | "observability";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Path of the same operation on the other API, for users who have access to only that one. */
  readonly otherPath?: string;
  /** Schema of the content of the answer's envelope; absent if there is none or its form is unknown. */
  readonly response?: TSchema;
  /** The API's noun for the object in the path, which the API's 404 names; absent if the path names no object. */
  readonly object?: string;
  /** Whether an operation's requests overtake those that wait for the rate limiter: a write should follow its read soon. */
  readonly goesFirst?: true;
  /** Whether sending an operation's request twice has the same effect as once. Only then is it repeated after a lost answer. */
  readonly idempotent: boolean;
  /** The property of the operation's answer that holds the object; the properties beside it belong to the object, too. */
  readonly wrapped?: string;
  /** The property that tells the objects of the answer apart where they have no `id`: the client adds its value as `id`. */
  readonly idIs?: string;
  /** Whether the operation's request clears the properties of the object that its body omits. */
  readonly replaces?: boolean;
  /** The largest number of entries on a page, for a list that servers answer page by page with cursors. */
  readonly pageSize?: number;
  /** Whether a list operation takes `limit` and `offset`. ClickHouse Cloud has such lists, without a count of all entries. */
  readonly hasOffsets?: true;
  /** Names of the parameters in the query of the operation's URL. */
  readonly query?: readonly string[];
  /** Whether an operation's request queries the user's own data, whose names the client must not translate. */
  readonly asksForData?: true;
  /** Whether the operation only reads, although its method is not GET. */
  readonly changesNothing?: true;
  /** Whether the observability API answers the operation without an envelope. */
  readonly isBare?: true;
  /** The permissions that an API key needs for an operation, without `control-plane:`; absent if none are documented. */
  readonly permissions?: readonly Permission[];
  /** What to do instead where ClickHouse Observability is fully managed, if its API then refuses the operation. */
  readonly whereFullyManaged?: string;
  /** Whether only ClickHouse Cloud has the operation, and the neutral API document does not. */
  readonly isOfProduct?: true;
  /** The whole text of the file with which the operation is answered in place of JSON. It is `text` of the result. */
  readonly file?: RegExp;
  /** Properties of an operation's request that hold secrets, at any depth. No message repeats what a server says about them. */
  readonly secrets?: readonly string[];
  /** Properties inside these that are no secrets by themselves: what the server says of a user name is worth reading. */
  readonly plain?: readonly string[];
}

type Permission = `${"organization" | "service" | "postgres-service"}:${string}`;

/** Whether an operation changes something in the service. */
export function isWrite({ method, changesNothing }: Operation): boolean {
  return method !== "GET" && !changesNothing;
}

/** The schema of an answer's object if the provider needs only its id. */
export const Identified = Type.Object({ id: Type.String({ minLength: 1 }) });

/** The schema of an answer's object if the provider needs no property of it. */
export const AnyObject = Type.Object({});
const ListOfIdentified = Type.Array(Identified);

type Place = Pick<Operation, "api" | "path" | "otherPath">;

export const organization = "/v1/organizations/{organizationId}";
const service = `${organization}/services/{serviceId}`;

/** The API and the path of an operation that only the management API has. */
export const managed = (path: string): Place => ({ api: "management", path });
export const inOrganization = (path: string) => managed(`${organization}/${path}`);
export const inService = (path: string) => managed(`${service}/${path}`);

/** The APIs and the path of an operation on the observability product (HyperDX) of a service, which both APIs serve. */
export const onBoth = (path: string): Place => ({
  ...inService(`stack/${path}`),
  otherPath: `/api/v2/${path}`,
});

/** The APIs and the path of an operation that both APIs serve, and that the API document shows on the observability API. */
export const onBothElsewhere = (path: string): Place => ({
  api: "observability",
  path: `/api/v2/${path}`,
  otherPath: `${service}/stack/${path}`,
});

/** The API and the path of an operation that only a self-hosted HyperDX server has. */
export const onServer = (path: string): Place => ({ api: "observability", path: `/api/v2/${path}` });

export const list = (place: Place) =>
  ({ ...place, method: "GET", response: ListOfIdentified, idempotent: true }) as const;

/** The schema of an operation's answer: an object of which the provider needs the id, unless another one is named. */
const answer = <Schema extends TSchema>(response?: Schema) => ({
  response: (response ?? Identified) as NoInfer<Schema>,
});

type Answering = typeof Identified;

export const create = <Schema extends TSchema = Answering>(place: Place, response?: Schema) =>
  ({ ...place, ...answer<Schema>(response), method: "POST", idempotent: false }) as const;

export const get = <Schema extends TSchema = Answering>(place: Place, object: string, response?: Schema) =>
  ({ ...place, ...answer<Schema>(response), method: "GET", object, idempotent: true }) as const;

export const replace = <Schema extends TSchema = Answering>(
  place: Place,
  object: string,
  response?: Schema,
) => ({ ...change(place, object, response), method: "PUT", replaces: true }) as const;

export const change = <Schema extends TSchema = Answering>(place: Place, object: string, response?: Schema) =>
  ({ ...place, ...answer<Schema>(response), method: "PATCH", object, idempotent: true }) as const;

export const remove = (place: Place, object: string) =>
  ({ ...place, method: "DELETE", object, idempotent: true }) as const;
