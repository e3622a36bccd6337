import PQueue from "p-queue";
import type { RateLimit } from "./dialect";

/** Waits longer than this are told to the user. */
export const noticeableMilliseconds = 5_000;

/** The pace of all calls of this process to one API with one credential. */
export interface Pace {
  /** Waits until an attempt may begin; what it returns has to be called when the attempt is over. */
  turn(notice: (message: string) => void): Promise<() => void>;
  /** Lets no attempt begin for a while, and then one at a time: all together would only meet the limit again. */
  holdFor(milliseconds: number): void;
}

const paces = new Map<string, Pace>();

/**
 * The pace for a limit, or for none. Calls of several providers that use the same credential share one, as the server
 * counts them together.
 *
 * @param address address of the API
 * @param credential tells the server whose requests it counts; stays in memory
 */
export function paceOf(address: string, credential: string, limit: RateLimit | undefined): Pace {
  const key = JSON.stringify([address, credential, limit]);
  const known = paces.get(key);
  if (known) return known;
  const pace = createPace(address, limit);
  paces.set(key, pace);
  return pace;
}

function createPace(address: string, limit: RateLimit | undefined): Pace {
  const queue = limit
    ? // Counted over any such period, since it is the server that decides when one begins.
      new PQueue({ intervalCap: limit.requests, interval: limit.seconds * 1000, strict: true })
    : new PQueue();
  let heldUntil = 0;
  let release: NodeJS.Timeout | undefined;
  let isAnnounced = false;
  queue.on("idle", () => {
    isAnnounced = false;
  });

  const announce = (notice: (message: string) => void) => {
    // A hold is announced by who asked for it, and one announcement is enough for all that wait.
    if (!limit || isAnnounced || performance.now() < heldUntil) return;
    isAnnounced = true;
    notice(
      `waiting for the limit of ${limit.requests} requests in ${limit.seconds} s of the service at ${address}; ${queue.size} calls are left`,
    );
  };

  return {
    async turn(notice) {
      const timer = setTimeout(() => announce(notice), noticeableMilliseconds);
      timer.unref();
      try {
        return await new Promise<() => void>((begin) => {
          void queue.add(() => new Promise<void>((end) => begin(end)));
        });
      } finally {
        clearTimeout(timer);
      }
    },
    holdFor(milliseconds) {
      const until = performance.now() + milliseconds;
      if (until <= heldUntil) return;
      heldUntil = until;
      queue.concurrency = 1;
      queue.pause();
      clearTimeout(release);
      release = setTimeout(() => queue.start(), milliseconds);
    },
  };
}
