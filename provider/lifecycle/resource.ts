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

/** The operations that serve a resource. One without `list` is a singleton: a service has one, with the service's id. */
export interface ResourceOperations {
  readonly create: OperationName;
  /** Absent if the API shows objects in the list alone. */
  readonly get?: OperationName;
  readonly update: OperationName;
  /** Absent if destroying the resource leaves the service as it is. */
  readonly delete?: OperationName;
  readonly list?: ListOperation;
}

/** The noun for the objects of a collection, and the operations on them. */
export interface Collection extends Pick<Definition, "type" | "noun" | "outputs" | "sureMember" | "waiting"> {
  readonly operations: Required<Omit<ResourceOperations, "get">> & Pick<ResourceOperations, "get">;
}

/** Objects of one type that use those of another. */
export interface User {
  readonly definition: Pick<Definition, "type" | "noun" | "operations" | "scope" | "goesWith">;
  /** Their members, at any depth, that hold ids of the used objects. */
  readonly members: readonly string[];
  /** The effect on them when the used object is deleted: a sentence without its full stop. */
  readonly consequence?: string;
  /** Whether the service deletes them, too. */
  readonly isDeletedToo: boolean;
}

/** An object as the answer to its creation shows it or, if that was lost, a list. */
export interface CreatedObject {
  readonly id: string;
  readonly object: Data;
  /** Whether a list showed it after a lost answer. */
  readonly taken?: true;
  /** Why it is not finished. The state keeps the object, and the next update goes on with it. */
  readonly unfinished?: Unfinished;
}

/** A wait for an object that did not end as it should, or what would have followed it. */
export class Unfinished extends Error {
  constructor(
    readonly awaiting: Awaited,
    message: string,
  ) {
    super(message);
  }
}

/** What the states of an object say that changes for minutes after a request. */
export interface Waiting {
  /** The member of an answer that says the state. */
  readonly stateMember: string;
  /** The states with which a create with these inputs has ended, and those with which it has failed. */
  created(inputs: Data): Outcomes;
  /** How long a step is waited for, unless the input `waitMinutes` says it. */
  minutes(step: "create" | "update" | "delete", inputs: Data): number;
}

/** The states in which a wait ends. */
export interface Outcomes {
  readonly ends: readonly string[];
  readonly fails: readonly string[];
  /** States that are enough, with a warning, once the time of the wait is over. Default: none. */
  readonly suffices?: readonly string[];
}

/** How the objects of a type are looked at and written. */
export interface Way {
  /** Creates an object, or fails without leaving one that nobody knows of. Singletons are there, or come with `send`. */
  create(body: Data, inputs: Data, context: Context): Promise<CreatedObject>;
  /**
   * Looks at an object, at a moment that says how fresh the look has to be: for a `read` a list may answer that all reads
   * of this run share, `beforeWrite` one of the last minute, `afterWrite` none that began before.
   *
   * @throws ApiError if the look fails
   */
  look(
    moment: "read" | "beforeWrite" | "afterWrite",
    id: string,
    state: State,
    context: Context,
  ): Promise<Observed>;
  /** Changes an object, and returns it as the service shows it then. */
  send(id: string, body: Data, context: Context): Promise<Data>;
}

/** A type of resource, independent of the host. The steps of its life follow from it. */
export interface Definition<Inputs extends object = Data> {
  /** Name of the type, such as `Alert`. */
  readonly type: string;
  /** Noun for messages, such as `alert`. */
  readonly noun: string;
  /** Schema of the inputs, the source of their types, rules, comparison and documentation. */
  readonly inputs: TObject;
  /** Schema of the outputs that are not inputs. */
  readonly outputs: TObject;
  /** The owner of an object. */
  readonly scope: ScopeKind;
  readonly operations: ResourceOperations;
  /** What its steps call beside these operations. Default: nothing. */
  readonly calls?: readonly OperationName[];
  /** The only dialect whose servers have such objects. Default: all have. */
  readonly dialect?: "clickhouse";
  /** Whether the command `orphans` skips this type, because an object that no state holds may have data, or other people may use it. */
  readonly isNoOrphan?: true;
  /**
   * Types whose inputs can declare the objects of this one, as a service declares its scaling. Where `pipestack import` takes such
   * a type, too, it writes no resources of this type, so that nothing is declared twice.
   */
  readonly isPartOf?: readonly string[];
  /** Set where a create goes on for minutes after its answer. */
  readonly waiting?: Waiting;
  /** The input whose default is the name of the resource in the program. */
  readonly namedBy?: string;
  /** A member that every object has: a list or an answer without it shows a part. Default: none is known. */
  readonly sureMember?: string;
  /** The objects of a scope, each with its id, where the list shows others that hold them. Default: the entries of the list. */
  listed?(context: Context, asOf: AsOf): Promise<readonly Data[]>;
  /** Whether lists leave out a part of an object, so that only its own operation shows the whole. Default: none does. */
  isListedInPart?(entry: Data): boolean;

  /**
   * The inputs for the members that a program declares: with those that follow from others, and without those that only say
   * how. A value that is not known yet may be anywhere. Runs before the check against the schema.
   */
  complete?(declared: Data): { readonly inputs: Data; readonly failures: readonly Failure[] };
  /** Rules across properties, checked once each property is valid by itself. `olds` is absent for a new resource. */
  failures?(inputs: Partial<Inputs>, olds: Partial<Inputs> | undefined, settings: Settings): Failure[];
  /** Warnings: valid input that is probably a mistake. */
  warnings?(inputs: Partial<Inputs>, settings: Settings): string[];
  /** Gives entries of lists the ids that they have in a state or in a found object; `now` is the object in the service. */
  pair?(object: Data, reference: Data, now?: Data): Data;
  /**
   * Builds a request body from the declared members, and for an update also from those carried over, from `current`, the
   * object in the service, and from the last known state; `declared` also has the inputs that are never sent. Default: the
   * members as they are.
   */
  encode?(body: Data, settings: Settings, current?: Data, state?: State, declared?: Data): Data;
  /**
   * Sorts the members of an object in the service into inputs and outputs, inputs in the form in which they are declared.
   *
   * @param reference the state for a read, and the body that was sent for a write
   */
  decode(answer: Data, declared: Partial<Inputs>, reference: Data): LiveState;
  /**
   * Whether a newly found object may be the one that a create with this body has made. Default: it shows the members of the
   * body, and the defaults of all others.
   */
  isLike?(object: Data, body: Data): boolean;
  /**
   * Makes the id of an object from its inputs, for a type whose objects get no id from the service: declaring one adopts what is
   * there. Undefined while these inputs are unknown. Default: the service gives the id.
   */
  idIn?(inputs: Data): string | undefined;
  /** Turns live inputs into those that a program would declare (for import), which defaults are then taken out of. */
  declaration?(live: Data, outputs: Data): Data;
  /** The paths of what live inputs have and no request takes, so that {@link declaration} leaves it out. Default: none. */
  leftOut?(live: Data): readonly string[];
  /** Set for a set: the type of its entries, and those that inputs declare, in the inputs of that type. */
  readonly entries?: {
    readonly of: Definition;
    declaredIn(inputs: Data): readonly { readonly key: string; readonly inputs: Data }[];
  };
  /** The objects with which the service deletes an object. Default: it deletes none along. */
  goesWith?(object: Data): readonly { readonly type: string; readonly id: string }[];
  /**
   * Whether the service has deleted the object of a state together with another one: then it is gone, however new it is.
   *
   * @param isDenied whether the service has just said to a deletion that there is no such object
   */
  isDeletedAlong?(state: State, context: Context, isDenied: boolean): Promise<boolean>;
  /** The types whose objects use those of this one. Default: none. */
  users?(): readonly User[];
  /** Whether the service refuses the object that replaces one of this state as long as that is there. Default: it takes both. */
  isDeletedFirst?(state: State, inputs: Data): boolean;
  /**
   * What the service deletes with what a program replaces of an object that it takes over, in sentences. Default: nothing.
   *
   * @param current the object in the service
   */
  deletedAlong?(inputs: Data, current: Data, session: Session): Promise<readonly string[]>;
  /**
   * The path of the page that shows an object to people, by its segments: the output `url` follows from it. A segment may be
   * `unknown`; one that is missing means that there is no page. Default: no object has one.
   */
  page?(id: unknown, inputs: Partial<Inputs>): readonly unknown[];
  /** How its objects are looked at and written, where that is not the way of all collections or singletons. */
  way?(usual: Way): Way;
}

/** The result of a check. */
export interface Checked {
  /** The declared inputs, with those that the settings add. */
  readonly inputs: Data;
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

/** The result of a create. */
export interface Created {
  readonly id: string;
  readonly state: State;
  /** A failure after the object existed. The object goes into the state; the next update completes it. */
  readonly failure?: Error;
}

/** An update that was carried out in part. The state has that part, and the next update completes it. */
export class UpdatedIncompletely extends Error {
  constructor(
    readonly state: State,
    message: string,
  ) {
    super(message);
  }
}

/** A write of several requests failed after the first of them was carried out. */
export class ChangedInPart extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

/** The steps in the life of a resource. */
export interface Steps {
  /** Checks the inputs that a program declares. `olds` are those in state, empty for a new resource. */
  check(olds: Data, news: Data, session: Session): Promise<Checked>;
  /** The changes from the inputs in state to the new ones. */
  diff(id: string, state: State, inputs: Data, session: Session): Promise<readonly Change[]>;
  /**
   * The planned object for a preview: inputs, outputs that the change leaves alone, and `unknown` at any depth for values
   * that nobody knows yet.
   *
   * @param state the object as it is; undefined for one that is to be created
   * @param session knows the settings, from which `url` follows; without it that is not known
   * @param id undefined for an object that is to be created
   */
  plan(state: State | undefined, inputs: Data, session?: Session, id?: string): Data;
  /** Creates an object, or takes over the one that `adoptId` names. */
  create(inputs: Data, session: Session): Promise<Created>;
  /**
   * Reads the object: the declared inputs with drifted values in place, and the new state. Where the state
   * declares nothing, as when an existing object is looked up, all that the service answers counts as declared.
   *
   * @returns `unseen`, and says so once for each type, if the server has no route to look at the object
   */
  read(
    id: string,
    state: State,
    session: Session,
  ): Promise<{ inputs: Data; state: State } | "gone" | "unseen">;
  /**
   * Updates an object in place.
   *
   * @throws UpdatedIncompletely if a part of it failed
   */
  update(id: string, state: State, inputs: Data, session: Session): Promise<State>;
  /** Deletes an object; succeeds if it is already gone. An object without an operation for it stays as it is. */
  delete(id: string, state: State, session: Session): Promise<void>;
}

/** A type of resource: its definition, and the steps of its life. */
export interface Resource<Inputs extends object = Data> extends Definition<Inputs>, Steps {}

/** The result of an update, and its failure if a part of it failed. */
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

/** The properties that are kept encrypted in state: those whose schemas say that they are secret. */
export function secretsOf({ inputs, outputs }: Pick<Definition, "inputs" | "outputs">): string[] {
  const properties = [outputs, inputs].flatMap((schema) => Object.entries(schema.properties));
  return properties.flatMap(([name, schema]) => (annotationsOf(schema).secret ? [name] : []));
}

/**
 * The address of an object's page for people, made of ids alone: a state shows it in plain text.
 *
 * @param inputs those of the object, as declared or as live
 * @returns undefined if the object has no page, or the address of the product's pages is not known
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

/** No part of an address is empty, a step to another folder, or holds half of a character. */
function isPart(part: unknown): boolean {
  return isUnknown(part) || (typeof part === "string" && !/^\.{0,2}$|\p{Cs}/u.test(part));
}

/** Whether the type is a singleton: one object per service, with the service's id. */
export function isSingleton({ operations }: Pick<Definition, "operations">): boolean {
  return operations.list === undefined;
}

/** The operations that the life of an object takes, and the look for those that use it before it is deleted. */
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

/** Whether inputs name an object that may be there already: a singleton, and one whose id is made of them. */
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
