import type { Data } from "../values/data";
import { type Definition, resourceKey } from "./definition";
import { perSession, type Session } from "./session";

/**
 * Shares the objects that resources have with the other provider processes of the same update, so that two resources never take
 * the same object.
 */
export interface Peers {
  /** Whether a resource in another provider process has the object with this key. */
  have(key: string): boolean;
  /** Tells the other provider processes about an object that this process has created. */
  tell(key: string): void;
  /** Whether another provider process of this update has created the object with this key. */
  readonly haveCreated?: (key: string) => boolean;
  /** Whether a refresh in this update has read the object with this key, in any provider process. */
  readonly hasRead?: (key: string) => boolean;
  /** Tells the other provider processes that this process has read an object of the Pulumi state. */
  readonly tellRead?: (key: string) => void;
  /** Tells which objects the program's resources name or have, so that an AlertSet can claim the alerts of its entries. */
  readonly claims?: Claimants;
}

/** Tells which API objects a program's resources name or have. An `identity` distinguishes two owners of objects. */
export interface Claimants {
  isClaimed(resource: Definition, id: string, state: Data, identity: string): boolean;
  /**
   * Notes that an entry of an AlertSet has an object, so that no other resource may adopt the object.
   *
   * @param owner `title` names the entry in messages
   * @returns the name of the resource that nevertheless adopts the object, if there is one
   */
  holdEntry(
    resource: Definition,
    id: string,
    owner: { readonly identity: string; readonly title: string },
    session: Session,
  ): string | undefined;
  /** The reason why an object cannot be adopted, if an entry of an AlertSet is known to have it. */
  heldInSet(resource: Definition, id: string): string | undefined;
}

/** The API objects that the program's resources are known to have. */
interface Holdings {
  /** Keys of the objects in the Pulumi state. Only those are known for which the engine has called the provider in this run. */
  readonly keys: Set<string>;
  /** Keys of the objects that this provider process has created or taken in this update. */
  readonly created: Set<string>;
  /** Keys of the objects that a refresh in this process has read. */
  readonly read: Set<string>;
  peers: Peers;
}

const heldIn = perSession(
  (): Holdings => ({
    ...{ keys: new Set(), created: new Set(), read: new Set() },
    peers: { have: () => false, tell: () => {} },
  }),
);

/** Notes that a resource in the Pulumi state has an object, so that no create of this run takes the object for its own. */
export function noteHeld(resource: Pick<Definition, "type">, id: string, session: Session): void {
  heldIn(session).keys.add(resourceKey(resource, id));
}

/**
 * Notes that a create of this update has made or taken an object: no other resource may take it, and the deletion of a renamed
 * resource must leave it alone.
 */
export function noteCreated(resource: Pick<Definition, "type">, id: string, session: Session): void {
  noteHeld(resource, id, session);
  const { created, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  created.add(key);
  peers.tell(key);
}

/** Whether a create of this update has made or taken an object, in any provider process. */
export function wasCreated(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { created, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return created.has(key) || (peers.haveCreated?.(key) ?? false);
}

/**
 * Notes that a refresh has read an object of the Pulumi state. Later steps of the update need this, and may run in other
 * provider processes.
 */
export function noteRead(resource: Pick<Definition, "type">, id: string, session: Session): void {
  const { read, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  read.add(key);
  peers.tellRead?.(key);
}

/** Whether a refresh in this update has read an object of the Pulumi state, in any provider process. */
export function wasRead(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { read, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return read.has(key) || (peers.hasRead?.(key) ?? false);
}

/**
 * Whether a resource of the program is known to have an object: the object is in the part of the Pulumi state that the engine
 * has passed to the provider, or was created in this update.
 */
export function isHeld(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { keys, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return keys.has(key) || peers.have(key);
}

/**
 * Tells which objects the program's resources name or have. Undefined in commands of the `pipestack` command line, which run no
 * program.
 */
export function claimsOf(session: Session): Claimants | undefined {
  return heldIn(session).peers.claims;
}

/** Lets the creates of a session learn which objects resources in other provider processes have. */
export function joinOthers(session: Session, peers: Peers): void {
  heldIn(session).peers = peers;
}
