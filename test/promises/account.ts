import type { Caller, Data, Store } from "./store";

/**
 * The account of a test records everything that happened to a service and to the stacks that use it. If a test suite cannot
 * record a part, the promises (rules for the provider) that need this part are not judged.
 */
export interface Account {
  /**
   * The Pulumi commands on the stacks in the order in which they ended. A simulated history ends with commands without faults,
   * which have negative numbers.
   */
  readonly runs: readonly Run[];
  readonly stacks: readonly StackInTheEnd[];
  readonly store: Store;
  readonly credentials: readonly string[];
  /** Further texts that must contain no credential, such as a journal of requests, by name. */
  readonly places?: { readonly [place: string]: string };
  readonly orphans?: readonly OrphansLook[];
  readonly wire?: readonly Request[];
  readonly byHand?: ByHand;
  readonly habits?: Habits;
  readonly maxRetries?: number;
  /** The provider setting `onConflict` of the stacks. If absent, it is `warn`. */
  readonly onConflict?: "warn" | "fail";
  /** Matches error messages of the provider that only a change of the program can resolve. */
  readonly forTheUser?: RegExp;
  /** The error that ended the test early, such as that of a Pulumi command that never ended. */
  readonly failure?: Error;
  /** The id of the service whose scaling and query endpoint programs declare. */
  readonly serviceId: string;
  /** The ids of the API keys that sign requests of a stack. */
  readonly signingKeys?: readonly string[];
  /**
   * Returns the declared properties of which the service stores another value than declared. Answers of the API show the
   * properties in `shown`, but not those in `hidden`.
   */
  differences?(declared: Declared, record: Data): Differences;
}

export interface Differences {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

export interface Run {
  readonly step: {
    readonly number: number;
    readonly actor: "a" | "b";
    readonly command: "up" | "up --refresh" | "refresh" | "preview" | "drift" | "destroy";
    readonly targets?: true;
    /** What changes in the program before the command, of which promises know renamed resources. */
    readonly edits?: readonly { readonly edit: string; readonly to?: unknown; readonly hasAlias?: true }[];
  };
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly messages: readonly string[];
  readonly printed?: string;
  readonly requests: number;
  readonly wasKilled: boolean;
  /**
   * The resources that the program declares: first those at the previous command on the stack, then those at the command
   * itself.
   */
  readonly programs: readonly [Program, Program];
  readonly before: ReadonlyMap<string, Kept>;
  /** The resources in the Pulumi state after the command; after a preview, those that the preview has read. */
  readonly after: ReadonlyMap<string, Kept>;
  /** Texts that the program keeps secret: no message shows them, and no Pulumi state has them in plain text. */
  readonly secretWords: readonly string[];
  /** Returns the text of the state file, or of the parts that the command changed. Secrets in it are encrypted. */
  plainState(): string;
  /** The result of a provider function such as `getService`, and the result that it should have. */
  readonly answers?: readonly [given: unknown, truth: unknown];
}

export interface Outcome {
  readonly errors: readonly string[];
  readonly operations: readonly Operation[];
  /** Resources that a refresh removed from the Pulumi state. */
  readonly gone: readonly { readonly name: string; readonly kept: Kept }[];
  /** The names of the resources that differ between service, Pulumi state and program. */
  readonly differing: readonly string[];
}

export interface Operation {
  readonly name: string;
  readonly type: string;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | "same" | "import";
}

export interface Kept {
  readonly type: string;
  readonly id: string;
  readonly inputs: Data;
  readonly outputs: Data;
  readonly dependencies?: readonly string[];
  readonly instance?: string;
  /** True if the resource was imported, so that its secrets are unknown. */
  readonly isImported?: true;
}

export interface Declared {
  readonly type: string;
  readonly args: Data;
  readonly importId?: string;
}

export type Program = ReadonlyMap<string, Declared>;

export interface StackInTheEnd {
  readonly actor: "a" | "b";
  readonly state: { readonly resources: ReadonlyMap<string, Kept> };
  readonly program: Program;
  readonly messages: readonly string[];
  /** All objects in the stack's Pulumi state, including those that wait for deletion. */
  held(): readonly Held[];
}

export type Held = Pick<Kept, "type" | "id">;

/** The objects that `pipestack orphans` found, and the messages that it printed. */
export interface OrphansLook {
  readonly step: { readonly number: number };
  readonly messages: readonly string[];
  /** The names of the objects that were in a Pulumi state during the whole search of `pipestack orphans`. */
  readonly held: ReadonlySet<string>;
  readonly found?: readonly Held[];
}

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
     * Whether and when the service carried out a request that failed: "no", "yes" for before the fault, or a number of
     * milliseconds after it.
     */
    readonly carriedOut?: "no" | "yes" | number;
    /** The age in milliseconds of the values in an answer of the service that comes from a stale replica. */
    readonly milliseconds?: number;
    readonly shows?: "old" | "sent";
  };
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Properties that a person has set in the console while no program declared them. */
export interface ByHand {
  /** The names of properties that a person has set while no program declared them, by `kind id` of the object. */
  readonly set: ReadonlyMap<string, ReadonlySet<string>>;
  /** The properties that a person has set inside a series of a dashboard's tile, which is an entry of `select`. */
  readonly inside: readonly {
    readonly dashboard: string;
    readonly tile: string;
    readonly index: number;
    readonly member: string;
  }[];
}

/** The unusual behaviour that a simulated service keeps throughout a test. */
export interface Habits {
  /** Milliseconds by which every list of the simulated service lags. */
  readonly listLag: number;
  /** Milliseconds for which the simulated service shows the old scaling after a change. */
  readonly scalingLag: number;
  /**
   * Whether alerts of the simulated service show the date of their creation (`datesAlerts`), and whether their ids contain it
   * (`timedIds`).
   */
  readonly datesAlerts?: boolean;
  readonly timedIds?: boolean;
  /** Whether the answer of the simulated service to a create contains only the id. */
  readonly receipts: boolean;
  readonly page: number;
  readonly dialect: "neutral" | "clickhouse";
  /** The rewrites by which the simulated service changes values that it receives, by name. */
  readonly rewrites: { readonly [name: string]: boolean };
}

/** Returns true if a Pulumi command looked for drift and found that service, state and program agree. */
export function isClean({ step, outcome }: Run): boolean {
  return step.command === "drift" && outcome.errors.length === 0 && outcome.differing.length === 0;
}
