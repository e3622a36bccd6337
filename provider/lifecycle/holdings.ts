import type { Data } from "../values/data";
import { type Definition, resourceKey } from "./definition";
import { perSession, type Session } from "./session";

/** Shares which objects resources have with the update's other provider processes: no two resources may take one object. */
export interface Peers {
  have(key: string): boolean;
  /** Tells the other provider processes about an object that this process has created. */
  tell(key: string): void;
  /** Whether another provider process of this update has created the object with the given key. */
  readonly haveCreated?: (key: string) => boolean;
  /** Whether a refresh in this update has read the object with the given key, in any provider process. */
  readonly hasRead?: (key: string) => boolean;
  /** Tells the other provider processes that this process has read an object of the Pulumi state. */
  readonly tellRead?: (key: string) => void;
  /** Knows which objects the program's resources name or manage, so that an AlertSet can claim the alerts of its entries. */
  readonly claims?: Claimants;
}

/**
 * Knows which objects of the API the program's resources name or manage. An `identity` tells two resources with the same object
 * apart.
 */
export interface Claimants {
  isClaimed(resource: Definition, id: string, state: Data, identity: string): boolean;
  /**
   * Notes that an entry of an AlertSet manages an object, so that no other resource may adopt the object. Returns the resource
   * that adopts it nevertheless, if there is one.
   * @param owner `title` names the entry in messages
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
  /** Keys of the objects in the Pulumi state, as far as the engine has called the provider for them in this run. */
  readonly keys: Set<string>;
  /** Keys of the objects that this provider process has created or taken over in this update. */
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

/** Notes that a create has made or taken an object: no other resource may take it, and no renamed resource may delete it. */
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

/** Notes that a refresh has read an object of the Pulumi state, for later steps, which may run in other processes. */
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
 * Whether a resource is known to have an object: by a Pulumi state that the engine has passed on, or a create of this update.
 */
export function isHeld(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { keys, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return keys.has(key) || peers.have(key);
}

/**
 * Knows which objects the program's resources name or manage; undefined in the `pipestack` command line, which runs no program.
 */
export function claimsOf(session: Session): Claimants | undefined {
  return heldIn(session).peers.claims;
}

/** Lets the creates of a session learn which objects resources in other provider processes have. */
export function joinOthers(session: Session, peers: Peers): void {
  heldIn(session).peers = peers;
}
