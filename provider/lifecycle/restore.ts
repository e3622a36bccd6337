import { MissingObject } from "../api/errors";
import { asDeclared } from "../values/asDeclared";
import { equal } from "../values/compare";
import type { PropertyMap } from "../values/data";
import { schemaAt } from "../values/schema";
import { decode } from "./decode";
import { type Definition, titleOf } from "./definition";
import { deleteObject } from "./delete";
import { resetsOf } from "./dropped";
import { look } from "./look";
import { observe } from "./observe";
import { type Context, contextOf } from "./scope";
import type { Session } from "./session";
import { isSeen, type State, sentPart, shownPart, trackingOf } from "./state";
import { inTurn } from "./turns";
import { ChangedInPart } from "./unfinished";
import { write } from "./write";

/**
 * Destroys a singleton, such as a service's scaling. One that existed before its resource keeps its values or gets its former
 * values back, as the input `onDestroy` says. One that the resource created is deleted.
 *
 * @param restorable picks the former values of the singleton to restore. Default: all
 */
export async function deleteSingleton(
  resource: Definition,
  id: string,
  state: State,
  session: Session,
  restorable: (previous: PropertyMap) => PropertyMap = (previous) => previous,
): Promise<void> {
  const { type, noun, operations } = resource;
  const { onDestroy } = state;
  const { previous } = trackingOf(state);
  const wasThere = previous !== undefined && Object.keys(previous).length > 0;
  if (operations.delete && !wasThere && onDestroy !== "keep") {
    if (!previous)
      session.warnOnce(
        `${type}: the ${noun} of service ${id} is deleted; the Pulumi state does not say whether it was there before the program declared it`,
      );
    return deleteObject(resource, id, state, session);
  }
  // Some servers show numbers as text but accept only numbers, so the values to restore become numbers.
  const values = asDeclared(resource.inputs, restorable(previous ?? {})) as PropertyMap;
  if (onDestroy === "restore" && Object.keys(values).length > 0)
    return putBack(resource, id, values, state, session);
  const wouldRestore = wasThere || !operations.delete;
  const why =
    onDestroy === "restore"
      ? "its previous values are unknown: the state does not have them, or the service did not show them"
      : wouldRestore
        ? 'onDestroy: "restore" would restore its previous values'
        : 'onDestroy is "keep"';
  session.warnOnce(`${type}: service ${id} keeps its ${noun}; ${why}`);
}

/**
 * Restores the values that a singleton, such as a service's scaling, had before the resource was created.
 * @throws Error if the API keeps the current values; the Pulumi state then keeps the values to restore
 */
export async function putBack(
  resource: Definition,
  id: string,
  values: PropertyMap,
  state: State,
  session: Session,
): Promise<void> {
  const context = contextOf(resource, state, session);
  return inTurn(resource, context, () => lookAndPutBack(resource, id, values, state, context));
}

async function lookAndPutBack(
  resource: Definition,
  id: string,
  values: PropertyMap,
  state: State,
  context: Context,
): Promise<void> {
  try {
    const observed = await look(resource, { moment: "beforeWrite", id, state, context });
    const live = isSeen(observed) ? observed : undefined;
    // Values that the singleton (a service's scaling, for example) did not have before its resource was created are reset.
    const shown = live ? decode(resource, live).inputs : {};
    const desired = { ...resetsOf(resource, state, values, shown), ...sentPart(resource, values) };
    const versions = { declared: values, desired, state, live };
    const { inputs } = await write(resource, id, versions, context);
    const isBack = ([name, value]: [string, unknown]) =>
      equal(schemaAt(resource.inputs, name), inputs[name], value);
    if (Object.entries(shownPart(resource, values)).every(isBack)) return;
  } catch (error) {
    const isDoubtful = () => true;
    const isMissing = (error instanceof ChangedInPart ? error.cause : error) instanceof MissingObject;
    if (!isMissing || (await observe(resource, id, context, { state, isDoubtful })) !== "gone") throw error;
    return;
  }
  throw new Error(
    `${titleOf(resource, id)}: the service does not show its previous values, ${JSON.stringify(values)}; destroy again to retry, or set onDestroy: "keep" to give them up`,
  );
}
