import { changes, differences, isAbsent, pathOf } from "../values/compare";
import type { Data } from "../values/data";
import { type Keys, valueAt } from "../values/pairing";
import { type Annotations, annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Definition } from "./resource";
import type { Session } from "./session";
import { declaredIn, type State } from "./state";

/** The properties that a state declares and the new inputs do not, with their annotations. */
export function droppedIn<Inputs extends object>(resource: Definition<Inputs>, state: State, declared: Data) {
  return Object.keys(declaredIn(resource, state))
    .filter((name) => !(name in declared))
    .map((name) => [name, annotationsOf(schemaAt(resource.inputs, name))] as const);
}

/** The values that reset properties which the program no longer declares. */
export function resetsOf(dropped: ReturnType<typeof droppedIn>): Data {
  return Object.fromEntries(
    dropped.flatMap(([name, { reset }]) => (reset === undefined ? [] : [[name, reset]])),
  );
}

/**
 * Warns, in a preview, of members that the program no longer declares, and that the service keeps. A replacement does not keep them,
 * and the objects of a set say so themselves, in the update.
 */
export function warnOfKept(
  resource: Definition,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): void {
  if (resource.entries) return;
  const [before, declared] = [declaredIn(resource, state), declaredIn(resource, inputs)];
  if (changes(resource.inputs, before, declared).some(({ replaces }) => replaces)) return;
  for (const warning of keptOf(resource, id, state, declared)) session.warnOnce(warning);
}

/**
 * The warnings about members that the program no longer declares, and that the service keeps, since the API cannot reset them.
 *
 * @param live the values that the service has after the update; absent before that
 */
export function keptOf<Inputs extends object>(
  resource: Definition<Inputs>,
  id: string,
  state: State,
  declared: Data,
  live?: Data,
): string[] {
  return differences(resource.inputs, declaredIn(resource, state), declared).flatMap(({ keys, right }) => {
    const { irremovable, keptBySome, shown } = annotationsAt(resource.inputs, keys);
    const advice = irremovable ?? (live ? keptBySome : undefined);
    if (advice === undefined || !isAbsent(right)) return [];
    if (live && shown !== "never" && isAbsent(valueAt(live, keys))) return [];
    return [`${resource.noun} ${id} keeps its ${pathOf(keys)}, which the API cannot remove; ${advice}`];
  });
}

/**
 * The annotations that apply where the program drops a property at a path: the advice is that of the innermost object around it. Entries
 * of lists need none, and neither do members of values that the API never returns: the whole value is sent, so they disappear with it.
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
