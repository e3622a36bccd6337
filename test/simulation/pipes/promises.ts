import { isDeepStrictEqual } from "node:util";
import { sourceOf } from "../../../sandbox/core/resources/productPipes";
import { Broken } from "../ownHistories";
import type { Answer } from "../world/foreign";
import type { HttpRequest } from "../world/transport";
import { type Change, endOf } from "./console";
import { otherwise } from "./declared";
import type { Messages } from "./messages";
import type { Held, Product } from "./product";
import { type Declared, type Name, passwords } from "./program";

type Data = { readonly [member: string]: unknown };

/** What a request may be about, by what the preview has named. */
const writesOf: { readonly [operation: string]: readonly string[] } = {
  updatePipe: ["name", "source", "destination", "fieldMappings", "credentials"],
  settings: ["settings"],
  scaling: ["scaling"],
  state: ["state", "source", "destination", "fieldMappings", "credentials", "resyncTrigger"],
  updateReversePrivateEndpoint: ["customPrivateDnsMappings"],
};

/** Milliseconds for which nobody can know what somebody else has changed. */
const unseen = 2000;

/** What must hold, whatever goes wrong. */
export class Promises {
  /** Ids of pipes of which nothing tells which credentials they have: the product ignored others, or their process was killed. */
  readonly doubtful = new Set<string>();
  /** Ids of objects whose create was under way as a process was killed: the engine's own state names their resources. */
  readonly pending = new Set<string>();
  /** Resources of which nobody has changed anything since an update ended well. */
  readonly settled = new Set<Name>();
  /** Ids of pipes that run although nobody says so: they do in the end. */
  readonly running = new Set<string>();
  /** What the preview of the update has named, by id. */
  readonly #previewed = new Map<string, ReadonlySet<string>>();
  /** Ids of what a request has deleted, whose process may not have lived to tell. */
  readonly #deleted = new Set<string>();
  /** The names that pipes were created under, by id. */
  readonly #names = new Map<string, string>();
  #begun = 0;
  #broken: Broken | undefined;

  constructor(
    private readonly product: Product,
    private readonly messages: Messages,
  ) {}

  /** A step begins. */
  begin(): void {
    this.#begun = Date.now();
    this.#previewed.clear();
  }

  /** A step has ended. What broke within a request could not become its answer. */
  end(): void {
    if (this.#broken) throw this.#broken;
  }

  /** A preview names changes. An update that was not ended goes on with everything. */
  previewed(id: string, state: Data, changes: readonly { readonly path: string }[]): void {
    const { awaiting, doubted = {} } = (state.__tracking ?? {}) as { awaiting?: string; doubted?: object };
    const paths = [...changes.map(({ path }) => path), ...Object.keys(doubted)];
    const heads = paths.map((path) => path.split(/[.[]/)[0] ?? path);
    this.#previewed.set(id, new Set(awaiting ? Object.values(writesOf).flat() : heads));
  }

  /** A write was carried out. */
  written(request: HttpRequest, { status }: Answer): void {
    const { console } = this.product;
    if (request.method === "DELETE") this.#deleted.add(request.url.split("/").at(-1) ?? "");
    for (const pipe of this.product.created())
      if ("source" in pipe && !this.#names.has(pipe.id)) this.#names.set(pipe.id, pipe.name);
    for (const change of console.undone()) this.#undone(change, request);
    if (status < 300) this.#asPreviewed(request);
  }

  /** Nothing of somebody else is overwritten in silence. */
  #undone({ id, about, isForeign, at, isKnown }: Change, { method, url }: HttpRequest): void {
    if (method === "DELETE" || Date.now() - at < unseen) return;
    // A look at what a program declares may be from the beginning of the update.
    if (!isForeign && (isKnown || at >= this.#begun || this.messages.tell(id, about, at))) return;
    this.#broken ??= new Broken(
      `${method} ${url} has undone in silence what somebody did to the ${about} of pipe ${id}`,
    );
  }

  /** An update writes what its preview has named, or a warning names it. */
  #asPreviewed({ method, url }: HttpRequest): void {
    const [, kind, id = "", part = "updatePipe"] = /\/(clickpipes\w*)\/([^/]+)(?:\/(\w+))?$/.exec(url) ?? [];
    const known = this.#previewed.get(id);
    if (method === "DELETE" || method === "POST" || !known) return;
    const about = writesOf[kind === "clickpipes" ? part : "updateReversePrivateEndpoint"] ?? [];
    if (about.some((name) => known.has(name) || this.messages.tell(id, name, this.#begun))) return;
    this.#broken ??= new Broken(
      `${method} ${url} is about none of ${[...known].join(", ")}, which the preview named`,
    );
  }

  /** No state shows a credential but where it keeps it encrypted. */
  kept(name: Name, { credentials: _, ...plain }: Data): void {
    if (passwords.some((password) => JSON.stringify(plain).includes(password)))
      throw new Broken(`the state of ${name} shows a credential`);
  }

  /** An update that ended well has brought about what the program declares, or a message says what it has not. */
  endedWell(one: Declared, id: string, hasIgnored: boolean): void {
    const { name, inputs } = one;
    const record = this.product.records().get(id);
    const others = this.product.console.standing.filter((change) => change.id === id);
    const meanwhile = others.filter(({ at }) => at >= this.#begun);
    if (this.#deleted.has(id)) return;
    if (hasIgnored) this.doubtful.add(id);
    if (!record) {
      if (meanwhile.length > 0) return;
      throw new Broken(`the update of ${name} has ended well, and ${id} is not there`);
    }
    const wrong = this.#otherwise(record, one).filter(
      (member) =>
        !this.messages.tell(id, member, this.#begun) && !meanwhile.some(({ about }) => about === member),
    );
    if (wrong.length > 0)
      throw new Broken(`the update of ${name} has ended well, and ${id} has another ${wrong.join(", ")}`);
    if ("state" in record && ["Provisioning", "Failed"].includes(record.state) && meanwhile.length === 0)
      throw new Broken(`the update of ${name} has ended well, and ${id} is ${record.state}`);
    if (!hasIgnored && meanwhile.length === 0) this.settled.add(name);
    if (inputs.state === undefined && "source" in record && endOf(record) === "running") this.running.add(id);
    // The state shows what the program does not declare.
    for (const change of others) if (!(change.about in inputs)) change.isKnown = true;
  }

  /** What a pipe has otherwise, save for credentials that nobody can know of. One that is Completed takes no others. */
  #otherwise(record: Held, one: Declared): string[] {
    const isOpen = this.doubtful.has(record.id) || ("source" in record && endOf(record) === "Completed");
    return otherwise(record, one).filter((name) => name !== "credentials" || !isOpen);
  }

  /** A deletion that ended well has deleted. */
  deleted(name: Name, id: string): void {
    this.settled.delete(name);
    this.product.console.forget(id);
    if (this.product.records().has(id))
      throw new Broken(`the deletion of ${name} has ended well, and ${id} is there`);
  }

  /** A refresh shows no drift where there is none. */
  shown(name: Name, id: string, inputs: Data, before: Data): void {
    const known = Object.fromEntries(Object.keys(inputs).map((member) => [member, before[member]]));
    if (this.settled.has(name) && !isDeepStrictEqual(inputs, known))
      throw new Broken(
        `a refresh shows a drift of ${name} that is none: ${JSON.stringify(inputs)} for ${JSON.stringify(known)}`,
      );
    this.product.console.noteShown(id);
    // Its state shows that it is paused.
    const record = this.product.records().get(id);
    if (record && "source" in record && endOf(record) !== "running") this.running.delete(id);
  }

  /** A refresh drops what is gone alone. */
  gone(name: Name, id: string): void {
    this.settled.delete(name);
    if (this.product.records().has(id)) throw new Broken(`a refresh drops ${name}, and ${id} is there`);
  }

  /** In the end everything is there once, as the program declares it, and nothing is lost or another one's. */
  atTheEnd(
    declared: readonly Declared[],
    idOf: (name: Name) => string | undefined,
    heldIds: readonly string[],
  ) {
    if (new Set(heldIds).size < heldIds.length) throw new Broken("two resources have one object");
    const created = this.product.created();
    for (const { id } of created)
      if (!heldIds.includes(id) && !this.pending.has(id) && !this.messages.name(id))
        throw new Broken(`${id} is in no state and in no message`);
    for (const one of declared) {
      const record = created.find(({ id }) => id === idOf(one.name));
      if (!record) throw new Broken(`${one.name} is not there`);
      const twins = created.filter((other) => this.#identity(other) === this.#identity(record));
      if (twins.length > 1) throw new Broken(`${one.name} is there ${twins.length} times`);
      const wrong = this.#otherwise(record, one);
      if (wrong.length > 0) throw new Broken(`at the end, ${one.name} has another ${wrong.join(", ")}`);
    }
    const records = this.product.records();
    for (const id of this.running) {
      const record = records.get(id);
      if (record && "source" in record && !["running", "Completed"].includes(endOf(record)))
        throw new Broken(`${id}, which ran, is ${record.state} in the end`);
    }
    for (const [id, record] of this.product.ofOthers())
      if (!isDeepStrictEqual(records.get(id), record)) throw new Broken(`${id} of somebody else has changed`);
  }

  /** What tells whether two objects are the same one, made twice. */
  #identity(record: Held): string {
    if (!("source" in record)) return record.id;
    const { kind, members } = sourceOf(record);
    return JSON.stringify([this.#names.get(record.id), kind, members.topics, members.isContinuous]);
  }
}
