import type { Answer, ListOperation, PathParameters } from "../api/operations";
import { limitIn } from "../api/settings";
import type { Session } from "./session";

/** The part of a key's rate that lists take which are asked for only to wait for something. */
const shareOfRate = 1 / 3;

/** Milliseconds between two of these lists where the server has no known limit. */
const usualPause = 3000;

/** The lists of one key that are asked for while objects are waited for. */
class Poller {
  /** When the next request may be sent. */
  #free = 0;
  /** Lists whose requests have not been sent yet. All who ask for one before it is sent share it. */
  readonly #coming = new Map<string, Promise<unknown>>();

  /** The next list; its request is sent after this call. */
  next<Name extends ListOperation>(
    name: Name,
    place: PathParameters,
    session: Session,
  ): Promise<Answer<Name>> {
    const key = JSON.stringify([name, place]);
    const coming = this.#coming.get(key);
    if (coming) return coming as Promise<Answer<Name>>;
    const now = Date.now();
    const pause = pauseIn(session);
    // A clock that was set back must not hold up a wait.
    const latest = now + (this.#coming.size + 1) * pause;
    const at = Math.max(now, Math.min(this.#free, latest));
    this.#free = at + pause;
    const list = session.interruption.forAll(async () => {
      try {
        await session.interruption.pause(at - now);
      } finally {
        this.#coming.delete(key);
      }
      return session.lists.read(name, place, { asOf: "now", isWhole: false });
    });
    // Whoever waits for it may have ended meanwhile.
    list.catch(() => {});
    this.#coming.set(key, list);
    return list;
  }
}

function pauseIn({ settings }: Session): number {
  const limit = limitIn(settings, "management");
  return limit ? (limit.seconds * 1000) / limit.requests / shareOfRate : usualPause;
}

/** Those of this process, by address and key: a server counts all requests of a key together. */
const pollers = new Map<string, Poller>();

/**
 * The next list of a kind, for somebody who waits for one of its objects. All objects and all providers of a process that have
 * one key share its requests: together they take a third of the key's rate.
 */
export function nextList<Name extends ListOperation>(
  name: Name,
  place: PathParameters,
  session: Session,
): Promise<Answer<Name>> {
  const { baseUrl, keyId } = session.settings;
  const key = JSON.stringify([baseUrl, keyId]);
  const poller = pollers.get(key) ?? new Poller();
  pollers.set(key, poller);
  return session.lists.until(name, poller.next(name, place, session));
}
