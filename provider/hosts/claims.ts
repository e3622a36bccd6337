import { createHash } from "node:crypto";
import { declarationName } from "../engine/names";
import { joinOthers } from "../lifecycle/holdings";
import { type Definition, isNamedByInputs, isSingleton, namedIdIn, resourceKey } from "../lifecycle/resource";
import type { Session } from "../lifecycle/session";
import type { State } from "../lifecycle/state";
import { noHandOver } from "../resources/set/set";
import { type Data, isSameId } from "../values/data";
import type { Failure } from "../values/validate";
import type { Board } from "./board";

/** The identity of a resource within one program. */
export interface Declaration {
  /** The URN, or another text that is unique in the program. */
  readonly identity: string;
  /** Name of the resource in the program. */
  readonly name: string;
}

/** The identity that the class puts into the inputs for the check alone: the host is told neither URN nor name. */
export function declarationIn(inputs: object): Declaration | undefined {
  const declaration = (inputs as Data)[declarationName];
  if (typeof declaration !== "string") return undefined;
  return { identity: declaration, name: declaration.slice(declaration.indexOf(" ") + 1) };
}

/**
 * The objects that the resources of a program have. The engine knows a resource by its name and its provider alone: it
 * creates one that the program has given another name or another provider, and then deletes the old one, although both
 * are the same object. Each provider is a process of its own, so all processes of one update tell each other by notes on
 * a board. Ids stand there as digests.
 */
export class Claims {
  #ownNotes = new Notes();
  #notesByProcess = new Map<string, Notes>();

  /** @param board shared by the processes of one update. Default: this process is the only one */
  constructor(private board?: Board) {}

  /** Begins another update: a plugin that was started by hand serves one after the other. */
  join(board: Board): void {
    this.board = board;
    this.#ownNotes = new Notes();
    this.#notesByProcess = new Map();
  }

  /** Makes the objects that creations of a session make known to the other processes, and theirs to the session. */
  serve(session: Session): void {
    joinOthers(session, {
      tell: (key) => this.#note(["created", digest(key)], session),
      tellRead: (key) => this.#note(["read", digest(key)], session),
      hasRead: (key) => this.#allOrOwn().some(({ read }) => read.has(digest(key))),
      have: (key) => {
        const [, ...furtherNotes] = this.#allOrOwn();
        return furtherNotes.some(
          ({ created, holders }) => created.has(digest(key)) || holders.has(digest(key)),
        );
      },
      claims: this,
    });
  }

  /**
   * Notes the object that checked inputs name: a service's singleton, one whose id is made of them, or the one to adopt.
   *
   * @returns a failure if another resource of the program names it, too
   */
  declare(
    resource: Definition,
    inputs: Data,
    declaration: Declaration | undefined,
    session: Session,
  ): Failure[] {
    const id = namedIdIn(resource, inputs);
    if (typeof id !== "string") return [];
    const key = digest(resourceKey(resource, id));
    const place = placeOf(resource, session);
    this.#note(
      ["declared", key, place, declaration && digest(declaration.identity), declaration?.name],
      session,
    );
    if (!declaration) return [];
    const notesOfAll = this.#allOrOwn();
    const titleOf = (name: string | undefined) => `${resource.type} ${JSON.stringify(name)}`;
    const heldInSet = this.heldInSet(resource, id);
    if (heldInSet !== undefined) return [{ path: "adoptId", message: heldInSet }];
    if (notesOfAll.some(({ kept, created }) => kept.has(`${key} ${place}`) || created.has(key)))
      return [{ path: "adoptId", message: heldByAnother(resource, id) }];
    const rival = notesOfAll
      .flatMap(({ declared }) => declared.get(key) ?? [])
      .find((candidate) => candidate.identity !== digest(declaration.identity) && candidate.place === place);
    if (!rival) return [];
    const [first, second] = [rival.name, declaration.name].map(titleOf);
    const advice = isSingleton(resource)
      ? `declare the ${resource.noun} of service ${id}, which has one`
      : `${resource.idIn ? "declare" : "adopt"} ${resource.noun} ${id}`;
    return [
      { path: "", message: `${first} and ${second} both ${advice}; remove one of them from the program` },
    ];
  }

  /** Notes the object that a resource has. */
  hold(
    resource: Definition,
    id: string,
    { identity }: Pick<Declaration, "identity">,
    session: Session,
  ): void {
    this.#note(["held", digest(resourceKey(resource, id)), digest(identity)], session);
  }

  heldInSet(resource: Definition, id: string): string | undefined {
    const key = digest(resourceKey(resource, id));
    const [entry] = this.#allOrOwn().flatMap(({ entries }) => entries.get(key) ?? []);
    return entry && `is that of ${entry}: ${noHandOver}`;
  }

  holdEntry(
    resource: Definition,
    id: string,
    { identity, title }: { readonly identity: string; readonly title: string },
    session: Session,
  ): string | undefined {
    const key = digest(resourceKey(resource, id));
    this.hold(resource, id, { identity }, session);
    this.#note(["entry", key, title], session);
    const [rival] = this.#allOrOwn().flatMap(({ declared }) => declared.get(key) ?? []);
    return rival && `${resource.type} ${JSON.stringify(rival.name)}`;
  }

  /**
   * Notes the object that a resource of the program has without adopting it.
   *
   * @throws Error if another resource of the program adopts it
   */
  keep(resource: Definition, id: string, inputs: Data, session: Session): void {
    if (isNamedByInputs(resource) || resource.entries || isSameId(inputs.adoptId, id)) return;
    const [key, place] = [digest(resourceKey(resource, id)), placeOf(resource, session)];
    this.#note(["kept", `${key} ${place}`], session);
    const rival = this.#allOrOwn()
      .flatMap(({ declared }) => declared.get(key) ?? [])
      .find((candidate) => candidate.identity !== undefined && candidate.place === place);
    if (rival)
      throw new Error(
        `adoptId of ${resource.type} ${JSON.stringify(rival.name)} ${heldByAnother(resource, id)}`,
      );
  }

  /** Notes that a resource loses its object, or gets another. */
  release({ identity }: Pick<Declaration, "identity">, session: Session): void {
    this.#note(["released", digest(identity)], session);
  }

  /** Notes an object that the program names in another way than by its inputs. */
  name(resource: Definition, id: string, session: Session): void {
    this.#note(["declared", digest(resourceKey(resource, id))], session);
  }

  /**
   * Whether the program names an object, this update has created it, or another resource has it.
   *
   * @throws if that cannot be ruled out, since the processes of this update cannot reach each other
   */
  isClaimed(resource: Definition, id: string, state: State, identity?: string): boolean {
    const key = digest(resourceKey(resource, id));
    const holder = identity && digest(identity);
    try {
      const isClaimed = this.#allNotes().some(
        ({ declared, created, holders }) =>
          declared.has(key) ||
          // A resource of this update took it for the outcome of its create.
          created.has(key) ||
          [...(holders.get(key) ?? [])].some((candidate) => candidate !== holder),
      );
      if (isClaimed || !(isNamedByInputs(resource) || typeof state.adoptId === "string")) return isClaimed;
      // Where another process could not publish its claims, this one cannot publish either, and fails.
      this.board?.publish(JSON.stringify(["deleting", key]));
    } catch (error) {
      throw new Error(
        `${resource.type} ${id} is not deleted: another provider of this update may declare it, and ${unreachable(error)}`,
      );
    }
    return false;
  }

  /** The notes of every process of this update. */
  #allNotes(): Notes[] {
    for (const [process, notes] of this.board?.news() ?? []) {
      const noted = this.#notesByProcess.get(process) ?? new Notes();
      this.#notesByProcess.set(process, noted);
      for (const note of notes) noted.add(JSON.parse(note));
    }
    return [this.#ownNotes, ...this.#notesByProcess.values()];
  }

  /** The same without those of others that cannot be read: a warning said so when this process could not note its own. */
  #allOrOwn(): Notes[] {
    try {
      return this.#allNotes();
    } catch {
      return [this.#ownNotes];
    }
  }

  #note(note: Note, session: Session): void {
    this.#ownNotes.add(note);
    try {
      this.board?.publish(JSON.stringify(note));
    } catch (error) {
      session.warnOnce(
        `the providers of this update do not know of each other's objects: ${unreachable(error)}`,
      );
    }
  }
}

type Note = readonly (string | undefined)[];

/** The notes of one process. */
class Notes {
  /** By the digest of the object's key. */
  readonly declared = new Map<string, (Partial<Declaration> & { readonly place?: string })[]>();
  /** The digest of the object's key, by that of the resource's identity. */
  readonly #keysByIdentity = new Map<string, string>();
  /** The same the other way round. */
  readonly holders = new Map<string, Set<string>>();
  /** The titles of the entries of sets, by the digests of the keys of their objects. */
  readonly entries = new Map<string, string>();
  /** Digests of the keys of objects that resources of the program have without adopting them, each with its place. */
  readonly kept = new Set<string>();
  /** Digests of the keys of objects that the process has created. */
  readonly created = new Set<string>();
  /** Digests of the keys of objects of the state that a refresh has read in it. */
  readonly read = new Set<string>();

  add([kind, ...words]: Note): void {
    if (kind === "declared") {
      const [key = "", place, identity, name] = words;
      this.declared.set(key, [...(this.declared.get(key) ?? []), { place, identity, name }]);
    }
    const [first = "", identity = ""] = words;
    if (kind === "held") {
      this.#release(identity);
      this.#keysByIdentity.set(identity, first);
      this.holders.set(first, (this.holders.get(first) ?? new Set()).add(identity));
    }
    if (kind === "released") this.#release(first);
    if (kind === "kept") this.kept.add(first);
    if (kind === "created") this.created.add(first);
    if (kind === "entry") this.entries.set(first, identity);
    if (kind === "read") this.read.add(first);
  }

  #release(identity: string): void {
    const key = this.#keysByIdentity.get(identity);
    this.#keysByIdentity.delete(identity);
    const holders = this.holders.get(key ?? "");
    holders?.delete(identity);
    if (holders?.size === 0) this.holders.delete(key ?? "");
  }
}

/** Two servers may have objects of the same ids. */
function placeOf({ operations }: Definition, session: Session): string {
  const { baseUrl, obsBaseUrl } = session.settings;
  return digest((session.apiOf(operations.create) === "management" ? baseUrl : obsBaseUrl) ?? "");
}

function heldByAnother({ noun }: Pick<Definition, "noun">, id: string): string {
  return `is ${noun} ${id}, which another resource of the program has already; remove one of them, or rename it by the option aliases`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 24);
}

function unreachable(error: unknown): string {
  const { message } = error as Error;
  return `the folder for temporary files cannot be used (${message}); set ${process.platform === "win32" ? "TEMP" : "TMPDIR"} to one that can`;
}
