import { dialects } from "../api/dialect";
import type { ListOperation, OperationName } from "../api/operations";
import type { Settings } from "../api/settingsSchema";
import type { Change } from "../values/compare";
import type { Data } from "../values/data";
import { annotationsOf } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import { isUnknown, unknown } from "../values/unknown";
import type { Failure } from "../values/validate";
import type { AsOf } from "./lists";
import { type Context, isWithoutScope, type ScopeKind } from "./scope";
import type { Session } from "./session";
import type { Awaited, LiveState, Observed, State } from "./state";

/**
 * The operations that serve a resource. A type without `list` is a singleton: each service has one, with the service's
 * id.
 */
export interface ResourceOperations {
  readonly create: OperationName;
  /** Absent if the API shows such objects only in a list. */
  readonly get?: OperationName;
  readonly update: OperationName;
  /** Absent if destroying the resource changes nothing in the service. */
  readonly delete?: OperationName;
  readonly list?: ListOperation;
}

/** The noun for the objects of a collection, and the operations on them. */
export interface Collection extends Pick<Definition, "type" | "noun" | "outputs" | "sureMember" | "waiting"> {
  readonly operations: Required<Omit<ResourceOperations, "get">> & Pick<ResourceOperations, "get">;
}

/** A type whose objects use the objects of another type, such as alerts that use webhooks. */
export interface User {
  readonly definition: Pick<Definition, "type" | "noun" | "operations" | "scope" | "goesWith">;
  /** The members of the using objects, at any depth, that hold ids of used objects. */
  readonly members: readonly string[];
  /** The effect on using objects when the used object is deleted: a sentence for a warning, without its full stop. */
  readonly consequence?: string;
  /** Whether the service deletes the using objects along with the used one. */
  readonly isDeletedToo: boolean;
}

/** A created object as the answer to the create shows it or, if the answer was lost, as a list shows it. */
export interface CreatedObject {
  readonly id: string;
  readonly object: Data;
  /** Set if the answer was lost, and a list showed the object. */
  readonly taken?: true;
  /** Set if the object is not ready yet. The state keeps the object, and the next update goes on with it. */
  readonly unfinished?: Unfinished;
}

/** The error when waiting for an object fails or takes too long. The object exists, so the state keeps it. */
export class Unfinished extends Error {
  constructor(
    readonly awaiting: Awaited,
    message: string,
  ) {
    super(message);
  }
}

/** The states of objects that take minutes to become ready after a request, such as services. */
export interface Waiting {
  /** The member of an answer that holds the object's state. */
  readonly stateMember: string;
  /** The states in which an object with these inputs is ready, and those in which its create has failed. */
  created(inputs: Data): Outcomes;
  /** Where people find out why an object has failed, to follow its state in a message. Default: in the console. */
  whyFailed?(object: Data): string;
  /** The minutes that a step may take, unless the input `waitMinutes` sets them. */
  minutes(step: "create" | "update" | "delete", inputs: Data): number;
}

/** The states of an object in which a wait ends. */
export interface Outcomes {
  readonly ends: readonly string[];
  readonly fails: readonly string[];
  /** States that count as ready, with a warning, once the time limit is over. Default: none. */
  readonly suffices?: readonly string[];
}

/** How the objects of a type are created, looked at and written. */
export interface Way {
  /**
   * Creates an object, or fails without leaving an unknown object behind. Never called for singletons: a service has
   * them from the start, or `send` creates them.
   */
  create(body: Data, inputs: Data, context: Context): Promise<CreatedObject>;
  /**
   * Looks at an object. The moment says how fresh the look has to be: `read` accepts a list that all reads of the run
   * share, `beforeWrite` a list of the last minute, and `afterWrite` only a list that is requested after the write.
   *
   * @throws ApiError if the look fails
   */
  look(
    moment: "read" | "beforeWrite" | "afterWrite",
    id: string,
    state: State,
    context: Context,
  ): Promise<Observed>;
  /**
   * Sends an update, and returns the object as the service shows it afterwards. A write of several requests returns what each of them
   * showed, the end last: where somebody else changes the object meanwhile, only that tells it.
   */
  send(id: string, body: Data, context: Context): Promise<Data | readonly Data[]>;
}

/** Defines a type of resource, independent of the host. The steps create, read, update and delete follow from it. */
export interface Definition<Inputs extends object = Data> {
  /** Name of the type, such as `Alert`. */
  readonly type: string;
  /** Noun for messages, such as `alert`. */
  readonly noun: string;
  /** Schema of the inputs, the source of their types, rules, comparison and documentation. */
  readonly inputs: TObject;
  /** Schema of the outputs that are not inputs. */
  readonly outputs: TObject;
  /** Whether objects belong to an organization, to a service, or to the observability product of a service. */
  readonly scope: ScopeKind;
  readonly operations: ResourceOperations;
  /** Further operations that the steps of this type call. Default: none. */
  readonly calls?: readonly OperationName[];
  /** The only dialect whose servers have such objects. Default: all servers have them. */
  readonly dialect?: "clickhouse";
  /**
   * Set if the command `orphans` skips this type: an object that is in no state may hold data, or other people may use
   * it. With `unlessNamed`, the option `--only` may name the type.
   */
  readonly isNoOrphan?: true | "unlessNamed";
  /**
   * Types whose inputs can declare the objects of this type, as a service declares its scaling. If `pipestack import`
   * imports such a type, it writes no resources of this type, so that no object is declared twice.
   */
  readonly isPartOf?: readonly string[];
  /** Set if the service goes on with a create for minutes after it has answered the request. */
  readonly waiting?: Waiting;
  /** The input whose default is the name of the resource in the program. */
  readonly namedBy?: string;
  /** A member that every object has: a list or answer without it shows only a part. Default: none is known. */
  readonly sureMember?: string;
  /**
   * Lists the objects of a scope, each with its id, for types whose objects are parts of the entries of a list.
   * Default: the entries are the objects.
   */
  listed?(context: Context, asOf: AsOf): Promise<readonly Data[]>;
  /** Whether an entry of a list lacks members, so that the object has to be read by itself. Default: none does. */
  isListedInPart?(entry: Data): boolean;

  /**
   * Derives the inputs from what a program declares: adds inputs that follow from others, and removes those that only
   * say how to do so. Any value may be unknown in a preview. Runs before the inputs are checked against the schema.
   */
  complete?(declared: Data): { readonly inputs: Data; readonly failures: readonly Failure[] };
  /** Checks rules across properties, once each property is valid by itself. `olds` is absent for a new resource. */
  failures?(inputs: Partial<Inputs>, olds: Partial<Inputs> | undefined, settings: Settings): Failure[];
  /** Warns of valid inputs that are probably a mistake. */
  warnings?(inputs: Partial<Inputs>, settings: Settings): string[];
  /**
   * Gives list entries the ids that they have in a state or in a live object, so that an update keeps the entries.
   * `now` is the live object.
   */
  pair?(object: Data, reference: Data, now?: Data): Data;
  /**
   * Builds a request body from declared members. For an update, the members also include undeclared ones that the
   * request repeats, `current` is the live object, `state` the last known state, and `declared` also has inputs that
   * are never sent. Default: the members as they are.
   */
  encode?(body: Data, settings: Settings, current?: Data, state?: State, declared?: Data): Data;
  /**
   * Sorts the members of an answer into inputs and outputs. Inputs get the form in which programs declare them.
   *
   * @param reference for a read the state, for a write the body that was sent
   */
  decode(answer: Data, declared: Partial<Inputs>, reference: Data): LiveState;
  /**
   * The values of inputs that follow only from outputs in the state, such as whether a pipe shall run from its `status`. They tell what
   * somebody has changed before a program begins to declare these inputs. Default: none.
   */
  told?(state: State): Data;
  /**
   * Whether a new object in a list may come from a create request with this body. Default: it has the members of the
   * body, and defaults for all others.
   */
  isLike?(object: Data, body: Data): boolean;
  /**
   * Makes the id of an object from its inputs, for types whose objects have no id in the service. Declaring such a
   * resource adopts the object if it exists. Undefined while the inputs are unknown. Default: the service gives the id.
   */
  idIn?(inputs: Data): string | undefined;
  /** Turns live inputs into those that a program would declare, for an import. Defaults are removed afterwards. */
  declaration?(live: Data, outputs: Data): Data;
  /** The paths of live inputs that no request accepts, so that {@link declaration} leaves them out. Default: none. */
  leftOut?(live: Data): readonly string[];
  /** For a set of objects: the type of its entries, and the entries that inputs declare, in the inputs of that type. */
  readonly entries?: {
    readonly of: Definition;
    declaredIn(inputs: Data): readonly { readonly key: string; readonly inputs: Data }[];
  };
  /** The objects that take this object along when the service deletes them. Default: none does. */
  goesWith?(object: Data): readonly { readonly type: string; readonly id: string }[];
  /**
   * Whether the service has deleted the object together with another one. If so, the object counts as gone, however new
   * it is.
   *
   * @param isDenied whether the service has just answered a deletion with the statement that the object does not exist
   */
  isDeletedAlong?(state: State, context: Context, isDenied: boolean): Promise<boolean>;
  /** The types whose objects use objects of this type. Default: none. */
  users?(): readonly User[];
  /**
   * Whether the service refuses to create the replacement while the old object exists, so that the old one has to be
   * deleted first. Default: it does not.
   */
  isDeletedFirst?(state: State, inputs: Data): boolean;
  /**
   * Returns the change with its own answer to whether it replaces the object, where that depends on the object's state or on its other
   * properties. Default: the annotation of the schema decides.
   *
   * @param state the last known state or, for an object that is taken over, what the service shows
   */
  judged?(change: Change, state: State, inputs: Data): Change;
  /**
   * Sentences about what the service deletes when a program takes over an existing object and changes it. Default:
   * nothing.
   *
   * @param current the object in the service
   */
  deletedAlong?(inputs: Data, current: Data, session: Session): Promise<readonly string[]>;
  /**
   * The path segments of the page in the console that shows an object; the output `url` follows from them. A segment
   * may be `unknown` in a preview; a missing segment means that there is no page. Default: the type has no page.
   */
  page?(id: unknown, inputs: Partial<Inputs>): readonly unknown[];
  /**
   * Changes how objects are created, looked at and written, where the usual ways of collections or singletons do not
   * fit.
   */
  way?(usual: Way): Way;
}

/** The result of a check. */
export interface Checked {
  /** The declared inputs, with the organization and service from the settings. */
  readonly inputs: Data;
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

/** The result of a create. */
export interface Created {
  readonly id: string;
  readonly state: State;
  /**
   * The error of a step that failed after the object was created. The object goes into the state, and the next update
   * completes it.
   */
  readonly failure?: Error;
}

/**
 * The error of an update that was carried out in part. The state has that part, and the next update completes the rest.
 */
export class UpdatedIncompletely extends Error {
  constructor(
    readonly state: State,
    message: string,
  ) {
    super(message);
  }
}

/** The error of a write of several requests that failed after the service had carried out the first of them. */
export class ChangedInPart extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

/** The steps in the life of a resource. */
export interface Steps {
  /** Checks the inputs that a program declares. `olds` are the inputs in state, empty for a new resource. */
  check(olds: Data, news: Data, session: Session): Promise<Checked>;
  /** The changes from the inputs in state to the new ones. */
  diff(id: string, state: State, inputs: Data, session: Session): Promise<readonly Change[]>;
  /**
   * The planned object for a preview: its inputs, and the outputs that the change leaves alone. Values that nobody
   * knows yet are `unknown`, at any depth.
   *
   * @param state undefined for an object that is to be created
   * @param session has the settings, from which `url` follows; without a session `url` is unknown
   * @param id undefined for an object that is to be created
   */
  plan(state: State | undefined, inputs: Data, session?: Session, id?: string): Data;
  /** Creates an object, or takes over the one that `adoptId` names. */
  create(inputs: Data, session: Session): Promise<Created>;
  /**
   * Reads an object: returns the declared inputs, with live values where they have drifted, and the new state. Where
   * the state declares nothing, as in an import, all members in the answer count as declared.
   *
   * @returns `unseen`, with one warning per type, if the server has no route to read such objects
   */
  read(
    id: string,
    state: State,
    session: Session,
  ): Promise<{ inputs: Data; state: State } | "gone" | "unseen">;
  /**
   * Updates an object in place.
   *
   * @throws UpdatedIncompletely if a part of the update failed
   */
  update(id: string, state: State, inputs: Data, session: Session): Promise<State>;
  /**
   * Deletes an object; succeeds if the object is already gone. Objects of types without a delete operation stay in the
   * service.
   */
  delete(id: string, state: State, session: Session): Promise<void>;
}

/** A type of resource: its definition, and the steps of its life. */
export interface Resource<Inputs extends object = Data> extends Definition<Inputs>, Steps {}

/** The result of an update. If the update was carried out in part, the result has the new state and the failure. */
export async function updateAsFarAsPossible<Inputs extends object>(
  resource: Resource<Inputs>,
  ...args: Parameters<Steps["update"]>
): Promise<{ readonly state: State; readonly failure?: Error }> {
  try {
    return { state: await resource.update(...args) };
  } catch (error) {
    if (error instanceof UpdatedIncompletely) return { state: error.state, failure: error };
    throw error;
  }
}

/**
 * The names of the properties that Pulumi keeps encrypted in the state, since their schemas say that they are secret.
 */
export function secretsOf({ inputs, outputs }: Pick<Definition, "inputs" | "outputs">): string[] {
  const properties = [outputs, inputs].flatMap((schema) => Object.entries(schema.properties));
  return properties.flatMap(([name, schema]) => (annotationsOf(schema).secret ? [name] : []));
}

/**
 * The address of an object's page in the console. It holds ids alone, since a state shows it in plain text.
 *
 * @param inputs the inputs of the object, declared or live
 * @returns undefined if the object has no page, or the address of the console is not known
 */
export function urlOf(
  { page, scope }: Pick<Definition, "page" | "scope">,
  id: unknown,
  inputs: Data,
  session: Session,
): string | typeof unknown | undefined {
  const { dialect, pageUrl, serviceId } = session.settings;
  const shared = isWithoutScope(scope, session) ? undefined : dialects[dialect].pages;
  const address = pageUrl ?? shared?.address;
  const path = page?.(id, inputs) ?? [];
  const service = shared ? [inputs.serviceId ?? serviceId] : [];
  const parts = [...path, ...service];
  if (address === undefined || path.length === 0 || !parts.every(isPart)) return undefined;
  if (parts.some(isUnknown)) return unknown;
  const url = [address, ...path.map((part) => encodeURIComponent(String(part)))].join("/");
  return shared ? `${url}?${shared.service}=${encodeURIComponent(String(service))}` : url;
}

/** Whether a text may be a segment of an address: it is not empty, not `.` or `..`, and has no broken characters. */
function isPart(part: unknown): boolean {
  return isUnknown(part) || (typeof part === "string" && !/^\.{0,2}$|\p{Cs}/u.test(part));
}

/** Whether each service has exactly one object of the type, with the service's id. */
export function isSingleton({ operations }: Pick<Definition, "operations">): boolean {
  return operations.list === undefined;
}

/** The operations that the steps of a type call, including lists of the objects that may use a deleted object. */
export function operationsOf({
  operations,
  calls = [],
  users,
}: Pick<Definition, "operations" | "calls" | "users">): readonly OperationName[] {
  const { create, get, update, delete: remove, list } = operations;
  const lists = (users?.() ?? []).map(({ definition }) => definition.operations.list);
  const used = [create, get, update, remove, list, ...calls, ...(remove ? lists : [])];
  return [...new Set(used.flatMap((name) => name ?? []))];
}

/**
 * Whether the inputs alone name an object that may already exist: a singleton, or an object whose id is made of its
 * inputs.
 */
export function isNamedByInputs(resource: Pick<Definition, "operations" | "idIn">): boolean {
  return isSingleton(resource) || resource.idIn !== undefined;
}

/** The id of the object that inputs name, that of a singleton or in `adoptId`; undefined for one that is to be created. */
export function namedIdIn(resource: Pick<Definition, "operations" | "idIn">, inputs: Data): unknown {
  if (resource.idIn) return resource.idIn(inputs);
  return isSingleton(resource) ? inputs.serviceId : inputs.adoptId;
}

/** Whether the API that the settings name has objects of a type: some are on self-hosted servers alone. */
export function isServed(
  { operations, dialect }: Pick<Definition, "operations" | "dialect">,
  session: Session,
): boolean {
  if (dialect && dialect !== session.settings.dialect) return false;
  return session.observabilityVia !== "management" || session.apiOf(operations.create) === "management";
}

/** One key for an object of any type; ids that differ in case alone mean the same object. */
export function resourceKey({ type }: Pick<Definition, "type">, id: string): string {
  return `${type} ${id.toLowerCase()}`;
}
