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
  /** The name of the resource in the program. */
  readonly name: string;
}

/**
 * The identity of a resource in the dynamic host: the class puts it into the inputs of the check, since the engine
 * tells this host neither URN nor name.
 */
export function declarationIn(inputs: object): Declaration | undefined {
  const declaration = (inputs as Data)[declarationName];
  if (typeof declaration !== "string") return undefined;
  return { identity: declaration, name: declaration.slice(declaration.indexOf(" ") + 1) };
}

/**
 * Knows which objects the resources of a program have. The engine knows a resource only by its name and its provider.
 * If the program renames a resource or changes its provider, the engine creates a new resource and deletes the old one,
 * although both have the same object, which must stay. Each provider instance is a process of its own, so all processes
 * of an update tell each other what they have by notes on a board. The notes hold digests instead of ids.
 */
export class Claims {
  #ownNotes = new Notes();
  #notesByProcess = new Map<string, Notes>();

  /** @param board passes notes between the processes of one update. Default: this process is the only one */
  constructor(private board?: Board) {}

  /** Begins another update, since a plugin that was started by hand serves several updates, one after the other. */
  join(board: Board): void {
    this.board = board;
    this.#ownNotes = new Notes();
    this.#notesByProcess = new Map();
  }

  /**
   * Tells the other processes which objects the creates of a session make, and the session which objects the other
   * processes have.
   */
  serve(session: Session): void {
    joinOthers(session, {
      tell: (key) => this.#note(["created", digest(key)], session),
      haveCreated: (key) => this.#allOrOwn().some(({ created }) => created.has(digest(key))),
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
   * Notes the object that checked inputs name: a service's singleton, the object whose id is made of the inputs, or the
   * object of `adoptId`.
   *
   * @returns a failure if another resource of the program names the same object
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

  /** Notes the object that a resource has, by the resource's identity. */
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
   * Notes that a resource of the program has an object without adopting it.
   *
   * @throws Error if another resource of the program adopts the object
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

  /** Notes that a resource loses its object, or gets another one. */
  release({ identity }: Pick<Declaration, "identity">, session: Session): void {
    this.#note(["released", digest(identity)], session);
  }

  /** Notes that the program names an object in another way than by inputs, as in an import. */
  name(resource: Definition, id: string, session: Session): void {
    this.#note(["declared", digest(resourceKey(resource, id))], session);
  }

  /**
   * Whether an object must not be deleted: the program names it, this update has created it, or another resource has
   * it.
   *
   * @throws if this is unknown, since the processes of this update cannot read each other's notes
   */
  isClaimed(resource: Definition, id: string, state: State, identity?: string): boolean {
    const key = digest(resourceKey(resource, id));
    const holder = identity && digest(identity);
    try {
      const isClaimed = this.#allNotes().some(
        ({ declared, created, holders }) =>
          declared.has(key) ||
          // A create of this update may have been answered with this object, or found it in a list.
          created.has(key) ||
          [...(holders.get(key) ?? [])].some((candidate) => candidate !== holder),
      );
      if (isClaimed || !(isNamedByInputs(resource) || typeof state.adoptId === "string")) return isClaimed;
      // If another process could not publish its claims, publishing fails here, too, and the object is not deleted.
      this.board?.publish(JSON.stringify(["deleting", key]));
    } catch (error) {
      throw new Error(
        `${resource.type} ${id} is not deleted: another provider of this update may declare it, and ${unreachable(error)}`,
      );
    }
    return false;
  }

  /** The notes of all processes of this update. */
  #allNotes(): Notes[] {
    for (const [process, notes] of this.board?.news() ?? []) {
      const noted = this.#notesByProcess.get(process) ?? new Notes();
      this.#notesByProcess.set(process, noted);
      for (const note of notes) noted.add(JSON.parse(note));
    }
    return [this.#ownNotes, ...this.#notesByProcess.values()];
  }

  /**
   * The notes of all processes, or only those of this process if the others cannot be read. A warning has already told
   * the user.
   */
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

/** The notes of one process. Keys of objects and identities of resources are digests. */
class Notes {
  /** The resources that declare an object, by the object's key. */
  readonly declared = new Map<string, (Partial<Declaration> & { readonly place?: string })[]>();
  /** The key of the object that a resource has, by the resource's identity. */
  readonly #keysByIdentity = new Map<string, string>();
  /** The identities of the resources that have an object, by the object's key. */
  readonly holders = new Map<string, Set<string>>();
  /** The titles of entries of sets, by the keys of their objects. */
  readonly entries = new Map<string, string>();
  /** Keys of objects that resources have without adopting them, each with the address of its server. */
  readonly kept = new Set<string>();
  /** Keys of objects that the process has created. */
  readonly created = new Set<string>();
  /** Keys of objects of the state that a refresh in this process has read. */
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

/** A digest of the server's address, since two servers may have objects with the same id. */
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
