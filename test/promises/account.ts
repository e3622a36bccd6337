import type { Caller, Data, Store } from "./store";

/**
 * Everything that happened to a service and to the stacks that use it, as a test suite has recorded it. Parts that a
 * suite cannot record are absent, and promises that need them are not judged.
 */
export interface Account {
  /**
   * The commands of the stacks in the order in which they ended. Commands at the end, without faults, have negative
   * numbers.
   */
  readonly runs: readonly Run[];
  readonly stacks: readonly StackInTheEnd[];
  /** The records of the service, with all changes. */
  readonly store: Store;
  /** Texts that must not occur anywhere in any encoding: credentials of programs, and secrets of the service. */
  readonly credentials: readonly string[];
  /** Further texts that must contain no credential, such as a journal. */
  readonly places?: { readonly [place: string]: string };
  readonly orphans?: readonly OrphansLook[];
  readonly wire?: readonly Request[];
  readonly byHand?: ByHand;
  readonly habits?: Habits;
  /** The number of times that a failed call is repeated. */
  readonly maxRetries?: number;
  /** The setting `onConflict` of the stacks. Default: `warn`. */
  readonly onConflict?: "warn" | "fail";
  /** Matches errors that only a change of the program can fix. */
  readonly forTheUser?: RegExp;
  /** The error with which the history ended early. */
  readonly failure?: Error;
  /** The id of the service whose scaling and query endpoint programs declare. */
  readonly serviceId: string;
  /** The ids of keys that sign requests of a stack. */
  readonly signingKeys?: readonly string[];
  /**
   * Returns the declared properties whose stored values in the service differ: `shown` are visible in answers,
   * `hidden` are not.
   */
  differences?(declared: Declared, record: Data): Differences;
}

export interface Differences {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** A command of the engine, with what its user saw. */
export interface Run {
  readonly step: {
    readonly number: number;
    readonly actor: "a" | "b";
    readonly command: "up" | "up --refresh" | "refresh" | "preview" | "drift" | "destroy";
    /** True if `--target` limits the command to some resources. */
    readonly targets?: true;
  };
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** Warnings, information and errors. */
  readonly messages: readonly string[];
  /** Everything else that the command printed, including stack traces. */
  readonly printed?: string;
  readonly requests: number;
  readonly wasKilled: boolean;
  /** The declared resources before and after the step's changes of the program. */
  readonly programs: readonly [Program, Program];
  /** The resources in the state before the command. */
  readonly before: ReadonlyMap<string, Kept>;
  /** The resources in the state after the command; after a preview, those that it has read. */
  readonly after: ReadonlyMap<string, Kept>;
  /** Texts that the program keeps secret: no message shows them, and no state has them in plain text. */
  readonly secretWords: readonly string[];
  /** Returns the changed parts of the state file, with secrets encrypted. */
  plainState(): string;
  /** The result of a provider function such as `getService`, and the result that it should have. */
  readonly answers?: readonly [given: unknown, truth: unknown];
}

/** The outcome of a command. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly operations: readonly Operation[];
  /** Resources that a refresh removed from the state. */
  readonly gone: readonly { readonly name: string; readonly kept: Kept }[];
  /** The names of resources that differ between service, state and program. */
  readonly differing: readonly string[];
}

/** What a command did with one resource. */
export interface Operation {
  readonly name: string;
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | "same" | "import";
}

/** A resource in the state of a stack. */
export interface Kept {
  readonly type: string;
  readonly id: string;
  readonly inputs: Data;
  readonly outputs: Data;
  /** The names of the resources that its arguments refer to. */
  readonly dependencies?: readonly string[];
  /** The provider instance that manages the resource. */
  readonly instance?: string;
  /** True if the resource was imported, so that its secrets are unknown. */
  readonly isImported?: true;
}

/** A resource of a program. */
export interface Declared {
  readonly type: string;
  readonly args: Data;
  /** The id of the option `import`. */
  readonly importId?: string;
}

/** What a program declares, by the names of its resources. */
export type Program = ReadonlyMap<string, Declared>;

export interface StackInTheEnd {
  readonly actor: "a" | "b";
  readonly state: { readonly resources: ReadonlyMap<string, Kept> };
  readonly program: Program;
  /** All messages that the stack's user has seen. */
  readonly messages: readonly string[];
  /** All objects in the stack's state, including those that wait for deletion. */
  held(): readonly Held[];
}

/** An object in a state. */
export type Held = Pick<Kept, "type" | "id">;

/** What `pipestack orphans` found and printed. */
export interface OrphansLook {
  readonly step: { readonly number: number };
  readonly messages: readonly string[];
  /** The names of objects that were in a state during the whole search. */
  readonly held: ReadonlySet<string>;
  /** The found objects; absent if the command failed. */
  readonly found?: readonly Held[];
}

/** A request, as it was sent. */
export interface Request {
  readonly at: number;
  readonly answeredAt?: number;
  readonly caller: Caller;
  readonly process: number;
  readonly api: "management" | "observability";
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly isCreate: boolean;
  readonly fault?: {
    readonly kind: string;
    /**
     * Whether and when a request that failed was carried out: "no", "yes" for before the fault, or a number of
     * milliseconds after it.
     */
    readonly carriedOut?: "no" | "yes" | number;
    /** The age in milliseconds of the values in an answer from a stale replica. */
    readonly milliseconds?: number;
    readonly shows?: "old" | "sent";
  };
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Properties that a person has set in the console while no program declared them. */
export interface ByHand {
  /** The names of such properties, by `kind id`. */
  readonly set: ReadonlyMap<string, ReadonlySet<string>>;
  /** The properties that a person has set inside a series of a tile, which is an entry of `select`. */
  readonly inside: readonly {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[];
}

/** The habits that a simulated service keeps throughout a history. */
export interface Habits {
  /** Milliseconds by which every list lags. */
  readonly listLag: number;
  /** Milliseconds for which the service shows the old scaling after a change. */
  readonly scalingLag: number;
  /** True if alerts show the date of their creation. `timedIds`: true if their ids contain it. */
  readonly datesAlerts?: boolean;
  readonly timedIds?: boolean;
  /** True if the answer to a create contains only the id. */
  readonly receipts: boolean;
  /** The maximum number of entries on a page. */
  readonly page: number;
  readonly dialect: "neutral" | "clickhouse";
  /** The ways in which the service changes values that it receives, by name. */
  readonly rewrites: object;
}

/** Returns true if the command looked for drift and found that service, state and program agree. */
export function isClean({ step, outcome }: Run): boolean {
  return step.command === "drift" && outcome.errors.length === 0 && outcome.differing.length === 0;
}
