import { isWrite } from "../../../sandbox/core/operations";
import { actorsOf, setActors } from "../../../sandbox/core/resources/assignments";
import type { Role } from "../../../sandbox/index";
import type { Data } from "../../promises/store";
import { addKey } from "../../unit/resources/apiKey.example";
import { Broken, World } from "../ownWorld";
import type { Program } from "../program";
import type { Provider } from "../provider";
import { Random } from "../random";
import { wait } from "../virtualTime";
import { organizationId } from "../world/contents";
import type { Asked, Fault } from "../world/faults";
import type { HttpRequest } from "../world/transport";
import { type History, keysOf, type StackName, type Step } from "./history";

interface Change {
  readonly at: number;
  readonly by: string;
  readonly key: string;
  readonly isAdded: boolean;
}

const roleId = "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11";

/** The longest time in milliseconds that a request or an answer is under way in the simulated network. */
const longestTransit = 300;

/**
 * Times in milliseconds from docs/roles-and-members.md: how old a role's list of actors may be when the provider writes it, and
 * how long after a write the provider reads it again.
 */
const longestAge = 5000 + 2 * longestTransit;
const settling = 1000;

/** Milliseconds after which no read of the role shows old values. */
const fourMinutes = 240_000;

const ids = new Map<string, string>(
  Object.values(keysOf)
    .flat()
    .map((key, index) => [key, `aaaaaaaa-aaaa-4aaa-8aaa-${String(index).padStart(12, "0")}`]),
);

/** A simulated history with a role, two stacks that assign it to API keys, and a person in the web page. */
export class RolesWorld extends World<History, Role> {
  readonly #changes: Change[] = [];
  readonly #random: Random;
  #known: ReadonlySet<string> = new Set();
  #others: number;

  constructor(
    provider: Provider,
    seed: number,
    private readonly history: History,
  ) {
    const { requestsPerSecond, others } = history;
    const settings = { maxRetries: 2, requestsPerSecond };
    super(provider, seed, { collections: ["roles"], settings, longestTransit });
    this.#random = new Random("network of roles", seed);
    this.#others = others;
    for (const [name, id] of ids)
      addKey(this.service.model as never, {
        id,
        name,
        roles: [],
        assignedRoles: [],
        keySuffix: id.slice(-4),
      });
  }

  protected override async course({ steps }: History): Promise<void> {
    await Promise.all([this.#stack("a"), this.#stack("b"), this.#page(steps.page)]);
    this.network.isFaulty = false;
    this.#others = 0;
    this.#judgeWindow();
    for (const name of ["a", "b"] as const) this.#judgeLook(name);
    // If another writer overwrites a change of the role's actors within the allowed time, the next update after a refresh makes
    // the change again.
    await wait(fourMinutes);
    for (const name of ["a", "b"] as const) {
      await this.run({ command: "refresh" }, undefined, name);
      const { errors } = (await this.run({ command: "up" }, this.#lastOf(name), name)).outcome;
      if (errors.length > 0) throw new Broken(`the last update of ${name} fails: ${errors.join("; ")}`);
    }
    for (const name of ["a", "b"] as const) this.#judgeEnd(name);
  }

  get #role(): Role {
    return this.records().get(roleId) as Role;
  }

  get #actors(): readonly string[] {
    return actorsOf(this.service.model.store, this.#role);
  }

  override faultOf({ operation }: Asked): Fault | undefined {
    if (!isWrite(operation) || !this.#random.chance(this.history.losses)) return undefined;
    return { kind: "broken", carriedOut: this.#random.chance(0.5) ? "no" : "yes" };
  }

  override wrote(_sent: HttpRequest, _status: number, { actor }: { readonly actor: string }): void {
    this.#note(actor);
  }

  /** Records which API keys got or lost the role by what a writer (a stack or the person) has just done. */
  #note(by: string): void {
    const [before, actors] = [this.#known, this.#actors];
    this.#known = new Set([...ids.keys()].filter((key) => actors.includes(`apiKey/${ids.get(key)}`)));
    for (const key of ids.keys())
      if (before.has(key) !== this.#known.has(key))
        this.#changes.push({ at: Date.now(), by, key, isAdded: this.#known.has(key) });
  }

  async #stack(name: StackName): Promise<void> {
    for (const step of this.history.steps[name]) {
      await wait(step.after);
      if (step.kind === "up") await this.run({ command: "up" }, programOf(step.declared), name);
    }
  }

  #lastOf(name: StackName): Program {
    const last = this.history.steps[name].at(-1);
    return programOf(last?.kind === "up" ? last.declared : []);
  }

  /** Reads unrelated objects in a provider process that has just started: their requests wait for the rate limit, too. */
  protected override async started(settings: Data): Promise<void> {
    const session = this.session(settings);
    const reads = Array.from({ length: this.#others }, async () => {
      for (let count = 0; count < 6; count++)
        await session.call("listServices", { organizationId }).catch(() => {});
    });
    await Promise.all(reads);
  }

  async #page(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await wait(step.after);
      if (step.kind === "up") continue;
      const actor = `apiKey/${ids.get(step.key)}`;
      const read = this.#actors;
      if (step.kind === "list") await wait(step.thinks);
      const actors = step.kind === "list" ? read : this.#actors;
      const others = actors.filter((other) => other !== actor);
      const toggled = others.length < actors.length ? others : [...actors, actor];
      setActors(this.service.model.store, this.#role, toggled);
      this.#note("page");
    }
  }

  #lastChange(key: string, before?: number): Change | undefined {
    return this.#changes
      .slice(0, before)
      .filter((change) => change.key === key)
      .at(-1);
  }

  /**
   * Checks a promise of the provider: a stack never changes the role of another writer's key, unless that writer changed it
   * while the stack's list was under way.
   */
  #judgeWindow(): void {
    for (const [index, { by, key, at, isAdded }] of this.#changes.entries()) {
      if (by === "page" || key.startsWith(by)) continue;
      const last = this.#lastChange(key, index);
      const age = at - (last?.at ?? Number.NEGATIVE_INFINITY);
      if (age > longestAge)
        throw new Broken(
          `stack ${by} has ${isAdded ? "given the role to" : "taken the role from"} ${key}, which somebody else had changed ${Math.round(age / 1000)} s before`,
        );
    }
  }

  /**
   * Checks a promise of the provider: if another writer overwrites a stack's change of the role right after the write, the
   * stack makes the change again.
   */
  #judgeLook(name: StackName): void {
    const declared = this.#lastOf(name);
    const { resources } = this.stacks[name].state;
    for (const key of keysOf[name]) {
      const isWanted = declared.has(key);
      // If the Pulumi state after the update differs from the program in this key, the step of the key's role assignment has
      // failed. The next update repeats the step, so the promise does not apply yet.
      if (resources.has(key) !== isWanted || this.#known.has(key) === isWanted) continue;
      const [own, undone] = this.#changes.filter((change) => change.key === key).slice(-2);
      if (own?.by === name && own.isAdded === isWanted && undone && undone.at - own.at < settling)
        throw new Broken(
          `what stack ${name} did to ${key} was undone ${undone.at - own.at} ms later, and stays so`,
        );
    }
  }

  /**
   * Checks a promise of the provider: after a refresh and an update, each key of a stack has the role if the program declares
   * it, and does not have it if the stack took it away.
   */
  #judgeEnd(name: StackName): void {
    const declared = this.#lastOf(name);
    for (const key of keysOf[name]) {
      const hasRole = this.#known.has(key);
      if (declared.has(key) && !hasRole)
        throw new Broken(`${key} lacks the role at the end, and stack ${name} is up to date`);
      // Another writer (a stack or the person) may have given the API key the role again, with a list of actors that was read
      // earlier.
      const last = this.#lastChange(key);
      if (!declared.has(key) && hasRole && last?.by === name)
        throw new Broken(`${key} has the role at the end, and stack ${name} is up to date`);
    }
  }
}

function programOf(keys: readonly string[]): Program {
  return new Map(
    keys.map((key) => [key, { type: "RoleAssignment", args: { roleId, apiKeyId: ids.get(key) } }]),
  );
}
