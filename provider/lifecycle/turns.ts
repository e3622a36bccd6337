import { ApiError, IncompleteList, Interrupted, NotShownYet } from "../api/errors";
import type { Interruption } from "../api/interruption";
import { operationOn } from "../api/operations";
import { limitIn } from "../api/settings";
import type { Definition } from "./definition";
import type { Context } from "./scope";
import { perSession } from "./session";

/** How many updates are enough between their look and their request for the limit to be used up, whatever an answer takes. */
const enough = 8;

/** How many seconds an answer may take without an update to wait for it in vain. */
const longestAnswer = 2;

/** How many seconds after its look an update's request follows at most, unless the limit lets fewer than two go in that time. */
const longestWait = 10;

interface Waiting {
  /** The list in which the update is to look for its object. */
  readonly list: string | undefined;
  end(failure?: ApiError): void;
}

/** Lets some updates go on at once, and the others in the order in which they come. */
export class Turns {
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;

  /** Waits for a turn, or until the current step has to end. Returns the function that ends the turn. */
  async begin(most: number, interruption: Interruption, list?: string): Promise<() => void> {
    if (this.#underWay >= most)
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = {
          list,
          end: (failure) => {
            stop();
            this.#waiting.delete(waiting);
            if (failure) reject(failure);
            else resolve();
          },
        };
        const stop = interruption.onEnd(() => waiting.end());
        this.#waiting.add(waiting);
      });
    this.#underWay++;
    return () => {
      this.#underWay--;
      const [first] = this.#waiting;
      first?.end();
    };
  }

  /** Ends the updates that wait to look in a list that has failed: each few of them would wait as long for it again. */
  fail(list: string, failure: ApiError): void {
    for (const waiting of this.#waiting) if (waiting.list === list) waiting.end(failure);
  }
}

const turnsOf = perSession(() => ({ management: new Turns(), observability: new Turns() }));

/**
 * Runs an update whose request replaces the whole object. Under a rate limit only few are between their look and their request, since
 * an update overwrites in silence what somebody changes in between: the others wait before they look, and not for the limit.
 */
export async function inTurn<Result>(
  { operations: { list, update }, send }: Pick<Definition, "operations" | "send">,
  { session, scope }: Context,
  act: () => Promise<Result>,
): Promise<Result> {
  const { api, replaces, idempotent } = operationOn(session.observabilityVia, update);
  const limit = limitIn(session.settings, api);
  // An update in a queue of its own, or one that makes a version of an object, would wait for minutes in its turn.
  if (send || !replaces || !idempotent || !limit) return act();
  const rate = limit.requests / limit.seconds;
  const most = Math.ceil(Math.max(Math.min(enough, longestWait * rate), longestAnswer * rate, 2));
  const turns = turnsOf(session)[api];
  const place = JSON.stringify([list, scope]);
  const end = await turns.begin(most, session.interruption, place);
  try {
    return await act();
  } catch (error) {
    if (isOfAll(error) && error.site.operation === list) turns.fail(place, error);
    throw error;
  } finally {
    end();
  }
}

/** Whether the failure of a look in a list is that of the list, and not that of the object or the step. */
function isOfAll(error: unknown): error is ApiError {
  const ofOne = [IncompleteList, Interrupted, NotShownYet];
  return error instanceof ApiError && !ofOne.some((type) => error instanceof type);
}
