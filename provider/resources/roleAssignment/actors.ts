import { InvalidIdentifier, MissingObject, mayHaveHappened, RefusedRequest } from "../../api/errors";
import { aboutObject } from "../../lifecycle/observe";
import type { Context } from "../../lifecycle/scope";
import { perSession } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { actorsIn, isSameActor } from "../role/policies";

/** A list of actors that was read so many milliseconds ago is not written: another client may have changed it. */
const longestAge = 5000;

/** The wait after a write before the look at what has become of it: a client that had read the list before writes meanwhile. */
const settlingMilliseconds = 1000;

/** So often a list is written before its writer gives up. */
const mostWrites = 6;

/** Whether an actor is to have a role. */
interface Change {
  readonly actor: string;
  readonly isToHave: boolean;
}

interface Waiting extends Change {
  readonly done: (role: Data) => void;
  readonly failed: (error: unknown) => void;
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

  change(change: Change): Promise<Data> {
    const outcome = new Promise<Data>((done, failed) => {
      this.#waiting.push({ ...change, done, failed });
    });
    if (!this.#isBusy) void this.#work();
    return outcome;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const turn = this.#waiting.splice(0);
      try {
        const role = await this.#carryOut(turn);
        for (const { done } of turn) done(role);
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

  async #carryOut(changes: readonly Change[]): Promise<Data> {
    const { session, scope } = this.context;
    const place = { ...scope, id: this.roleId };
    let doubt: unknown;
    try {
      for (let writes = 0; ; ) {
        const readAt = Date.now();
        const answer = (await session.call("getRole", place)) as Data;
        const role = aboutObject(answer, "getRole", this.roleId, session);
        const present = actorsIn(role);
        const wanted = withChanges(present, [...this.#done.values(), ...changes]);
        if (wanted === present) {
          for (const { actor, isToHave } of changes) this.#done.set(actor.toLowerCase(), { actor, isToHave });
          return role;
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
        } catch (error) {
          // Whether it was carried out, the next read tells.
          if (error instanceof NotSent) continue;
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
        `role ${this.roleId}: ${mostWrites} writes of its actors failed, or were undone by somebody else who changes them at the same time; run the update again`,
      )
    );
  }
}

/** The actors with the changes; the same list where they are in it already. */
function withChanges(present: readonly string[], changes: readonly Change[]): readonly string[] {
  let actors = present;
  for (const { actor, isToHave } of changes) {
    const has = actors.some((other) => isSameActor(other, actor));
    if (isToHave && !has) actors = [...actors, actor];
    if (!isToHave && has) actors = actors.filter((other) => !isSameActor(other, actor));
  }
  return actors;
}

const writersOf = perSession(() => new Map<string, Writer>());

/** Gives a role to an actor, or takes it away. Returns the role as it is then. */
export function changeActor(
  roleId: string,
  actor: string,
  isToHave: boolean,
  context: Context,
): Promise<Data> {
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
