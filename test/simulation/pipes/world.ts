import { isWrite } from "../../../sandbox/core/operations";
import type { Operation } from "../../promises/account";
import type { Run } from "../actors/stack";
import { Broken, World } from "../ownWorld";
import type { Program } from "../program";
import type { Provider } from "../provider";
import { Random } from "../random";
import { wait } from "../virtualTime";
import type { Asked, Fault } from "../world/faults";
import type { HttpRequest } from "../world/transport";
import { Console, type Held } from "./console";
import type { Meddling, Step } from "./history";
import { drawnProgram, passwords } from "./program";
import { Promises } from "./promises";

type Up = Extract<Step, { kind: "up" }>;

/** Milliseconds after which the simulated service has ended every operation under way. */
const settling = 200_000;

/** A simulated history with the pipes of a service, one stack, and a person in the console. */
export class PipesWorld extends World<readonly Step[], Held> {
  readonly #console = new Console(this.service.model);
  readonly #promises = new Promises(this as never, this.#console);
  /** Pipes for which the simulated user has set `allowReplacement`, as a message asked. */
  readonly #allowed = new Set<string>();
  /** True if something has happened in the simulated history that an update cannot know unless a refresh comes before it. */
  #isRefreshDue = false;
  #trouble: Up["trouble"];
  #writes = 0;
  /** True if the simulated service has answered one of the current update's writes without carrying it out. */
  #hasIgnored = false;

  constructor(
    provider: Provider,
    private readonly seed: number,
  ) {
    const collections = ["pipes", "reversePrivateEndpoints"] as const;
    super(provider, seed, { collections, settings: { maxRetries: 1 }, secrets: passwords });
  }

  protected override async course(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === "time") await wait(step.milliseconds);
      else if (step.kind === "refresh") await this.#refresh();
      else if (step.kind === "destroy") await this.#destroy(step.name);
      else if (step.kind === "somebody") this.#somebody(step);
      else await this.#up(step);
    }
    // From this point of the simulated history on no fault happens, and the user does what messages say.
    this.#console.act("wakes", undefined);
    this.#console.endHangs(this.created());
    this.#console.heal();
    await wait(settling);
    if (this.#isRefreshDue) await this.#refresh();
    const declared = drawnProgram(new Random("last program of pipes", this.seed));
    const up: Up = { kind: "up", declared, outcome: "works" };
    await this.bringAbout(
      () => this.#up(up),
      (...failure) => this.#follow(...failure),
    );
    await wait(settling);
    this.judgeHeld(() => true);
    this.#promises.atTheEnd(declared);
    await this.#refresh();
    const { errors } = (await this.#up(up)).outcome;
    if (errors.length > 0 || this.#writes > 0)
      throw new Broken(`an update of what is up to date writes, or fails: ${errors.join("; ")}`);
  }

  override faultOf({ operation }: Asked, { method }: HttpRequest): Fault | undefined {
    this.records();
    if (!isWrite(operation)) return undefined;
    this.#writes++;
    const fault = this.#trouble?.write === this.#writes ? this.#trouble.fault : undefined;
    const isIgnored = fault?.kind === "swallowed";
    if (isIgnored && (method === "POST" || method === "DELETE")) return undefined;
    this.#hasIgnored ||= isIgnored;
    return fault;
  }

  override wrote(sent: HttpRequest, status: number): void {
    this.judging(() => this.#promises.written(sent, status));
  }

  protected override did({ name, op }: Operation): void {
    const [kept, one] = [this.held(name), this.stacks.a.program.get(name)];
    if (op === "delete") this.#promises.deleted(name, kept?.id ?? "");
    else if (kept && one && (op === "create" || op === "update"))
      this.#promises.endedWell(name, one.args, kept.id, this.#hasIgnored);
  }

  /** Runs `pulumi up` with a program of pipes, and judges what it has brought about. */
  async #up({ declared: drawn, outcome, trouble, meddling }: Up): Promise<Run> {
    const declared: Program = new Map(
      [...drawn].map(([name, { args, ...one }]) => {
        const allowed = this.#allowed.has(name) && { allowReplacement: true };
        return [name, { ...one, args: { ...args, ...allowed } }];
      }),
    );
    this.service.model.store.organization.provisioning = outcome;
    const promises = this.#promises;
    promises.begin();
    for (const [name, one] of declared) {
      const [kept, changes] = [this.held(name), await this.changesOf(name, one)];
      if (!kept || changes.length === 0) continue;
      const isReplaced = changes.some(({ replaces }) => replaces);
      promises.planned(name, one.args, kept, isReplaced);
      promises.settled.delete(name);
      if (one.args.state !== undefined) promises.forgetState(kept.id);
      if (!isReplaced) promises.previewed(kept.id, kept.outputs, one.args, changes);
    }
    this.#trouble = trouble;
    this.#writes = 0;
    this.#hasIgnored = false;
    let isRunning = true;
    if (meddling) setTimeout(() => isRunning && this.#somebody(meddling), meddling.after);
    const run = await this.run({ command: "up" }, declared);
    isRunning = false;
    this.#trouble = undefined;
    if (this.#hasIgnored || run.outcome.errors.length > 0) this.#isRefreshDue = true;
    if (run.wasKilled) this.#noteKill();
    for (const [name, { id }] of run.before) if (this.held(name)?.isUnfinished) promises.failedInPart(id);
    return run;
  }

  #noteKill(): void {
    this.#isRefreshDue = true;
    const { settled, doubtful } = this.#promises;
    settled.clear();
    for (const id of this.heldIds()) doubtful.add(id);
  }

  async #refresh(): Promise<void> {
    this.#promises.begin();
    const run = await this.run({ command: "refresh" });
    this.#isRefreshDue = run.outcome.errors.length > 0;
    for (const { name, op } of run.outcome.operations) {
      const { id = "" } = run.before.get(name) ?? {};
      if (op === "read" && this.held(name)) this.#promises.shown(name, id, run);
      else this.#promises.gone(name, id);
    }
  }

  async #destroy(name: string): Promise<void> {
    this.#promises.begin();
    await this.run({ command: "destroy", only: [name] });
  }

  #somebody({ act, name }: Meddling): void {
    const kept = this.held(name);
    this.#isRefreshDue = true;
    this.#promises.settled.delete(name);
    if (kept && ["stops", "fails"].includes(act)) this.#promises.forgetState(kept.id);
    this.#console.act(act, kept && this.records().get(kept.id));
  }

  /** Does what an error message about a pipe tells the user to do. */
  async #follow(name: string, message: string, freeIds: readonly string[]): Promise<void> {
    const { store } = this.service.model;
    const kept = this.held(name);
    if (kept && /--replace|page in the console|clickpipes_log/.test(message)) {
      await this.#destroy(name);
      this.adopted.delete(name);
      // The provider's message asks the user to drop the destination tables of the deleted pipe, so the simulated user drops
      // all such tables.
      store.organization.tablesOfPipes = {};
    } else if (/allowReplacement/.test(message)) this.#allowed.add(name);
    else if (/remove adoptId/.test(message)) {
      const adopted = this.adopted.get(name);
      this.adopted.delete(name);
      // The simulated user wants the declared pipe, and so deletes the equal pipe, which a killed update has left, in the
      // console.
      if (adopted && !kept) this.#console.act("deletes", this.records().get(adopted));
    } else if (/the private name \S+ is that of/.test(message))
      for (const id of freeIds) store.reversePrivateEndpoints.delete(id);
    else if (/adoptId/.test(message) && !kept) {
      const free = freeIds.find((id) => !this.seeded.has(id));
      if (free) this.adopted.set(name, free);
    } else {
      await wait(settling);
      await this.#refresh();
    }
  }
}
