import { isDeepStrictEqual } from "node:util";
import type { DeclarableName } from "../../../provider/resources/registry";
import type { Kept as JudgedKept, Operation } from "../../promises/account";
import { changedBetween } from "../../promises/entries";
import type { Data } from "../../promises/store";
import type { Replacing } from "../history";
import { type Declared, dependenciesOf, type Instance, type Program, referencesIn } from "../program";
import { resolved } from "./references";
import { withMarksOf, withoutSecrets } from "./secrets";

/**
 * This module is a small model of Pulumi's engine: which methods of a provider it calls, in which order, and what it writes to
 * the Pulumi state. `test/engine/engineFacts.test.ts` compares these facts with the real engine.
 */

export interface Kept extends JudgedKept {
  readonly type: DeclarableName;
  readonly instance: Instance;
  /**
   * The inputs and outputs of a resource with its secret values marked. A state file has only the unmarked values as plain
   * text.
   */
  readonly marked: { readonly inputs: Data; readonly outputs: Data };
  readonly dependencies: readonly string[];
  readonly isImported?: true;
  /**
   * True if the create of the resource failed after the object existed. The engine then updates the resource even if no input
   * differs.
   */
  readonly isUnfinished?: true;
}

export interface EngineState {
  readonly resources: Map<string, Kept>;
  /** Old objects of replaced resources, which the engine deletes at the end of an update. */
  readonly doomed: { readonly name: string; readonly kept: Kept }[];
  /** The types of resources whose create was under way when the simulated engine was killed, by resource name. */
  readonly pending: Map<string, DeclarableName>;
}

interface Diff {
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** The provider's methods for one resource type, as the simulated engine calls them. All values carry marks for secrets. */
export interface Methods {
  check(olds: Data, news: Data): Promise<{ inputs?: Data; failures?: readonly { reason: string }[] }>;
  diff(id: string, olds: Data, news: Data): Promise<Diff>;
  create(inputs: Data): Promise<{ id: string; outs?: Data }>;
  read(id: string, props: Data, inputs: Data): Promise<{ id?: string; props?: Data; inputs?: Data }>;
  update(id: string, olds: Data, news: Data): Promise<{ outs?: Data }>;
  delete(id: string, props: Data): Promise<void>;
  import(id: string): Promise<{ id: string; props: Data; inputs: Data }>;
}

/**
 * Returns the methods of a resource, which run in the simulated process of its provider instance. Each phase of a Pulumi
 * command has its own.
 */
export type Host = (type: DeclarableName, instance: Instance, name: string) => Methods;

/** Imitates Pulumi's engine while it runs one command on the Pulumi state of a stack. */
export class Engine {
  readonly outcome = {
    errors: [] as string[],
    operations: [] as Operation[],
    gone: [] as { name: string; kept: JudgedKept }[],
    differing: [] as string[],
  };

  /** The arguments of resources that an import has generated for the program, by resource name. */
  readonly generated = new Map<string, Data>();

  /**
   * Makes a simulated engine for one Pulumi command on the state of a stack.
   * @param startHost starts the provider processes of a phase of the command
   * @param isTarget tells whether the command includes a resource, as `--target` limits it
   * @param did called after each step of a resource that succeeds
   * @param replacedBy what makes the engine replace the targets on its own, if anything does
   */
  constructor(
    private readonly state: EngineState,
    private readonly startHost: () => Host,
    private readonly isTarget: (name: string) => boolean,
    private readonly replacedBy?: Replacing,
    private readonly did?: (operation: Operation) => void,
  ) {}

  /**
   * Does what `pulumi refresh` does: reads all resources of the stack, writes the values into the Pulumi state, and removes
   * resources whose objects are gone.
   */
  async refresh(keeps = true): Promise<void> {
    const host = this.startHost();
    await Promise.all(
      [...this.state.resources].map(async ([name, kept]) => {
        if (!this.isTarget(name)) return;
        const { outputs, inputs } = kept.marked;
        const found = await this.#try(name, () => hostOf(host, name, kept).read(kept.id, outputs, inputs));
        if (!found) return;
        this.#did(name, kept.type, "read");
        if (!found.id) {
          this.state.resources.delete(name);
          this.outcome.gone.push(...changedBetween(name, kept, undefined).gone);
          this.outcome.differing.push(name);
          return;
        }
        const diff = await this.#try(name, () =>
          hostOf(host, name, kept).diff(kept.id, found.props ?? {}, inputs),
        );
        const { isUnfinished: _, ...rest } = kept;
        const now = {
          ...rest,
          ...(keeps && kept.isUnfinished ? { isUnfinished: true as const } : {}),
          ...valuesOf(found.inputs ?? inputs, found.props ?? {}),
        };
        this.state.resources.set(name, now);
        const { gone, differing } = changedBetween(name, kept, now);
        this.outcome.gone.push(...gone);
        if (diff && hasChanges(diff, inputs, found.inputs ?? inputs))
          this.outcome.differing.push(...differing);
      }),
    );
  }

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

  async destroy(): Promise<void> {
    await this.#deleteWhere(this.startHost(), () => true);
  }

  /**
   * Runs the simulated engine's step for one resource after those of the resources on which it depends.
   * @returns whether the steps of its dependents may run
   */
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
    let old = resources.get(name);
    if (!this.isTarget(name)) return old !== undefined;
    const methods = host(type, instance, name);
    // The plugin can read Pulumi states of the dynamic host. The dynamic host cannot read those of the plugin, so a resource
    // that moves back is imported.
    const isMovedBack = old?.instance === "plugin" && instance !== "plugin";
    const importId = isMovedBack ? old?.id : old ? undefined : declared.importId;
    if (importId !== undefined) {
      old = await this.#import(methods, name, { type, dependencies, instance }, importId);
      if (!old) return false;
      if (isMovedBack || Object.keys(declared.args).length === 0)
        this.generated.set(name, generatedArgs(old, declared));
    }
    const own = { type, dependencies, instance, isImported: old?.isImported };
    const args = this.generated.get(name) ?? declared.args;
    const news = resolved({ ...declared, args }, program, resources);
    const checked = await this.#try(name, () => methods.check(old?.marked.inputs ?? {}, news));
    if (!checked) return false;
    for (const { reason } of checked.failures ?? []) this.outcome.errors.push(`${name}: ${reason}`);
    const inputs = checked.inputs ?? news;
    if ((checked.failures ?? []).length > 0 || this.#hasFailed()) return false;
    if (!old) {
      this.outcome.differing.push(name);
      return isPreview ? true : this.#create(methods, name, own, inputs);
    }
    const { outputs } = old.marked;
    // With the option `--replace` the engine does not ask the provider for a diff.
    const diff =
      this.replacedBy === "--replace"
        ? { changes: true }
        : await this.#try(name, () => methods.diff(old.id, outputs, inputs));
    if (!diff || this.#hasFailed()) return false;
    if (!hasChanges(diff, old.marked.inputs, inputs) && !old.isUnfinished) {
      this.#did(name, type, "same");
      resources.set(name, { ...old, ...own, ...valuesOf(inputs, outputs) });
      return true;
    }
    this.outcome.differing.push(name);
    if (importId !== undefined && !isMovedBack && args === declared.args) {
      this.#failed(name, new Error("inputs to import do not match the existing resource"));
      return false;
    }
    if (isPreview) return true;
    if (this.replacedBy || (diff.replaces ?? []).length > 0) {
      if (diff.deleteBeforeReplace) {
        if (!(await this.#delete(host, name, old))) return false;
        resources.delete(name);
      }
      if (!(await this.#create(methods, name, own, inputs))) return false;
      if (!diff.deleteBeforeReplace) this.state.doomed.push({ name, kept: old });
      return true;
    }
    const { id } = old;
    const updated = await methods.update(id, outputs, inputs).catch((error: unknown) => {
      this.#failed(name, error);
      const { properties } = error as { properties?: Data };
      if (properties !== undefined)
        resources.set(name, { ...own, id, ...valuesOf(inputs, properties), isUnfinished: true });
    });
    if (!updated) return false;
    resources.set(name, { ...own, id: old.id, ...valuesOf(inputs, updated.outs ?? {}) });
    this.#did(name, type, "update");
    return true;
  }

  async #import(
    methods: Methods,
    name: string,
    own: Pick<Kept, "type" | "dependencies" | "instance">,
    importId: string,
  ): Promise<Kept | undefined> {
    const found = await this.#try(name, () => methods.import(importId));
    if (!found) return undefined;
    const { id, inputs, props } = found;
    const kept: Kept = { ...own, id, ...valuesOf(inputs, props), isImported: true };
    this.outcome.differing.push(name);
    this.#did(name, own.type, "import");
    return kept;
  }

  async #create(
    methods: Methods,
    name: string,
    own: Pick<Kept, "type" | "dependencies" | "instance" | "isImported">,
    inputs: Data,
  ): Promise<boolean> {
    const { resources, pending } = this.state;
    pending.set(name, own.type);
    try {
      const { id, outs = {} } = await methods.create(inputs);
      resources.set(name, { ...own, id, ...valuesOf(inputs, outs) });
      this.#did(name, own.type, "create");
      return true;
    } catch (error) {
      this.#failed(name, error);
      const { id, properties } = error as { id?: string; properties?: Data };
      if (id !== undefined && properties !== undefined)
        resources.set(name, { ...own, id, ...valuesOf(inputs, properties), isUnfinished: true });
      return false;
    } finally {
      pending.delete(name);
    }
  }

  /**
   * Deletes the old objects of replaced resources and all resources whose names match. As in Pulumi's engine, dependents are
   * deleted first.
   */
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
      const isDone = await this.#delete(host, name, kept);
      if (isDone) forget();
      return isDone;
    };
    await Promise.all(deletions.map(run));
  }

  async #delete(host: Host, name: string, kept: Kept): Promise<boolean> {
    const isDone = await this.#try(name, async () => {
      await hostOf(host, name, kept).delete(kept.id, kept.marked.outputs);
      return true;
    });
    if (isDone) this.#did(name, kept.type, "delete");
    return isDone === true;
  }

  #did(name: string, type: DeclarableName, op: Operation["op"]): void {
    const operation = { name, type, op };
    this.outcome.operations.push(operation);
    this.did?.(operation);
  }

  /** Returns true once any step has failed: the simulated engine then starts no further step. */
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

/**
 * Makes the arguments that an import generates for the program. Where the author of the program had written references, they
 * replace the ids found.
 */
function generatedArgs({ inputs }: Kept, { args }: Declared): Data {
  const { organizationId: _, serviceId: __, ...found } = visible(inputs);
  const references = Object.entries(args).filter(([, value]) => referencesIn(value).length > 0);
  return { ...found, ...Object.fromEntries(references) };
}

function hostOf(host: Host, name: string, { type, instance }: Kept): Methods {
  return host(type, instance, name);
}

/**
 * Makes the values of a resource as the Pulumi state keeps them. An output is secret if the input of the same name is secret.
 */
function valuesOf(inputs: Data, answered: Data): Pick<Kept, "inputs" | "outputs" | "marked"> {
  const outputs = withMarksOf(inputs, answered);
  const [plainInputs, plainOutputs] = [inputs, outputs].map((values) => withoutSecrets(values) as Data);
  return { inputs: plainInputs ?? {}, outputs: plainOutputs ?? {}, marked: { inputs, outputs } };
}

/**
 * Returns whether the simulated engine needs a step for a resource. If the provider's diff does not say whether inputs changed,
 * the engine compares them itself.
 */
function hasChanges({ changes }: { changes?: boolean }, olds: Data, news: Data): boolean {
  return changes ?? !isDeepStrictEqual(visible(olds), visible(news));
}

function visible(inputs: Data): Data {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
}
