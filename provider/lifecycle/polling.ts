import type { Answer, ListOperation, PathParameters } from "../api/operations";
import { limitIn } from "../api/settings";
import type { Session } from "./session";

/** The share of a key's rate limit that list requests may use while the provider waits for objects to get ready. */
const shareOfRate = 1 / 3;

/** Milliseconds between two such list requests, if the server has no known rate limit. */
const usualPause = 3000;

/** Sends the list requests of one API key that wait for objects to get ready. */
class Poller {
  /** The time, in milliseconds, at which the next list request may be sent. */
  #free = 0;
  /** Lists whose requests have not been sent yet. All callers that ask before a request is sent share it. */
  readonly #coming = new Map<string, Promise<unknown>>();

  /** The next list, whose request is sent after this call. */
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
    // The wait has an upper limit, since the clock of the machine may be set back.
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
    // The caller may have ended its wait meanwhile; without a handler Node would exit.
    list.catch(() => {});
    this.#coming.set(key, list);
    return list;
  }
}

function pauseIn({ settings }: Session): number {
  const limit = limitIn(settings, "management");
  return limit ? (limit.seconds * 1000) / limit.requests / shareOfRate : usualPause;
}

/** The pollers of this process, by address and key: the server counts all requests of a key together. */
const pollers = new Map<string, Poller>();

/**
 * The next list of a collection, for a caller that waits for one of its objects. All callers in a process that use the
 * same key share the requests, which take at most a third of the key's rate limit.
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

/** Milliseconds before each further look at what does not show a change yet: reads lag behind a write for some seconds. */
const lags = [250, 500, 1000, 2000, 4000, 8000];

/** Looks again as long as what was seen last does not show a change, at most once for each wait; returns what was seen last. */
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
