import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { type Tracking, trackingOf } from "../../provider/lifecycle/state";
import { resources, type TypeName } from "../../provider/resources/registry";
import { type PropertyMap, pick } from "../../provider/values/data";
import { withoutSecrets } from "../simulation/actors/secrets";
import { inVirtualTime } from "../unit/api/virtualTime";
import { examples } from "../unit/resources/examples";
import { type HostName, hosts, inSet, type Process, type Resources } from "./hosts";
import type { OpenService } from "./server";

/**
 * Milliseconds by which virtual time will be ahead of real time when the next Pulumi command begins. A command begins at the
 * virtual time at which the last one ended, since the clock of the tested service never goes back.
 */
let ahead = 0;

/** Lets time pass before the next Pulumi command in virtual time begins. */
export function pass(milliseconds: number): void {
  ahead += milliseconds;
}

/** The records in the Pulumi state of what the next update has to do. An update that succeeds leaves none. */
const debts = [
  "owed",
  "doubted",
  "awaiting",
  "attempted",
  "goal",
  "owesPassword",
  "unfinished",
  "doubts",
] as const satisfies readonly (keyof Tracking)[];

/** The types whose updates wait until the service shows a change, though their objects are ready at once. */
const pollingTypes: ReadonlySet<TypeName> = new Set([
  "Member",
  "PipeCdcScaling",
  "RoleAssignment",
  "ServiceSettings",
  "Udf",
  "UdfAttachment",
]);

/**
 * An object of a stack, with the id, inputs and outputs that the engine keeps in the Pulumi state. Each Pulumi command runs in
 * a new process.
 */
export class Managed {
  id = "";
  state: PropertyMap = {};
  inputs: PropertyMap = {};
  /** Whether the last update failed with a state, after which the engine updates again whatever a comparison says, until a refresh. */
  isIncomplete = false;
  readonly messages: string[] = [];
  /** Whether the commands run in virtual time, so that waits for a service that fails take no real time. */
  meetsFailures = false;

  /** The process of the command that runs, where the object shares it with others of its stack. */
  command: Resources | undefined;

  /** Whether the object is the only one of a set, such as an alert of an `AlertSet`. */
  isInSet = false;

  /** @param name the name of the resource in the program, where that has several of the type */
  constructor(
    readonly type: TypeName,
    readonly host: HostName,
    private readonly service: OpenService,
    private readonly name?: string,
  ) {}

  /** Returns the object as a resource of a second stack, whose Pulumi state begins as a copy of this stack's state. */
  copy(): Managed {
    const { id, state, inputs } = this;
    const copy = new Managed(this.type, this.host, this.service, this.name);
    return Object.assign(copy, { id, state, inputs });
  }

  /**
   * Does what `pulumi up` does with a program, and returns the property paths that its preview shows as changed.
   * @param ignored the property paths in `ignoreChanges`
   */
  async up(program: PropertyMap, ignored?: string[]): Promise<readonly string[]> {
    return (await this.planned(program, ignored))();
  }

  /** Checks and compares a program, as the engine does before the update, and returns what carries the update out. */
  async planned(program: PropertyMap, ignored?: string[]): Promise<() => Promise<readonly string[]>> {
    const { process, inputs, paths, changes } = await this.#timed(async () => {
      const process = await this.#start();
      return { process, ...(await this.#compared(process, program)) };
    });
    const isNew = !this.id;
    const carryOut = async () => {
      if (isNew || changes || this.isIncomplete) {
        const { id, state, failure } = isNew
          ? await process.create(inputs)
          : { ...(await process.update(this.id, this.state, inputs, ignored)), id: this.id };
        Object.assign(this, { id, state, inputs, isIncomplete: failure !== undefined });
        if (failure) throw failure;
      }
      this.inputs = inputs;
      // A refresh notes what it displaces, which stays where there is nothing to update.
      const left = isNew || changes ? pick({ ...trackingOf(this.state) }, debts) : {};
      expect(left, "what the update has left to do").to.deep.equal({});
      return paths;
    };
    return () => this.#timed(carryOut);
  }

  /**
   * Previews a program as `pulumi preview` does. Returns the inputs, the changed property paths, and those that replace the
   * object.
   */
  async preview(
    program: PropertyMap,
  ): Promise<{ inputs: PropertyMap; paths: readonly string[]; replaces: readonly string[] }> {
    return this.#timed(async () => this.#compared(await this.#start(), program));
  }

  async refresh(): Promise<boolean> {
    return this.#timed(async () => {
      const process = await this.#start();
      const { id, state, inputs = this.inputs } = await process.read(this.id, this.state, this.inputs);
      // The engine compares what it has read with the last program, which tells others in the same process what that was.
      if (this.command && id !== "") await process.diff(id, state, this.inputs);
      if (id !== "") Object.assign(this, { state, inputs, isIncomplete: false });
      return id !== "";
    });
  }

  async drift(program: PropertyMap): Promise<readonly string[]> {
    await this.refresh();
    return (await this.preview(program)).paths;
  }

  /** Imports an object, and returns what the state file then shows. */
  async import(id: string): Promise<string> {
    const live = await this.#timed(async () => (await this.#start()).read(id, {}));
    const { state, inputs = {}, stored = "" } = live;
    Object.assign(this, { id: live.id, state, inputs });
    return stored;
  }

  /**
   * Imports the object into a second stack. Returns the property paths that a preview of the imported inputs shows as changed,
   * and what the state file shows of the import.
   */
  async imported(): Promise<{ paths: readonly string[]; stored: string }> {
    const other = new Managed(this.type, "the plugin", this.service);
    const stored = await other.import(this.id);
    return { paths: (await other.preview(other.inputs)).paths, stored };
  }

  async destroy(): Promise<void> {
    return this.#timed(async () => (await this.#start()).delete(this.id, this.state));
  }

  /** Returns a property path as the previews of a host show it: the dynamic host reports only whole properties. */
  placeOf(path: string): string {
    return this.host === "the plugin" ? path : (path.split(/[.[]/)[0] ?? "");
  }

  /** Runs a step in virtual time if the resource type waits for the service, so that waits take no real time. */
  async #timed<Result>(step: () => Promise<Result>): Promise<Result> {
    const isWaiting = resources[this.type].waiting || pollingTypes.has(this.type);
    if (!(isWaiting || this.meetsFailures) || !this.service.hasVirtualTime) return step();
    let end = 0;
    const timed = () => step().finally(() => (end = Date.now()));
    return inVirtualTime(timed, ahead).finally(() => {
      ahead = Math.max(0, end - Date.now());
    });
  }

  async #start(): Promise<Process> {
    const tell = (text: string) => void this.messages.push(text);
    const command = this.command ?? (await hosts[this.host](this.service.settings, tell));
    return this.isInSet ? inSet(command("AlertSet", this.name), "alerts") : command(this.type, this.name);
  }

  async #compared(process: Process, program: PropertyMap) {
    const { inputs, failures } = await process.check(this.inputs, program);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    if (!this.id) return { inputs, changes: true, paths: [], replaces: [] };
    const diff = await process.diff(this.id, this.state, inputs);
    const names = Object.keys(resources[this.type].inputs.properties);
    const [before, after] = [this.inputs, inputs].map((values) => withoutSecrets(values) as PropertyMap);
    const differing = names.filter((name) => !isDeepStrictEqual(before?.[name], after?.[name]));
    const { changes = differing.length > 0, paths = changes ? differing : [], replaces } = diff;
    const { follows = [] } = examples[this.type];
    return { inputs, changes, paths: paths.filter((path) => !follows.includes(path)), replaces };
  }
}
