import { dialects, pathIn } from "../../provider/api/dialect";
import {
  ApiError,
  IncompleteList,
  LostAnswer,
  MissingObject,
  MissingRoute,
  needsRunningService,
  RefusedRequest,
  Unreachable,
} from "../../provider/api/errors";
import type { Operation } from "../../provider/api/operation";
import {
  type ListOperation,
  type OperationName,
  operationOn,
  operations,
} from "../../provider/api/operations";
import { accessTo } from "../../provider/api/responses";
import { hasKey, missingAccess } from "../../provider/api/settings";
import type { SettingName, Settings } from "../../provider/api/settingsSchema";
import { functions } from "../../provider/functions/registry";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import { isSameId, type PropertyMap } from "../../provider/values/data";
import { reachableTypes } from "../shared/session";

type Api = Operation["api"];

/** A type of object that `pipestack doctor` tries to read: the resource type or function that reads it, and the request. */
interface Kind {
  readonly name: string;
  readonly operation: OperationName;
  readonly api: Api;
  /** Method and path of a request, without the ids of organization and service. */
  readonly request: string;
}

/** Whether `pipestack doctor` can read the objects of one type. */
export interface Finding extends Omit<Kind, "operation"> {
  /**
   * `skipped` means that the objects were not read, since an earlier request to the API had failed in a way that any other
   * would. `idle` means that the service does not run, and shows these objects only while it does.
   */
  readonly outcome: "readable" | "settings" | "permission" | "route" | "idle" | "failed" | "skipped";
  readonly count?: number;
  /** The settings, permission, roles or route that are missing for reading the objects; otherwise the reason of the failure. */
  readonly lacks?: string;
}

/** One of the two APIs, and how it responds with the settings in use. */
export interface Answering {
  readonly api: Api;
  readonly address: string;
  /** The name of the API key that signs the requests; absent if the API does not tell it. */
  readonly key?: string;
  readonly organizationId?: string;
  /** The version of the API's server; absent if the server does not tell it. */
  readonly version?: string;
  /** The reason why an API cannot be used at all, or not with the settings in use. */
  readonly problem?: string;
  /** Whether `pipestack doctor` reads objects of any type from this API. */
  readonly isUsed: boolean;
}

/** An API's response to the first request of `pipestack doctor`. */
type Greeting = Omit<Answering, "isUsed"> & {
  /**
   * Whether the command's first request to the API failed in a way that every further one would, too, as with a refused key.
   */
  readonly isLost: boolean;
};

export interface Examination {
  readonly apis: readonly Answering[];
  readonly findings: readonly Finding[];
  /** The objects of which a service has one, such as its query endpoint, by their types. */
  readonly singletons: ReadonlyMap<string, PropertyMap>;
  /** The settings without which `pipestack doctor` could not send some requests. */
  readonly missing: readonly SettingName[];
}

/**
 * Reads the objects of each resource type and function once, and sends no other request.
 * @param only the resource types to read. Default: all types to which the settings give access, and functions
 */
export async function examine(session: Session, only?: readonly TypeName[]): Promise<Examination> {
  const kinds = kindsOf(session, only);
  const missing = new Set(kinds.flatMap((kind) => missingFor(kind, session)));
  const apis = (["management", "observability"] as const).filter(
    (api) => missingAccess(session.settings, api).length === 0,
  );
  const examined = await Promise.all(
    apis.map((api) =>
      examineApi(
        api,
        kinds.filter((kind) => kind.api === api),
        session,
      ),
    ),
  );
  const findingsByName = new Map(
    examined.flatMap(({ findings }) => findings.map((finding) => [finding.name, finding])),
  );
  return {
    apis: examined.map(({ answering }) => answering),
    findings: kinds.map((kind) => findingsByName.get(kind.name) ?? withoutSettings(kind, session)),
    singletons: new Map(examined.flatMap(({ singletons }) => singletons)),
    missing: [...missing],
  };
}

function kindsOf(session: Session, only: readonly TypeName[] | undefined): readonly Kind[] {
  const { observabilityVia, settings } = session;
  const kindOf = (name: string, operation: OperationName): Kind => {
    const { api, method, path } = operationOn(session.observabilityVia, operation);
    const place = pathIn(dialects[session.settings.dialect], path).replace(/^\/v1\/.*\{\w+\}/, "…");
    return { name, operation, api, request: `${method} ${place}` };
  };
  const types = only ?? reachableTypes(typeNames, session);
  const ofTypes = types.flatMap((type) => {
    const { list, get } = resources[type].operations;
    const operation = list ?? get;
    return operation ? [kindOf(type, operation)] : [];
  });
  if (only) return ofTypes;
  const isOfDialect = ({ dialect }: Resource) => dialect === undefined || dialect === settings.dialect;
  // `pipestack doctor` reads each list once: for its resource type or, if the dialect has no resource type with this list, for
  // its function.
  const ofDialect = typeNames.map((type) => resources[type]).filter(isOfDialect);
  const lists = new Set(ofDialect.map(({ operations }): string | undefined => operations.list));
  const further = (Object.keys(operations) as OperationName[]).flatMap((operation) => {
    const reader = operation.replace(/^list/, "get");
    const isRead = operation.startsWith("list") && !lists.has(operation) && reader in functions;
    const { isOfProduct, path } = operationOn(observabilityVia, operation);
    const isThere = settings.dialect === "clickhouse" || !isOfProduct;
    // Lists of one object, such as the backups of a Postgres service, need the id of an object.
    return isRead && isThere && !path.includes("{id}") ? [kindOf(reader, operation)] : [];
  });
  const isOwnServer = observabilityVia === "observability" && !hasKey(settings);
  return [...ofTypes, ...further.filter(({ api }) => !(isOwnServer && api === "management"))];
}

function missingFor({ operation, api }: Kind, session: Session): SettingName[] {
  const { path } = operationOn(session.observabilityVia, operation);
  const places = (["organizationId", "serviceId"] as const).filter(
    (name) => path.includes(`{${name}}`) && session.settings[name] === undefined,
  );
  return [...places, ...missingAccess(session.settings, api)];
}

function withoutSettings({ operation, ...kind }: Kind, session: Session): Finding {
  const missing = missingFor({ operation, ...kind }, session);
  return { ...kind, outcome: "settings", lacks: missing.join(", ") };
}

async function examineApi(api: Api, kinds: readonly Kind[], session: Session) {
  const { isLost, ...greeting } = await (api === "management" ? askForKey(session) : askForVersion(session));
  const findings: Finding[] = [];
  const singletons: (readonly [string, PropertyMap])[] = [];
  let { problem } = greeting;
  let isStopped = isLost;
  for (const { operation, ...kind } of kinds) {
    const whole = { operation, ...kind };
    if (isStopped) findings.push({ ...kind, outcome: "skipped" });
    else if (missingFor(whole, session).length > 0) findings.push(withoutSettings(whole, session));
    else {
      const { error, object, ...reading } = await read(operation, session);
      findings.push({ ...kind, ...reading });
      if (object) singletons.push([kind.name, object]);
      isStopped = error !== undefined && isHopeless(error);
      if (isStopped) problem = reading.lacks;
    }
  }
  // If no request of `pipestack doctor` finds a route, the address is probably wrong.
  const answered = findings.filter(({ outcome }) => outcome !== "settings");
  const isElsewhere = answered.length > 0 && answered.every(({ outcome }) => outcome === "route");
  if (isElsewhere && !greeting.key && !greeting.version)
    problem ??= "the address has none of the routes of the API; check it, and the setting dialect";
  else problem ??= problemOfDialect(kinds, findings, session);
  const answering: Answering = {
    ...greeting,
    ...(problem !== undefined && { problem }),
    isUsed: kinds.length > 0,
  };
  return { answering, findings, singletons };
}

/** A reason to check the setting `dialect`: the server lacks just the routes that have other names in the other dialect. */
function problemOfDialect(
  kinds: readonly Kind[],
  findings: readonly Finding[],
  { settings, observabilityVia }: Session,
): string | undefined {
  const other = settings.dialect === "clickhouse" ? "neutral" : "clickhouse";
  const pathOf = (operation: OperationName, dialect: Settings["dialect"]) =>
    pathIn(dialects[dialect], operationOn(observabilityVia, operation).path);
  const isTranslated = ({ operation }: Kind) =>
    pathOf(operation, settings.dialect) !== pathOf(operation, other);
  const outcomes = (isOf: (kind: Kind) => boolean) => {
    const names = new Set(kinds.filter(isOf).map(({ name }) => name));
    return findings.filter(({ name }) => names.has(name)).map(({ outcome }) => outcome);
  };
  const translated = outcomes(isTranslated).filter((outcome) => outcome !== "settings");
  const isOther =
    translated.length > 0 &&
    translated.every((outcome) => outcome === "route") &&
    outcomes((kind) => !isTranslated(kind)).includes("readable");
  return isOther
    ? `the server has none of the routes that the dialect ${settings.dialect} names in its own way; set dialect to ${other}`
    : undefined;
}

async function askForKey(session: Session): Promise<Greeting> {
  const { baseUrl: address = "", organizationId: organization } = session.settings;
  const greeting = { api: "management", address, isLost: false } as const;
  try {
    const { name, organizationId } = await session.call("whoami", {});
    const isOther =
      organization !== undefined &&
      typeof organizationId === "string" &&
      !isSameId(organizationId, organization);
    const problem = `the key belongs to organization ${organizationId}, and the setting organizationId names ${organization}`;
    return {
      ...greeting,
      ...(typeof name === "string" && { key: name }),
      ...(typeof organizationId === "string" && { organizationId }),
      ...(isOther && { problem }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Older servers lack the route of `whoami`, but may have the routes of all other operations, so a missing route is no
    // problem.
    return isHopeless(error) ? { ...greeting, isLost: true, problem: error.message } : greeting;
  }
}

async function askForVersion(session: Session): Promise<Greeting> {
  const { obsBaseUrl: address = "" } = session.settings;
  const version = await session.serverVersion();
  return { api: "observability", address, isLost: false, ...(version !== undefined && { version }) };
}

type Reading = Pick<Finding, "outcome" | "count" | "lacks"> & {
  readonly error?: ApiError;
  readonly object?: PropertyMap;
};

async function read(name: OperationName, session: Session): Promise<Reading> {
  const { organizationId, serviceId } = session.settings;
  const operation = operationOn(session.observabilityVia, name);
  const place = { organizationId, serviceId };
  try {
    if (!name.startsWith("list")) {
      const object = (await session.call(name, place)) as PropertyMap;
      return { outcome: "readable", count: 1, object };
    }
    return {
      outcome: "readable",
      count: (await session.lists.read(name as ListOperation, place, { isWhole: true })).length,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error instanceof IncompleteList && error.isGuess)
      return { outcome: "readable", count: error.entries.length };
    // A 404 about a service is an error. A 404 about any other object, such as a query endpoint, means that the service has 0
    // such objects.
    if (error instanceof MissingObject && operation.object !== "service")
      return { outcome: "readable", count: 0 };
    if (error instanceof MissingRoute) return { outcome: "route", lacks: error.reason, error };
    const access = accessTo(operation, dialects[session.settings.dialect]);
    if (error instanceof RefusedRequest && error.site.status === 403 && operation.api === "management")
      return { outcome: "permission", lacks: access ?? error.reason, error };
    return { outcome: needsRunningService(error) ? "idle" : "failed", lacks: error.message, error };
  }
}

/** Whether every other request to the API would fail in the same way, since the API is unreachable or refuses the key. */
function isHopeless(error: ApiError): boolean {
  return error instanceof Unreachable || error instanceof LostAnswer || error.site.status === 401;
}
