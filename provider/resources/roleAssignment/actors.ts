import {
  Interrupted,
  InvalidIdentifier,
  MissingObject,
  mayHaveHappened,
  RefusedRequest,
} from "../../api/errors";
import { aboutObject } from "../../lifecycle/observe";
import type { Context } from "../../lifecycle/scope";
import { perSession } from "../../lifecycle/session";
import { type Data, isSameId } from "../../values/data";
import { allActorsIn, hasActor } from "../role/policies";

/** A list of actors that was read so many milliseconds ago is not written: another client may have changed it. */
const longestAge = 5000;

/** The wait after a write before the look at what has become of it: a client that had read the list before writes meanwhile. */
const settlingMilliseconds = 1000;

/** So often a list is written before its writer gives up. */
const mostWrites = 6;

/** So often in a row a list may grow too old before the rate limit lets it go. */
const mostUnsent = 10;

/** Whether an actor is to have a role. */
interface Change {
  readonly actor: string;
  readonly isToHave: boolean;
}

/** A role once its actors are as they should be. */
interface Changed {
  readonly role: Data;
  /** The actors that it had at first. */
  readonly before: readonly string[];
}

interface Waiting extends Change {
  readonly done: (changed: Changed) => void;
  readonly failed: (error: unknown) => void;
  /** Whether nobody waits for it any more. */
  readonly isEnded: () => boolean;
}

/** A list of actors that may have changed is not sent. */
class NotSent extends Error {}

/**
 * The only one in a process who writes the actors of a role. The API replaces the list, and takes no precondition: so each write
 * follows a read at once, and a read follows it. What comes meanwhile is written together.
 */
class Writer {
  readonly #waiting: Waiting[] = [];
  /** What it has carried out, by actor: later writes see to it that it stays so. */
  readonly #done = new Map<string, Change>();
  #isBusy = false;

  constructor(
    private readonly roleId: string,
    private readonly context: Context,
  ) {}

  async change(change: Change): Promise<Changed> {
    const { session } = this.context;
    const { interruption } = session;
    let isEnded = false;
    const outcome = new Promise<Changed>((done, failed) => {
      this.#waiting.push({ ...change, done, failed, isEnded: () => isEnded });
    });
    const changed = interruption.until(outcome, (reason) => {
      isEnded = true;
      return new Interrupted(session.siteOf("updateRole"), `${reason} before the role showed the change`);
    });
    // It works for all who wait: the time limit of the first of them is not that of the others.
    if (!this.#isBusy) void interruption.forAll(() => this.#work());
    return changed;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const turn = this.#waiting.splice(0).filter(({ isEnded }) => !isEnded());
      if (turn.length === 0) continue;
      try {
        const changed = await this.#carryOut(turn);
        for (const { done } of turn) done(changed);
      } catch (error) {
        // One actor that the service refuses is no failure of the others.
        const isRefused = error instanceof RefusedRequest && turn.length > 1;
        for (const waiting of turn)
          if (isRefused) await this.#carryOut([waiting]).then(waiting.done, waiting.failed);
          else waiting.failed(error);
      }
    }
    this.#isBusy = false;
  }

  async #carryOut(changes: readonly Change[]): Promise<Changed> {
    const { session, scope } = this.context;
    const place = { ...scope, id: this.roleId };
    let doubt: unknown;
    let before: readonly string[] | undefined;
    try {
      for (let writes = 0, unsent = 0; ; ) {
        const readAt = Date.now();
        const answer = (await session.call("getRole", place)) as Data;
        const role = aboutObject(answer, "getRole", this.roleId, session);
        const present = allActorsIn(role, session);
        before ??= present;
        const wanted = withChanges(present, [...this.#done.values(), ...changes]);
        if (wanted === present) {
          for (const { actor, isToHave } of changes) this.#done.set(actor.toLowerCase(), { actor, isToHave });
          return { role, before };
        }
        if (writes === mostWrites) break;
        let isSent = false;
        const onSend = () => {
          if (isSent || Date.now() - readAt > longestAge) throw new NotSent();
          isSent = true;
          writes++;
        };
        try {
          await session.call("updateRole", place, { actors: wanted }, onSend);
          doubt = undefined;
          unsent = 0;
        } catch (error) {
          if (error instanceof NotSent) {
            if (!isSent && ++unsent === mostUnsent)
              throw new Error(
                `role ${this.roleId}: nothing more was written, since the rate limit lets no write follow a read within ${longestAge / 1000} seconds; raise requestsPerSecond, or run the update when fewer requests are under way`,
              );
            continue;
          }
          if (error instanceof RefusedRequest && this.#forget(present)) continue;
          // Whether it was carried out, the next read tells.
          if (!mayHaveHappened(error)) throw error;
          doubt = error;
        }
        await session.interruption.pause(settlingMilliseconds);
      }
    } finally {
      session.lists.noteWrite("listRoles", scope, this.roleId);
    }
    throw (
      doubt ??
      new Error(
        `role ${this.roleId}: after ${mostWrites} writes its actors are not as declared: somebody else changes them at the same time, or the service ignores the writes; run the update again`,
      )
    );
  }

  /**
   * Forgets what was given before and is there no more: the service may refuse a list with an actor that is gone. Returns whether
   * there is such an actor.
   */
  #forget(present: readonly string[]): boolean {
    const lost = [...this.#done].filter(([, { actor, isToHave }]) => isToHave && !hasActor(present, actor));
    for (const [key] of lost) this.#done.delete(key);
    return lost.length > 0;
  }
}

/** The actors with the changes; the same list where they are in it already. */
function withChanges(present: readonly string[], changes: readonly Change[]): readonly string[] {
  let actors = present;
  for (const { actor, isToHave } of changes) {
    const has = hasActor(actors, actor);
    if (isToHave && !has) actors = [...actors, actor];
    if (!isToHave && has) actors = actors.filter((other) => !isSameId(other, actor));
  }
  return actors;
}

const writersOf = perSession(() => new Map<string, Writer>());

/** Gives a role to an actor, or takes it away. */
export function changeActor(
  roleId: string,
  actor: string,
  isToHave: boolean,
  context: Context,
): Promise<Changed> {
  const writers = writersOf(context.session);
  const key = `${context.scope.organizationId} ${roleId}`.toLowerCase();
  const writer = writers.get(key) ?? new Writer(roleId, context);
  writers.set(key, writer);
  return writer.change({ actor, isToHave });
}

/** Whether a failure says that a role is not there. */
export function saysNoRole(error: unknown): boolean {
  return error instanceof MissingObject || error instanceof InvalidIdentifier;
}
