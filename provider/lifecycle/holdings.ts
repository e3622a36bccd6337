import type { Data } from "../values/data";
import { type Definition, resourceKey } from "./resource";
import { perSession, type Session } from "./session";

/**
 * Connects the creates of this process with the other provider processes of the same update, so that two resources
 * never take the same object.
 */
export interface Peers {
  /** Whether a resource in another process has the object with this key. */
  have(key: string): boolean;
  /** Tells the other processes of an object that this process has created. */
  tell(key: string): void;
  /** Whether another process of this update has created an object. */
  readonly haveCreated?: (key: string) => boolean;
  /** Whether a refresh of this update has read an object of the state, in any process. */
  readonly hasRead?: (key: string) => boolean;
  /** Tells the other processes that this process has read an object of the state. */
  readonly tellRead?: (key: string) => void;
  /** The objects that resources of the program name or have. A set needs them to claim the objects of its entries. */
  readonly claims?: Claimants;
}

/** Tells which objects the resources of a program name or have. An `identity` tells the owners of objects apart. */
export interface Claimants {
  isClaimed(resource: Definition, id: string, state: Data, identity: string): boolean;
  /**
   * Notes that an entry of a set has an object, so that no other resource may adopt the object.
   *
   * @param owner `title` names the entry in messages
   * @returns the name of the resource that adopts the object all the same, if there is one
   */
  holdEntry(
    resource: Definition,
    id: string,
    owner: { readonly identity: string; readonly title: string },
    session: Session,
  ): string | undefined;
  /** The reason why an object cannot be adopted, if an entry of a set is known to have it. */
  heldInSet(resource: Definition, id: string): string | undefined;
}

/** The objects that resources of the program have. */
interface Holdings {
  /**
   * Keys of the objects in the state. Only those are known about which the engine has called the provider in this run.
   */
  readonly keys: Set<string>;
  /** Keys of the objects that the creates of this session have made. */
  readonly created: Set<string>;
  /** Keys of the objects that a refresh has read. */
  readonly read: Set<string>;
  peers: Peers;
}

const heldIn = perSession(
  (): Holdings => ({
    ...{ keys: new Set(), created: new Set(), read: new Set() },
    peers: { have: () => false, tell: () => {} },
  }),
);

/** Notes that the state has an object, so that no create of this run takes the object for its own. */
export function noteHeld(resource: Pick<Definition, "type">, id: string, session: Session): void {
  heldIn(session).keys.add(resourceKey(resource, id));
}

/**
 * Notes that a create of this update has made or taken an object: no other resource may take it, and the deletion of a
 * renamed resource must leave it alone.
 */
export function noteCreated(resource: Pick<Definition, "type">, id: string, session: Session): void {
  noteHeld(resource, id, session);
  const { created, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  created.add(key);
  peers.tell(key);
}

/** Whether a create of this update has made an object, in any process. */
export function wasCreated(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { created, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return created.has(key) || (peers.haveCreated?.(key) ?? false);
}

/**
 * Notes that a refresh has read an object of the state. Later steps of the update need this, and may run in other
 * processes.
 */
export function noteRead(resource: Pick<Definition, "type">, id: string, session: Session): void {
  const { read, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  read.add(key);
  peers.tellRead?.(key);
}

/** Whether a refresh of this update has read an object of the state. */
export function wasRead(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { read, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return read.has(key) || (peers.hasRead?.(key) ?? false);
}

/**
 * Whether a resource of the program is known to have an object: it is in the part of the state that the engine has
 * shown, or was created in this update.
 */
export function isHeld(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { keys, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return keys.has(key) || peers.have(key);
}

/**
 * The claims of the program on objects. Undefined in commands of the command line, where no program declares anything.
 */
export function claimsOf(session: Session): Claimants | undefined {
  return heldIn(session).peers.claims;
}

/** Connects the creates of a session with those of other processes. */
export function joinOthers(session: Session, peers: Peers): void {
  heldIn(session).peers = peers;
}
