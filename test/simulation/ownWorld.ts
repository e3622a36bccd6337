import { fromHost } from "../../provider/engine/properties";
import type { DeclarableName } from "../../provider/resources/registry";
import type { CollectionName } from "../../sandbox/core/resources/registry";
import type { Operation } from "../promises/account";
import { onlyLooks, speaksPlainly } from "../promises/conduct";
import { violationsIn } from "../promises/promise";
import { keepsSecrets } from "../promises/secrets";
import type { Data } from "../promises/store";
import { settingsOf } from "./actors/processes";
import { type Run, Stack } from "./actors/stack";
import type { StackStep } from "./history";
import type { Declared, Instance, Program } from "./program";
import type { Provider } from "./provider";
import { Random } from "./random";
import { wait } from "./virtualTime";
import { plain } from "./world/behaviour";
import { serviceId } from "./world/contents";
import type { Asked, Fault } from "./world/faults";
import { Network, type Plan } from "./world/network";
import { Service } from "./world/simulatedService";
import type { HttpRequest } from "./world/transport";

/** The error for a promise (a rule that the provider must keep) that the provider broke in a simulated history. */
export class Broken extends Error {}

type Session = InstanceType<Provider["session"]["Session"]>;

interface Options {
  /** The collections of the objects that the simulated history is about. */
  readonly collections: readonly CollectionName[];
  readonly settings: { readonly maxRetries: number; readonly requestsPerSecond?: number };
  readonly longestTransit?: number;
  /** Secrets of the program that no message and no plain text of a state may show. */
  readonly secrets?: readonly string[];
}

/**
 * What simulated histories of one resource type, such as pipes, share: the service, the network, two stacks, and a user who does
 * what messages say.
 */
export abstract class World<History, Item extends { readonly id: string }> implements Plan {
  readonly service: Service;
  readonly stacks: { readonly [actor in "a" | "b"]: Stack };
  readonly messages: { readonly text: string; readonly at: number; readonly isWarning: boolean }[] = [];
  /** Ids of existing objects that a message told the simulated user to adopt, by resource name. */
  readonly adopted = new Map<string, string>();
  /** Ids of objects that a killed command was creating. The engine itself warns about their resources. */
  readonly #pending = new Set<string>();
  /** The objects that the service has before the simulated history begins. */
  readonly seeded: ReadonlyMap<string, Item>;
  protected readonly network: Network;
  #broken: Broken | undefined;
  #steps = 0;
  readonly #runs: Run[] = [];
  readonly #settings: object;
  readonly #instance: Instance;

  constructor(
    private readonly provider: Provider,
    seed: number,
    private readonly options: Options,
  ) {
    const { settings, longestTransit } = options;
    const behaviour = { ...plain, dialect: "clickhouse", via: "management" } as const;
    this.service = new Service(seed, behaviour, [], 20_000);
    this.network = new Network(seed, this.service, this, longestTransit);
    this.#settings = { dialect: "clickhouse", timeoutSeconds: 30, requestsPerSecond: 0, ...settings };
    this.#instance = new Random(seed, "instance").pick(["default", "plugin"]);
    const watch = {
      heard: (text: string, isWarning: boolean) => this.heard(text, isWarning),
      started: (own: Data) => this.started(own),
      did: (operation: Operation) => this.judging(() => this.did(operation)),
    };
    const stackOf = (actor: "a" | "b") => new Stack(actor, provider, this.network, this.#settings, watch);
    this.stacks = { a: stackOf("a"), b: stackOf("b") };
    this.seeded = structuredClone(this.records());
  }

  /** Plays one simulated history. Throws `Broken` if the provider breaks a promise. */
  async play(history: History): Promise<void> {
    const close = this.network.open();
    await this.course(history).finally(close);
    const account = {
      ...{ runs: this.#runs, store: this.service.store, wire: this.network.wire, serviceId },
      stacks: Object.values(this.stacks).map((stack) => stack.inTheEnd()),
      credentials: this.options.secrets ?? [],
    };
    const [violation] = violationsIn(account, [keepsSecrets, speaksPlainly, onlyLooks]);
    if (violation) throw new Broken(`${violation.promise}: ${violation.what}`);
  }

  protected abstract course(history: History): Promise<void>;

  faultOf(_asked: Asked, _sent: HttpRequest): Fault | undefined {
    return undefined;
  }

  treated(sent: HttpRequest): HttpRequest {
    return sent;
  }

  abstract wrote(sent: HttpRequest, status: number, caller: { readonly actor: string }): void;

  protected heard(text: string, isWarning: boolean): void {
    this.messages.push({ text, at: Date.now(), isWarning });
  }

  /** Judges a step of a resource that has just succeeded. */
  protected did(_operation: Operation): void {}

  /** Judges while a command runs. A promise that breaks ends the history after the command, since the provider would catch an error. */
  protected judging(judge: () => void): void {
    try {
      judge();
    } catch (error) {
      this.#broken ??= error as Broken;
    }
  }

  protected async started(_settings: Data): Promise<void> {}

  /** All objects that the simulated history is about, by id. */
  records(): ReadonlyMap<string, Item> {
    const { model } = this.service;
    model.advance(Date.now());
    const all = this.options.collections.flatMap((name) => [...model.store[name].values()]);
    return new Map((all as unknown as Item[]).map((item) => [item.id, item]));
  }

  created(): Item[] {
    return [...this.records().values()].filter(({ id }) => !this.seeded.has(id));
  }

  /** Runs a Pulumi command on a stack, whose program becomes the given one. */
  async run(
    step: Pick<StackStep, "command"> & Partial<StackStep>,
    declared?: Program,
    actor: "a" | "b" = "a",
  ): Promise<Run> {
    const stack = this.stacks[actor];
    const before = this.records();
    if (declared)
      stack.program = new Map([...declared].map(([name, one]) => [name, this.#placed(name, one)]));
    const run = await stack.run({ number: this.#steps++, actor, pause: 0, edits: [], ...step });
    this.#runs.push(run);
    if (run.wasKilled) {
      // Requests that were under way when the command was killed still reach the service.
      await wait(1000);
      for (const { id } of this.#unheld()) if (!before.has(id)) this.#pending.add(id);
    }
    if (this.#broken) throw this.#broken;
    return run;
  }

  #placed(name: string, { args, ...declared }: Declared): Declared {
    const adoptId = this.adopted.get(name);
    return { ...declared, instance: this.#instance, args: { ...args, ...(adoptId && { adoptId }) } };
  }

  held(name: string) {
    return this.stacks.a.state.resources.get(name);
  }

  heldIds(): string[] {
    return [...this.stacks.a.state.resources.values()].map(({ id }) => id);
  }

  #unheld(): Item[] {
    return this.created().filter(({ id }) => !this.heldIds().includes(id));
  }

  /** Checks promises of the provider: no two resources have one object, and a state or a message knows each object. */
  protected judgeHeld(mayBePending: (item: Item) => boolean): void {
    const heldIds = this.heldIds();
    if (new Set(heldIds).size < heldIds.length) throw new Broken("two resources have one object");
    for (const item of this.#unheld()) {
      const isTold = this.messages.some(({ text }) => text.includes(item.id));
      if (!isTold && !(this.#pending.has(item.id) && mayBePending(item)))
        throw new Broken(`${item.id} is in no state and in no message`);
    }
  }

  /** Opens a session as a provider process does, to see what a user would see. */
  protected session(settings?: Data): Session {
    const own =
      settings ?? settingsOf(this.#settings, "a", this.network.connect({ actor: "hand", step: -1 }));
    const silent = { warn: () => {}, info: () => {} };
    return new this.provider.session.Session(() => own as never, silent);
  }

  protected resourceOf(type: DeclarableName) {
    return this.provider.registry.declarable[type];
  }

  /** Lists the changes that a preview would show for a resource of the state; none if it refuses them, or for another resource. */
  protected async changesOf(name: string, { type, args }: Declared, outputs = this.held(name)?.outputs) {
    const kept = this.held(name);
    if (!kept || !outputs) return [];
    const [resource, session, state] = [this.resourceOf(type), this.session(), fromHost(outputs)];
    const { inputs } = await resource.check(fromHost(kept.inputs), args, session);
    return resource.diff(kept.id, state, inputs, session).catch(() => []);
  }

  /** Returns what a refresh would show of a resource of the state, if the service has its object. */
  protected async readOf(name: string): Promise<Data | undefined> {
    const kept = this.held(name);
    if (!kept) return undefined;
    const live = await this.resourceOf(kept.type).read(kept.id, fromHost(kept.outputs), this.session());
    return typeof live === "object" ? live.state : undefined;
  }

  /** Lets the user repeat an update, and do what the messages of its failures say, until it ends well. */
  protected async bringAbout(
    update: () => Promise<Run>,
    follow: (name: string, message: string, freeIds: readonly string[]) => Promise<void>,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const { errors } = (await update()).outcome;
      if (errors.length === 0) return;
      if (attempt === 12) throw new Broken(`the last update does not end: ${errors.join("; ")}`);
      for (const error of errors) {
        const ids: string[] = error.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
        const free = ids.filter((id) => !this.heldIds().includes(id) && this.records().has(id));
        await follow(error.slice(0, error.indexOf(":")), error, free);
      }
    }
  }
}
