import type { Pipe } from "../../api/answers.golden";
import { mayHaveHappened, RefusedRequest } from "../../api/errors";
import type { OperationName } from "../../api/operations";
import { decode } from "../../lifecycle/decode";
import type { Definition, Outcomes } from "../../lifecycle/definition";
import { aboutObject } from "../../lifecycle/observe";
import { nextList, seenAfter } from "../../lifecycle/polling";
import type { State } from "../../lifecycle/state";
import type { At } from "../../lifecycle/steps";
import { Unfinished } from "../../lifecycle/unfinished";
import { awaitState } from "../../lifecycle/waiting";
import { isObject, isSameId, type MembersOf, type PropertyMap } from "../../values/data";
import { sourceIn } from "./kinds";
import {
  endsOf,
  failed,
  isBeingScaled,
  isCompleted,
  isLoading,
  isOnItsWay,
  needsStop,
  wishedState,
} from "./pipeStates";
import { areEdited } from "./tableMappings";

/** What a pipe does, or shall do. */
export type Goal = "running" | "stopped";

/** A pipe of the service that a write changes. */
export interface LivePipe extends At {
  readonly definition: Definition;
  /** The last known Pulumi state of the pipe, which tells how old it is. */
  readonly state: State;
  /** The minutes that each wait for the pipe may take. */
  readonly minutes: number;
}

export async function look({ id, context: { session, scope } }: At): Promise<Pipe> {
  return aboutObject(await session.call("getPipe", { ...scope, id }), "getPipe", id, session);
}

/**
 * Whether a streaming pipe has failed, and has to be stopped before its source can be changed. The function waits for the end of
 * a transition, in which the service refuses such a change.
 */
export async function isFailed(pipe: LivePipe): Promise<boolean> {
  const outcomes = { ends: ["Running", ...endsOf("stopped"), ...failed, "Degraded"], fails: [] };
  const { state } = await awaitOutcome(pipe, outcomes);
  return needsStop(state);
}

/** Starts or stops a pipe, unless it is so already, and waits until it is. */
export async function reach(pipe: LivePipe, goal: Goal, isAwaited = true): Promise<PropertyMap> {
  const { id, context } = pipe;
  const now = await look(pipe);
  const ends = endsOf(goal);
  if (isCompleted(now.state)) return now;
  if (wishedState(now.state) !== goal) {
    // A pipe that is stopping cannot be started, so the provider first waits until it has stopped.
    if (goal === "running" && isOnItsWay(now.state))
      await awaitOutcome(pipe, { ends: endsOf("stopped"), fails: failed });
    await order(pipe, goal === "stopped" ? "stop" : "start");
    context.session.lists.noteWrite("listPipes", context.scope, id);
  } else if (ends.includes(String(now.state))) return now;
  if (!isAwaited) return now;
  return awaitOutcome(pipe, { ends, fails: goal === "stopped" ? [] : failed });
}

/** Sends the request that starts or stops a pipe. The answer proves nothing, since it may show the former status. */
async function order(pipe: LivePipe, command: "start" | "stop"): Promise<void> {
  try {
    await pipe.call("updatePipeState", { command });
  } catch (error) {
    // The service refuses to start a running pipe and to stop a stopped one. The pipe then is as wanted, which the wait that
    // follows confirms.
    const isDone = error instanceof RefusedRequest && error.says(/already (running|stopped)/);
    if (!isDone) throw error;
  }
}

/** Adds and removes tables of a database pipe. If the answer is lost, the pipe itself shows whether that was done. */
export async function editTables(pipe: LivePipe, edit: PropertyMap): Promise<void> {
  const change = sourceIn(edit)?.members ?? {};
  const isDone = (live: Pipe) => areEdited(sourceIn(live)?.members ?? {}, change);
  const lost = await sentOnce(pipe, "updatePipeTables", edit, isDone);
  if (lost) throw lost;
}

/**
 * Has a pipe load its tables anew. If the answer is lost, its status shows whether it does. If the status shows nothing, the request
 * is not repeated: the pipe may already have loaded all tables again, which is billed.
 *
 * @param before the pipe before the request
 */
export async function resync(pipe: LivePipe, before: MembersOf<Pipe>): Promise<void> {
  const isDone = ({ state }: Pipe) => isLoading(state) && state !== before.state;
  const lost = await sentOnce(pipe, "resyncPipe", { command: "resync" }, isDone);
  if (lost)
    pipe.context.session.warnOnce(
      `pipe ${pipe.id}: the answer to its resync was lost, and the pipe shows none, so it is not known whether its tables are loaded anew: ${lost.message}. The resync is not sent again; change resyncTrigger once more to send it`,
    );
}

/**
 * Sends a request that must not be carried out twice. If its answer is lost, the pipe is read until it shows that the request was
 * carried out, for some seconds at most.
 *
 * @returns the failure of the request if the pipe does not show that it was carried out
 */
async function sentOnce(
  pipe: LivePipe,
  name: OperationName,
  body: PropertyMap,
  isDone: (live: Pipe) => boolean,
): Promise<Error | undefined> {
  try {
    await pipe.call(name, body);
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    const again = () => look(pipe).catch(() => ({}));
    const live = await seenAfter<Pipe>(await again(), isDone, again, pipe.context.session);
    if (!isDone(live)) return error;
  }
  return undefined;
}

/** Waits until a pipe that the service has restarted runs, or is stopped. */
export const settle = (pipe: LivePipe): Promise<PropertyMap> =>
  awaitOutcome(pipe, { ends: [...endsOf("running"), ...endsOf("stopped")], fails: failed });

/** The settings of a pipe in an answer, as a program declares them. */
export const settingsIn = (pipes: Definition, live: PropertyMap): PropertyMap =>
  (decode(pipes, live).inputs.settings as PropertyMap | undefined) ?? {};

/** Waits until a pipe has one of the given statuses. */
async function awaitOutcome(pipe: LivePipe, outcomes: Outcomes): Promise<PropertyMap> {
  const { definition, id, minutes, state, context } = pipe;
  const wait = { ...outcomes, awaiting: "update", minutes, state } as const;
  const object = await awaitState(definition, id, wait, context);
  if (object === "gone")
    throw new Error(
      `pipe ${id} was deleted while this change waited for it; "pulumi up --refresh" creates it again`,
    );
  return object;
}

/** Waits until the service shows the number and size of replicas that a pipe was scaled to. */
export async function awaitScaling(
  { id, minutes, context }: LivePipe,
  scaling: PropertyMap,
): Promise<PropertyMap> {
  const { session, scope } = context;
  const begun = Date.now();
  for (;;) {
    const list = await nextList("listPipes", scope, session);
    const pipe = list.find((other) => isSameId(other.id, id));
    const shown: unknown = pipe?.scaling;
    const isShown =
      isObject(shown) && Object.entries(scaling).every(([name, value]) => shown[name] === value);
    if (pipe && isShown && !isBeingScaled(shown)) return pipe;
    const reason = session.interruption.reason();
    if (reason === undefined && Date.now() - begun < minutes * 60_000) continue;
    throw new Unfinished(
      "update",
      `pipe ${id} does not show its new scaling yet${reason === undefined ? "" : `: ${reason}`}; the next pulumi up goes on waiting`,
    );
  }
}
