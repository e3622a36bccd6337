import type { ListOperation, OperationName } from "../api/operations";
import type { Change } from "../values/compare";
import type { Data } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TObject } from "../values/schemaBuilders";
import type { Scope, ScopeKind } from "./scope";
import type { Session } from "./session";
import type { LiveState, State, Written } from "./state";
import type { Failure } from "./validate";

/** What a program declares. */
export interface Desired<Inputs extends object> {
  readonly inputs: Inputs;
  /** The inputs that the service knows, without those that say where or how the provider acts. */
  readonly body: Data;
}

/** Where and through what a resource acts. */
export interface Context {
  readonly session: Session;
  /** Path parameters of the organization and the service. */
  readonly scope: Scope;
}

/** The result of a create. */
export interface CreateResult {
  readonly id: string;
  readonly live: Written;
  /** Values before the create, restored when the resource is destroyed. */
  readonly previous?: Data;
  /** What failed after the object existed. The object goes into the state; the next update completes it. */
  readonly failure?: Error;
}

/** The result of a read: `gone` if the service says so. */
export type ReadResult = LiveState | "gone";

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

/** What the objects of a collection are called, and the operations on them. */
export interface Collection extends Pick<Contract, "noun"> {
  readonly operations: Required<Omit<ResourceOperations, "get">> & Pick<ResourceOperations, "get">;
}

/** Objects of one type that use those of another. */
export interface User {
  readonly contract: Pick<Contract, "type" | "noun" | "operations">;
  /** Their members, at any depth, that hold the ids of what they use. */
  readonly members: readonly string[];
  /** What the service does to them when what they use is deleted: a sentence without its end. */
  readonly consequence: string;
  /** Whether it deletes them, too. */
  readonly isDeletedToo: boolean;
}

/** What a type of resource is: its contract, and the rules that need no call. */
export interface Contract<Inputs extends object = Data> {
  /** Name of the type, such as `Alert`. */
  readonly type: string;
  /** Noun for messages, such as `alert`. */
  readonly noun: string;
  /** Schema of the inputs, the source of their types, rules, comparison and documentation. */
  readonly inputs: TObject;
  /** Schema of the outputs that are not inputs. */
  readonly outputs: TObject;
  /** What an object belongs to. */
  readonly scope: ScopeKind;
  readonly operations: ResourceOperations;
  /** The input whose default is the name of the resource in the program. */
  readonly namedBy?: string;

  /** Rules across properties, checked once each property is valid by itself. `olds` is absent for a new resource. */
  failures?(inputs: Partial<Inputs>, olds: Partial<Inputs> | undefined, session: Session): Failure[];
  /** Warnings: valid input that is probably a mistake. */
  warnings?(inputs: Partial<Inputs>, session: Session): string[];
  /**
   * What only the service can say of a change before it is made. Asked when the rest of the check finds nothing wrong and
   * this process has written nothing; never fails because the service does.
   */
  askService?(inputs: Data, session: Session): Promise<readonly Failure[]>;
  /**
   * Warnings of what else the changes do, which only the state of the object tells. Asked whenever a program's inputs are
   * compared with a state, without changes, too; never fails because the service does, and throws what must not be done.
   */
  consequences?(
    changes: readonly Change[],
    inputs: Data,
    state: State,
    session: Session,
  ): Promise<readonly string[]>;
  /**
   * Outputs as far as inputs and state say them before anything is written, such as the ids of what an update leaves alone;
   * `unknown` at any depth where they do not. The state of what is to be created is empty.
   */
  plannedOutputs?(inputs: Partial<Inputs>, state: Data): Data;
  /** Gives entries of lists the ids that they have in a state, or in what was found; `now` is what the service has. */
  withIds?(object: Data, known: Data, now?: Data): Data;
  /** The types whose objects use those of this one. Default: none. */
  users?(): readonly User[];
  /** Turns live inputs into what a program would declare (for import). */
  declaration?(found: Data): Data;
}

/** One type of resource: its contract, and what it does at each step. Everything here is independent of the host. */
export interface Resource<Inputs extends object = Data> extends Contract<Inputs> {
  create(desired: Desired<Inputs>, context: Context): Promise<CreateResult>;
  /** Takes over an object that exists. */
  adopt?(id: string, found: Data, desired: Desired<Inputs>, context: Context): Promise<Written>;
  read(id: string, inputs: Partial<Inputs>, state: State, context: Context): Promise<ReadResult>;
  update(id: string, desired: Desired<Inputs>, state: State, context: Context): Promise<Written>;
  delete(id: string, state: State, context: Context): Promise<void>;
}

/** The properties that are kept encrypted in state: those whose schemas say that they are secret. */
export function secretsOf({ inputs, outputs }: Pick<Contract, "inputs" | "outputs">): string[] {
  return [outputs, inputs].flatMap((schema) =>
    Object.keys(schema.properties).filter((name) => annotationsOf(schemaAt(schema, name)).secret),
  );
}

/** Whether the type is a singleton: one object per service, with the service's id. */
export function isSingleton({ operations }: Pick<Contract, "operations">): boolean {
  return operations.list === undefined;
}

/** Whether the API that the settings name has objects of a type: some are on self-hosted servers alone. */
export function isServed({ operations }: Pick<Contract, "operations">, session: Session): boolean {
  return session.observabilityVia !== "management" || session.apiOf(operations.create) === "management";
}

/** One key for an object of any type; ids that differ in case alone mean the same object. */
export function resourceKey({ type }: Pick<Contract, "type">, id: string): string {
  return `${type} ${id.toLowerCase()}`;
}
