import type { Answer, ListOperation, PathParameters } from "../api/operations";
import { limitIn } from "../api/settings";
import type { Session } from "./session";

/**
 * The share of an API key's rate limit that creates may use for list requests while they wait for their objects to become
 * ready. The rest stays for other requests.
 */
const shareOfRate = 1 / 3;

/** Milliseconds between two list requests that wait for objects to get ready, if the server has no known rate limit. */
const usualPause = 3000;

class Poller {
  /** The time, in milliseconds, at which the next list request of this API key may be sent. */
  #free = 0;
  /** Lists whose requests wait for their turn. All callers that ask before a request is sent share it. */
  readonly #coming = new Map<string, Promise<unknown>>();

  /** Requests the named list anew as soon as the rate limit of the API key allows, since earlier lists may be stale. */
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
    // The wait for the turn of a list request has an upper limit, since somebody may set back the clock of the machine.
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
    // The caller may have ended its wait before this list request fails. Without a handler Node would exit.
    list.catch(() => {});
    this.#coming.set(key, list);
    return list;
  }
}

function pauseIn({ settings }: Session): number {
  const limit = limitIn(settings, "management");
  return limit ? (limit.seconds * 1000) / limit.requests / shareOfRate : usualPause;
}

/** The pollers of this process, by the API's address and the API key: the server counts all requests of a key together. */
const pollers = new Map<string, Poller>();

/**
 * Lists all objects for a caller that waits for one. Callers with the same API key share requests, at most a third of its rate.
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

/** Milliseconds before each further read of an object that shows no change yet: reads lag behind a write for some seconds. */
const lags = [250, 500, 1000, 2000, 4000, 8000];

/** Reads again until a read shows the expected change, at most once for each of the `waits`; returns the last result. */
export async function seenAfter<Seen>(
  first: Seen,
  shows: (seen: Seen) => boolean,
  look: () => Promise<Seen>,
  { interruption }: Session,
  waits: readonly number[] = lags,
): Promise<Seen> {
  let seen = first;
  for (const wait of waits) {
    if (shows(seen)) break;
    await interruption.pause(wait);
    seen = await look();
  }
  return seen;
}
