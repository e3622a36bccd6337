import { isAbsent } from "../values/compare";
import { ownMember, type PropertyMap } from "../values/data";
import { idOf } from "../values/pairing";
import { decode } from "./decode";
import { type Definition, isSingleton, type Look } from "./definition";
import { driftIn } from "./merge";
import { isWhole, observe } from "./observe";
import { type Context, elsewhere } from "./scope";
import {
  declaredIn,
  declaresNothing,
  judgementsIn,
  type Observed,
  type State,
  seenOrGone,
  shownPart,
  stampIn,
  Unseen,
  undeclaredIn,
} from "./state";

/**
 * Reads an object as its type does.
 * @throws ApiError if the read fails
 */
export function look(resource: Definition, at: Look): Promise<Observed> {
  return resource.look ? resource.look(at, (each) => usualLook(resource, each)) : usualLook(resource, at);
}

const asOf = { read: "run", beforeWrite: "write", afterWrite: "now" } as const;

async function usualLook(
  resource: Definition,
  { moment, id, state, context, isDoubtful }: Look,
): Promise<Observed> {
  const isAfter = moment === "afterWrite";
  const observed = await observe(resource, id, context, {
    state,
    asOf: asOf[moment],
    isDoubtful: (entry) =>
      isDoubtful?.(entry) || (!isAfter && !isSingleton(resource) && lacksKnown(resource, entry, state)),
  });
  if (observed === "gone" && !isAfter && !declaresNothing(resource, state)) {
    const doubt = elsewhere(resource, id, state, context.session);
    if (doubt) throw doubt;
  }
  // An update replaces the whole singleton, such as a query endpoint, and would remove its undeclared properties if they cannot be
  // read first. So the update fails, unless the singleton was created a moment ago and may not be shown yet.
  const isNew = observed instanceof Unseen && stampIn(state) !== undefined;
  return moment === "read" || isNew || !isSingleton(resource) ? observed : seenOrGone(observed);
}

/**
 * The whole object after a write, read anew if the write's answer shows only a part.
 * @throws Error if the object cannot be read, or is gone
 */
export async function wholeOf(
  resource: Definition,
  answer: PropertyMap,
  id: string,
  context: Context,
): Promise<PropertyMap> {
  if (isWhole(answer, resource.completenessField)) return answer;
  const live = seenOrGone(await look(resource, { moment: "afterWrite", id, state: answer, context }));
  if (live === "gone") throw new Error(`the service has no ${resource.noun} ${id}`);
  return live;
}

/** Whether a listed object lacks a value that the Pulumi state has, since the list lags or shows only a part of the object. */
function lacksKnown(resource: Definition, entry: PropertyMap, state: State): boolean {
  const declared = declaredIn(resource, state);
  const base = { ...shownPart(resource, declared), ...undeclaredIn(state) };
  const live = decode(resource, entry, declared, state).inputs;
  const drift = driftIn(resource.inputs, base, judgementsIn(state), live);
  if (drift.some(({ right }) => isAbsent(right))) return true;
  return resource.pair !== undefined && lacksEntries(resource.pair(declared, state), entry);
}

/** Whether a list within an object, such as the tiles of a dashboard, lacks an entry that is known by its id. */
function lacksEntries(declared: PropertyMap, live: PropertyMap): boolean {
  return Object.entries(declared).some(([name, list]) => {
    const entries = ownMember(live, name);
    if (!Array.isArray(list) || !Array.isArray(entries)) return false;
    const ids = new Set(entries.map(idOf));
    return list.some((entry) => idOf(entry) !== undefined && !ids.has(idOf(entry)));
  });
}
