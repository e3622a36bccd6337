import type { OnSend } from "../api/client";
import { mayHaveHappened } from "../api/errors";
import type { ListOperation, OperationName, PathParameters } from "../api/operations";
import type { Settings } from "../api/settingsSchema";
import type { PropertyMap } from "../values/data";
import { type Context, namesOf } from "./scope";
import type { State } from "./state";
import { ChangedInPart, type Debts, Unfinished } from "./unfinished";

/** What the steps of a write follow from, all in the form in which programs declare it. */
export interface Aim {
  /** All inputs that the program declares, also those that no request ever sends. */
  readonly declared: PropertyMap;
  /** The members that the object shall have, with the values that reset what the program no longer declares. */
  readonly desired: PropertyMap;
  /** The object as the API shows it, or else as the Pulumi state has it. */
  readonly live: PropertyMap;
  /** The last known Pulumi state; empty for an object that is taken over. */
  readonly state: State;
  readonly settings: Settings;
}

/** The object that a write changes, while its steps are carried out. */
export interface At {
  readonly id: string;
  readonly context: Context;
  /** Sends a request about the object. If a later step fails, the write counts as begun. */
  call(
    operation: OperationName,
    body?: PropertyMap,
    further?: PathParameters,
    onSend?: OnSend,
  ): Promise<PropertyMap>;
  /** Notes what the next update has to do if this write fails from here on; undefined for what it no longer has to do. */
  owe(debts: Debts): void;
}

/** A request of a write. */
export interface Request {
  readonly operation: OperationName;
  /** The body, or what makes it just before the request is sent. Without a body, the request is left out. */
  readonly body: PropertyMap | ((at: At) => Promise<PropertyMap | undefined>);
  /** Whether the body repeats what a look shows, so that it is made once more if the request has to wait. */
  readonly repeatsLook?: true;
  /** What the answer shows of the object. Default: nothing. */
  shown?(answer: PropertyMap, at: At): PropertyMap | undefined | Promise<PropertyMap | undefined>;
  /** Finds the answer in another way if the request failed, or throws an error that says more. */
  rescue?(error: unknown, at: At): Promise<PropertyMap>;
}

/** One step of a write: a request, or something to reach, to wait for or to verify, which may show the object. */
export type Step = Request | { ensure(at: At): Promise<PropertyMap | undefined> };

/** Steps that are taken only under a condition. */
export function when(condition: boolean, ...steps: readonly Step[]): readonly Step[] {
  return condition ? steps : [];
}

/** A step that only waits, verifies or warns, and shows nothing of the object. */
export const silently = (act: (at: At) => unknown): Step => ({
  ensure: async (at) => {
    await act(at);
    return undefined;
  },
});

/**
 * Carries out the steps of a write, one after the other.
 *
 * @returns what the service showed of the object after each step: if somebody else changes the object meanwhile, only this shows it
 * @throws ChangedInPart if a step fails after a request of the write may have been carried out
 */
export async function apply(
  steps: readonly Step[],
  { id, context, list }: { readonly id: string; readonly context: Context; readonly list?: ListOperation },
): Promise<readonly PropertyMap[]> {
  const { session, scope } = context;
  const shown: PropertyMap[] = [];
  let isBegun = false;
  const owed: Debts = {};
  const at: At = {
    id,
    context,
    async call(operation, body, further, onSend) {
      try {
        const parameters = { ...scope, ...namesOf(id, scope), ...further };
        const answer = await session.call(operation, parameters, body, onSend);
        isBegun = true;
        return answer as PropertyMap;
      } catch (error) {
        isBegun ||= mayHaveHappened(error);
        throw error;
      }
    },
    owe(debts) {
      Object.assign(owed, debts);
    },
  };
  try {
    for (const step of steps) {
      const seen = await ("ensure" in step ? step.ensure(at) : sent(step, at));
      if (seen) shown.push(seen);
    }
    return shown;
  } catch (error) {
    if (!isBegun && !(error instanceof Unfinished)) throw error;
    if (error instanceof Unfinished && Object.keys(owed).length === 0) throw error;
    throw new ChangedInPart(error as Error, owed);
  } finally {
    if (list) session.lists.noteWrite(list, scope, id);
  }
}

/** Milliseconds after which a body that repeats what a look has shown is too old: somebody may have changed that since. */
const longestAge = 1000;

/** Thrown instead of sending a body that has become too old while it waited for the rate limit, or after a 429. */
class Outdated extends Error {}

async function sent(request: Request, at: At): Promise<PropertyMap | undefined> {
  try {
    return await sendOnce(request, at, request.repeatsLook === true);
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    // Where the rate limit lets no request follow a look soon, another look would only take the place of others' requests.
    return sendOnce(request, at, false);
  }
}

/** @throws Outdated if the request has to wait, and `isHasty` */
async function sendOnce(
  { operation, body, shown, rescue }: Request,
  at: At,
  isHasty: boolean,
): Promise<PropertyMap | undefined> {
  const made = typeof body === "function" ? await body(at) : body;
  if (made === undefined) return undefined;
  const madeAt = Date.now();
  const onSend = (isRepeated: boolean) => {
    if (isHasty && !isRepeated && Date.now() - madeAt > longestAge) throw new Outdated();
  };
  const answer = await at.call(operation, made, {}, onSend).catch((error) => {
    if (!rescue || error instanceof Outdated) throw error;
    return rescue(error, at);
  });
  return shown?.(answer, at);
}
