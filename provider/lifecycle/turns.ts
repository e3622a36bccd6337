import type { Interruption } from "../api/interruption";
import { operationOn } from "../api/operations";
import { limitIn } from "../api/settings";
import type { Definition } from "./definition";
import { perSession, type Session } from "./session";

/** How many updates may be between their look and their request at least, so that the limit is used up whatever an answer takes. */
const fewest = 8;

/** How many seconds an answer may take without an update to wait for it in vain. */
const longestAnswer = 2;

/** Lets some updates go on at once, and the others in the order in which they come. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** Waits for a turn, or until the current step has to end. Returns the function that ends the turn. */
  async begin(most: number, interruption: Interruption): Promise<() => void> {
    if (this.#underWay >= most)
      await new Promise<void>((resolve) => {
        const goOn = () => {
          stop();
          const place = this.#waiting.indexOf(goOn);
          if (place >= 0) this.#waiting.splice(place, 1);
          resolve();
        };
        const stop = interruption.onEnd(goOn);
        this.#waiting.push(goOn);
      });
    this.#underWay++;
    return () => {
      this.#underWay--;
      this.#waiting[0]?.();
    };
  }
}

const turnsOf = perSession(() => ({ management: new Turns(), observability: new Turns() }));

/**
 * Runs an update whose request replaces the whole object. Under a rate limit only few are between their look and their request, since
 * an update overwrites in silence what somebody changes in between: the others wait before they look, and not for the limit.
 */
export async function inTurn<Result>(
  { operations: { update } }: Pick<Definition, "operations">,
  session: Session,
  act: () => Promise<Result>,
): Promise<Result> {
  const { api, replaces, idempotent } = operationOn(session.observabilityVia, update);
  const limit = limitIn(session.settings, api);
  // An update that makes a version of an object, and not the object itself, waits for minutes in its turn.
  if (!replaces || !idempotent || !limit) return act();
  const most = Math.max(fewest, Math.ceil((longestAnswer * limit.requests) / limit.seconds));
  const end = await turnsOf(session)[api].begin(most, session.interruption);
  try {
    return await act();
  } finally {
    end();
  }
}
