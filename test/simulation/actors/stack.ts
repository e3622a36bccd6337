import type { Kept as JudgedKept, Run as JudgedRun, Operation, StackInTheEnd } from "../../promises/account";
import { declaredEach, doneToEach, heldBy, heldEach } from "../../promises/entries";
import type { Data } from "../../promises/store";
import { secretTextsIn } from "../drawnSecrets";
import type { StackStep } from "../history";
import { type Edit, edited, type Program } from "../program";
import type { Provider } from "../provider";
import { wait } from "../virtualTime";
import { endUpdate } from "../world/board";
import { listenAt } from "../world/engineClient";
import type { Network } from "../world/network";
import { Engine, type EngineState, type Kept } from "./engine";
import { Processes } from "./processes";
import { encrypted } from "./secrets";

/** The outcome of one Pulumi command on a simulated stack, with the messages that its user saw. */
export interface Run extends JudgedRun {
  readonly step: StackStep;
}

/** What a history learns of a stack while a command runs. */
export interface Watch {
  heard?(message: string, isWarning: boolean): void;
  /** Called after each step of a resource that succeeds. */
  did?(operation: Operation): void;
  /** Called with the settings of each provider process that starts. The command does not end before the result does. */
  started?(settings: Data): Promise<void>;
}

/** Simulates one stack: a program, its Pulumi state, and the engine that runs the program. */
export class Stack {
  program: Program = new Map();
  readonly state: EngineState = { resources: new Map(), doomed: [], pending: new Map() };
  readonly messages: string[] = [];

  constructor(
    readonly actor: "a" | "b",
    private readonly provider: Provider,
    private readonly network: Network,
    private readonly settings: object,
    private readonly watch: Watch = {},
  ) {}

  /** Lists all objects in the stack's Pulumi state, including replaced ones that the engine has yet to delete. */
  held(): readonly JudgedKept[] {
    const { resources, doomed } = this.state;
    const doomedEach = doomed.flatMap(({ name, kept }) => heldBy(name, kept));
    return [...heldEach(resources), ...doomedEach].map(([, kept]) => kept);
  }

  /** Describes the stack at the end of a simulated history in the form that `test/promises` judges. */
  inTheEnd(): StackInTheEnd {
    const { actor, messages, state } = this;
    const resources = heldEach(state.resources);
    return {
      actor,
      messages,
      program: declaredEach(this.program),
      state: { resources },
      held: () => this.held(),
    };
  }

  /**
   * Removes `adoptId` from a new resource if its object is already in the Pulumi state: no author of a program adopts an object
   * that the program already has.
   */
  #withId(edit: Edit): Edit {
    if (edit.edit === "add") {
      const { adoptId, ...args } = edit.declared.args;
      const isHeld = [...this.program].some(([name, { alias = name }]) =>
        [name, alias].some((each) => this.state.resources.get(each)?.id === adoptId),
      );
      return adoptId !== undefined && isHeld ? { ...edit, declared: { ...edit.declared, args } } : edit;
    }
    return edit;
  }

  async run(step: StackStep): Promise<Run> {
    const before = new Map(this.state.resources);
    const programBefore = this.program;
    for (const edit of step.edits) this.program = edited(this.program, this.#withId(edit));
    const startedAt = Date.now();
    const messages: string[] = [];
    const phases: Processes[] = [];
    const beside: (Promise<void> | undefined)[] = [];
    let isOver = false;
    const say = (message: string, isWarning: boolean) => {
      if (isOver) return;
      messages.push(this.network.withoutDomain(message));
      this.watch.heard?.(message, isWarning);
    };
    for (const name of this.state.pending.keys())
      say(`the creation of ${name} was interrupted; it may exist`, true);
    this.state.pending.clear();

    // A preview runs on a copy of the stack, since it does not change the Pulumi state.
    const leaves = step.command === "preview" || step.command === "drift";
    const state = leaves ? { ...this.state, resources: new Map(this.state.resources) } : this.state;
    const names = [...new Set([...state.resources.keys(), ...this.program.keys()])];
    const isTarget = (name: string) =>
      step.only?.includes(name) ?? (!step.targets || names.indexOf(name) % 2 === 0);
    const engineAddress = `${this.actor} ${step.number}`;
    const endListening = listenAt(engineAddress, say);
    const startHost = () => {
      const phase = new Processes({
        provider: this.provider,
        network: this.network,
        settings: this.settings,
        actor: this.actor,
        step: step.number,
        engineAddress,
        starts: step.starts ?? [],
        say,
        started: (own) => void beside.push(this.watch.started?.(own)),
        isOver: () => isOver,
      });
      phases.push(phase);
      return phase.host;
    };
    const engine = new Engine(state, startHost, isTarget, step.replacedBy, this.watch.did);
    const running = this.#command(engine, step)
      .then(() => Promise.all(beside))
      .then(() => "ended" as const);
    const killing = [
      this.network.killed(step.number),
      ...(step.killedAfter === undefined ? [] : [wait(step.killedAfter)]),
    ].map((kill) => kill.then(() => "killed" as const));
    const wasKilled = (await Promise.race([running, ...killing])) === "killed";
    isOver = true;
    const connections = phases.flatMap((phase) => phase.connections);
    for (const connection of connections) connection.cut();
    endListening();
    endUpdate(engineAddress);
    messages.push(...engine.outcome.errors.map((error) => this.network.withoutDomain(error)));
    for (const error of engine.outcome.errors) this.watch.heard?.(error, true);
    if (wasKilled) messages.push("killed");
    this.messages.push(...messages);
    for (const [name, args] of leaves ? [] : engine.generated) {
      const declared = this.program.get(name);
      if (declared && state.resources.get(name)?.isImported)
        this.program = new Map(this.program).set(name, { ...declared, args });
    }
    const programs = [programBefore, this.program] as const;
    const after = new Map(state.resources);
    return {
      step,
      startedAt,
      endedAt: Date.now(),
      outcome: { ...engine.outcome, operations: doneToEach(engine.outcome.operations, before, after) },
      messages,
      requests: connections.reduce((sum, connection) => sum + connection.requests(), 0),
      wasKilled,
      programs: [declaredEach(programBefore), declaredEach(this.program)],
      before: heldEach(before),
      after: heldEach(after),
      secretWords: secretWordsOf(programs),
      plainState: () => plainText(before, after),
    };
  }

  async #command(engine: Engine, { command }: StackStep): Promise<void> {
    if (command === "destroy") return engine.destroy();
    if (command !== "up" && command !== "preview") await engine.refresh();
    if (command === "refresh" || engine.outcome.errors.length > 0) return;
    await engine.update(this.program, command !== "up" && command !== "up --refresh");
  }
}

function secretWordsOf(programs: readonly Program[]): string[] {
  const texts = programs.flatMap((program) =>
    [...program.values()].flatMap(({ args }) => secretTextsIn(args)),
  );
  return [...new Set(texts)];
}

function plainText(before: ReadonlyMap<string, Kept>, after: ReadonlyMap<string, Kept>): string {
  const news = [...after].filter(([name, { marked }]) => before.get(name)?.marked !== marked);
  return JSON.stringify(encrypted(news.map(([name, { marked }]) => [name, marked])));
}
