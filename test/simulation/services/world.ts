import type { Service } from "../../../sandbox/index";
import type { Operation } from "../../promises/account";
import type { Data } from "../../promises/store";
import type { Run } from "../actors/stack";
import { Broken, World } from "../ownWorld";
import type { Program } from "../program";
import type { Provider } from "../provider";
import { Random } from "../random";
import { wait } from "../virtualTime";
import { type Asked, type Fault, isCreate } from "../world/faults";
import type { HttpRequest } from "../world/transport";
import { type Act, drawnProgram, type Meddling, type Name, type Step } from "./history";
import { hasLists, ListJudge, withLists } from "./lists";

type Up = Extract<Step, { kind: "up" }>;

/** A simulated history with the services of an organization, one stack, and a person who changes them in the console. */
export class ServicesWorld extends World<readonly Step[], Service> {
  /** Ids of services that have run and may contain data. A step of a stack must not delete one of these if it is protected. */
  readonly #ran = new Set<string>();
  readonly #listJudge = new ListJudge();
  /** True if a person has changed a service since the last refresh, which an update without a refresh cannot know. */
  #isMeddledWith = false;
  /** True if a message of an update since the last refresh says that a refresh helps. */
  #isRefreshAdvised = false;
  /** What the running update is to meet, as far as it has not met it yet. */
  #ahead: Partial<Up> = {};
  #foreignAddresses = 1;

  constructor(
    provider: Provider,
    private readonly seed: number,
  ) {
    super(provider, seed, { collections: ["services"], settings: { maxRetries: 1 } });
  }

  protected override async course(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "time") await wait(step.milliseconds);
      else if (step.kind === "refresh") await this.#refresh();
      else if (step.kind === "destroy") await this.#destroy(step.name);
      else if (step.kind === "somebody") this.#somebody(step.act, step.name);
      else if (step.kind === "replace") await this.#replace(step);
      else await this.#up(step);
    }
    // From this point of the simulated history on no fault happens, and the user does what messages say.
    for (const service of this.created())
      if (service.state === "provisioning") Object.assign(service, { state: "running", steps: undefined });
    if (this.#isMeddledWith || this.#isRefreshAdvised) await this.#refresh();
    const declared = drawnProgram(new Random("last program of services", this.seed));
    const last: Up = { kind: "up", declared, outcome: "works", lists: "carried out", lag: 0 };
    await this.bringAbout(
      () => this.#up(last),
      (...failure) => this.#follow(...failure),
    );
    this.#judge(declared);
  }

  override created(): Service[] {
    const all = super.created();
    for (const { id, state } of all) if (state === "running") this.#ran.add(id);
    return all;
  }

  protected override heard(text: string, isWarning: boolean): void {
    super.heard(text, isWarning);
    if (/after a refresh/.test(text)) this.#isRefreshAdvised = true;
  }

  override faultOf(asked: Asked, sent: HttpRequest): Fault | undefined {
    this.created();
    if (!isCreate(asked)) {
      if (hasLists(sent)) this.#meddle("before");
      return undefined;
    }
    const { fault } = this.#ahead;
    this.#ahead = { ...this.#ahead, fault: undefined };
    return fault;
  }

  override treated(sent: HttpRequest): HttpRequest {
    return withLists(sent, this.#ahead.lists ?? "carried out");
  }

  override wrote(sent: HttpRequest): void {
    if (sent.method !== "POST" && hasLists(sent)) this.#meddle("after");
    this.created();
  }

  /** Runs `pulumi up` for the resources of a program, and judges what it has brought about. */
  async #up(step: Up): Promise<Run> {
    const { declared, outcome, killedAfter, lag } = step;
    this.service.model.store.organization.provisioning = outcome;
    this.service.lagOfServices = lag;
    for (const [name, one] of declared)
      if ((await this.changesOf(name, one)).some(({ replaces }) => replaces))
        throw new Broken(`${name} is replaced by a program that says what it has`);
    this.#ahead = step;
    const run = await this.run({ command: "up", killedAfter, only: [...declared.keys()] }, declared);
    this.#ahead = {};
    if (run.wasKilled) this.#noteKill(declared);
    for (const error of run.outcome.errors) {
      const gone = / was deleted while/.test(error) && this.created().find(({ id }) => error.includes(id));
      if (gone) throw new Broken(`a message says that service ${gone.id} was deleted, and it is there`);
    }
    for (const { name, op } of run.outcome.operations) {
      const [kept, one] = [this.held(name), declared.get(name)];
      if (!kept || !one || (op !== "create" && op !== "update")) continue;
      await this.#mustShowWrongEntries(name, declared);
    }
    return run;
  }

  protected override did({ name, op }: Operation): void {
    const [kept, one] = [this.held(name), this.stacks.a.program.get(name)];
    if (kept && one && (op === "create" || op === "update")) this.#mustBeReady(kept.id, one.args);
  }

  #noteKill(declared: Program): void {
    for (const [name, { args }] of declared) {
      const kept = this.held(name);
      if (kept) this.#listJudge.noteKilled(kept.id, args, kept.outputs);
    }
  }

  /**
   * Checks promises of the provider: after an update that ended well, a preview shows what the service has not removed, and a
   * refresh shows drift of exactly the lists that are wrong.
   */
  async #mustShowWrongEntries(name: string, declared: Program): Promise<void> {
    const [kept, one] = [this.held(name), declared.get(name)];
    const service = this.created().find(({ id }) => id === kept?.id);
    if (!one || !service) return;
    this.#listJudge.noteDeclared(service.id, one.args);
    const shownIn = async (state?: Data) => {
      const changes = await this.changesOf(name, one, state);
      return changes.map(({ path }) => path).filter((path) => /^(ipAccessList|tags)/.test(path));
    };
    const wrong = this.#listJudge.wrongIn(service, one.args);
    const fail = (where: string, paths: readonly string[]) => {
      const entries = wrong.join(", ") || "no entry is wrong";
      throw new Broken(
        `${entries} in service ${service.id}, and ${where} shows ${paths.join(", ") || "nothing"}`,
      );
    };
    const previewed = await shownIn();
    if (wrong.some((words) => words.endsWith("is still there")) && previewed.length === 0)
      fail("a preview", previewed);
    const live = await this.readOf(name);
    if (!live) return;
    const drifted = await shownIn(live);
    if (wrong.length > 0 !== drifted.length > 0) fail("a refresh", drifted);
  }

  /** Lets somebody add or remove an address while the stack writes to the service, once in a step. */
  #meddle(when: Meddling["when"]): void {
    const { meddling } = this.#ahead;
    if (meddling?.when !== when) return;
    this.#ahead = { ...this.#ahead, meddling: undefined };
    this.#somebody(meddling.act, meddling.name);
  }

  /** Checks a promise of the provider: after a step without an error the service is usable, since its dependents start then. */
  #mustBeReady(id: string, { desiredState }: Data): void {
    const state = this.created().find((service) => service.id === id)?.state;
    if (desiredState === "stopped" ? state !== "stopped" : state === "provisioning" || state === "failed")
      throw new Broken(`an update has ended well, and service ${id} is ${state}`);
    if (desiredState === "running" && !["running", "idle"].includes(String(state)))
      throw new Broken(`an update has ended well, and service ${id}, which shall run, is ${state}`);
  }

  async #refresh(): Promise<void> {
    this.#isMeddledWith = false;
    this.#isRefreshAdvised = false;
    await this.run({ command: "refresh" });
  }

  /**
   * Checks a promise of the provider: where the engine asks for a create in the place of a service that ran, by the option `--replace`
   * or, after a diff, by `replaceOnChanges`, no second service is made.
   */
  async #replace({ name, declared, by }: Extract<Step, { kind: "replace" }>): Promise<void> {
    const [kept, one] = [this.held(name), declared.get(name)];
    const before = new Set(this.created().map(({ id }) => id));
    const record = this.created().find(({ id }) => id === kept?.id);
    if (!kept || !one || !record || !this.#ran.has(kept.id) || record.state === "failed") return;
    const tracking = kept.outputs.__tracking as { awaiting?: string } | undefined;
    const isProtected = kept.outputs.deletionProtection !== false && tracking?.awaiting !== "create";
    const isRenamed = by === "replaceOnChanges";
    if (isRenamed ? !isProtected : this.service.isHidden(kept.id) || record.name !== name) return;
    const args = { ...one.args, ...(isRenamed && { name: `${name} of the team` }) };
    await this.run({ command: "up", only: [name], replacedBy: by }, new Map([[name, { ...one, args }]]));
    if (this.created().some(({ id }) => !before.has(id)))
      throw new Broken(`the engine has had a second service made in the place of ${name} (${by})`);
  }

  async #destroy(name: Name): Promise<void> {
    const kept = this.held(name);
    const hasRun = kept && this.#ran.has(kept.id);
    await this.run({ command: "destroy", only: [name] });
    if (!kept || this.held(name)) return;
    if (this.created().some(({ id }) => id === kept.id))
      throw new Broken(`the deletion of service ${kept.id} has ended well, and it is there`);
    if (hasRun && kept.outputs.deletionProtection !== false)
      throw new Broken(`service ${kept.id} is deleted although it is protected`);
  }

  #somebody(act: Act, name: Name): void {
    const service = this.created().find(({ id }) => id === this.held(name)?.id);
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
  async #follow(name: string, message: string, [freeId]: readonly string[]): Promise<void> {
    const { resources } = this.stacks.a.state;
    if (/ is failed/.test(message)) {
      this.service.model.store.services.delete(this.held(name)?.id ?? freeId ?? "");
      resources.delete(name);
      this.adopted.delete(name);
    } else if (/adoptId/.test(message)) {
      if (freeId !== undefined) this.adopted.set(name, freeId);
    } else await wait(200_000);
  }

  #judge(last: Program): void {
    const services = this.created();
    // Once the program declares a service again, a message has to name what a killed update has left of it.
    this.judgeHeld(({ name }) => !last.has(name));
    for (const [name, { args }] of last) {
      const service = services.find(({ id }) => id === this.held(name)?.id);
      if (!service) throw new Broken(`${name} has no service`);
      // A failed service never ran, so another one may take its place. The check above holds that a message names it.
      const isTwin = (other: Service) => other.name === name && other.state !== "failed";
      const twins = services.filter((other) => isTwin(other) && other.id !== service.id);
      if (twins.length > 0) throw new Broken(`${name} has ${twins.length + 1} services`);
      this.#mustBeReady(service.id, args);
      const wrong = this.#listJudge.wrongIn(service, args);
      if (wrong.length > 0) throw new Broken(`in the end, ${wrong.join(", ")} in service ${service.id}`);
    }
    for (const service of services) {
      const lost = this.#listJudge.lostIn(service);
      if (lost.length > 0)
        throw new Broken(`service ${service.id} lost the addresses ${lost.join(", ")} of others`);
    }
  }
}
