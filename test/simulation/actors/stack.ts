import type { StackStep } from "../history";
import { edited, type Program, type TypeName } from "../program";
import type { Provider } from "../provider";
import { never, wait } from "../virtualTime";
import { type Connection, credentialsOf, type Network } from "../world/network";
import { organizationId, serviceId } from "../world/routes";
import { Engine, type EngineState, type Host, type Kept, type Methods, type Outcome } from "./engine";

/** What a step of a stack did, and what its user saw. */
export interface Run {
  readonly step: StackStep;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  /** Warnings, news and errors. */
  readonly messages: readonly string[];
  readonly requests: number;
  readonly wasKilled: boolean;
  /** What the program declared, before and after the step's changes. */
  readonly programs: readonly [Program, Program];
  /** The resources in the state before the step. */
  readonly before: ReadonlyMap<string, Kept>;
  /** Those after it; of a preview, those that were looked at. */
  readonly after: ReadonlyMap<string, Kept>;
}

/** Whether a command found service, state and program to be the same. */
export function isClean({ step, outcome }: Run): boolean {
  return step.command === "drift" && outcome.errors.length === 0 && outcome.differing.length === 0;
}

/** A program, its state, and the engine that runs one on the other. */
export class Stack {
  program: Program = new Map();
  readonly state: EngineState = { resources: new Map(), doomed: [], pending: new Map() };
  /** All that its user ever saw. */
  readonly messages: string[] = [];

  constructor(
    readonly actor: "a" | "b",
    private readonly provider: Provider,
    private readonly network: Network,
    private readonly settings: object,
  ) {}

  /** Ids, in small letters, of all that its state holds, what waits to be deleted included. */
  heldIds(): string[] {
    const { resources, doomed } = this.state;
    return [...resources.values(), ...doomed.map(({ kept }) => kept)].map(({ id }) => id.toLowerCase());
  }

  async run(step: StackStep): Promise<Run> {
    const before = new Map(this.state.resources);
    const programBefore = this.program;
    for (const edit of step.edits) this.program = edited(this.program, edit);
    const startedAt = Date.now();
    const messages: string[] = [];
    const connections: Connection[] = [];
    let isOver = false;
    const say = (message: string) => void (isOver || messages.push(this.network.withoutDomain(message)));
    for (const name of this.state.pending.keys())
      say(`the creation of ${name} was interrupted; it may exist`);
    this.state.pending.clear();

    // A preview leaves the state as it is.
    const leaves = step.command === "preview" || step.command === "drift";
    const state = leaves ? { ...this.state, resources: new Map(this.state.resources) } : this.state;
    const names = [...new Set([...state.resources.keys(), ...this.program.keys()])];
    const isTarget = (name: string) => !step.targets || names.indexOf(name) % 2 === 0;
    const startHost = () => {
      const connection = this.network.connect({ actor: this.actor, step: step.number });
      connections.push(connection);
      return this.#hostOf(connection, say, () => isOver);
    };
    const engine = new Engine(state, startHost, isTarget);
    const running = this.#command(engine, step).then(() => "ended" as const);
    const { killedAfter } = step;
    const end =
      killedAfter === undefined
        ? running
        : Promise.race([running, wait(killedAfter).then(() => "killed" as const)]);
    const wasKilled = (await end) === "killed";
    isOver = true;
    for (const connection of connections) connection.cut();
    messages.push(...engine.outcome.errors.map((error) => this.network.withoutDomain(error)));
    if (wasKilled) messages.push("killed");
    this.messages.push(...messages);
    return {
      step,
      startedAt,
      endedAt: Date.now(),
      outcome: engine.outcome,
      messages,
      requests: connections.reduce((sum, connection) => sum + connection.requests(), 0),
      wasKilled,
      programs: [programBefore, this.program],
      before,
      after: new Map(state.resources),
    };
  }

  async #command(engine: Engine, { command }: StackStep): Promise<void> {
    if (command === "destroy") return engine.destroy();
    if (command !== "up" && command !== "preview") await engine.refresh();
    if (command === "refresh" || engine.outcome.errors.length > 0) return;
    await engine.update(this.program, command !== "up" && command !== "up --refresh");
  }

  /** A host process. What it still does after it was killed reaches nobody. */
  #hostOf(connection: Connection, say: (message: string) => void, isOver: () => boolean): Host {
    const { host, registry, session } = this.provider;
    const { baseUrl, obsBaseUrl } = connection;
    const settings = {
      ...this.settings,
      ...credentialsOf(this.actor),
      organizationId,
      serviceId,
      baseUrl,
      obsBaseUrl,
    };
    const methods = host.createHost(
      registry.resources,
      () => new session.Session(() => settings as never, { warn: say, info: say }),
    );
    const called = new Map<TypeName, Methods>();
    return (type) => {
      const known = called.get(type);
      if (known) return known;
      const own = methods[type] as unknown as Methods & { configure(request: object): Promise<void> };
      void own.configure({ config: undefined });
      const alive: Methods = {
        check: (olds, news) => unlessOver(own.check(olds, news), isOver),
        diff: (id, olds, news) => unlessOver(own.diff(id, olds, news), isOver),
        create: (inputs) => unlessOver(own.create(inputs), isOver),
        read: (id, props) => unlessOver(own.read(id, props), isOver),
        update: (id, olds, news) => unlessOver(own.update(id, olds, news), isOver),
        delete: (id, props) => unlessOver(own.delete(id, props), isOver),
      };
      called.set(type, alive);
      return alive;
    };
  }
}

/** The result of a call, unless its process is over by then. */
async function unlessOver<Result>(result: Promise<Result>, isOver: () => boolean): Promise<Result> {
  try {
    const value = await result;
    return isOver() ? never() : value;
  } catch (error) {
    if (isOver()) return never();
    throw error;
  }
}
