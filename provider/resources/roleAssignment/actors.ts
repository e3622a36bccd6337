import type { Role } from "../../api/answers.golden";
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
import { Turns } from "../../lifecycle/turns";
import { allActorsIn, hasActor, isOfUuid, isSameActor } from "../access/roleCollection";

/**
 * Milliseconds after which a role's list of users and keys is too old to be written back, since another client may have changed
 * it.
 */
const longestAge = 5000;

/**
 * Milliseconds between a write of a role's list of users and keys and the read that checks it. In this time, another client
 * that has read the former list may overwrite the new one.
 */
const settlingMilliseconds = 1000;

/** The number of writes of the list of a role's users and keys before an update gives up. */
const mostWrites = 6;

/**
 * If the list of a role's users and keys becomes too old this many times in a row, while the write waits for the client's rate
 * limiter, the update fails.
 */
const mostUnsent = 10;

/** How many roles are read and written at once: the reads of more could use up the rate limit, so that no write would follow soon. */
const mostAtOnce = 2;

const turnsOf = perSession(() => new Turns());

interface Change {
  readonly actor: string;
  readonly isToHave: boolean;
}

interface Changed {
  readonly role: Role;
  /** The users and keys that had the role before the changes were written. */
  readonly before: readonly string[];
}

interface Waiting extends Change {
  readonly done: (changed: Changed) => void;
  readonly failed: (error: unknown) => void;
  /**
   * Whether the Pulumi operation has ended that asked to give the role to a user or key, or to take it away. The change is then
   * dropped.
   */
  readonly isEnded: () => boolean;
}

/** Thrown instead of sending a list of a role's users and keys that has become too old. */
class NotSent extends Error {}

/**
 * Writes the list of users and keys that have one role, for all resources of a process. The API replaces the whole list without
 * a precondition, so two clients can overwrite each other. Therefore each write directly follows a read and is checked by
 * another read. Changes that are requested meanwhile are written together.
 */
class Writer {
  readonly #waiting: Waiting[] = [];
  /**
   * The changes that have given the role to users and keys, or taken it away. If another client undoes one, a later write
   * repeats it.
   */
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
    // One write of a role's list of users and keys serves several resources, so the time limit of the resource that starts the
    // write must not end it.
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
        // If the service refuses a role's list of users and keys because of one of them, each change is sent by itself, so that
        // others succeed.
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
        const end = await turnsOf(session).begin(mostAtOnce, session.interruption);
        try {
          let readAt = Date.now();
          const onRead = () => {
            readAt = Date.now();
          };
          const answer = await session.call("getRole", place, undefined, onRead);
          const role = aboutObject(answer, "getRole", this.roleId, session);
          const present = allActorsIn(role, session);
          before ??= present;
          const wanted = withChanges(present, [...this.#done.values(), ...changes]);
          if (wanted === present) {
            for (const { actor, isToHave } of changes)
              this.#done.set(isOfUuid(actor) ? actor.toLowerCase() : actor, { actor, isToHave });
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
            // If the answer to a write of a role's list of users and keys is lost, the next read shows whether the write was
            // carried out.
            if (!mayHaveHappened(error)) throw error;
            doubt = error;
          }
        } finally {
          end();
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
   * Forgets users and keys that got the role from an earlier change and no longer have it: they may be deleted, and the service
   * may refuse a list with a deleted user or key.
   *
   * @returns whether there were any such users or keys
   */
  #forget(present: readonly string[]): boolean {
    const lost = [...this.#done].filter(([, { actor, isToHave }]) => isToHave && !hasActor(present, actor));
    for (const [key] of lost) this.#done.delete(key);
    return lost.length > 0;
  }
}

/** The list of a role's users and keys after the changes; the same array if no change is needed. */
function withChanges(present: readonly string[], changes: readonly Change[]): readonly string[] {
  let actors = present;
  for (const { actor, isToHave } of changes) {
    const has = hasActor(actors, actor);
    if (isToHave && !has) actors = [...actors, actor];
    if (!isToHave && has) actors = actors.filter((other) => !isSameActor(other, actor));
  }
  return actors;
}

const writersOf = perSession(() => new Map<string, Writer>());

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

export function saysNoRole(error: unknown): boolean {
  return error instanceof MissingObject || error instanceof InvalidIdentifier;
}
