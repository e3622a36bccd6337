import type { Change } from "../../sandbox/core/records";
import { collectionNames, resources } from "../../sandbox/core/resources/registry";
import type { Sandbox } from "../../sandbox/index";
import { secretsOf } from "../secrets";
import type { Account, Declared, Kept, Outcome, Program, Request, Run } from "./account";
import { judgedRecord, type Kind, pathOf } from "./kinds";
import { type Caller, type Data, isStack, Store } from "./store";

export interface Seen extends Partial<Outcome> {
  readonly messages: readonly string[];
  readonly printed?: string;
  readonly program: Program;
  readonly after: ReadonlyMap<string, Kept>;
  /** The resources in the Pulumi state before the command. If absent, they are as the previous command left them. */
  readonly before?: Run["before"];
  readonly answers?: Run["answers"];
  readonly wasKilled?: boolean;
  readonly plainState?: string;
}

const somebody: Caller = { actor: "hand", step: -1 };

/** Records the Pulumi commands of one stack on a sandbox, so that the provider's promises can be judged. */
export class Recorder {
  readonly runs: Run[] = [];
  /** The current time in the record of a test, which counts steps in place of milliseconds. */
  #now = 0;
  readonly store = new Store(() => this.#now);
  readonly #wire: Request[] = [];
  readonly #known = new Map<string, string>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly differences?: (declared: Declared, record: Data) => readonly string[],
  ) {
    this.note();
  }

  /** Records the changes in the sandbox since the last call. By default their author is a person in the console. */
  note(by = somebody): void {
    const records = recordsOf(this.sandbox);
    for (const [key, record] of records) this.#noteRecord(by, key, record);
    for (const key of [...this.#known.keys()])
      if (!records.has(key)) {
        this.#known.delete(key);
        this.#write(by, key, undefined);
      }
  }

  #noteRecord(by: Caller, key: string, record: Data): void {
    const text = JSON.stringify(record);
    if (this.#known.get(key) === text) return;
    this.#known.set(key, text);
    this.#write(by, key, JSON.parse(text));
  }

  /**
   * Records the version of an object that the sandbox is about to change, so that no version in between is missed. New objects
   * are recorded at the end of a step (a Pulumi command, or an action of a person), when it is known who created them.
   */
  #noteBefore(by: Caller, { collection, before }: Change): void {
    const name = collectionNames.find((each) => resources[each] === collection);
    const { kind, id, record } = (name && before && judgedRecord(name, before)) ?? {};
    if (record && this.#known.has(`${kind} ${id}`)) this.#noteRecord(by, `${kind} ${id}`, record);
  }

  #write(by: Caller, key: string, record: Data | undefined): void {
    const [kind, id = ""] = key.split(" ") as [Kind, string];
    this.#at(isStack(by.actor) ? this.#stepOf(by, kind, id) : by, (caller) =>
      this.store.write(caller, kind, id, record),
    );
  }

  get created(): string[] {
    const { store } = this;
    return store.commits
      .filter(({ actor, kind, id, before }) => isStack(actor) && before === undefined && store.get(kind, id))
      .map(({ id }) => id);
  }

  async run(command: Run["step"]["command"], number: number, task: () => Promise<Seen>): Promise<Run> {
    const startedAt = ++this.#now;
    const caller: Caller = { actor: "a", step: number };
    const { requests } = this.sandbox;
    const first = requests.at(-1)?.number ?? 0;
    // The sandbox calls this function just before each change of a record. So if an object changes twice in one command, its
    // version between the two changes is recorded, too.
    const endWatch = this.sandbox.store.watch((change) => this.#noteBefore(caller, change));
    const seen = await task().finally(endWatch);
    const sent = requests.filter((entry) => entry.number > first);
    this.#now++;
    for (const { api, method, path, operation, fault, status } of sent)
      this.#wire.push({
        ...{ at: startedAt, caller, process: 0, api, method, path, answer: { status, body: "" } },
        ...{ isCreate: operation?.startsWith("create") === true, fault: this.#faultOf(fault) },
      });
    this.note(caller);
    const former = this.runs.at(-1);
    const {
      errors = [],
      operations = [],
      gone = [],
      differing = [],
      program,
      plainState = "",
      before = former?.after ?? new Map(),
      wasKilled = false,
      ...rest
    } = seen;
    const run: Run = {
      ...rest,
      ...{ before, wasKilled },
      step: { number, actor: "a", command },
      startedAt,
      endedAt: ++this.#now,
      outcome: { errors, operations, gone, differing },
      requests: sent.length,
      programs: [former?.programs[1] ?? program, program],
      secretWords: [],
      plainState: () => plainState,
    };
    this.runs.push(run);
    return run;
  }

  account(): Account {
    const { runs, store, sandbox, differences } = this;
    const { after = new Map(), programs } = runs.at(-1) ?? {};
    const { keyId, keySecret, serviceId } = sandbox.credentials;
    return {
      ...{ runs, store, wire: this.#wire, serviceId },
      stacks: [
        {
          actor: "a",
          state: { resources: after },
          program: programs?.[1] ?? new Map(),
          messages: runs.flatMap(({ messages }) => messages),
          held: () => [...after.values()],
        },
      ],
      credentials: [...Object.values(secretsOf(sandbox)), `${keyId}:${keySecret}`],
      places: { "the journal": JSON.stringify(sandbox.requests) },
      ...(differences && {
        differences: (declared, record) => ({ shown: differences(declared, record), hidden: [] }),
      }),
    };
  }

  /**
   * Returns the fault that was injected into a request. If the service carried the request out later, the delay in `carriedOut`
   * is 0: the record has no times, and counts steps instead.
   */
  #faultOf(kind: string | undefined): Request["fault"] {
    if (kind === undefined) return undefined;
    const isLate = this.sandbox.faults
      .list()
      .some(({ fault }) => fault.kind === kind && fault.when === "later");
    return { kind, ...(isLate && { carriedOut: 0 }) };
  }

  /**
   * Returns the author of a change. A new object belongs to the Pulumi command that sent the last create request, since the
   * sandbox may carry out a create while another command runs.
   */
  #stepOf(by: Caller, kind: Kind, id: string): Caller {
    if (this.store.get(kind, id)) return by;
    const asked = this.#wire
      .filter(({ isCreate, path }) => isCreate && path.endsWith(`/${pathOf(kind)}`))
      .at(-1);
    return asked?.caller ?? by;
  }

  #at(caller: Caller, write: (caller: Caller) => void): void {
    const now = this.#now;
    const run = this.runs.find(({ step }) => isStack(caller.actor) && step.number === caller.step);
    this.#now = run?.endedAt ?? now;
    write(caller);
    this.#now = now;
  }
}

function recordsOf({ store }: Sandbox): Map<string, Data> {
  const { organization: _, ...collections } = store.contents();
  return new Map(
    Object.entries(collections).flatMap(([name, records]) =>
      records.flatMap((each) => {
        const { kind, id, record } = judgedRecord(name, each) ?? {};
        return record ? [[`${kind} ${id}`, record] as const] : [];
      }),
    ),
  );
}
