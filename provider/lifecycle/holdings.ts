import type { Data } from "../values/data";
import { type Definition, resourceKey } from "./resource";
import { perSession, type Session } from "./session";

/** The other processes of an update, as far as creations need to know of them. */
export interface Peers {
  /** Whether a resource of theirs has an object, by its key. */
  have(key: string): boolean;
  /** Tells them of an object that this process has created. */
  tell(key: string): void;
  /** Whether a refresh of this update has read an object of the state, in any process. */
  readonly hasRead?: (key: string) => boolean;
  /** Tells them that this process has read an object of the state. */
  readonly tellRead?: (key: string) => void;
  /** The objects that resources of the program name or have, as a set needs to know of them for its entries. */
  readonly claims?: Claimants;
}

/** Tells which objects the resources of a program name or have. An identity tells the owners of objects apart. */
export interface Claimants {
  isClaimed(resource: Definition, id: string, state: Data, identity: string): boolean;
  /**
   * Notes the object of an entry of a set, which no other resource may adopt.
   *
   * @param owner `title` is that of the entry in messages
   * @returns the name of the resource that adopts it all the same, if there is one
   */
  holdEntry(
    resource: Definition,
    id: string,
    owner: { readonly identity: string; readonly title: string },
    session: Session,
  ): string | undefined;
  /** Why an object cannot be adopted, where it is known to be that of an entry of a set. */
  heldInSet(resource: Definition, id: string): string | undefined;
}

/** The objects that resources have. */
interface Holdings {
  /** Keys of those that the state holds, as far as the engine has asked about them. */
  readonly keys: Set<string>;
  /** Keys of those that a refresh has read. */
  readonly read: Set<string>;
  peers: Peers;
}

const heldIn = perSession(
  (): Holdings => ({ keys: new Set(), read: new Set(), peers: { have: () => false, tell: () => {} } }),
);

/** Notes an object that the state holds: no create can have made it. */
export function noteHeld(resource: Pick<Definition, "type">, id: string, session: Session): void {
  heldIn(session).keys.add(resourceKey(resource, id));
}

/** Notes an object that a create of this update has made or taken: no other resource has it, and none of another name deletes it. */
export function noteCreated(resource: Pick<Definition, "type">, id: string, session: Session): void {
  noteHeld(resource, id, session);
  heldIn(session).peers.tell(resourceKey(resource, id));
}

/** Notes that a refresh has read an object of the state, for later steps of the update, which run in other processes. */
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

/** Whether a resource of the program has an object, as far as the engine has asked about it, or has created it in this update. */
export function isHeld(resource: Pick<Definition, "type">, id: string, session: Session): boolean {
  const { keys, peers } = heldIn(session);
  const key = resourceKey(resource, id);
  return keys.has(key) || peers.have(key);
}

/** The claims on objects of this session's program; undefined where nothing declares any, as in commands. */
export function claimsOf(session: Session): Claimants | undefined {
  return heldIn(session).peers.claims;
}

/** Makes the creations of a session known to other processes, and theirs to it. */
export function joinOthers(session: Session, peers: Peers): void {
  heldIn(session).peers = peers;
}
