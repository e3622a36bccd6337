import { Model } from "../../../sandbox/core/model";
import { type Service, seededCredentials } from "../../../sandbox/index";
import { Broken } from "../ownHistories";
import type { Provider } from "../provider";
import { never } from "../virtualTime";
import type { Answer } from "../world/foreign";
import { deliverBy, type HttpRequest, requestOf } from "../world/transport";
import {
  type Act,
  type Course,
  type Declared,
  type Lists,
  type Meddling,
  type Name,
  names,
  type Outcome,
  type Step,
} from "./history";
import { ListJudge, withLists } from "./lists";

interface Held {
  readonly id: string;
  readonly state: { readonly [member: string]: unknown };
}

let worlds = 0;

/**
 * Plays one simulated history with the services of an organization, one stack, and a person who changes them in the console.
 */
export class World {
  readonly #model: Model;
  readonly #held = new Map<Name, Held>();
  /** Ids of existing services that a message told the simulated user to adopt, by resource name. */
  readonly #adopted = new Map<Name, string>();
  readonly #messages: string[] = [];
  /**
   * Ids of services whose create was under way when a simulated provider process was killed. The engine itself warns about
   * these resources.
   */
  readonly #pending = new Set<string>();
  /** Ids of services that have run and may contain data. A step of a stack must not delete one of these if it is protected. */
  readonly #ran = new Set<string>();
  readonly #address = `http://world${worlds++}.localhost`;
  /** True if a person has changed a service since the last refresh, which an update without a refresh cannot know. */
  #isMeddledWith = false;
  /** True if a message of an update since the last refresh says that a refresh helps. */
  #isRefreshAdvised = false;
  #process = 0;
  #course: Course = "answered";
  #lists: Lists = "carried out";
  #meddling: Meddling | undefined;
  readonly #listJudge = new ListJudge();
  #foreignAddresses = 1;
  /** Milliseconds for which reads lack a service that is created now. */
  #lag = 0;
  /** For each service, the time until which reads lack it. */
  readonly #hiddenUntil = new Map<string, number>();

  constructor(private readonly provider: Provider) {
    this.#model = new Model({ dialect: "clickhouse", stateMilliseconds: 20_000, keepsRequests: false });
    deliverBy((request) => this.#deliver(request));
  }

  async play(steps: readonly Step[], last: readonly Declared[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "time") await this.#pass(step.milliseconds);
      else if (step.kind === "refresh") await this.#refresh();
      else if (step.kind === "destroy") await this.#destroy(step.name);
      else if (step.kind === "somebody") this.#somebody(step.act, step.name);
      else if (step.kind === "replace") await this.#replace(step.declared, step.by);
      else {
        this.#lists = step.lists;
        this.#meddling = step.meddling;
        await this.#up(step.declared, step.course, step.outcome, step.killedAfter, step.lag);
        this.#lists = "carried out";
        this.#meddling = undefined;
      }
    }
    // From this point of the simulated history on no fault happens, and the user does what messages say.
    for (const service of this.#created())
      if (service.state === "provisioning") Object.assign(service, { state: "running", steps: undefined });
    if (this.#isMeddledWith || this.#isRefreshAdvised) await this.#refresh();
    for (let attempt = 0; ; attempt++) {
      const failures = await this.#up(last, "answered", "works");
      if (failures.length === 0) break;
      if (attempt === 6) throw new Broken(`the last update does not end: ${failures.join("; ")}`);
      for (const failure of failures) await this.#follow(failure);
    }
    this.#judge(last);
  }

  async #pass(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  #created(): Service[] {
    this.#model.advance(Date.now());
    const all = [...this.#model.store.services.values()].slice(2);
    for (const { id, state } of all) if (state === "running") this.#ran.add(id);
    return all;
  }

  async #deliver(request: HttpRequest): Promise<Answer | string> {
    const [, process] = /process(\d+)/.exec(request.baseUrl) ?? [];
    await this.#pass(20);
    if (Number(process) !== this.#process) return never();
    const isCreate = request.method === "POST";
    const course = isCreate ? this.#course : "answered";
    if (isCreate) this.#course = "answered";
    if (course === "lost before") return "ECONNRESET";
    const known = new Set(this.#created().map(({ id }) => id));
    const treated = withLists(request, this.#lists);
    if (treated && !isCreate) this.#meddle("before");
    const { answer } = this.#model.handle("management", requestOf(treated ?? request), Date.now());
    if (treated && !isCreate) this.#meddle("after");
    for (const { id } of this.#created())
      if (!known.has(id)) this.#hiddenUntil.set(id, Date.now() + this.#lag);
    if (request.method === "GET") return this.#asShown(answer as Answer);
    if (course === "lost after") return "ECONNRESET";
    if (course === "page after")
      return { status: 504, headers: { "content-type": "text/html" }, body: "<html>" };
    return answer as Answer;
  }

  /** The answer to a read, which lags behind: it lacks services that were created just now. */
  #asShown(answer: Answer): Answer {
    const { result, ...envelope } = JSON.parse(String(answer.body)) as { result?: Service | Service[] };
    const isHidden = ({ id }: Service) => (this.#hiddenUntil.get(id) ?? 0) > Date.now();
    if (Array.isArray(result)) {
      const shown = result.filter((service) => !isHidden(service));
      return { ...answer, body: JSON.stringify({ ...envelope, result: shown }) };
    }
    if (!result || !isHidden(result)) return answer;
    return {
      ...answer,
      status: 404,
      body: JSON.stringify({ status: 404, requestId: "5b1f", error: "NOT_FOUND: service not found" }),
    };
  }

  /** Starts a new simulated provider process. The previous process has been killed. */
  #session() {
    this.#process++;
    const { organizationId, keyId, keySecret } = seededCredentials;
    const settings = {
      ...{ baseUrl: `${this.#address}/process${this.#process}`, organizationId, keyId, keySecret },
      ...{ dialect: "clickhouse", onConflict: "warn", timeoutSeconds: 30, maxRetries: 1 },
      requestsPerSecond: 0,
    };
    const note = (text: string) => {
      this.#messages.push(text);
      if (/after a refresh/.test(text)) this.#isRefreshAdvised = true;
    };
    return new this.provider.session.Session(() => settings as never, { warn: note, info: note });
  }

  /** Does what `pulumi up` does with a program of services, and returns the messages of the failed steps. */
  async #up(
    declared: readonly Declared[],
    course: Course,
    outcome: Outcome,
    killedAfter?: number,
    lag = 0,
  ): Promise<string[]> {
    const { Service: resource } = this.provider.registry.resources;
    const { UpdatedIncompletely } = this.provider.resource;
    this.#model.store.organization.provisioning = outcome;
    this.#course = course;
    this.#lag = lag;
    const session = this.#session();
    const own = this.#process;
    const failures: string[] = [];
    const done: Declared[] = [];
    const fail = (message: string) => {
      const gone =
        / was deleted while/.test(message) && this.#created().find(({ id }) => message.includes(id));
      if (gone) throw new Broken(`a message says that service ${gone.id} was deleted, and it is there`);
      failures.push(message);
      this.#messages.push(message);
    };
    const isAlive = () => own === this.#process;
    const apply = async ({ name, inputs: program }: Declared): Promise<void> => {
      const adoptId = this.#adopted.get(name);
      const inputs = {
        organizationId: seededCredentials.organizationId,
        ...program,
        ...(adoptId && { adoptId }),
      };
      const held = this.#held.get(name);
      try {
        if (!held) {
          const { id, state, failure } = await resource.create(inputs, session);
          if (!isAlive()) return;
          this.#held.set(name, { id, state });
          if (failure) fail(`${name}: ${failure.message}`);
          else {
            this.#mustBeReady(id, program);
            done.push({ name, inputs: program });
          }
          return;
        }
        const changes = await resource.diff(held.id, held.state, inputs, session);
        if (changes.length === 0) return;
        if (changes.some(({ replaces }) => replaces))
          throw new Broken(`${name} is replaced by a program that says what it has`);
        const state = await resource.update(held.id, held.state, inputs, session);
        if (!isAlive()) return;
        this.#held.set(name, { id: held.id, state });
        this.#mustBeReady(held.id, program);
        done.push({ name, inputs: program });
      } catch (error) {
        if (!isAlive()) return;
        if (error instanceof Broken) throw error;
        if (error instanceof UpdatedIncompletely && held)
          this.#held.set(name, { id: held.id, state: error.state });
        fail(`${name}: ${(error as Error).message}`);
      }
    };
    // The engine calls diff for all resources in the Pulumi state before it creates new ones, and so does this simulation.
    for (const { name, inputs } of declared) {
      const held = this.#held.get(name);
      if (held) await resource.diff(held.id, held.state, inputs, session).catch(() => []);
    }
    const work = Promise.all(declared.map(apply));
    if (killedAfter === undefined) await work;
    else {
      const isDone = await Promise.race([work.then(() => true), this.#pass(killedAfter).then(() => false)]);
      if (!isDone) {
        this.#process++;
        const heldIds = [...this.#held.values()].map(({ id }) => id);
        const underWay = declared.filter(({ name }) => !this.#held.has(name)).map(({ name }) => String(name));
        for (const { id, name } of this.#created())
          if (underWay.includes(name) && !heldIds.includes(id)) this.#pending.add(id);
        session.interruption.cancel();
      }
    }
    for (const each of done) await this.#mustShowWrongEntries(each);
    return failures;
  }

  /**
   * Checks promises of the provider: after an update that ended well, a preview shows what the service has not removed, and a
   * refresh shows drift of exactly the lists that are wrong.
   */
  async #mustShowWrongEntries({ name, inputs }: Declared): Promise<void> {
    const { Service: resource } = this.provider.registry.resources;
    const held = this.#held.get(name);
    const service = this.#created().find(({ id }) => id === held?.id);
    if (!held || !service) return;
    this.#listJudge.noteDeclared(held.id, inputs);
    const session = this.#session();
    const program = { organizationId: seededCredentials.organizationId, ...inputs };
    const shownIn = async (state: Held["state"]) => {
      const changes = await resource.diff(held.id, state, program, session);
      return changes.map(({ path }) => path).filter((path) => /^(ipAccessList|tags)/.test(path));
    };
    const wrong = this.#listJudge.wrongIn(service, inputs);
    const fail = (where: string, paths: readonly string[]) => {
      const entries = wrong.join(", ") || "no entry is wrong";
      throw new Broken(
        `${entries} in service ${held.id}, and ${where} shows ${paths.join(", ") || "nothing"}`,
      );
    };
    const previewed = await shownIn(held.state);
    if (wrong.some((words) => words.endsWith("is still there")) && previewed.length === 0)
      fail("a preview", previewed);
    const live = await resource.read(held.id, held.state, session);
    if (typeof live !== "object") return;
    const drifted = await shownIn(live.state as Held["state"]);
    if (wrong.length > 0 !== drifted.length > 0) fail("a refresh", drifted);
  }

  /** Lets somebody add or remove an address while the stack writes to the service, once in a step. */
  #meddle(when: Meddling["when"]): void {
    if (this.#meddling?.when !== when) return;
    const { act, name } = this.#meddling;
    this.#meddling = undefined;
    this.#somebody(act, name);
  }

  /** Checks a promise of the provider: after a step without an error the service is usable, since its dependents start then. */
  #mustBeReady(id: string, { desiredState }: Declared["inputs"]): void {
    const state = this.#created().find((service) => service.id === id)?.state;
    if (desiredState === "stopped" ? state !== "stopped" : state === "provisioning" || state === "failed")
      throw new Broken(`an update has ended well, and service ${id} is ${state}`);
    if (desiredState === "running" && !["running", "idle"].includes(String(state)))
      throw new Broken(`an update has ended well, and service ${id}, which shall run, is ${state}`);
  }

  async #refresh(): Promise<void> {
    this.#isMeddledWith = false;
    this.#isRefreshAdvised = false;
    const { Service: resource } = this.provider.registry.resources;
    const session = this.#session();
    for (const [name, { id, state }] of this.#held) {
      const live = await resource.read(id, state, session).catch((error: Error) => error);
      if (live === "gone") this.#held.delete(name);
      else if (typeof live === "object" && "state" in live)
        this.#held.set(name, { id, state: live.state as Held["state"] });
    }
  }

  /**
   * Checks a promise of the provider: where the engine asks for a create in the place of a service that ran, by the option `--replace`
   * or, after a diff, by `replaceOnChanges`, no second service is made.
   */
  async #replace({ name, inputs: program }: Declared, by: "--replace" | "replaceOnChanges"): Promise<void> {
    const { Service: resource } = this.provider.registry.resources;
    const held = this.#held.get(name);
    const record = this.#created().find(({ id }) => id === held?.id);
    if (!held || !record || !this.#ran.has(held.id) || record.state === "failed") return;
    const { organizationId } = seededCredentials;
    const session = this.#session();
    const isHidden = (this.#hiddenUntil.get(held.id) ?? 0) > Date.now();
    const tracking = held.state.__tracking as { awaiting?: string } | undefined;
    const isProtected = held.state.deletionProtection !== false && tracking?.awaiting !== "create";
    let inputs: Declared["inputs"] = { organizationId, ...program };
    if (by === "replaceOnChanges") {
      inputs = { ...inputs, name: `${name} of the team` };
      await resource.diff(held.id, held.state, inputs, session);
      if (!isProtected) return;
    } else if (isHidden || record.name !== name) return;
    const before = this.#created().length;
    await resource.create(inputs, session).catch((error: Error) => this.#messages.push(error.message));
    if (this.#created().length > before)
      throw new Broken(`the engine has had a second service made in the place of ${name} (${by})`);
  }

  async #destroy(name: Name): Promise<void> {
    const held = this.#held.get(name);
    if (!held) return;
    const session = this.#session();
    const hasRun = this.#ran.has(held.id);
    try {
      await this.provider.registry.resources.Service.delete(held.id, held.state, session);
    } catch (error) {
      this.#messages.push((error as Error).message);
      return;
    }
    this.#held.delete(name);
    if (this.#created().some(({ id }) => id === held.id))
      throw new Broken(`the deletion of service ${held.id} has ended well, and it is there`);
    if (hasRun && held.state.deletionProtection !== false)
      throw new Broken(`service ${held.id} is deleted although it is protected`);
  }

  #somebody(act: Act, name: Name): void {
    const service = this.#created().find(({ id }) => id === this.#held.get(name)?.id);
    if (!service) return;
    this.#isMeddledWith = true;
    if (act === "adds an address") {
      const source = `203.0.113.${this.#foreignAddresses++}`;
      service.ipAccessList = [...service.ipAccessList, { source }];
      this.#listJudge.noteForeign(service.id, source, true);
    } else if (act === "removes an address") {
      const [first, ...others] = service.ipAccessList;
      service.ipAccessList = others;
      if (first) this.#listJudge.noteForeign(service.id, first.source, false);
    } else if (act === "renames") service.name = `${name} of somebody`;
    else if (act === "starts" && service.state === "stopped") service.state = "running";
    else if (act !== "starts" && service.state === "running")
      service.state = act === "stops" ? "stopped" : "idle";
  }

  /** Does what an error message about a service tells the user to do. */
  async #follow(message: string): Promise<void> {
    const name = names.find((one) => message.startsWith(`${one}:`)) as Name;
    const ids = message.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
    const heldIds = [...this.#held.values()].map(({ id }) => id);
    const held = this.#held.get(name);
    if (/ is failed/.test(message)) {
      const id = held?.id ?? ids[0];
      await this.provider.registry.resources.Service.delete(
        String(id),
        { ...held?.state, organizationId: seededCredentials.organizationId, deletionProtection: false },
        this.#session(),
      );
      this.#held.delete(name);
      this.#adopted.delete(name);
    } else if (/adoptId/.test(message)) {
      const free = ids.find((id) => !heldIds.includes(id) && this.#created().some((one) => one.id === id));
      if (free) this.#adopted.set(name, free);
    } else await this.#pass(200_000);
  }

  /**
   * Returns whether the simulated user knows of a service that is in no Pulumi state: a message contains its id or, if the
   * program no longer declares it, the engine warned about its create.
   */
  #isTold(id: string, name: string, last: readonly Declared[]): boolean {
    const isDropped = last.every((declared) => declared.name !== name);
    return this.#messages.some((text) => text.includes(id)) || (isDropped && this.#pending.has(id));
  }

  #judge(last: readonly Declared[]): void {
    const services = this.#created();
    const heldIds = [...this.#held.values()].map(({ id }) => id);
    if (new Set(heldIds).size < heldIds.length) throw new Broken("two resources have one service");
    for (const { id, name } of services)
      if (!heldIds.includes(id) && !this.#isTold(id, name, last))
        throw new Broken(`service ${id} (${name}) is in no state and in no message`);
    for (const { name, inputs } of last) {
      const service = services.find(({ id }) => id === this.#held.get(name)?.id);
      if (!service) throw new Broken(`${name} has no service`);
      // A failed service never ran, so another one may take its place. The check above holds that a message names it.
      const isTwin = (other: Service) => other.name === name && other.state !== "failed";
      const twins = services.filter((other) => isTwin(other) && other.id !== service.id);
      if (twins.length > 0) throw new Broken(`${name} has ${twins.length + 1} services`);
      this.#mustBeReady(service.id, inputs);
      const wrong = this.#listJudge.wrongIn(service, inputs);
      if (wrong.length > 0) throw new Broken(`in the end, ${wrong.join(", ")} in service ${service.id}`);
    }
    for (const service of services) {
      const lost = this.#listJudge.lostIn(service);
      if (lost.length > 0)
        throw new Broken(`service ${service.id} lost the addresses ${lost.join(", ")} of others`);
    }
  }
}
