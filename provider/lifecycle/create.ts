import { stampOf } from "../values/age";
import { type PropertyMap, pick } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { createBodyOf } from "./body";
import { confirmed } from "./confirm";
import { createObject } from "./createObject";
import { decode } from "./decode";
import { type Definition, isSingleton } from "./definition";
import { warnOfDuplicates } from "./duplicates";
import type { Created } from "./life";
import { leftOutIn } from "./liveRecords";
import { look, wholeOf } from "./look";
import { judgementsOf, mergeWritten } from "./merge";
import { spelledId } from "./observe";
import { type Context, contextOf, describeScope } from "./scope";
import type { Session } from "./session";
import { declaredIn, isSeen, type LastingRecords, seenOrGone, sentPart, shownPart, stateOf } from "./state";
import { reportTakeover } from "./takeover";
import { inTurn } from "./turns";
import { mayHaveChanged, Unfinished } from "./unfinished";
import { awaitCreated } from "./waiting";
import { write } from "./write";

/** Creates an object. With `adoptId`, or for a singleton such as a service's scaling, it takes over the existing object. */
export async function create(resource: Definition, inputs: PropertyMap, session: Session): Promise<Created> {
  const declared = declaredIn(resource, inputs);
  const context = contextOf(resource, declared, session);
  const { adoptId } = declared;
  if (typeof adoptId === "string")
    return inTurn(resource, context, () => adopt(resource, adoptId, declared, context));
  if (isSingleton(resource))
    return inTurn(resource, context, () => createSingleton(resource, declared, context));

  const body = createBodyOf(resource, declared, session);
  const {
    id,
    object,
    taken: wasTaken,
    unfinished,
  } = await createObject(resource, { body, inputs: declared, context });
  if (resource.waiting) warnOfDuplicates(resource, id, declared, context);
  const stamp = stampOf({ createdAt: object.createdAt, id });
  const records: LastingRecords = {
    ...{ leftOut: leftOutIn(resource.inputs, declared), createdAt: stamp, taken: wasTaken },
    ...unfinished?.records,
  };
  const decoded = (answer: PropertyMap) => {
    const { inputs, outputs } = decode(resource, answer, declared, body);
    return { inputs, outputs: { ...outputs, ...pick(object, shownAtCreation(resource)) } };
  };
  const asAnswered = (failure: Error): Created => {
    const live = decoded(object);
    const places = mergeWritten(resource.inputs, shownPart(resource, declared), live.inputs);
    const state = stateOf(resource, declared, { ...live, ...judgementsOf(places) }, records);
    return { id, state, failure };
  };
  if (unfinished) return asAnswered(unfinished);
  try {
    const answered = decoded(await wholeOf(resource, object, id, context));
    const written = await confirmed(
      answered,
      {
        object: `${resource.noun} ${id}`,
        schema: resource.inputs,
        declared: shownPart(resource, declared),
        async look() {
          const live = await look(resource, { moment: "afterWrite", id, state: object, context });
          return isSeen(live) ? decoded(live) : undefined;
        },
      },
      session,
    );
    return { id, state: stateOf(resource, declared, written, records) };
  } catch (error) {
    const { message } = error as Error;
    return asAnswered(
      new Error(`${id} was created, but could not be read back; the next pulumi up completes it: ${message}`),
    );
  }
}

/** Takes over an existing object for a resource with `adoptId`, and updates whatever differs from the declared inputs. */
async function adopt(
  resource: Definition,
  adoptId: string,
  declared: PropertyMap,
  context: Context,
): Promise<Created> {
  let live = seenOrGone(await look(resource, { moment: "beforeWrite", id: adoptId, state: {}, context }));
  if (live === "gone")
    throw new Error(`adoptId: ${describeScope(context.scope)} has no ${resource.noun} ${adoptId}`);
  const id = spelledId(resource, adoptId, context);
  // The engine may check an AlertSet after this resource. So only the create can notice that an alert of the set already has
  // the object that `adoptId` names.
  const heldInSet = context.session.run.claims?.heldInSet(resource, id);
  if (heldInSet !== undefined) throw new Error(`adoptId ${heldInSet}`);
  try {
    // The object to adopt may come from an update that was killed, and may still be starting, so the create waits until it is
    // ready.
    if (resource.waiting) live = { ...live, ...(await awaitCreated(resource, id, declared, live, context)) };
    await reportTakeover(resource, id, declared, live, context);
    const versions = { declared, desired: sentPart(resource, declared), state: {}, live };
    const written = await write(resource, id, versions, context);
    return { id, state: stateOf(resource, declared, written, {}) };
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    const decoded = decode(resource, live, declared);
    return { id, state: stateOf(resource, declared, decoded, error.records), failure: error };
  }
}

/** Creates a singleton such as a service's scaling. */
function createSingleton(resource: Definition, declared: PropertyMap, context: Context): Promise<Created> {
  const id = context.scope.serviceId as string;
  // A service that this update has created has only default values so far, which nobody has chosen. So no warning names them as
  // replaced.
  return takeOver(resource, id, declared, context, context.session.run.wasCreated({ type: "Service" }, id));
}

/**
 * Takes over a part of something that exists, such as the scaling of a service. The Pulumi state keeps its former values for the
 * destroy to restore.
 *
 * @param isFresh whether nobody has chosen the present values, so that no warning names those that are replaced
 */
export async function takeOver(
  resource: Definition,
  id: string,
  declared: PropertyMap,
  context: Context,
  isFresh = false,
): Promise<Created> {
  const observed = await look(resource, { moment: "beforeWrite", id, state: {}, context });
  const live = isSeen(observed) ? observed : undefined;
  const previous = live ? decode(resource, live).inputs : {};
  if (live && !isFresh) await reportTakeover(resource, id, declared, live, context);
  const versions = { declared, desired: sentPart(resource, declared), state: {}, live };
  try {
    const written = await write(resource, id, versions, context);
    const createdAt = stampOf({ createdAt: written.outputs.createdAt, id });
    return { id, state: stateOf(resource, declared, written, { previous, createdAt }) };
  } catch (error) {
    if (!mayHaveChanged(error)) throw error;
    // The failed request may have changed the singleton, such as a service's scaling. So the state keeps the values from
    // before: otherwise the next update would record the changed values as those to restore.
    const failure = new Error(
      `${error.message}; the request may have taken effect: the next update repeats it, and the Pulumi state keeps the previous values`,
    );
    const before = { looks: [previous], state: {}, body: {}, normalized: {}, doubted: {} };
    const places = mergeWritten(resource.inputs, shownPart(resource, declared), previous, before);
    const written = { inputs: {}, outputs: {}, ...judgementsOf(places) };
    // The failed request may have created the singleton, which reads may not show yet.
    const createdAt = stampOf({ id });
    return { id, state: stateOf(resource, declared, written, { previous, createdAt }), failure };
  }
}

/** The names of outputs that the API shows only in the answer to a create, such as the secret of an API key. */
function shownAtCreation({ outputs }: Pick<Definition, "outputs">): string[] {
  const names = Object.keys(outputs.properties);
  return names.filter((name) => annotationsOf(schemaAt(outputs, name)).shown === "atCreation");
}
