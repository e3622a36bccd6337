import {
  type Change,
  differences,
  equalByDefault,
  isAbsent,
  leavesOf,
  pathOf,
  replacementAt,
} from "../values/compare";
import { type PropertyMap, pick } from "../values/data";
import { type Keys, valueAt } from "../values/pairing";
import { type Annotations, annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { attemptedIn } from "./attempts";
import type { Definition } from "./definition";
import type { Resource } from "./resource";
import type { Session } from "./session";
import { declaredIn, formerlyDeclaredIn, type State } from "./state";

/**
 * The values that reset the inputs which the Pulumi state declares, or a failed update may have set, and the program no longer declares.
 * A list that still has entries whose removal is owed is one of them.
 *
 * @param live the inputs that the API shows; none if it shows nothing
 */
export function resetsOf(
  resource: Definition,
  state: State,
  declared: PropertyMap,
  live: PropertyMap,
): PropertyMap {
  const { inputs } = resource;
  const former = [...attemptedIn(resource, state, live), ...Object.keys(formerlyDeclaredIn(resource, state))];
  const dropped = former.filter((name) => !(name in declared));
  return Object.fromEntries(
    dropped.flatMap((name) => {
      const { reset } = annotationsOf(schemaAt(inputs, name));
      return reset === undefined ? [] : [[name, reset]];
    }),
  );
}

/**
 * Warns, in a preview, of properties that the program no longer declares and the API keeps. A replacement drops them, and an
 * AlertSet's update warns about its own alerts.
 *
 * @param changes those that the diff has found
 */
export function warnOfKept(
  resource: Resource,
  id: string,
  state: State,
  inputs: PropertyMap,
  changes: readonly Change[],
  session: Session,
): void {
  if (resource.entries || changes.some(({ replaces }) => replaces)) return;
  const declared = declaredIn(resource, inputs);
  for (const warning of keptOf(resource, id, state, declared)) session.warnOnce(warning);
}

/**
 * The warnings about no longer declared properties that the API keeps, since it cannot reset them.
 * @param live the values that the API shows after the update; absent before the update
 */
export function keptOf(
  resource: Definition,
  id: string,
  state: State,
  declared: PropertyMap,
  live?: PropertyMap,
): string[] {
  const { inputs } = resource;
  const attempted = live ? pick(live, attemptedIn(resource, state, live)) : {};
  const former = { ...attempted, ...declaredIn(resource, state) };
  const leaves = differences(inputs, former, declared).flatMap((place) =>
    replacementAt(inputs, place.keys) === true ? leavesOf(place) : [place],
  );
  return leaves.flatMap(({ keys, schema, left, right }) => {
    const { irremovable, keptBySome, shown } = annotationsAt(inputs, keys);
    if (replacementAt(inputs, keys) === true) {
      if (!isAbsent(right) || equalByDefault(schema, undefined, left)) return [];
      return [`${resource.noun} ${id} keeps its ${pathOf(keys)}, which only a create takes`];
    }
    const advice = irremovable ?? (live ? keptBySome : undefined);
    if (advice === undefined || !isAbsent(right)) return [];
    if (live && shown !== "never" && isAbsent(valueAt(live, keys))) return [];
    return [`${resource.noun} ${id} keeps its ${pathOf(keys)}, which the API cannot remove; ${advice}`];
  });
}

/**
 * The annotations of a property that the program no longer declares, with the advice for users of the innermost object around
 * it that has one. None for a list entry or a property inside a value that the API never returns: an update sends the whole
 * list or value anew, which removes what the program no longer declares.
 */
function annotationsAt(schema: TSchema, keys: Keys): Annotations {
  let at = schema;
  let irremovable: string | undefined;
  for (const [depth, key] of keys.entries()) {
    if (typeof key === "number" || (depth > 0 && annotationsOf(at).shown === "never")) return {};
    at = schemaAt(at, key);
    irremovable = annotationsOf(at).irremovable ?? irremovable;
  }
  return { ...annotationsOf(at), ...(irremovable !== undefined && { irremovable }) };
}
