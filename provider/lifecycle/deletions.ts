import { type Definition, resourceKey } from "./resource";
import { perSession, type Session } from "./session";

type Typed = Pick<Definition, "type">;

/**
 * Milliseconds without a new deletion after which no further one is expected: the engine starts all deletions that wait
 * for nothing at once.
 */
const longestPause = 2000;
/** Milliseconds between two checks whether the awaited objects have been deleted. */
const betweenLooks = 50;

/** The deletions of a run, by the keys of the deleted objects. */
class Deletions {
  /** Keys of the objects that this run has deleted, and of those that the service has deleted along with them. */
  readonly done = new Set<string>();
  /** Keys of the objects whose resources are replaced, and get another object. */
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

  /** Waits until these objects are deleted, or until no further deletion of this run can be expected. */
  async waitFor(keys: readonly string[], { interruption }: Session): Promise<void> {
    this.#waiting++;
    try {
      while (!keys.every((key) => this.done.has(key)) && !this.#isOver)
        await interruption.pause(betweenLooks);
    } finally {
      this.#waiting--;
    }
  }

  /** Whether no deletion is under way, apart from those that wait here themselves. */
  get #isOver(): boolean {
    return this.#underWay.size <= this.#waiting && Date.now() - this.#changedAt >= longestPause;
  }
}

/** The deletions of the run that a session belongs to. */
export const deletionsOf = perSession(() => new Deletions());

/** Whether this run has deleted an object. */
export function isDeletedByRun(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).done.has(resourceKey(resource, id));
}

/**
 * Notes that a resource gets another object in place of this one, so this one may be deleted, although the program may
 * still name it as `adoptId`.
 */
export function noteReplaced(resource: Typed, id: string, session: Session): void {
  deletionsOf(session).replaced.add(resourceKey(resource, id));
}

/** Whether a resource of this run gets another object in place of this one. */
export function isReplaced(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).replaced.has(resourceKey(resource, id));
}
