import type { ListOperation, ObjectOperation, OperationName, PathParameters } from "../api/operations";
import type { Settings } from "../api/settingsSchema";
import type { Change } from "../values/compare";
import type { PropertyMap } from "../values/data";
import { annotationsOf } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import type { Failure } from "../values/validate";
import type { Around } from "./life";
import type { AsOf } from "./lists";
import type { Context, ScopeKind } from "./scope";
import type { Session } from "./session";
import type { Observed, State } from "./state";
import type { Aim, Step } from "./steps";
import type { Unfinished } from "./unfinished";

/** The API operations of a resource type. One without `list` is a singleton: each service has one, with the service's id. */
export interface ResourceOperations {
  readonly create: ObjectOperation;
  /** The operation that reads one object; absent if the API shows such objects only in a list. */
  readonly get?: ObjectOperation;
  readonly update: ObjectOperation;
  /** The operation that deletes an object; absent if destroying the resource changes nothing in the service. */
  readonly delete?: OperationName;
  readonly list?: ListOperation;
}

/** The parts of a definition that objects of a collection need, such as alerts. */
export interface Collection
  extends Pick<
    Definition,
    "type" | "noun" | "outputs" | "completenessField" | "waiting" | "isNoOrphan" | "isNamedInOrganization"
  > {
  readonly operations: Required<Omit<ResourceOperations, "get">> & Pick<ResourceOperations, "get">;
}

/** A created object as the answer to the create shows it or, if the answer was lost, as a list shows it. */
export interface CreatedObject {
  readonly id: string;
  readonly object: PropertyMap;
  /** Set if the answer to the create was lost, and a list showed the object. */
  readonly taken?: true;
  /** Set if the created object is not ready yet. The Pulumi state keeps it, and the next update goes on waiting. */
  readonly unfinished?: Unfinished;
}

/** How the provider waits for objects that take minutes to become ready after a request, such as services. */
export interface Waiting {
  /** The property of an API's answer that has the state of the object, such as `running`. */
  readonly stateMember: string;
  /** The states in which an object with the given inputs is ready, and those in which its create has failed. */
  created(inputs: PropertyMap): Outcomes;
  /** The place where people learn why an object has failed, for the end of a message. Default: in the console. */
  whyFailed?(object: PropertyMap): string;
  /** The minutes that a step may wait for the object, unless the input `waitMinutes` sets them. */
  minutes(step: "create" | "update" | "delete", inputs: PropertyMap): number;
}

/** The states of an object in which the provider's wait for it ends. */
export interface Outcomes {
  readonly ends: readonly string[];
  readonly fails: readonly string[];
  /** States of an object that count as ready, with a warning, once the time limit of the wait is over. Default: none. */
  readonly suffices?: readonly string[];
}

/** A read of an object. */
export interface Look {
  /**
   * Why the object is read: `read` accepts a list that the whole Pulumi run shares, `beforeWrite` one that updates
   * share for some seconds, and `afterWrite` only a list that is requested after the write.
   */
  readonly moment: "read" | "beforeWrite" | "afterWrite";
  readonly id: string;
  readonly state: State;
  readonly context: Context;
  /** Whether the list may show an outdated version of the object, or a part of it, so that it is read by its id. */
  isDoubtful?(entry: PropertyMap): boolean;
}

/** A create of an object with the body of its request and the inputs that the program declares. */
export interface Creating {
  readonly body: PropertyMap;
  readonly inputs: PropertyMap;
  readonly context: Context;
  /** The request that makes the object of another one, such as a read replica. Default: that of the type's create operation. */
  readonly through?: Through;
}

/** An operation that creates an object, with the path parameters that name the object of which it is made. */
export interface Through {
  readonly operation: ObjectOperation;
  readonly parameters: PathParameters;
}

/** Defines a type of resource, for the Node.js SDK and the plugin. Its create, read, update and delete follow from it. */
export interface Definition {
  /** Name of the resource type, such as `Alert`. */
  readonly type: string;
  /** Noun for an object of the type in messages, such as `alert`. */
  readonly noun: string;
  /** Schema of the resource's inputs, from which their types, rules, comparison and documentation follow. */
  readonly inputs: TObject;
  /** Schema of the resource's outputs that are not inputs. */
  readonly outputs: TObject;
  /** The owner of the objects of this type: an organization, a service, or the observability product (HyperDX) of a service. */
  readonly scope: ScopeKind;
  readonly operations: ResourceOperations;
  /** Further API operations that the steps of this resource type call. Default: none. */
  readonly calls?: readonly OperationName[];
  /** The only dialect whose servers have objects of this type. Default: all servers have them. */
  readonly dialect?: "clickhouse";
  /**
   * Set if `pipestack orphans` skips this type: an object in no Pulumi state may hold data, or other people may use it. With
   * `unlessNamed`, the option `--only` may name the type.
   */
  readonly isNoOrphan?: true | "unlessNamed";
  /**
   * Types of resource that declare the objects of this type, too, as a service declares its scaling. An import that writes such
   * a type writes no resources of this type, so that no object is declared twice.
   */
  readonly isPartOf?: readonly string[];
  /** Set if the API goes on with a create for minutes after it has answered the request. */
  readonly waiting?: Waiting;
  /** The input whose default is the resource's name in the program. */
  readonly namedBy?: string;
  /** A property that every object of the type has, so an answer without it shows a part of the object. Default: none known. */
  readonly completenessField?: string;
  /**
   * Lists the objects of the type, each with its id, if no list of the API has just these objects: role assignments, for
   * example, are parts of roles. Default: each entry of the list is an object.
   * @param id the object that is looked for, if it is only one
   */
  listed?(context: Context, asOf: AsOf, id?: string): Promise<readonly PropertyMap[]>;

  /**
   * Derives a resource's inputs from what a program declares, before the check against the schema: adds inputs that follow from
   * others, and removes those that are needed only for this. Any value may be unknown in a preview.
   */
  complete?(declared: PropertyMap): { readonly inputs: PropertyMap; readonly failures: readonly Failure[] };
  /** Checks rules across valid inputs. `olds` are the inputs in the Pulumi state, absent for a new resource. */
  failures?(inputs: PropertyMap, olds: PropertyMap | undefined, settings: Settings): Failure[];
  /** Warns of valid inputs of a resource that are probably a mistake. `olds` as for {@link failures}. */
  warnings?(inputs: PropertyMap, settings: Settings, olds: PropertyMap | undefined): string[];
  /**
   * Gives list entries in a request the ids from a Pulumi state or from the live object `now`, so that an update keeps them.
   */
  pair?(object: PropertyMap, reference: PropertyMap, now?: PropertyMap): PropertyMap;
  /**
   * Builds a request body from the declared inputs. In an update, the inputs include undeclared properties that the request
   * repeats, and `current` is the live object. Default: the inputs as they are.
   */
  encode?(body: PropertyMap, settings: Settings, current?: PropertyMap, state?: State): PropertyMap;
  /**
   * The members of an object in an answer of the API by the names that they have as inputs and outputs. Default: the answer as it
   * is.
   */
  decode?(answer: PropertyMap): PropertyMap;
  /**
   * A decoded object in the form in which the program declares it. Default: as it is.
   * @param reference for a read the Pulumi state, for a write the body that was sent
   * @param former values whose lists have the entries that the program declared before, or whose removal is owed. Where a
   * program owns only its own entries of a list, these count as its own, too. Default: none
   */
  formOf?(
    live: PropertyMap,
    declared: PropertyMap,
    reference: PropertyMap,
    former?: PropertyMap,
  ): PropertyMap;
  /**
   * The inputs that follow only from outputs in the Pulumi state: whether a pipe shall run, for example, follows from its
   * `status`. When a program begins to declare such an input, the provider can thus tell whether somebody has changed its value
   * before. Default: none.
   */
  inferredInputs?(state: State): PropertyMap;
  /**
   * Whether a new object in a list may come from a create with the given body. Default: it has the body's properties and
   * defaults.
   */
  isLike?(object: PropertyMap, body: PropertyMap): boolean;
  /**
   * Makes an object's id from its inputs, where the API gives none; undefined while they are unknown. Declaring such a resource
   * adopts the object if it exists. Default: the API gives the id.
   */
  idIn?(inputs: PropertyMap): string | undefined;
  /** Set if another organization may have an object of the same id: the id is a name, an address, or has that of a system role. */
  readonly isNamedInOrganization?: true;
  /**
   * Turns an object's live inputs into those that a program would declare, for an import. Defaults are removed afterwards.
   * @param leaveOut notes the path of a live input that the declaration lacks, since no request accepts it
   */
  declaration?(live: PropertyMap, outputs: PropertyMap, leaveOut: (path: string) => void): PropertyMap;
  /**
   * What becomes of an object of this type when an object is deleted whose id it has, by the type of the deleted one: a sentence for
   * a warning, without its full stop, or `deletedToo`. The inputs with such ids have the annotation `of`. Default: no warning.
   */
  readonly uses?: { readonly [type: string]: string };
  /**
   * Whether the API has deleted the object together with another one, as an alert with its tile. If so, the object counts as
   * gone, however new it is.
   *
   * @param isDenied whether the API has just answered a delete request with the statement that the object does not exist
   */
  isCascadeDeleted?(state: State, context: Context, isDenied: boolean): Promise<boolean>;
  /**
   * Whether the API refuses the replacement while the old object exists, so that the old one goes first. Default: it does not.
   */
  isDeletedFirst?(state: State, inputs: PropertyMap): boolean;
  /**
   * Decides whether a changed input replaces the object, if other inputs or the object's state matter. Default: the schema
   * does.
   * @param state the last known Pulumi state or, for an object that is taken over, the live object
   */
  refineChange?(change: Change, state: State, inputs: PropertyMap): Change;
  /**
   * Sentences about what the API deletes when a program takes over the existing object `current` and changes it. Default: none.
   */
  cascadeWarnings?(inputs: PropertyMap, current: PropertyMap, session: Session): Promise<readonly string[]>;
  /**
   * Path segments of the object's page in the web console, from which the output `url` follows. A segment may be `unknown` in a
   * preview; a missing one means that there is no page. Default: the type has no page.
   */
  page?(id: unknown, inputs: PropertyMap): readonly unknown[];
  /** Set if an update repeats members of the answer that this version of the provider does not know, and would else clear. */
  readonly keepsUnknown?: true;
  /**
   * Creates an object, or fails without leaving an unknown object behind. Default: exactly one create request. A singleton, such
   * as a service's scaling, is created by its first update.
   */
  creation?(
    creating: Creating,
    usual: (creating: Creating) => Promise<CreatedObject>,
  ): Promise<CreatedObject>;
  /**
   * Reads an object. Default: from the list, and by its id where the list does not suffice.
   * @throws ApiError if the read fails
   */
  look?(look: Look, usual: (look: Look) => Promise<Observed>): Promise<Observed>;
  /** The steps of an update. Default: one request with the encoded body. */
  steps?(aim: Aim): readonly Step[];
  /** What the type does around the steps of its life, such as a check by the service after the usual check. */
  readonly around?: Around;
  /** Sends an update through a queue of several resources, in place of {@link steps}. Returns the object as the API shows it then. */
  send?(id: string, aim: Aim, context: Context): Promise<PropertyMap>;
}

/** The names of the properties that Pulumi keeps encrypted in the state, since their schemas say that they are secret. */
export function secretsOf({ inputs, outputs }: Pick<Definition, "inputs" | "outputs">): string[] {
  const properties = [outputs, inputs].flatMap((schema) => Object.entries(schema.properties));
  return properties.flatMap(([name, schema]) => (annotationsOf(schema).secret ? [name] : []));
}

/** Whether a resource type is a singleton: each service has exactly one object of it, with the service's id. */
export function isSingleton({ operations }: Pick<Definition, "operations">): boolean {
  return operations.list === undefined;
}

/** Names an object in a message: `alert 66f0…`, and for a singleton `scaling of service 7b0f…`. */
export function titleOf(resource: Pick<Definition, "noun" | "operations">, id: string): string {
  return `${resource.noun} ${isSingleton(resource) ? "of service " : ""}${id}`;
}

/**
 * Whether the inputs alone name an object that may already exist: a singleton such as a service's scaling, or an object whose
 * id is made of its inputs.
 */
export function isNamedByInputs(resource: Pick<Definition, "operations" | "idIn">): boolean {
  return isSingleton(resource) || resource.idIn !== undefined;
}

/**
 * The id of the existing object that inputs name: that of a singleton such as a service's scaling, or the one in `adoptId`;
 * undefined for an object to create.
 */
export function idNamedIn(resource: Pick<Definition, "operations" | "idIn">, inputs: PropertyMap): unknown {
  if (resource.idIn) return resource.idIn(inputs);
  return isSingleton(resource) ? inputs.serviceId : inputs.adoptId;
}

/** Whether the API that the settings name has objects of a resource type: only self-hosted servers have some. */
export function isServed(
  { operations, dialect }: Pick<Definition, "operations" | "dialect">,
  session: Session,
): boolean {
  if (dialect && dialect !== session.settings.dialect) return false;
  return session.observabilityVia !== "management" || session.apiOf(operations.create) === "management";
}
