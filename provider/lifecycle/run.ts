import type { Interruption } from "../api/interruption";
import type { PropertyMap } from "../values/data";

/** A resource type, as far as the keys of its objects need it. */
interface Typed {
  readonly type: string;
  readonly isNamedInOrganization?: true;
}

/** The key of an object of any type. Ids that differ only in upper and lower case mean the same object. */
export function resourceKey({ type }: Typed, id: string): string {
  return `${type} ${id.toLowerCase()}`;
}

/**
 * The id by which {@link Run} and claims know an object: that of an object that is named in its organization has the organization,
 * too, since a program may have two organizations.
 */
export function knownId(of: Typed, id: string, { organizationId }: PropertyMap): string {
  return of.isNamedInOrganization ? `${organizationId}/${id}` : id;
}

/** Shares which objects resources have with the update's other provider processes: no two resources may take one object. */
export interface Peers {
  have(key: string): boolean;
  /** Tells the other provider processes about an object that this process has created. */
  tell(key: string): void;
  /** Whether another provider process of this update has created the object with the given key. */
  haveCreated(key: string): boolean;
  /** Whether a refresh in this update has read the object with the given key, in any provider process. */
  hasRead(key: string): boolean;
  /** Tells the other provider processes that this process has read an object of the Pulumi state. */
  tellRead(key: string): void;
}

/**
 * Knows which objects of the API the program's resources name or manage. An `identity` tells two resources with the same object
 * apart.
 */
export interface Claimants {
  isClaimed(resource: Typed, id: string, state: object, identity: string): boolean;
  /**
   * Notes that an entry of an AlertSet manages an object, so that no other resource may adopt the object. Returns the resource
   * that adopts it nevertheless, if there is one.
   * @param owner `title` names the entry in messages
   */
  holdEntry(
    resource: Typed,
    id: string,
    owner: { readonly identity: string; readonly title: string },
    session: object,
  ): string | undefined;
  /** The reason why an object cannot be adopted, if an entry of an AlertSet is known to have it. */
  heldInSet(resource: Typed, id: string): string | undefined;
}

const alone: Peers = {
  ...{ have: () => false, haveCreated: () => false, hasRead: () => false },
  ...{ tell: () => {}, tellRead: () => {} },
};

/**
 * Milliseconds without a new deletion after which no further one is expected: the engine starts all deletions that do not have
 * to wait for others at once.
 */
const longestPause = 2000;
/** Milliseconds between two checks whether the objects that a deletion waits for have been deleted. */
const betweenLooks = 50;

/** What a Pulumi run knows of the objects of its resources: which it has, has made, read, replaced and deleted. */
export class Run {
  /** Whether a program has declared a resource in this run: `pulumi refresh` runs no program. */
  hasProgram = false;
  /** Knows which objects the program's resources name or manage; undefined in the command line, which runs no program. */
  claims: Claimants | undefined;
  /** Keys of the objects that this run has deleted, and of those that the API has deleted along with them. */
  readonly deleted = new Set<string>();
  readonly #held = new Set<string>();
  readonly #created = new Set<string>();
  readonly #read = new Set<string>();
  readonly #replaced = new Set<string>();
  readonly #underWay = new Set<string>();
  #peers = alone;
  #waiting = 0;
  #changedAt = 0;

  constructor(private readonly interruption: Interruption) {}

  /** Lets this run learn which objects resources in other provider processes of the update have. */
  join(peers: Peers, claims: Claimants): void {
    this.#peers = peers;
    this.claims = claims;
  }

  /** Notes that a resource in the Pulumi state has an object, so that no create of this run takes the object for its own. */
  noteHeld(of: Typed, id: string): void {
    this.#held.add(resourceKey(of, id));
  }

  /** Whether a resource is known to have an object: by a Pulumi state that the engine has passed on, or a create of this update. */
  isHeld(of: Typed, id: string): boolean {
    const key = resourceKey(of, id);
    return this.#held.has(key) || this.#peers.have(key);
  }

  /** Notes that a create has made or taken an object: no other resource may take it, and no renamed resource may delete it. */
  noteCreated(of: Typed, id: string): void {
    this.noteHeld(of, id);
    const key = resourceKey(of, id);
    this.#created.add(key);
    this.#peers.tell(key);
  }

  /** Whether a create of this update has made or taken an object, in any provider process. */
  wasCreated(of: Typed, id: string): boolean {
    const key = resourceKey(of, id);
    return this.#created.has(key) || this.#peers.haveCreated(key);
  }

  /** Notes that a refresh has read an object of the Pulumi state, for later steps, which may run in other processes. */
  noteRead(of: Typed, id: string): void {
    const key = resourceKey(of, id);
    this.#read.add(key);
    this.#peers.tellRead(key);
  }

  /** Whether a refresh in this update has read an object of the Pulumi state, in any provider process. */
  wasRead(of: Typed, id: string): boolean {
    const key = resourceKey(of, id);
    return this.#read.has(key) || this.#peers.hasRead(key);
  }

  /** Notes that a resource gets another object, so that the present one may be deleted even if `adoptId` still names it. */
  noteReplaced(of: Typed, id: string): void {
    this.#replaced.add(resourceKey(of, id));
  }

  isReplaced(of: Typed, id: string): boolean {
    return this.#replaced.has(resourceKey(of, id));
  }

  isDeleted(of: Typed, id: string): boolean {
    return this.deleted.has(resourceKey(of, id));
  }

  /** Runs the deletion of the object with the given key, for which others may wait. */
  async whileDeleting<Result>(key: string, deletion: () => Promise<Result>): Promise<Result> {
    this.#underWay.add(key);
    this.#changedAt = Date.now();
    try {
      return await deletion();
    } finally {
      this.#underWay.delete(key);
      this.#changedAt = Date.now();
    }
  }

  /** Waits until the objects with the given keys are deleted, or until no further deletion of this run can be expected. */
  async untilDeleted(keys: readonly string[]): Promise<void> {
    this.#waiting++;
    try {
      while (!keys.every((key) => this.deleted.has(key)) && !this.#isOver)
        await this.interruption.pause(betweenLooks);
    } finally {
      this.#waiting--;
    }
  }

  /** Whether no deletion is under way, apart from those that themselves wait for other deletions. */
  get #isOver(): boolean {
    return this.#underWay.size <= this.#waiting && Date.now() - this.#changedAt >= longestPause;
  }
}
