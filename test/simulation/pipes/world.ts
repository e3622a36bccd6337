import { seededCredentials } from "../../../sandbox/index";
import { Broken } from "../ownHistories";
import type { Provider } from "../provider";
import { wait } from "../virtualTime";
import { deliverBy } from "../world/transport";
import type { Meddling, Step } from "./history";
import { Messages } from "./messages";
import { Network } from "./network";
import { Product } from "./product";
import { type Declared, type Name, names } from "./program";
import { Promises } from "./promises";

interface InState {
  readonly id: string;
  readonly state: { readonly [member: string]: unknown };
}

type Session = InstanceType<Provider["session"]["Session"]>;

type Up = Extract<Step, { kind: "up" }>;

/** Milliseconds after which the simulated service has ended every operation under way. */
const settling = 200_000;

let worlds = 0;

/** Plays one simulated history with the pipes of a service, one stack, and a person in the console. */
export class World {
  readonly #product = new Product();
  readonly #messages = new Messages();
  readonly #promises = new Promises(this.#product, this.#messages);
  readonly #network = new Network(this.#product, (...write) => this.#promises.written(...write));
  readonly #held = new Map<Name, InState>();
  /** Ids of existing pipes that a message told the simulated user to adopt, by resource name. */
  readonly #adopted = new Map<Name, string>();
  /** Pipes for which the simulated user has set `allowReplacement`, as a message asked. */
  readonly #allowed = new Set<Name>();
  readonly #address = `http://pipes${worlds++}.localhost`;
  /** True if something has happened in the simulated history that an update cannot know unless a refresh comes before it. */
  #isRefreshDue = false;

  constructor(private readonly provider: Provider) {
    deliverBy((request) => this.#network.deliver(request));
  }

  async play(steps: readonly Step[], last: readonly Declared[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "time") await wait(step.milliseconds);
      else if (step.kind === "refresh") await this.#refresh();
      else if (step.kind === "destroy") await this.#destroy(step.name);
      else if (step.kind === "somebody") this.#somebody(step);
      else await this.#up(step);
    }
    // From this point of the simulated history on no fault happens, and the user does what messages say.
    this.#product.console.act("wakes", undefined);
    this.#product.endHangs();
    this.#product.console.heal();
    await wait(settling);
    if (this.#isRefreshDue) await this.#refresh();
    const up: Up = { kind: "up", declared: last, outcome: "works" };
    for (let attempt = 0; ; attempt++) {
      const failures = await this.#up(up);
      if (failures.length === 0) break;
      if (attempt === 8) throw new Broken(`the last update does not end: ${failures.join("; ")}`);
      for (const failure of failures) await this.#follow(failure);
    }
    await wait(settling);
    this.#promises.atTheEnd(last, (name) => this.#held.get(name)?.id, this.#heldIds());
    await this.#refresh();
    const failures = await this.#up(up);
    if (failures.length > 0 || this.#network.writes > 0)
      throw new Broken(`an update of what is up to date writes, or fails: ${failures.join("; ")}`);
  }

  #heldIds(): readonly string[] {
    return [...this.#held.values()].map(({ id }) => id);
  }

  /** Starts a new simulated provider process. The previous process has been killed. */
  #session() {
    this.#network.process++;
    this.#promises.begin();
    const { organizationId, keyId, keySecret } = seededCredentials;
    const settings = {
      ...{ baseUrl: `${this.#address}/process${this.#network.process}`, organizationId, keyId, keySecret },
      ...{ dialect: "clickhouse", onConflict: "warn", timeoutSeconds: 30, maxRetries: 1 },
      requestsPerSecond: 0,
    };
    return new this.provider.session.Session(() => settings as never, {
      warn: (text) => this.#messages.note(text, true),
      info: (text) => this.#messages.note(text, false),
    });
  }

  #resourceOf(name: Name) {
    const { Pipe: pipe, ReversePrivateEndpoint: endpoint } = this.provider.registry.resources;
    return name === "gate" ? endpoint : pipe;
  }

  #inputsOf({ name, inputs }: Declared): InState["state"] {
    const { organizationId, serviceId } = seededCredentials;
    const adoptId = this.#adopted.get(name);
    const allowed = this.#allowed.has(name) && { allowReplacement: true };
    return { organizationId, serviceId, ...inputs, ...(adoptId && { adoptId }), ...allowed };
  }

  #keep(name: Name, id: string, state: InState["state"]): void {
    this.#held.set(name, { id, state });
    this.#promises.kept(name, state);
  }

  #drop(name: Name): void {
    const held = this.#held.get(name);
    this.#held.delete(name);
    if (held) this.#promises.deleted(name, held.id);
  }

  /** Does what `pulumi up` does with a program of pipes, and returns the messages of the failed steps. */
  async #up({ declared, outcome, trouble, meddling }: Up): Promise<string[]> {
    this.#product.organization.provisioning = outcome;
    this.#network.begin(trouble);
    const session = this.#session();
    const own = this.#network.process;
    const isAlive = () => own === this.#network.process;
    const failures: string[] = [];
    // The engine calls diff for all resources in the Pulumi state before it creates new ones, and so does this simulation.
    for (const one of declared) {
      const held = this.#held.get(one.name);
      const inputs = this.#inputsOf(one);
      const resource = this.#resourceOf(one.name);
      if (held) await resource.diff(held.id, held.state, inputs, session).catch(() => []);
    }
    const attempt = (name: Name, work: Promise<void>) =>
      work.catch((error: Error) => {
        if (!isAlive()) return;
        if (error instanceof Broken) throw error;
        const held = this.#held.get(name);
        if (error instanceof this.provider.resource.UpdatedIncompletely && held) {
          this.#keep(name, held.id, error.state);
          this.#promises.failedInPart(held.id);
        }
        this.#isRefreshDue = true;
        failures.push(`${name}: ${error.message}`);
        this.#messages.note(`${name}: ${error.message}`, true);
      });
    const all = async () => {
      await Promise.all(declared.map((one) => attempt(one.name, this.#apply(one, session, isAlive))));
      for (const name of names)
        if (isAlive() && declared.every((one) => one.name !== name))
          await attempt(name, this.#remove(name, session, isAlive));
    };
    if (meddling) setTimeout(() => isAlive() && this.#somebody(meddling), meddling.after);
    const end = await Promise.race([all(), this.#network.killed()]);
    if (end === "killed") {
      session.interruption.cancel();
      this.#noteKill();
    }
    this.#network.end();
    if (this.#network.hasIgnored) this.#isRefreshDue = true;
    this.#promises.end();
    return failures;
  }

  #noteKill(): void {
    this.#isRefreshDue = true;
    const { settled, doubtful, pending } = this.#promises;
    settled.clear();
    const heldIds = this.#heldIds();
    for (const id of heldIds) doubtful.add(id);
    for (const { id } of this.#product.created()) if (!heldIds.includes(id)) pending.add(id);
  }

  async #apply(one: Declared, session: Session, isAlive: () => boolean): Promise<void> {
    const { name } = one;
    const resource = this.#resourceOf(name);
    const inputs = this.#inputsOf(one);
    const held = this.#held.get(name);
    const { settled } = this.#promises;
    const changes = held ? await resource.diff(held.id, held.state, inputs, session) : [];
    if (held && changes.length === 0) return;
    if (held)
      this.#promises.planned(
        one,
        held,
        changes.some(({ replaces }) => replaces),
        settled.has(name),
      );
    settled.delete(name);
    if (held && inputs.state !== undefined) this.#promises.forgetState(held.id);
    if (held && !changes.some(({ replaces }) => replaces)) {
      this.#promises.previewed(held.id, held.state, inputs, changes);
      const state = await resource.update(held.id, held.state, inputs, session);
      if (!isAlive()) return;
      this.#keep(name, held.id, state);
      return this.#promises.endedWell(one, held.id, this.#network.hasIgnored);
    }
    if (held) await this.#remove(name, session, isAlive);
    if (!isAlive()) return;
    const { id, state, failure } = await resource.create(inputs as never, session);
    if (!isAlive()) return;
    this.#keep(name, id, state);
    if (failure) throw failure;
    this.#promises.endedWell(one, id, this.#network.hasIgnored);
  }

  async #remove(name: Name, session: Session, isAlive: () => boolean): Promise<void> {
    const held = this.#held.get(name);
    if (!held) return;
    await this.#resourceOf(name).delete(held.id, held.state, session);
    if (isAlive()) this.#drop(name);
  }

  async #refresh(): Promise<void> {
    this.#isRefreshDue = false;
    const session = this.#session();
    for (const [name, { id, state }] of this.#held) {
      const reading = this.#resourceOf(name).read(id, state, session);
      const live = await reading.catch((error: Error) => error);
      if (live === "gone") {
        this.#held.delete(name);
        this.#promises.gone(name, id);
      } else if (typeof live === "object" && "state" in live) {
        this.#promises.shown(name, id, live.inputs, state);
        this.#keep(name, id, live.state);
      } else this.#isRefreshDue = true;
    }
    this.#promises.end();
  }

  async #destroy(name: Name): Promise<void> {
    const removing = this.#remove(name, this.#session(), () => true);
    await removing.catch((error: Error) => {
      if (error instanceof Broken) throw error;
      this.#messages.note(error.message, true);
    });
  }

  #somebody({ act, name }: Meddling): void {
    const held = this.#held.get(name);
    this.#isRefreshDue = true;
    this.#promises.settled.delete(name);
    if (held && ["stops", "fails"].includes(act)) this.#promises.forgetState(held.id);
    this.#product.console.act(act, held && this.#product.records().get(held.id));
  }

  /** Does what an error message about a pipe tells the user to do. */
  async #follow(message: string): Promise<void> {
    const name = names.find((one) => message.startsWith(`${one}:`)) as Name;
    const ids = message.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    const isFree = (id: string) => !this.#heldIds().includes(id);
    if (this.#held.has(name) && /--replace|page in the console|clickpipes_log/.test(message)) {
      await this.#remove(name, this.#session(), () => true);
      this.#adopted.delete(name);
      // The provider's message asks the user to drop the destination tables of the deleted pipe, so the simulated user drops
      // all such tables.
      this.#product.organization.tablesOfPipes = {};
    } else if (/allowReplacement/.test(message)) this.#allowed.add(name);
    else if (/remove adoptId/.test(message)) {
      const adopted = this.#adopted.get(name);
      this.#adopted.delete(name);
      // The simulated user wants the declared pipe, and so deletes the equal pipe, which a killed update has left, in the
      // console.
      if (adopted && !this.#held.has(name))
        this.#product.console.act("deletes", this.#product.records().get(adopted));
    } else if (/the private name \S+ is that of/.test(message))
      for (const id of ids.filter(isFree)) this.#product.removeEndpoint(id);
    else if (/adoptId/.test(message) && !this.#held.has(name)) {
      const free = ids.find((id) => isFree(id) && this.#product.created().some((one) => one.id === id));
      if (free) this.#adopted.set(name, free);
    } else {
      await wait(settling);
      await this.#refresh();
    }
  }
}
