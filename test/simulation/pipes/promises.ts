import { isDeepStrictEqual } from "node:util";
import { sourceOf } from "../../../sandbox/core/resources/productPipes";
import type { Data } from "../../promises/store";
import type { Run } from "../actors/stack";
import { Broken, type World } from "../ownWorld";
import type { Program } from "../program";
import type { HttpRequest } from "../world/transport";
import type { Change, Console, Held } from "./console";
import { endOf } from "./console";
import { otherwise } from "./declared";
import { withoutTrueLines } from "./trueLines";

/**
 * The inputs of a pipe that each operation of the API writes. An update may send the operation if its preview has named one of
 * the inputs.
 */
const writesOf: { readonly [operation: string]: readonly string[] } = {
  updatePipe: ["name", "source", "destination", "fieldMappings", "credentials"],
  settings: ["settings"],
  scaling: ["scaling"],
  state: ["state", "source", "destination", "fieldMappings", "credentials", "resyncTrigger"],
  updateReversePrivateEndpoint: ["customPrivateDnsMappings"],
};

/** The provider cannot notice changes of a pipe that others made less than this number of milliseconds before its write. */
const unseen = 2000;

/** Checks the promises (rules that the provider must keep) in all simulated histories of pipes. */
export class Promises {
  /**
   * Ids of pipes whose credentials in the simulated service nobody can know: the service ignored new ones, or the process was
   * killed as it sent them.
   */
  readonly doubtful = new Set<string>();
  /** Resources that nobody has changed since an update ended without an error. */
  readonly settled = new Set<string>();
  /** Ids of running pipes whose program does not declare `state`. They must still run at the end of the simulated history. */
  readonly running = new Set<string>();
  /** Ids of pipes that an update has stopped before it failed. They must run at the end, also after a refresh. */
  readonly #owed = new Set<string>();
  /** What the program declares of each pipe, as far as an update may have stopped the pipe to change it. */
  readonly #stoppedFor = new Map<string, string>();
  /** The number of times that the current update had each pipe load its tables anew. */
  readonly #resyncs = new Map<string, number>();
  /** The states of pipes that the program of the current update declares, by the pipe's id. */
  readonly #wished = new Map<string, unknown>();
  /** What the program of the current update declares of the source of each pipe, by the pipe's id. */
  readonly #declared = new Map<string, string>();
  /** Ids of pipes whose tables the current update has no reason to remove or to add. */
  readonly #unchangedTables = new Set<string>();
  /** The inputs of pipes that the preview of the current update has named, by the id of the object. */
  readonly #previewed = new Map<string, ReadonlySet<string>>();
  /**
   * Ids of deleted pipes. The process that deleted a pipe may have been killed before the Pulumi state recorded the deletion.
   */
  readonly #deleted = new Set<string>();
  readonly #names = new Map<string, string>();
  #begun = 0;

  constructor(
    private readonly world: World<never, Held>,
    private readonly console: Console,
  ) {}

  /** Returns whether a warning or failure since a moment names both an object and the given input. */
  #tell(id: string, about: string, since: number): boolean {
    const words = about === "state" ? /\b(state|Paused|Stopped)\b/ : new RegExp(`\\b${about}\\b`);
    // A pipe in the state Completed accepts no change. One message of the provider says so for all inputs.
    const late = /is Completed, and takes no change/;
    return this.world.messages.some(
      ({ text, at, isWarning }) =>
        isWarning && at >= since && text.includes(id) && (words.test(text) || late.test(text)),
    );
  }

  begin(): void {
    this.#begun = Date.now();
    this.#previewed.clear();
    this.#wished.clear();
    this.#resyncs.clear();
    this.#unchangedTables.clear();
  }

  /**
   * Checks a promise of the provider: a line that says what a pipe has anyway replaces nothing. Notes whether an update of the pipe
   * may load any of its tables anew.
   */
  planned(
    name: string,
    inputs: Data,
    { id, outputs }: { readonly id: string; readonly outputs: Data },
    isReplaced: boolean,
  ): void {
    const [before, now] = [outputs, inputs].map((data) => {
      const { source, destination, fieldMappings } = withoutTrueLines(name, data);
      return { source, destination, fieldMappings };
    });
    const isSame = isDeepStrictEqual(before, now);
    if (isSame && isReplaced) throw new Broken(`${name} is replaced by a program that says what it has`);
    if (isSame && this.settled.has(name)) this.#unchangedTables.add(id);
    else this.#unchangedTables.delete(id);
  }

  /** Notes that a pipe need no longer run: somebody stopped it, it has failed, or the program declares its state. */
  forgetState(id: string): void {
    this.running.delete(id);
    this.#owed.delete(id);
    this.#stoppedFor.delete(id);
  }

  /** Notes that an update has failed in part. If it had stopped the pipe, a later one has to start the pipe, even after a refresh. */
  failedInPart(id: string): void {
    if (this.running.has(id)) this.#owed.add(id);
  }

  /**
   * Notes the inputs that the provider's preview has shown as changes, since the update may write only these. An update that
   * continues an incomplete one may write all inputs.
   */
  previewed(id: string, state: Data, inputs: Data, changes: readonly { readonly path: string }[]): void {
    this.#wished.set(id, inputs.state);
    this.#declared.set(id, sourcePartOf(inputs));
    const { awaiting, doubted = {} } = (state.__tracking ?? {}) as { awaiting?: string; doubted?: object };
    const paths = [...changes.map(({ path }) => path), ...Object.keys(doubted)];
    const heads = paths.map((path) => path.split(/[.[]/)[0] ?? path);
    this.#previewed.set(id, new Set(awaiting ? Object.values(writesOf).flat() : heads));
  }

  /** Judges a write that the simulated service has carried out by the promises that the provider must keep. */
  written(request: HttpRequest, status: number): void {
    const { console } = this;
    if (request.method === "DELETE") this.#deleted.add(request.url.split("/").at(-1) ?? "");
    for (const pipe of this.world.created())
      if ("source" in pipe && !this.#names.has(pipe.id)) this.#names.set(pipe.id, pipe.name);
    for (const change of console.undone()) this.#undone(change, request);
    if (status < 300) {
      this.#asPreviewed(request);
      this.#commanded(request);
      this.#edited(request);
    }
    console.noteWrite();
  }

  /** Checks a promise of the provider: an update overwrites no change of another person without a warning. */
  #undone({ id, about, isForeign, at, isKnown, value }: Change, { method, url }: HttpRequest): void {
    if (method === "DELETE" || Date.now() - at < unseen) return;
    // A person may have set the pipe's state to the declared one. The update may overwrite this without a warning, since it
    // restores the declared state at the end: ClickHouse Cloud starts a pipe after a change of its tables, and the update stops
    // the pipe again.
    if (about === "state" && value === this.#wished.get(id)) return;
    // The provider may have read a declared value of the pipe at the beginning of the update, so it cannot know of later
    // changes.
    if (!isForeign && (isKnown || at >= this.#begun || this.#tell(id, about, at))) return;
    throw new Broken(
      `${method} ${url} has undone in silence what somebody did to the ${about} of pipe ${id}`,
    );
  }

  /** Checks a promise of the provider: a line that says what a table has anyway loads no table anew. */
  #edited({ method, url, data }: HttpRequest): void {
    const [, id = ""] = /\/clickpipes\/([^/]+)$/.exec(url) ?? [];
    if (
      method !== "PATCH" ||
      !this.#unchangedTables.has(id) ||
      !JSON.stringify(data).includes("tableMappingsTo")
    )
      return;
    const others = this.console.standing.filter((change) => change.id === id);
    if (others.length === 0)
      throw new Broken(`an update has edited the tables of pipe ${id}, which are as declared`);
  }

  /** Checks a promise of the provider: one update has a pipe load its tables anew at most once. */
  #commanded({ method, url, data }: HttpRequest): void {
    const [, id = ""] = /\/clickpipes\/([^/]+)\/state$/.exec(url) ?? [];
    if (method !== "PATCH" || id === "") return;
    const { command } = data as { command: string };
    if (command === "stop" && this.console.hadFailed(id) && this.#wished.get(id) === undefined) {
      this.running.add(id);
      this.#stoppedFor.set(id, this.#declared.get(id) ?? "");
    }
    if (command !== "resync") return;
    const count = (this.#resyncs.get(id) ?? 0) + 1;
    this.#resyncs.set(id, count);
    if (count > 1) throw new Broken(`an update has had pipe ${id} load its tables anew ${count} times`);
  }

  /** Checks a promise of the provider: an update writes only inputs that its preview or a warning has named. */
  #asPreviewed({ method, url }: HttpRequest): void {
    const [, kind, id = "", part = "updatePipe"] = /\/(clickpipes\w*)\/([^/]+)(?:\/(\w+))?$/.exec(url) ?? [];
    const known = this.#previewed.get(id);
    if (method === "DELETE" || method === "POST" || !known) return;
    const about = writesOf[kind === "clickpipes" ? part : "updateReversePrivateEndpoint"] ?? [];
    if (about.some((name) => known.has(name) || this.#tell(id, name, this.#begun))) return;
    throw new Broken(`${method} ${url} is about none of ${[...known].join(", ")}, which the preview named`);
  }

  /**
   * Checks a promise of the provider: after an update without an error the service has what the program declares, or a message
   * names what it lacks.
   */
  endedWell(name: string, inputs: Data, id: string, hasIgnored: boolean): void {
    const record = this.world.records().get(id);
    const others = this.console.standing.filter((change) => change.id === id);
    const meanwhile = others.filter(({ at }) => at >= this.#begun);
    if (this.#deleted.has(id)) return;
    if (hasIgnored) this.doubtful.add(id);
    if (!record) {
      if (meanwhile.length > 0) return;
      throw new Broken(`the update of ${name} has ended well, and ${id} is not there`);
    }
    const wrong = this.#otherwise(record, name, inputs).filter(
      (member) => !this.#tell(id, member, this.#begun) && !meanwhile.some(({ about }) => about === member),
    );
    if (wrong.length > 0)
      throw new Broken(`the update of ${name} has ended well, and ${id} has another ${wrong.join(", ")}`);
    const isFailed = this.console.hadFailed(id);
    const isStopped = "source" in record && endOf(record) === "stopped" && inputs.state === undefined;
    const isStoppedForThis = this.running.has(id) && this.#stoppedFor.get(id) === sourcePartOf(inputs);
    if (isStopped && (this.#owed.has(id) || isStoppedForThis))
      throw new Broken(
        `the update of ${name} has ended well, and ${id}, which an update has stopped, is ${record.state}`,
      );
    if (
      "state" in record &&
      ["Provisioning", "Failed"].includes(record.state) &&
      meanwhile.length === 0 &&
      !isFailed
    )
      throw new Broken(`the update of ${name} has ended well, and ${id} is ${record.state}`);
    if (!hasIgnored && meanwhile.length === 0) this.settled.add(name);
    this.#owed.delete(id);
    this.#stoppedFor.delete(id);
    if (inputs.state === undefined && "source" in record && endOf(record) === "running") this.running.add(id);
    // A later update needs no warning before it overwrites two kinds of a person's changes: a change of an undeclared property,
    // since this update has written it to the Pulumi state, and a change of the pipe's state to the declared one.
    for (const change of others)
      if (!(change.about in inputs) || (change.about === "state" && change.value === inputs.state))
        change.isKnown = true;
  }

  /**
   * Lists the declared inputs whose values in the simulated service differ. It leaves out credentials that nobody can know, or
   * that a Completed pipe cannot change.
   */
  #otherwise(record: Held, name: string, inputs: Data): string[] {
    const isOpen = this.doubtful.has(record.id) || ("source" in record && endOf(record) === "Completed");
    return otherwise(record, name, inputs).filter((member) => member !== "credentials" || !isOpen);
  }

  /** Checks a promise of the provider: after a deletion without an error the object no longer exists. */
  deleted(name: string, id: string): void {
    this.settled.delete(name);
    this.console.forget(id);
    if (this.world.records().has(id))
      throw new Broken(`the deletion of ${name} has ended well, and ${id} is there`);
  }

  /** Checks a promise of the provider: a refresh shows no drift of a resource that nobody has changed. */
  shown(name: string, id: string, { before, after, outcome }: Run): void {
    const [known, inputs] = [before, after].map((resources) => resources.get(name)?.inputs);
    if (this.settled.has(name) && (outcome.differing.includes(name) || !isDeepStrictEqual(inputs, known)))
      throw new Broken(
        `a refresh shows a drift of ${name} that is none: ${JSON.stringify(inputs)} for ${JSON.stringify(known)}`,
      );
    this.console.noteShown(id);
    // The refresh has written to the Pulumi state that the pipe does not run, so the pipe need not run at the end of the
    // simulated history.
    const record = this.world.records().get(id);
    const isOwed = this.#owed.has(id);
    if (record && "source" in record && endOf(record) !== "running" && !isOwed) this.forgetState(id);
  }

  /** Checks a promise of the provider: a refresh removes a resource only if its object is gone. */
  gone(name: string, id: string): void {
    this.settled.delete(name);
    if (this.world.records().has(id)) throw new Broken(`a refresh drops ${name}, and ${id} is there`);
  }

  /**
   * Checks the promises about the end of a simulated history: each declared resource has exactly one object with the declared
   * values, and objects of others have not changed.
   */
  atTheEnd(declared: Program): void {
    const created = this.world.created();
    for (const [name, { args }] of declared) {
      const record = created.find(({ id }) => id === this.world.held(name)?.id);
      if (!record) throw new Broken(`${name} is not there`);
      const twins = created.filter((other) => this.#identity(other) === this.#identity(record));
      if (twins.length > 1) throw new Broken(`${name} is there ${twins.length} times`);
      const wrong = this.#otherwise(record, name, args);
      if (wrong.length > 0) throw new Broken(`at the end, ${name} has another ${wrong.join(", ")}`);
    }
    const records = this.world.records();
    for (const id of this.running) {
      const record = records.get(id);
      if (record && "source" in record && !["running", "Completed"].includes(endOf(record)))
        throw new Broken(`${id}, which ran, is ${record.state} in the end`);
    }
    for (const [id, record] of this.world.seeded)
      if (!isDeepStrictEqual(records.get(id), record)) throw new Broken(`${id} of somebody else has changed`);
  }

  /** Returns a text that is equal for two pipes if one was created as a duplicate of the other. */
  #identity(record: Held): string {
    if (!("source" in record)) return record.id;
    const { kind, members } = sourceOf(record);
    return JSON.stringify([this.#names.get(record.id), kind, members.topics, members.isContinuous]);
  }
}

/** The part of a program that an update of a streaming pipe stops the pipe for if it has failed. */
const sourcePartOf = ({ source, destination, fieldMappings, credentials }: Data): string =>
  JSON.stringify([source, destination, fieldMappings, credentials]);
