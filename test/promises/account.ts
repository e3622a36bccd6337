import type { Caller, Data, Store } from "./store";

/**
 * The account of a test: everything that happened to a service and to the stacks that use it, as recorded by a test suite.
 * Parts that a suite cannot record are absent, and promises that need them are not judged.
 */
export interface Account {
  /**
   * The Pulumi commands on the stacks in the order in which they ended. Commands at the end, without faults, have negative
   * numbers.
   */
  readonly runs: readonly Run[];
  readonly stacks: readonly StackInTheEnd[];
  /** The records of all objects in the service, with all changes. */
  readonly store: Store;
  /** Secret texts that must not occur anywhere in any encoding: credentials of programs, and secrets of the service. */
  readonly credentials: readonly string[];
  /** Further texts that must contain no credential, such as a journal. */
  readonly places?: { readonly [place: string]: string };
  readonly orphans?: readonly OrphansLook[];
  readonly wire?: readonly Request[];
  readonly byHand?: ByHand;
  readonly habits?: Habits;
  /** The number of times that the provider repeats a failed call. */
  readonly maxRetries?: number;
  /** The setting `onConflict` of the stacks. Default: `warn`. */
  readonly onConflict?: "warn" | "fail";
  /** Matches errors that only a change of the program can fix. */
  readonly forTheUser?: RegExp;
  /** The error with which the recorded history ended early. */
  readonly failure?: Error;
  /** The id of the service whose scaling and query endpoint programs declare. */
  readonly serviceId: string;
  /** The ids of keys that sign requests of a stack. */
  readonly signingKeys?: readonly string[];
  /**
   * Returns the declared properties whose stored values in the service differ: those in `shown` are visible in answers, those
   * in `hidden` are not.
   */
  differences?(declared: Declared, record: Data): Differences;
}

export interface Differences {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** A command of Pulumi's engine, with everything that its user saw. */
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
  /** The warnings, information and errors that the command printed. */
  readonly messages: readonly string[];
  /** Everything else that the command printed, including stack traces. */
  readonly printed?: string;
  readonly requests: number;
  readonly wasKilled: boolean;
  /** The declared resources before and after the changes of the program in this step. */
  readonly programs: readonly [Program, Program];
  /** The resources in the Pulumi state before the command. */
  readonly before: ReadonlyMap<string, Kept>;
  /** The resources in the Pulumi state after the command; after a preview, those that it has read. */
  readonly after: ReadonlyMap<string, Kept>;
  /** Texts that the program keeps secret: no message shows them, and no Pulumi state has them in plain text. */
  readonly secretWords: readonly string[];
  /** Returns the changed parts of the state file, with secrets encrypted. */
  plainState(): string;
  /** The result of a provider function such as `getService`, and the result that it should have. */
  readonly answers?: readonly [given: unknown, truth: unknown];
}

/** The outcome of a Pulumi command. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly operations: readonly Operation[];
  /** Resources that a refresh removed from the Pulumi state. */
  readonly gone: readonly { readonly name: string; readonly kept: Kept }[];
  /** The names of the resources that differ between service, Pulumi state and program. */
  readonly differing: readonly string[];
}

/** What a Pulumi command did with one resource. */
export interface Operation {
  readonly name: string;
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | "same" | "import";
}

/** A resource in the Pulumi state of a stack. */
export interface Kept {
  readonly type: string;
  readonly id: string;
  readonly inputs: Data;
  readonly outputs: Data;
  /** The names of the resources to which the arguments of this one refer. */
  readonly dependencies?: readonly string[];
  /** The provider instance that manages the resource. */
  readonly instance?: string;
  /** True if the resource was imported, so that its secrets are unknown. */
  readonly isImported?: true;
}

/** A resource that a program declares. */
export interface Declared {
  readonly type: string;
  readonly args: Data;
  /** The id in the resource option `import`. */
  readonly importId?: string;
}

/** The resources that a program declares, by name. */
export type Program = ReadonlyMap<string, Declared>;

export interface StackInTheEnd {
  readonly actor: "a" | "b";
  readonly state: { readonly resources: ReadonlyMap<string, Kept> };
  readonly program: Program;
  /** All messages that the stack's user has seen. */
  readonly messages: readonly string[];
  /** All objects in the stack's Pulumi state, including those that wait for deletion. */
  held(): readonly Held[];
}

/** An object that a Pulumi state contains. */
export type Held = Pick<Kept, "type" | "id">;

/** What `pipestack orphans` found and printed. */
export interface OrphansLook {
  readonly step: { readonly number: number };
  readonly messages: readonly string[];
  /** The names of the objects that were in a Pulumi state during the whole search for orphans. */
  readonly held: ReadonlySet<string>;
  /** The orphans that were found; absent if the command failed. */
  readonly found?: readonly Held[];
}

/** A request to the service, as it was sent. */
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
    /** The age in milliseconds of the values in an answer that comes from a stale replica. */
    readonly milliseconds?: number;
    readonly shows?: "old" | "sent";
  };
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Properties that a person has set in the console while no program declared them. */
export interface ByHand {
  /** The names of properties that a person has set while no program declared them, by `kind id`. */
  readonly set: ReadonlyMap<string, ReadonlySet<string>>;
  /** The properties that a person has set inside a series of a tile, which is an entry of `select`. */
  readonly inside: readonly {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[];
}

/** The unusual behaviour that a simulated service keeps throughout a history. */
export interface Habits {
  /** Milliseconds by which every list lags. */
  readonly listLag: number;
  /** Milliseconds for which the service shows the old scaling after a change. */
  readonly scalingLag: number;
  /** Whether alerts show the date of their creation (`datesAlerts`), and whether their ids contain it (`timedIds`). */
  readonly datesAlerts?: boolean;
  readonly timedIds?: boolean;
  /** True if the answer to a create contains only the id. */
  readonly receipts: boolean;
  /** The maximum number of entries on a page of a list. */
  readonly page: number;
  readonly dialect: "neutral" | "clickhouse";
  /** The ways in which the service changes values that it receives, by name. */
  readonly rewrites: object;
}

/** Returns true if a Pulumi command looked for drift and found that service, state and program agree. */
export function isClean({ step, outcome }: Run): boolean {
  return step.command === "drift" && outcome.errors.length === 0 && outcome.differing.length === 0;
}
