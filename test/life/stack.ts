import type { TypeName } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { type HostName, hosts, type Resources } from "./hosts";
import { Managed } from "./managed";
import type { OpenService } from "./server";

/** A program with the resource of an object, and with others that declare members of the same object. */
export interface StackProgram {
  readonly own: PropertyMap;
  /** The other resources, by their names. They refer to outputs of the object's own resource. */
  others(own: Managed): { readonly [name: string]: PropertyMap };
}

/**
 * The order of the updates. Where the others refer to the own resource, the engine compares them once it is updated. Otherwise it
 * compares all of them first, and updates them in any order.
 */
export type Order = "dependent" | "own first" | "others first";

/**
 * A stack with the resource of an object, and with others that declare members of the same object. As under the engine, all of them
 * share the process of a command, and what has left the program is deleted last, unless an update has failed.
 */
export class Stack {
  own: Managed;
  readonly messages: string[] = [];
  readonly #others = new Map<string, Managed>();

  constructor(
    private readonly types: { readonly own: TypeName; readonly other: TypeName },
    private readonly host: HostName,
    private readonly service: OpenService,
  ) {
    this.own = new Managed(types.own, host, service);
  }

  copy(): Stack {
    const copy = new Stack(this.types, this.host, this.service);
    copy.own = this.own.copy();
    for (const [name, other] of this.#others) copy.#others.set(name, other.copy());
    return copy;
  }

  /** Does what `pulumi up` does, with `refreshes` what `pulumi up --refresh` does. */
  up(program: StackProgram, order: Order, refreshes = false): Promise<void> {
    return this.#inCommand(async (command) => {
      if (refreshes) await this.#read(command);
      const plans = [
        async () => [await within(command, this.own).planned(program.own)],
        () => this.#planned(program, command),
      ];
      if (order === "dependent") for (const plan of plans) await carriedOut(await plan());
      else {
        if (order === "others first") plans.reverse();
        const updates: (() => Promise<unknown>)[] = [];
        for (const plan of plans) updates.push(...(await plan()));
        await carriedOut(updates);
      }
      const declared = program.others(this.own);
      for (const [name, other] of this.#others) {
        if (name in declared) continue;
        await within(command, other).destroy();
        this.#others.delete(name);
      }
    });
  }

  refresh(): Promise<void> {
    return this.#inCommand((command) => this.#read(command));
  }

  /** The paths that `pulumi preview --refresh` shows as changed. */
  drift(program: StackProgram): Promise<readonly string[]> {
    return this.#inCommand(async (command) => {
      await this.#read(command);
      const { paths } = await within(command, this.own).preview(program.own);
      const found = [...paths];
      for (const [name, declared] of Object.entries(program.others(this.own)))
        found.push(...(await within(command, this.#other(name)).preview(declared)).paths);
      return found;
    });
  }

  /** Compares all other resources with a program, and returns what updates them. */
  async #planned(program: StackProgram, command: Resources): Promise<(() => Promise<unknown>)[]> {
    const updates: (() => Promise<unknown>)[] = [];
    for (const [name, declared] of Object.entries(program.others(this.own))) {
      const other = within(command, this.#other(name));
      const update = await other.planned(declared);
      updates.push(() => update().finally(() => other.id && this.#others.set(name, other)));
    }
    return updates;
  }

  async #read(command: Resources): Promise<void> {
    await within(command, this.own).refresh();
    for (const [name, other] of this.#others)
      if (!(await within(command, other).refresh())) this.#others.delete(name);
  }

  #other(name: string): Managed {
    return this.#others.get(name) ?? new Managed(this.types.other, this.host, this.service, name);
  }

  async #inCommand<Result>(run: (command: Resources) => Promise<Result>): Promise<Result> {
    return run(await hosts[this.host](this.service.settings, (text) => void this.messages.push(text)));
  }
}

const within = (command: Resources, managed: Managed): Managed =>
  Object.assign(managed, { command, meetsFailures: true });

/** Carries out updates of which none depends on another, so that all of them run where one fails. */
async function carriedOut(updates: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const update of updates) await update().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
