import { ApiError } from "../api/errors";
import { isSameId, type PropertyMap } from "../values/data";
import type { Collection, CreatedObject, Definition, Outcomes, Waiting } from "./definition";
import { observe } from "./observe";
import { nextList } from "./polling";
import type { Context } from "./scope";
import { type Awaited, declaredIn, isSeen, type State } from "./state";
import { ChangedInPart, Unfinished } from "./unfinished";

/** The states of an object in which a wait for it ends, and the limits of the wait. */
export interface Wait extends Outcomes {
  /** The step that the Pulumi state records as unfinished if the wait fails or times out. */
  readonly awaiting: Awaited;
  readonly minutes: number;
  /** The last known Pulumi state. It tells how old the object is: lists may not show a new one yet. */
  readonly state: State;
  /** Set if the provider waits until the object is deleted, and not until it is ready. */
  readonly isDeleted?: true;
}

/** Least time, in milliseconds, between two reads of an awaited object. */
const betweenLooks = 1000;

/** How many reads of an awaited object may fail in a row before the wait fails. */
const mostFailures = 5;

const minute = 60_000;

/** Parts of the message about an object whose wait has failed: what happens next. */
const goesOn = "it is kept in the state, and the next pulumi up goes on waiting";
const deletesAgain = "it is kept in the state, and the next deletion goes on";

/**
 * Waits until an object that the API has created is ready.
 * @throws Unfinished if the create fails, takes too long, or is interrupted
 */
export async function awaitCreated(
  resource: Definition,
  id: string,
  inputs: PropertyMap,
  state: State,
  context: Context,
): Promise<PropertyMap> {
  const { waiting } = resource;
  if (!waiting) throw new Error(`the definition of ${resource.type} names no states to wait for`);
  const minutes = minutesFor(waiting, "create", inputs);
  const outcomes = waiting.created(inputs);
  const object = await awaitState(resource, id, { ...outcomes, awaiting: "create", minutes, state }, context);
  if (object === "gone")
    throw new Unfinished(
      "create",
      `${resource.noun} ${id} was deleted while this change waited for it; "pulumi up --refresh" creates it again`,
    );
  return object;
}

/**
 * Waits until the API has deleted an object.
 * @param ends states of the object in which the wait ends as well
 */
export async function awaitDeleted(
  resource: Definition,
  id: string,
  state: State,
  context: Context,
  ends: readonly string[] = [],
): Promise<void> {
  const { waiting } = resource;
  if (!waiting) throw new Error(`the definition of ${resource.type} names no states to wait for`);
  const minutes = minutesFor(waiting, "delete", declaredIn(resource, state));
  const wait = { ends, fails: [], awaiting: "update", state, minutes, isDeleted: true } as const;
  await awaitState(resource, id, wait, context);
}

export function stateOf({ waiting }: Pick<Definition, "waiting">, object: PropertyMap): string | undefined {
  const state = waiting && object[waiting.stateMember];
  return typeof state === "string" ? state : undefined;
}

export function minutesFor(
  waiting: Waiting,
  step: "create" | "update" | "delete",
  inputs: PropertyMap,
): number {
  const { waitMinutes } = inputs;
  return typeof waitMinutes === "number" ? waitMinutes : waiting.minutes(step, inputs);
}

/**
 * Waits until an object has one of the given states, such as `running`. Tells the user about every new state, and once a minute
 * about the wait. All waiting resources share the list requests that read the state.
 *
 * @throws Unfinished if the object has failed, or the wait takes too long or is interrupted
 */
export async function awaitState(
  resource: Definition,
  id: string,
  { ends, fails, suffices = [], minutes, awaiting, state: known, isDeleted }: Wait,
  context: Context,
): Promise<PropertyMap | "gone"> {
  const { session, scope } = context;
  const { noun } = resource;
  const { list } = (resource as Definition & Collection).operations;
  const begun = Date.now();
  let shown: string | undefined;
  let told = begun;
  let failures = 0;
  let lacking = 0;
  let seen: PropertyMap | undefined;
  const howToGoOn = isDeleted ? deletesAgain : goesOn;
  const unfinished = (why: string) => new Unfinished(awaiting, `${noun} ${id} ${why}`);
  const stateNow = () => (shown === undefined ? "not shown yet" : shown.replaceAll("_", " "));
  for (;;) {
    const reason = session.interruption.reason();
    if (reason !== undefined) throw unfinished(`is ${stateNow()}: ${reason}; ${howToGoOn}`);
    try {
      const objects: readonly PropertyMap[] = await nextList(list, scope, session);
      failures = 0;
      const object = objects.find((candidate) => isSameId(candidate.id, id));
      lacking = object ? 0 : lacking + 1;
      // A single list may lag or be cut off, so a created object counts as missing only if two lists lack it.
      if (lacking >= (isDeleted ? 1 : 2)) {
        const observed = await observe(resource, id, context, {
          ...{ state: known, asOf: "now", isDeleted },
        });
        if (observed === "gone") return "gone";
        if (isSeen(observed)) lacking = 0;
      }
      seen = object;
      const state = object && stateOf(resource, object);
      if (state !== undefined && state !== shown) {
        shown = state;
        told = Date.now();
        session.inform(`${noun} ${id} is ${stateNow()}`);
      }
      if (object && state !== undefined && ends.includes(state)) return object;
      if (object && state !== undefined && fails.includes(state)) {
        const why = resource.waiting?.whyFailed?.(object);
        throw unfinished(
          `is ${stateNow()}, and does not get ready by itself; ${why === undefined ? "" : `${why}; `}${awaiting === "create" ? "to make another one in its place, run pulumi up with --replace and its URN" : "look at it in the console"}`,
        );
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // An interruption makes the list request fail. The next turn of this loop then ends the wait with the reason of the
      // interruption.
      if (session.interruption.reason() !== undefined) continue;
      if (++failures >= mostFailures)
        throw unfinished(`is ${stateNow()}, and cannot be read; ${howToGoOn}: ${error.message}`);
    }
    const waited = Date.now() - begun;
    if (waited >= minutes * minute) {
      const still = `is still ${stateNow()} after ${Math.round(waited / minute)} min`;
      if (!seen || !suffices.includes(stateOf(resource, seen) ?? ""))
        throw unfinished(`${still}, the limit of waitMinutes; ${howToGoOn}`);
      session.warnOnce(`${noun} ${id} counts as ready, though it ${still}`);
      return seen;
    }
    if (Date.now() - told >= minute) {
      told = Date.now();
      session.inform(
        `${noun} ${id} is still ${stateNow()} after ${Math.round(waited / minute)} min; the wait goes on`,
      );
    }
    await session.interruption.pause(betweenLooks);
  }
}

/**
 * Completes an object that the API has created. If that fails, the state keeps the object, and the next update goes on.
 * @param goesOn what the next update does, as a phrase that follows "the next pulumi up"
 * @param complete sends the requests, and returns the object as the API shows it then
 */
export async function completed(
  { noun }: Definition,
  created: CreatedObject,
  goesOn: string,
  complete: () => Promise<PropertyMap | undefined>,
): Promise<CreatedObject> {
  try {
    return { ...created, object: { ...created.object, ...(await complete()) } };
  } catch (error) {
    if (error instanceof Unfinished && !(error instanceof ChangedInPart))
      return { ...created, unfinished: error };
    const message = `${noun} ${created.id} was created; the next pulumi up ${goesOn}: ${(error as Error).message}`;
    return {
      ...created,
      unfinished: new Unfinished("update", message, (error as Partial<Unfinished>).debts),
    };
  }
}
