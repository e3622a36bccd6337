import type { Caller, Data, Store } from "./store";

/**
 * What happened to a service and to the stacks that use it, as far as a suite can tell. A part that a suite cannot give is
 * absent: what needs it is not judged.
 */
export interface Account {
  /** The commands of the stacks in the order in which they ended; those that put everything right have negative numbers. */
  readonly runs: readonly Run[];
  readonly stacks: readonly StackInTheEnd[];
  /** What the service has, with all changes. */
  readonly store: Store;
  /** Texts that stand nowhere in any form: credentials of the programs, secrets of the service. */
  readonly credentials: readonly string[];
  /** Other places in which no credential stands, such as a journal. */
  readonly places?: { readonly [place: string]: string };
  readonly orphans?: readonly OrphansLook[];
  readonly wire?: readonly Request[];
  readonly byHand?: ByHand;
  readonly habits?: Habits;
  /** How often a failed call is repeated. */
  readonly maxRetries?: number;
  /** The setting of the stacks. Default: `warn`. */
  readonly onConflict?: "warn" | "fail";
  /** Errors that only a change of the program can mend. */
  readonly forTheUser?: RegExp;
  /** Why the history did not come to its end. */
  readonly failure?: Error;
  /** Id of the service whose scaling and query endpoint programs declare. */
  readonly serviceId: string;
  /** Ids of keys that sign for a stack. */
  readonly signingKeys?: readonly string[];
  /** Members of a record that are not what a program declares of it: those that answers show, and those that none shows. */
  differences?(declared: Declared, record: Data): Differences;
}

export interface Differences {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** A command of the engine, and what its user saw. */
export interface Run {
  readonly step: {
    readonly number: number;
    readonly actor: "a" | "b";
    readonly command: "up" | "up --refresh" | "refresh" | "preview" | "drift" | "destroy";
    /** Whether it is about some resources only. */
    readonly targets?: true;
  };
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** Warnings, news and errors. */
  readonly messages: readonly string[];
  /** Whatever else it printed, stack traces included. */
  readonly printed?: string;
  readonly requests: number;
  readonly wasKilled: boolean;
  /** What the program declared, before and after the step's changes. */
  readonly programs: readonly [Program, Program];
  /** The resources in the state before the step. */
  readonly before: ReadonlyMap<string, Kept>;
  /** Those after it; of a preview, those that were looked at. */
  readonly after: ReadonlyMap<string, Kept>;
  /** Words that the program keeps secret: no message shows them, and no state in plain text. */
  readonly secretWords: readonly string[];
  /** What the step has changed in the file of the state, as somebody without its key reads it. */
  plainState(): string;
  /** What a function answered, and what it should have. */
  readonly answers?: readonly [given: unknown, truth: unknown];
}

/** What came of a command. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly operations: readonly Operation[];
  /** Resources that a refresh took out of the state. */
  readonly gone: readonly { readonly name: string; readonly kept: Kept }[];
  /** Names of the resources in which the service differs from state or program. */
  readonly differing: readonly string[];
}

/** What one command did with one resource. */
export interface Operation {
  readonly name: string;
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | "same" | "import";
}

/** A resource in a state. */
export interface Kept {
  readonly type: string;
  readonly id: string;
  readonly inputs: Data;
  readonly outputs: Data;
  /** Names of the resources that its arguments refer to. */
  readonly dependencies?: readonly string[];
  /** The provider instance that takes care of it. */
  readonly instance?: string;
  /** Whether it was taken over under its id: its secrets are unknown. */
  readonly isImported?: true;
}

/** A resource of a program. */
export interface Declared {
  readonly type: string;
  readonly args: Data;
  /** The id under which the option `import` takes it over. */
  readonly importId?: string;
}

/** What a program declares, by the names of its resources. */
export type Program = ReadonlyMap<string, Declared>;

export interface StackInTheEnd {
  readonly actor: "a" | "b";
  readonly state: { readonly resources: ReadonlyMap<string, Kept> };
  readonly program: Program;
  /** All that its user ever saw. */
  readonly messages: readonly string[];
  /** All that its state holds, what waits to be deleted included. */
  held(): readonly Held[];
}

/** An object that a state has. */
export type Held = Pick<Kept, "type" | "id">;

/** What `pipestack orphans` found, and what it said beside that. */
export interface OrphansLook {
  readonly step: { readonly number: number };
  readonly messages: readonly string[];
  /** Names of what a state held all along. */
  readonly held: ReadonlySet<string>;
  /** Absent if it failed. */
  readonly found?: readonly Held[];
}

/** One request as it went over the wire. */
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
    /** Whether the request was carried out all the same: never, before the fault, or so many milliseconds after it. */
    readonly carriedOut?: "no" | "yes" | number;
    /** Of a stale answer, its age. */
    readonly milliseconds?: number;
    readonly shows?: "old" | "sent";
  };
  readonly answer?: { readonly status: number; readonly body: string };
}

/** What somebody set who knows of no program, and no program declared at that time. */
export interface ByHand {
  /** Names of members by `kind id`. */
  readonly set: ReadonlyMap<string, ReadonlySet<string>>;
  /** Members of entries of `select`. */
  readonly inside: readonly {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[];
}

/** What a service does in the same way throughout. */
export interface Habits {
  /** By how many milliseconds every list lags. */
  readonly listLag: number;
  /** For how many milliseconds it answers with the old scaling. */
  readonly scalingLag: number;
  /** Whether alerts, or their ids, tell when they were made. */
  readonly datesAlerts?: boolean;
  readonly timedIds?: boolean;
  /** Whether a create is answered with the id alone. */
  readonly receipts: boolean;
  /** Most entries of a list with pages. */
  readonly page: number;
  readonly dialect: "neutral" | "clickhouse";
  /** How it changes what it is sent. */
  readonly rewrites: object;
}

/** Whether a command found service, state and program to be the same. */
export function isClean({ step, outcome }: Run): boolean {
  return step.command === "drift" && outcome.errors.length === 0 && outcome.differing.length === 0;
}
