import { isDeepStrictEqual } from "node:util";
import { signature, unknownText } from "../../../provider/hosts/engineValues";
import { dependenciesOf, type Instance, isReference, type Program, type TypeName } from "../program";
import type { Data } from "../world/store";

/**
 * A small model of the engine, as far as a provider can tell: what it asks in which order, what it keeps, and when. Its
 * facts are those that `test/engine/engineFacts.test.ts` and `engineDiff.test.ts` hold the real engine to.
 */

/** A resource in a state. */
export interface Kept {
  readonly type: TypeName;
  readonly id: string;
  readonly inputs: Data;
  readonly outputs: Data;
  readonly dependencies: readonly string[];
  /** The provider instance that takes care of it. */
  readonly instance: Instance;
  /** Its creation failed after the object existed: the next update is made even if nothing differs. */
  readonly isUnfinished?: true;
}

/** What the engine remembers of a stack. */
export interface EngineState {
  readonly resources: Map<string, Kept>;
  /** Replaced resources that still have to be deleted. */
  readonly doomed: { readonly name: string; readonly kept: Kept }[];
  /** Creations that a killed engine left under way, with their types. */
  readonly pending: Map<string, TypeName>;
}

/** The methods of one type, as the host of dynamic providers calls them. */
export interface Methods {
  check(olds: Data, news: Data): Promise<{ inputs?: Data; failures?: readonly { reason: string }[] }>;
  diff(id: string, olds: Data, news: Data): Promise<{ changes?: boolean; replaces?: readonly string[] }>;
  create(inputs: Data): Promise<{ id: string; outs?: Data }>;
  read(id: string, props: Data): Promise<{ id?: string; props?: Data; inputs?: Data }>;
  update(id: string, olds: Data, news: Data): Promise<{ outs?: Data }>;
  delete(id: string, props: Data): Promise<void>;
}

/** The provider in one phase of a command: the methods of each type, in the process of each instance. */
export type Host = (type: TypeName, instance: Instance, name: string) => Methods;

/** What one command did with one resource. */
export interface Operation {
  readonly name: string;
  readonly type: TypeName;
  readonly op: "create" | "update" | "replace" | "delete" | "read" | "same";
}

/** What came of a command. */
export interface Outcome {
  readonly errors: string[];
  readonly operations: Operation[];
  /** Resources that a refresh took out of the state. */
  readonly gone: { readonly name: string; readonly kept: Kept }[];
  /** Names of the resources in which the service differs from state or program. */
  readonly differing: string[];
}

/** Runs one command on a state. */
export class Engine {
  readonly outcome: Outcome = { errors: [], operations: [], gone: [], differing: [] };

  /**
   * @param startHost starts the provider: each phase of a command has processes of its own
   * @param isTarget whether a command concerns a resource
   */
  constructor(
    private readonly state: EngineState,
    private readonly startHost: () => Host,
    private readonly isTarget: (name: string) => boolean,
  ) {}

  /** Reads all resources: drift goes into the state, and what is gone leaves it. */
  async refresh(keeps = true): Promise<void> {
    const host = this.startHost();
    await Promise.all(
      [...this.state.resources].map(async ([name, kept]) => {
        if (!this.isTarget(name)) return;
        const found = await this.#try(name, () => hostOf(host, name, kept).read(kept.id, kept.outputs));
        if (!found) return;
        this.#did(name, kept.type, "read");
        if (!found.id) {
          this.state.resources.delete(name);
          this.outcome.gone.push({ name, kept });
          this.outcome.differing.push(name);
          return;
        }
        const { id, inputs } = kept;
        const diff = await this.#try(name, () =>
          hostOf(host, name, kept).diff(id, found.props ?? {}, inputs),
        );
        if (diff && hasChanges(diff, inputs, found.inputs ?? inputs)) this.outcome.differing.push(name);
        const { isUnfinished: _, ...rest } = kept;
        this.state.resources.set(name, {
          ...rest,
          ...(keeps && kept.isUnfinished ? { isUnfinished: true } : {}),
          inputs: found.inputs ?? kept.inputs,
          outputs: found.props ?? {},
        });
      }),
    );
  }

  /** Brings the service to what the program declares, or only says what that takes. */
  async update(program: Program, isPreview = false): Promise<void> {
    const host = this.startHost();
    const steps = new Map<string, Promise<boolean>>();
    const stepFor = (name: string): Promise<boolean> => {
      const running = steps.get(name) ?? this.#step(host, program, name, stepFor, isPreview);
      steps.set(name, running);
      return running;
    };
    await Promise.all([...program.keys()].map(stepFor));
    if (this.outcome.errors.length > 0) return;
    for (const name of [...this.state.resources.keys()]) {
      if (program.has(name) || !this.isTarget(name)) continue;
      this.outcome.differing.push(name);
    }
    if (!isPreview) await this.#deleteWhere(host, (name) => !program.has(name));
  }

  /** Deletes all resources. */
  async destroy(): Promise<void> {
    await this.#deleteWhere(this.startHost(), () => true);
  }

  /** @returns whether those that depend on the resource can go on */
  async #step(
    host: Host,
    program: Program,
    name: string,
    stepFor: (name: string) => Promise<boolean>,
    isPreview: boolean,
  ): Promise<boolean> {
    const declared = program.get(name);
    if (!declared) return false;
    const dependencies = dependenciesOf(declared);
    const areReady = await Promise.all(dependencies.map(stepFor));
    if (!areReady.every(Boolean) || this.outcome.errors.length > 0) return false;
    const { type, instance = "default", alias } = declared;
    const { resources } = this.state;
    const former = alias !== undefined && !resources.has(name) ? resources.get(alias) : undefined;
    if (alias !== undefined && former?.type === type && !program.has(alias)) {
      resources.delete(alias);
      resources.set(name, former);
    }
    const old = resources.get(name);
    if (!this.isTarget(name)) return old !== undefined;
    const methods = host(type, instance, name);
    const own = { type, dependencies, instance };
    const news = this.#resolved(declared.args, program) as Data;
    const checked = await this.#try(name, () => methods.check(old?.inputs ?? {}, news));
    if (!checked) return false;
    for (const { reason } of checked.failures ?? []) this.outcome.errors.push(`${name}: ${reason}`);
    const inputs = withoutSecrets(checked.inputs ?? news) as Data;
    if ((checked.failures ?? []).length > 0 || this.#hasFailed()) return false;
    if (!old) {
      this.outcome.differing.push(name);
      return isPreview ? true : this.#create(methods, name, own, inputs);
    }
    const diff = await this.#try(name, () => methods.diff(old.id, old.outputs, inputs));
    if (!diff || this.#hasFailed()) return false;
    if (!hasChanges(diff, old.inputs, inputs) && !old.isUnfinished) {
      this.#did(name, type, "same");
      resources.set(name, { ...old, ...own, inputs });
      return true;
    }
    this.outcome.differing.push(name);
    if (isPreview) return true;
    if ((diff.replaces ?? []).length > 0) {
      if (!(await this.#create(methods, name, own, inputs))) return false;
      this.state.doomed.push({ name, kept: old });
      return true;
    }
    const updated = await this.#try(name, () => methods.update(old.id, old.outputs, inputs));
    if (!updated) return false;
    this.#did(name, type, "update");
    resources.set(name, { ...own, id: old.id, inputs, outputs: updated.outs ?? {} });
    return true;
  }

  async #create(
    methods: Methods,
    name: string,
    own: Pick<Kept, "type" | "dependencies" | "instance">,
    inputs: Data,
  ): Promise<boolean> {
    const { resources, pending } = this.state;
    pending.set(name, own.type);
    try {
      const { id, outs = {} } = await methods.create(inputs);
      resources.set(name, { ...own, id, inputs, outputs: outs });
      this.#did(name, own.type, "create");
      return true;
    } catch (error) {
      this.#failed(name, error);
      const { id, properties } = error as { id?: string; properties?: Data };
      if (id !== undefined && properties !== undefined)
        resources.set(name, { ...own, id, inputs, outputs: properties, isUnfinished: true });
      return false;
    } finally {
      pending.delete(name);
    }
  }

  /** Deletes what has been replaced and what matches, dependents first. */
  async #deleteWhere(host: Host, matches: (name: string) => boolean): Promise<void> {
    const { resources, doomed } = this.state;
    const deletions = [
      ...doomed.map((entry) => ({ ...entry, forget: () => void doomed.splice(doomed.indexOf(entry), 1) })),
      ...[...resources]
        .filter(([name]) => matches(name) && this.isTarget(name))
        .map(([name, kept]) => ({ name, kept, forget: () => void resources.delete(name) })),
    ];
    const done = new Map<object, Promise<boolean>>();
    const run = (deletion: (typeof deletions)[number]): Promise<boolean> => {
      const running = done.get(deletion) ?? start(deletion);
      done.set(deletion, running);
      return running;
    };
    const start = async ({ name, kept, forget }: (typeof deletions)[number]) => {
      const users = deletions.filter((other) => other.kept.dependencies.includes(name));
      const areGone = await Promise.all(users.map(run));
      if (!areGone.every(Boolean)) return false;
      const isDone = await this.#try(name, async () => {
        await hostOf(host, name, kept).delete(kept.id, kept.outputs);
        return true;
      });
      if (!isDone) return false;
      forget();
      this.#did(name, kept.type, "delete");
      return true;
    };
    await Promise.all(deletions.map(run));
  }

  #resolved(value: unknown, program: Program): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#resolved(entry, program));
    if (isReference(value)) {
      const target = this.state.resources.get(value.ref);
      if (!target) return unknownText;
      if (value.tile === undefined) return target.id;
      return ((target.outputs.tileIds ?? {}) as Data)[tileKey(program, value.ref, value.tile)];
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [name, this.#resolved(member, program)] as const)
        .filter(([, member]) => member !== undefined),
    );
  }

  #did(name: string, type: TypeName, op: Operation["op"]): void {
    this.outcome.operations.push({ name, type, op });
  }

  /** The engine begins nothing more after a failure. */
  #hasFailed(): boolean {
    return this.outcome.errors.length > 0;
  }

  #failed(name: string, error: unknown): void {
    this.outcome.errors.push(`${name}: ${(error as Error).message}`);
  }

  async #try<Result>(name: string, call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await call();
    } catch (error) {
      this.#failed(name, error);
      return undefined;
    }
  }
}

function hostOf(host: Host, name: string, { type, instance }: Kept): Methods {
  return host(type, instance, name);
}

/** The engine encrypts what a check marks as a secret, and sends the host plain values. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return (value as { readonly value?: unknown }).value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

/** As programs name a tile: `dashboard.tileIds["Errors (2)"]`. */
function tileKey(program: Program, dashboard: string, index: number): string {
  const tiles = (program.get(dashboard)?.args.tiles ?? []) as readonly Data[];
  const name = String(tiles[index]?.name);
  const before = tiles.slice(0, index).filter((tile) => tile.name === name).length;
  return before === 0 ? name : `${name} (${before + 1})`;
}

/** Whether inputs count as changed: where a provider leaves it open, the engine compares them. */
function hasChanges({ changes }: { changes?: boolean }, olds: Data, news: Data): boolean {
  return changes ?? !isDeepStrictEqual(visible(olds), visible(news));
}

function visible(inputs: Data): Data {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
}
