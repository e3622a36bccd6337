import { createHash } from "node:crypto";
import { declarationName } from "../../engine/names";
import { type Definition, idNamedIn, isNamedByInputs, isSingleton } from "../../lifecycle/definition";
import type { Resource } from "../../lifecycle/resource";
import { knownId, resourceKey } from "../../lifecycle/run";
import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { noHandOver } from "../../resources/set/entryWrites";
import { isSameId, type PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import type { Board } from "./board";

/** The identity of a resource within one Pulumi program. */
export interface Declaration {
  /** The URN of the resource, or another text that is unique in the program. */
  readonly identity: string;
  readonly name: string;
}

/** The identity of a resource under the dynamic provider, to which the engine tells no URN: the class adds it to the inputs. */
export function declarationIn(inputs: object): Declaration | undefined {
  const declaration = (inputs as PropertyMap)[declarationName];
  if (typeof declaration !== "string") return undefined;
  return { identity: declaration, name: declaration.slice(declaration.indexOf(" ") + 1) };
}

/**
 * Knows which object of the service each resource of a program manages. If the program renames a resource or changes its
 * provider, the engine creates a new resource and deletes the old one, although both manage the same object, which must stay.
 * Each provider instance is a process of its own, so the processes of an update exchange notes; these hold digests of ids.
 */
export class Claims {
  #ownNotes = new Notes();
  #notesByProcess = new Map<string, Notes>();

  /**
   * Without a board, which passes notes between the provider processes of an update, this process counts as the update's only
   * one.
   */
  constructor(private board?: Board) {}

  /** Begins another update: a plugin process that was started by hand serves several, one after the other. */
  join(board: Board): void {
    this.board = board;
    this.#ownNotes = new Notes();
    this.#notesByProcess = new Map();
  }

  /** Connects a session with the update's other processes: each tells the others which objects it creates and has read. */
  serve(session: Session): void {
    session.run.join(
      {
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
      },
      this,
    );
  }

  /**
   * Notes the existing object that a resource's inputs name: by `adoptId`, by the parts of the object's id, or because each
   * service has just one. Returns a failure if another resource names the object, too.
   */
  declare(
    resource: Definition,
    inputs: PropertyMap,
    declaration: Declaration | undefined,
    session: Session,
  ): Failure[] {
    const id = idNamedIn(resource, inputs);
    if (typeof id !== "string" || !isPlaced(resource, inputs)) return [];
    const key = keyOf(resource, id, inputs);
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
    const object = isSingleton(resource)
      ? `the ${resource.noun} of service ${id}, which has one`
      : `${resource.noun} ${id}`;
    const verb = isNamedByInputs(resource) ? "declare" : "adopt";
    return [
      {
        path: "",
        message: `${first} and ${second} both ${verb} ${object}; remove one of them from the program`,
      },
    ];
  }

  /** Notes for the other provider processes that the resource with the given identity manages an object. */
  hold(
    resource: Definition,
    id: string,
    { identity }: Pick<Declaration, "identity">,
    properties: PropertyMap,
    session: Session,
  ): void {
    this.#note(["held", keyOf(resource, id, properties), digest(identity)], session);
  }

  heldInSet(resource: Definition, id: string): string | undefined {
    const key = keyOf(resource, id);
    const [entry] = this.#allOrOwn().flatMap(({ entries }) => entries.get(key) ?? []);
    return entry && `names the object of ${entry}: ${noHandOver}`;
  }

  holdEntry(
    resource: Definition,
    id: string,
    { identity, title }: { readonly identity: string; readonly title: string },
    session: Session,
  ): string | undefined {
    const key = keyOf(resource, id);
    this.hold(resource, id, { identity }, {}, session);
    this.#note(["entry", key, title], session);
    const [rival] = this.#allOrOwn().flatMap(({ declared }) => declared.get(key) ?? []);
    return rival && `${resource.type} ${JSON.stringify(rival.name)}`;
  }

  /**
   * Notes that a resource manages an object without `adoptId`. Throws if another resource of the program has the object, too: by
   * `adoptId`, or as after the option `import` with the id of an object that the stack already has.
   */
  keep(
    resource: Resource,
    id: string,
    inputs: PropertyMap,
    session: Session,
    declaration?: Declaration,
  ): void {
    if (isNamedByInputs(resource) || resource.entries || isSameId(inputs.adoptId, id)) return;
    if (!isPlaced(resource, inputs)) return;
    const [key, place] = [keyOf(resource, id, inputs), placeOf(resource, session)];
    const identity = declaration && digest(declaration.identity);
    this.#note(["kept", `${key} ${place}`, identity], session);
    const keepers = this.#allOrOwn().flatMap(({ kept }) => [...(kept.get(`${key} ${place}`) ?? [])]);
    if (declaration && keepers.some((keeper) => typeof keeper === "string" && keeper !== identity))
      throw new Error(`${resource.type} ${JSON.stringify(declaration.name)} ${heldByAnother(resource, id)}`);
    const rival = this.#allOrOwn()
      .flatMap(({ declared }) => declared.get(key) ?? [])
      .find((candidate) => candidate.identity !== undefined && candidate.place === place);
    if (rival)
      throw new Error(
        `adoptId of ${resource.type} ${JSON.stringify(rival.name)} ${heldByAnother(resource, id)}`,
      );
  }

  /** Notes that a resource no longer manages its object: the resource is deleted, or a replacement gives it another object. */
  release({ identity }: Pick<Declaration, "identity">, session: Session): void {
    this.#note(["released", digest(identity)], session);
  }

  /**
   * Notes an object that the program names by the option `import`, so that no other resource deletes it. The command `pulumi do` reads an
   * object in the same way before it deletes that object as the same resource, which it does not check.
   */
  name(
    resource: Definition,
    id: string,
    { identity, name }: Declaration,
    inputs: PropertyMap,
    session: Session,
  ): void {
    this.#note(["declared", keyOf(resource, id, inputs), undefined, digest(identity), name], session);
  }

  /**
   * Whether an object must not be deleted, since the program names it, a create of this update returned it, or another resource
   * manages it; throws if that is unknown.
   *
   * @param isRead whether this process has read the resource with the given identity, and not checked it, so that the program does
   * not declare it: its own import names no object then
   */
  isClaimed(resource: Definition, id: string, state: State, identity?: string, isRead = false): boolean {
    const key = keyOf(resource, id, state);
    const holder = identity && digest(identity);
    try {
      const isClaimed = this.#allNotes().some(
        ({ declared, created, holders }) =>
          declared
            .get(key)
            ?.some((each) => !(isRead && each.place === undefined && each.identity === holder)) ||
          // If a create of this update has returned the object, some resource manages it, although no note says yet which one.
          created.has(key) ||
          [...(holders.get(key) ?? [])].some((candidate) => candidate !== holder),
      );
      if (isClaimed || !(isNamedByInputs(resource) || typeof state.adoptId === "string")) return isClaimed;
      // Writing this note shows whether notes can be written at all. If they cannot, other processes may have failed to write
      // theirs. So the check throws, and the object is not deleted.
      this.board?.publish(JSON.stringify(["deleting", key]));
    } catch (error) {
      throw new Error(
        `${resource.type} ${id} is not deleted: another provider of this update may declare it, which cannot be told, since ${unreachable(error)}`,
      );
    }
    return false;
  }

  #allNotes(): Notes[] {
    for (const [process, notes] of this.board?.news() ?? []) {
      const noted = this.#notesByProcess.get(process) ?? new Notes();
      this.#notesByProcess.set(process, noted);
      for (const note of notes) noted.add(JSON.parse(note));
    }
    return [this.#ownNotes, ...this.#notesByProcess.values()];
  }

  /** All notes of this update, or only those of this process if the others cannot be read, which a warning has reported. */
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
        `the provider processes of this update cannot tell each other which objects they have, so two resources may adopt the same one: ${unreachable(error)}`,
      );
    }
  }
}

type Note = readonly (string | undefined)[];

/** The notes of one provider process about its objects. Keys of objects and identities of resources are digests. */
class Notes {
  /** The resources whose inputs name an object, by the object's key. */
  readonly declared = new Map<string, (Partial<Declaration> & { readonly place?: string })[]>();
  readonly #keysByIdentity = new Map<string, string>();
  /** The identities of the resources that manage an object, by the object's key. */
  readonly holders = new Map<string, Set<string>>();
  /** The titles of alerts in `AlertSet`s, for messages, by the keys of the alerts. */
  readonly entries = new Map<string, string>();
  /**
   * The identities of the resources that manage an object without `adoptId`, by the object's key with a digest of its server's
   * address. The dynamic provider knows no identity of such a resource.
   */
  readonly kept = new Map<string, Set<string | undefined>>();
  readonly created = new Set<string>();
  /** Keys of the objects that a refresh in this process has read and that the Pulumi state has. */
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
    if (kind === "kept") this.kept.set(first, (this.kept.get(first) ?? new Set()).add(words[1]));
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

/** The key of an object in notes. A set belongs to a service, so the ids of its entries need no organization. */
function keyOf(resource: Definition, id: string, properties: PropertyMap = {}): string {
  return digest(resourceKey(resource, knownId(resource, id, properties)));
}

/** Whether the inputs tell which object an id means: a preview may not know yet in which organization it is a name. */
function isPlaced({ isNamedInOrganization }: Definition, { organizationId }: PropertyMap): boolean {
  return !isNamedInOrganization || !isUnknown(organizationId);
}

/** A digest of the address of the API server, since two servers may have objects with the same id. */
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
