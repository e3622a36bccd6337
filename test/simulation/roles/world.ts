import { Model } from "../../../sandbox/core/model";
import { actorsOf, setActors } from "../../../sandbox/core/resources/assignments";
import { type Role, seededCredentials } from "../../../sandbox/index";
import { addKey } from "../../unit/resources/apiKey.example";
import { Broken } from "../ownHistories";
import type { Provider } from "../provider";
import type { Random } from "../random";
import { never, wait } from "../virtualTime";
import type { Answer } from "../world/foreign";
import { deliverBy, type HttpRequest, requestOf } from "../world/transport";
import { type History, keysOf, type StackName, type Step } from "./history";

interface Held {
  readonly id: string;
  readonly state: { readonly [member: string]: unknown };
}

interface Change {
  readonly at: number;
  readonly by: StackName | "page";
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

let worlds = 0;

/**
 * Plays one simulated history with a role of ClickHouse Cloud, two stacks that assign it to API keys, and a person in the web
 * page.
 */
export class World {
  readonly #model = new Model({ dialect: "clickhouse", keepsRequests: false });
  readonly #ids = new Map<string, string>();
  readonly #held: { readonly [name in StackName]: Map<string, Held> } = { one: new Map(), other: new Map() };
  readonly #changes: Change[] = [];
  readonly #address = `http://roles${worlds++}.localhost`;
  #losses = 0;
  #others = 0;

  constructor(
    private readonly provider: Provider,
    private readonly random: Random,
  ) {
    for (const [index, name] of Object.values(keysOf).flat().entries()) {
      const id = `aaaaaaaa-aaaa-4aaa-8aaa-${String(index).padStart(12, "0")}`;
      this.#ids.set(name, id);
      addKey(this.#model as never, { id, name, roles: [], assignedRoles: [], keySuffix: `key${index}` });
    }
    deliverBy((request) => this.#deliver(request));
  }

  async play({ steps, requestsPerSecond, others, losses }: History): Promise<void> {
    this.#losses = losses;
    this.#others = others;
    await Promise.all([
      this.#stack("one", steps.one, requestsPerSecond),
      this.#stack("other", steps.other, requestsPerSecond),
      this.#page(steps.page),
    ]);
    this.#losses = 0;
    this.#others = 0;
    this.#judgeWindow();
    for (const name of ["one", "other"] as const) this.#judgeLook(name, declaredLast(steps[name]));
    // If another writer overwrites a change of the role's actors within the allowed time, the next update after a refresh makes
    // the change again.
    await wait(fourMinutes);
    for (const name of ["one", "other"] as const) {
      await this.#refresh(name);
      const failures = await this.#up(name, declaredLast(steps[name]), requestsPerSecond);
      if (failures.length > 0) throw new Broken(`the last update of ${name} fails: ${failures.join("; ")}`);
    }
    for (const name of ["one", "other"] as const) this.#judgeEnd(name, declaredLast(steps[name]));
  }

  get #role(): Role {
    return this.#model.store.roles.get(roleId) as Role;
  }

  #has(): ReadonlySet<string> {
    const actors = new Set(actorsOf(this.#model.store, this.#role));
    return new Set([...this.#ids].flatMap(([name, id]) => (actors.has(`apiKey/${id}`) ? [name] : [])));
  }

  /** Carries out a change of one writer (a stack or the person), and records which API keys got or lost the role. */
  #changing<Result>(by: Change["by"], act: () => Result): Result {
    const before = this.#has();
    const result = act();
    const after = this.#has();
    const note = (key: string, isAdded: boolean) =>
      void this.#changes.push({ at: Date.now(), by, key, isAdded });
    for (const key of after) if (!before.has(key)) note(key, true);
    for (const key of before) if (!after.has(key)) note(key, false);
    return result;
  }

  async #deliver(request: HttpRequest): Promise<Answer | string> {
    const by = request.baseUrl.includes("/other/") ? "other" : "one";
    const isLost = request.method !== "GET" && this.random.chance(this.#losses);
    const isLostBefore = this.random.chance(0.5);
    await wait(this.random.integer(1, longestTransit));
    if (isLost && isLostBefore) return "ECONNRESET";
    const { answer } = this.#changing(by, () =>
      this.#model.handle("management", requestOf(request), Date.now()),
    );
    await wait(this.random.integer(1, longestTransit));
    return isLost ? "ECONNRESET" : ((answer as Answer | undefined) ?? never());
  }

  #session(name: StackName, requestsPerSecond: number) {
    const { organizationId, keyId, keySecret } = seededCredentials;
    const settings = {
      ...{ baseUrl: `${this.#address}/${name}/${this.random.hex(8)}`, organizationId, keyId, keySecret },
      ...{ dialect: "clickhouse", onConflict: "warn", timeoutSeconds: 30, maxRetries: 2, requestsPerSecond },
    };
    const silent = { warn: () => {}, info: () => {} };
    return new this.provider.session.Session(() => settings as never, silent);
  }

  #inputsOf(key: string) {
    const { organizationId } = seededCredentials;
    return { organizationId, roleId, apiKeyId: this.#ids.get(key) as string };
  }

  async #stack(name: StackName, steps: readonly Step[], requestsPerSecond: number): Promise<void> {
    for (const step of steps) {
      await wait(step.after);
      if (step.kind === "up") await this.#up(name, step.declared, requestsPerSecond);
    }
  }

  /**
   * Does what `pulumi up` does with role assignments: creates new ones, and deletes those that are no longer declared. Returns
   * the messages of the failed steps.
   */
  async #up(name: StackName, declared: readonly string[], requestsPerSecond: number): Promise<string[]> {
    const { RoleAssignment: resource } = this.provider.registry.declarable;
    const session = this.#session(name, requestsPerSecond);
    const held = this.#held[name];
    const failures: string[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: Error) => void failures.push(error.message));
    const create = async (key: string) => {
      const { id, state, failure } = await resource.create(this.#inputsOf(key), session);
      held.set(key, { id, state });
      if (failure) throw failure;
    };
    const remove = async (key: string, { id, state }: Held) => {
      await resource.delete(id, state, session);
      held.delete(key);
    };
    const others = Array.from({ length: this.#others }, async () => {
      const { organizationId } = seededCredentials;
      for (let count = 0; count < 3; count++)
        await session.call("listServices", { organizationId }).catch(() => {});
    });
    await Promise.all(declared.filter((key) => !held.has(key)).map((key) => attempt(create(key))));
    await Promise.all(
      [...held].filter(([key]) => !declared.includes(key)).map(([key, one]) => attempt(remove(key, one))),
    );
    await Promise.all(others);
    return failures;
  }

  async #refresh(name: StackName): Promise<void> {
    const { RoleAssignment: resource } = this.provider.registry.declarable;
    const session = this.#session(name, 0);
    for (const [key, { id, state }] of this.#held[name]) {
      const live = await resource.read(id, state, session);
      if (live === "gone") this.#held[name].delete(key);
    }
  }

  async #page(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await wait(step.after);
      if (step.kind === "up") continue;
      const actor = `apiKey/${this.#ids.get(step.key)}`;
      const toggled = (actors: readonly string[]) =>
        actors.includes(actor) ? actors.filter((other) => other !== actor) : [...actors, actor];
      const read = actorsOf(this.#model.store, this.#role);
      if (step.kind === "list") await wait(step.thinks);
      const actors = toggled(step.kind === "list" ? read : actorsOf(this.#model.store, this.#role));
      this.#changing("page", () => setActors(this.#model.store, this.#role, actors));
    }
  }

  /**
   * Checks a promise of the provider: a stack never changes the role of another writer's key, unless that writer changed it
   * while the stack's list was under way.
   */
  #judgeWindow(): void {
    for (const [index, { by, key, at, isAdded }] of this.#changes.entries()) {
      if (by === "page" || (keysOf[by] as readonly string[]).includes(key)) continue;
      const last = this.#changes
        .slice(0, index)
        .filter((change) => change.key === key)
        .at(-1);
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
  #judgeLook(name: StackName, declared: readonly string[]): void {
    for (const key of keysOf[name]) {
      const isWanted = declared.includes(key);
      // If the Pulumi state after the update differs from the program in this key, the step of the key's role assignment has
      // failed. The next update repeats the step, so the promise does not apply yet.
      if (this.#held[name].has(key) !== isWanted || this.#has().has(key) === isWanted) continue;
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
  #judgeEnd(name: StackName, declared: readonly string[]): void {
    const has = this.#has();
    for (const key of keysOf[name]) {
      if (declared.includes(key) && !has.has(key))
        throw new Broken(`${key} lacks the role at the end, and stack ${name} is up to date`);
      // Another writer (a stack or the person) may have given the API key the role again, with a list of actors that was read
      // earlier.
      const last = this.#changes.filter((change) => change.key === key).at(-1);
      if (!declared.includes(key) && has.has(key) && last?.by === name)
        throw new Broken(`${key} has the role at the end, and stack ${name} is up to date`);
    }
  }
}

function declaredLast(steps: readonly Step[]): readonly string[] {
  const last = steps.at(-1);
  return last?.kind === "up" ? last.declared : [];
}
