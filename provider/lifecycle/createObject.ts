import { graceMilliseconds } from "../values/age";
import type { PropertyMap } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { withArticle } from "../values/wording";
import { createExactlyOnce } from "./creation";
import { decode, isLike } from "./decode";
import type { Collection, CreatedObject, Creating, Definition } from "./definition";
import { mergeWritten } from "./merge";
import { type Context, describeScope } from "./scope";
import { type LiveState, newState, shownPart } from "./state";
import { Unfinished } from "./unfinished";
import { awaitCreated, minutesFor } from "./waiting";

/** Creates an object as its type does, or fails without leaving an unknown object behind. */
export function createObject(resource: Definition, creating: Creating): Promise<CreatedObject> {
  const usual = (each: Creating) => createMember(resource as Definition & Collection, each);
  return resource.creation ? resource.creation(creating, usual) : usual(creating);
}

async function createMember(
  resource: Definition & Collection,
  { body, inputs, context, through }: Creating,
): Promise<CreatedObject> {
  const place = `${resource.scope === "organization" ? "in" : "on"} ${describeScope(context.scope)}`;
  const creation = {
    collection: resource,
    body,
    ...(through && { through }),
    description: `${withArticle(resource.noun)} ${objectLabel(inputs, resource.completenessField)} ${place}`,
    isLike: (object: PropertyMap) => isLike(resource, object, body),
    lacksSent: (object: PropertyMap) =>
      lacksDeclared(resource, inputs, decode(resource, object, inputs, body)),
    shownOnce: secretShownOnce(resource, inputs),
    ...(resource.waiting && {
      longestSearch: Math.min(graceMilliseconds, minutesFor(resource.waiting, "create", inputs) * 60_000),
    }),
  };
  const created = await createExactlyOnce(creation, context);
  return resource.waiting ? awaited(resource, created, inputs, context) : created;
}

/** Waits until a created object is ready, and adds the properties that the API shows only then. */
async function awaited(
  resource: Definition & Collection,
  created: CreatedObject,
  inputs: PropertyMap,
  context: Context,
): Promise<CreatedObject> {
  try {
    const ready = await awaitCreated(
      resource,
      created.id,
      inputs,
      newState(created.id, created.object),
      context,
    );
    return { ...created, object: { ...created.object, ...ready } };
  } catch (error) {
    const { message } = error as Error;
    const unfinished = error instanceof Unfinished ? error : new Unfinished("create", message);
    return { ...created, unfinished };
  }
}

/** Whether an answer lacks a property that the program declares. Secrets that the API never shows do not count. */
function lacksDeclared(
  resource: Pick<Definition, "inputs">,
  declared: PropertyMap,
  live: LiveState,
): boolean {
  const places = mergeWritten(resource.inputs, shownPart(resource, declared), live.inputs);
  return places.some(({ verdict }) => verdict === "dropped");
}

/** Names an object in a message: `named "Errors"`, or `with threshold 5` if the object has no name. */
function objectLabel(inputs: PropertyMap, completenessField = "name"): string {
  const { name = undefined } = inputs;
  return name
    ? `named ${JSON.stringify(name)}`
    : `with ${completenessField} ${JSON.stringify(inputs[completenessField])}`;
}

/** The output that only a create's answer shows, and without which the object is useless, such as a key's secret; or none. */
function secretShownOnce({ inputs, outputs }: Definition, declared: PropertyMap): string | undefined {
  // A program that declares hashes of an API key's secret knows the secret itself, so a lost answer to the create loses none.
  if (Object.keys(declared).some((name) => annotationsOf(schemaAt(inputs, name)).sent === "atCreation"))
    return undefined;
  return Object.keys(outputs.properties).find((name) => {
    const { secret, shown: answers, renewable } = annotationsOf(schemaAt(outputs, name));
    return secret && answers === "atCreation" && !renewable;
  });
}
