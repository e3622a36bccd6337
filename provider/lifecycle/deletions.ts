import { type Definition, resourceKey } from "./definition";
import { perSession, type Session } from "./session";

type Typed = Pick<Definition, "type">;

/**
 * Milliseconds without a new deletion after which no further one is expected: the engine starts all deletions that do not have
 * to wait for others at once.
 */
const longestPause = 2000;
/** Milliseconds between two checks whether the objects that a deletion waits for have been deleted. */
const betweenLooks = 50;

/** The deletions of a Pulumi run, by the keys of the deleted objects. */
class Deletions {
  /** Keys of the objects that this Pulumi run has deleted, and of those that the API has deleted along with them. */
  readonly done = new Set<string>();
  /** Keys of the objects whose resources are replaced and get another object in this Pulumi run. */
  readonly replaced = new Set<string>();
  readonly #underWay = new Set<string>();
  #waiting = 0;
  #changedAt = 0;

  async run<Result>(key: string, deletion: () => Promise<Result>): Promise<Result> {
    this.#underWay.add(key);
    this.#changedAt = Date.now();
    try {
      return await deletion();
    } finally {
      this.#underWay.delete(key);
      this.#changedAt = Date.now();
    }
  }

  /**
   * Waits until the objects with the given keys are deleted, or until no further deletion of this Pulumi run can be expected.
   */
  async waitFor(keys: readonly string[], { interruption }: Session): Promise<void> {
    this.#waiting++;
    try {
      while (!keys.every((key) => this.done.has(key)) && !this.#isOver)
        await interruption.pause(betweenLooks);
    } finally {
      this.#waiting--;
    }
  }

  /** Whether no deletion is under way, apart from those that themselves wait for other deletions. */
  get #isOver(): boolean {
    return this.#underWay.size <= this.#waiting && Date.now() - this.#changedAt >= longestPause;
  }
}

/** The deletions of the Pulumi run that a session belongs to. */
export const deletionsOf = perSession(() => new Deletions());

export function isDeletedByRun(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).done.has(resourceKey(resource, id));
}

/** Notes that a resource gets another object, so that the present one may be deleted even if `adoptId` still names it. */
export function noteReplaced(resource: Typed, id: string, session: Session): void {
  deletionsOf(session).replaced.add(resourceKey(resource, id));
}

export function isReplaced(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).replaced.has(resourceKey(resource, id));
}
