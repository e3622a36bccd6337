import { graceMilliseconds } from "../values/age";
import { defaultsIn, isAbsent, shows } from "../values/compare";
import { type Data, ownMember } from "../values/data";
import { idOf } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import { withArticle } from "../values/wording";
import { createExactlyOnce } from "./creation";
import {
  type Collection,
  type CreatedObject,
  type Definition,
  isSingleton,
  Unfinished,
  type Way,
} from "./definition";
import { driftIn, mergeWritten } from "./merge";
import { aboutObject, isWhole, observe } from "./observe";
import { type Context, describeScope } from "./scope";
import {
  declaredIn,
  declaresNothing,
  judgementsIn,
  type LiveState,
  newState,
  type State,
  seenOrGone,
  shownPart,
  stampIn,
  Unseen,
  undeclaredIn,
} from "./state";
import { awaitCreated, minutesFor } from "./waiting";

/**
 * How a type's objects are created, read and updated: as its definition says, or as usual for objects of a list (alerts) or for
 * singletons (a service's scaling).
 */
export function wayOf(resource: Definition): Way {
  const usual = isSingleton(resource)
    ? wayOfSingleton(resource)
    : wayOfCollection(resource as Definition & Collection);
  return resource.way?.(usual) ?? usual;
}

const asOf = { read: "run", beforeWrite: "write", afterWrite: "now" } as const;

/**
 * The whole object after a write, read anew if the write's answer shows only a part.
 * @throws Error if the object cannot be read, or is gone
 */
export async function wholeOf(
  { noun, sureMember }: Definition,
  way: Pick<Way, "look">,
  answer: Data,
  id: string,
  context: Context,
): Promise<Data> {
  if (isWhole(answer, sureMember)) return answer;
  const live = seenOrGone(await way.look("afterWrite", id, answer, context));
  if (live === "gone") throw new Error(`the service has no ${noun} ${id}`);
  return live;
}

/** How objects of a collection are created, read and updated: one by one, each with an id of its own. */
function wayOfCollection(resource: Definition & Collection): Way {
  const { noun, operations, sureMember } = resource;

  const way: Way = {
    async create(body, inputs, context) {
      const place = `${resource.scope === "organization" ? "in" : "on"} ${describeScope(context.scope)}`;
      const creation = {
        collection: resource,
        body,
        description: `${withArticle(noun)} ${nameOf(inputs, sureMember)} ${place}`,
        isLike: (object: Data) => isLike(resource, object, body),
        lacksSent: (object: Data) => lacksDeclared(resource, inputs, resource.decode(object, inputs, body)),
        shownOnce: secretShownOnce(resource, inputs),
        ...(resource.waiting && {
          longestSearch: Math.min(graceMilliseconds, minutesFor(resource.waiting, "create", inputs) * 60_000),
        }),
      };
      const created = await createExactlyOnce(creation, context);
      return resource.waiting ? awaited(resource, created, inputs, context) : created;
    },

    look(moment, id, state, context) {
      const isAfter = moment === "afterWrite";
      const isWanted = isAfter || declaresNothing(resource, state);
      const isDoubtful = (entry: Data) =>
        (isWanted && resource.isListedInPart?.(entry)) || (!isAfter && lacksKnown(resource, entry, state));
      return observe(resource, id, context, { state, asOf: asOf[moment], isDoubtful });
    },

    async send(id, body, context) {
      const { session, scope } = context;
      try {
        const answer = (await session.call(operations.update, { ...scope, id }, body)) as Data;
        return await wholeOf(resource, way, aboutObject(answer, operations.update, id, session), id, context);
      } finally {
        session.lists.noteWrite(operations.list, scope, id);
      }
    },
  };
  return way;
}

/** Waits until a created object is ready, and adds the properties that the API shows only then. */
async function awaited(
  resource: Definition & Collection,
  created: CreatedObject,
  inputs: Data,
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

/** Whether an object that the API lists may come from a create request with the given body. */
export function isLike(resource: Definition, object: Data, body: Data): boolean {
  if (resource.isLike) return resource.isLike(object, body);
  const { inputs } = resource.decode(object, body, body);
  return shows(resource.inputs, { ...defaultsIn(resource.inputs), ...body }, inputs);
}

/** Whether an answer lacks a property that the program declares. Secrets that the API never shows do not count. */
function lacksDeclared(resource: Pick<Definition, "inputs">, declared: Data, live: LiveState): boolean {
  const places = mergeWritten(resource.inputs, shownPart(resource, declared), live.inputs);
  return places.some(({ verdict }) => verdict === "dropped");
}

/** Names an object in a message: `named "Errors"`, or `with threshold 5` if the object has no name. */
function nameOf(inputs: Data, sureMember = "name"): string {
  const { name = undefined } = inputs;
  return name ? `named ${JSON.stringify(name)}` : `with ${sureMember} ${JSON.stringify(inputs[sureMember])}`;
}

/** The output that only a create's answer shows, and without which the object is useless, such as a key's secret; or none. */
function secretShownOnce({ inputs, outputs }: Definition, declared: Data): string | undefined {
  // A program that declares hashes of an API key's secret knows the secret itself, so a lost answer to the create loses none.
  if (Object.keys(declared).some((name) => annotationsOf(schemaAt(inputs, name)).sent === "atCreation"))
    return undefined;
  return Object.keys(outputs.properties).find((name) => {
    const { secret, shown: answers, renewable } = annotationsOf(schemaAt(outputs, name));
    return secret && answers === "atCreation" && !renewable;
  });
}

/** Whether a listed object lacks a value that the Pulumi state has, since the list lags or shows only a part of the object. */
function lacksKnown(resource: Definition, entry: Data, state: State): boolean {
  const declared = declaredIn(resource, state);
  const base = { ...shownPart(resource, declared), ...undeclaredIn(state) };
  const live = resource.decode(entry, declared, state).inputs;
  const drift = driftIn(resource.inputs, base, judgementsIn(state), live);
  return (
    drift.some(({ right }) => isAbsent(right)) || lacksEntries(resource.pair?.(declared, state) ?? {}, entry)
  );
}

/** Whether a list within an object, such as the tiles of a dashboard, lacks an entry that is known by its id. */
function lacksEntries(declared: Data, live: Data): boolean {
  return Object.entries(declared).some(([name, list]) => {
    const entries = ownMember(live, name);
    if (!Array.isArray(list) || !Array.isArray(entries)) return false;
    const ids = new Set(entries.map(idOf));
    return list.some((entry) => idOf(entry) !== undefined && !ids.has(idOf(entry)));
  });
}

/**
 * How a singleton, such as a service's scaling, is created, read and updated. The first update creates it, and each update
 * replaces it as a whole.
 */
function wayOfSingleton(resource: Definition): Way {
  const { operations } = resource;
  return {
    create: () =>
      Promise.reject(new Error(`a ${resource.noun} has no create request: its first update creates it`)),

    async look(moment, id, state, context) {
      const observed = await observe(resource, id, context, { state });
      // An update replaces the whole singleton, such as a query endpoint, and would remove its undeclared properties if they
      // cannot be read first. So the update fails, unless the singleton was created a moment ago and may not be shown yet.
      const isNew = observed instanceof Unseen && stampIn(state) !== undefined;
      return moment === "read" || isNew ? observed : seenOrGone(observed);
    },

    send: async (_id, body, { session, scope }) =>
      (await session.call(operations.update, scope, body)) as Data,
  };
}
