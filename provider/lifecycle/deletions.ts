import { type Definition, resourceKey } from "./resource";
import { perSession, type Session } from "./session";

type Typed = Pick<Definition, "type">;

/** Milliseconds without a deletion after which none is to come: the engine begins those that wait for nothing at once. */
const longestPause = 2000;
/** Milliseconds between two looks at what is deleted. */
const betweenLooks = 50;

/** The deletions of a run, by the keys of the objects. */
class Deletions {
  /** Objects that this run has deleted, and those that the service has deleted with them. */
  readonly done = new Set<string>();
  /** Objects in whose place resources get others. */
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

  /** Waits for the deletion of objects, as long as this run may yet delete them. */
  async waitFor(keys: readonly string[], { interruption }: Session): Promise<void> {
    this.#waiting++;
    try {
      while (!keys.every((key) => this.done.has(key)) && !this.#isOver)
        await interruption.pause(betweenLooks);
    } finally {
      this.#waiting--;
    }
  }

  /** Whether nothing is deleted any more, save for what waits. */
  get #isOver(): boolean {
    return this.#underWay.size <= this.#waiting && Date.now() - this.#changedAt >= longestPause;
  }
}

/** The deletions of the run that a session serves. */
export const deletionsOf = perSession(() => new Deletions());

/** Whether this run has deleted an object. */
export function isDeletedByRun(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).done.has(resourceKey(resource, id));
}

/** Notes that a resource gets another object, although the program may still name this one, as an `adoptId` does. */
export function noteReplaced(resource: Typed, id: string, session: Session): void {
  deletionsOf(session).replaced.add(resourceKey(resource, id));
}

/** Whether a resource gets another object in place of this one. */
export function isReplaced(resource: Typed, id: string, session: Session): boolean {
  return deletionsOf(session).replaced.has(resourceKey(resource, id));
}
