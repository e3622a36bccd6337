import { differences, digest, equal, isAbsent, pathOf } from "../values/compare";
import { isObject, ownMember, type PropertyMap } from "../values/data";
import { entriesBeside } from "../values/entries";
import { pairEntries } from "../values/pairing";
import { annotationsOf, joinPath, keysIn, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Definition } from "./definition";
import { attemptRecord, joinedAttempts, type Records } from "./records";
import {
  declaredIn,
  formerlyDeclaredIn,
  owedIn,
  type State,
  sentPart,
  type Tracking,
  trackingOf,
  withTracking,
} from "./state";

/**
 * What an update that failed may have done to an object whose Pulumi state does not declare it so. The program may go back to what it
 * declared before, so the next update has to undo it, and knows it for none of somebody else's changes.
 *
 * @param desired the inputs that the update was to bring about
 * @param live the inputs that the API showed before the update
 * @param further what the steps of the update have noted themselves
 */
export function attemptOf(
  resource: Definition,
  state: State,
  desired: PropertyMap,
  live: PropertyMap,
  further: Records = {},
): Pick<Tracking, "attempted" | "owed"> {
  const former = formerlyDeclaredIn(resource, state);
  const withIds = resource.pair?.(desired, state, live) ?? desired;
  const attempted: Record<string, string> = { ...further };
  const owed = { ...owedIn(state) };
  for (const name of Object.keys({ ...sentPart(resource, former), ...desired })) {
    const [own, value] = [schemaAt(resource.inputs, name), desired[name]];
    if (equal(own, live[name], value)) continue;
    const whole = { keys: [name], schema: own, left: live[name], right: value };
    const places = name in former ? differences(own, live[name], value, "both", [name]) : [whole];
    const written = places.map((place) => [pathOf(place.keys), attemptRecord(place)] as const);
    const added = name in former ? addedToEntries(own, withIds[name], live[name], name) : [];
    for (const [path, record] of [...written, ...added])
      attempted[path] = joinedAttempts(record, attempted[path] ?? record);
    if (annotationsOf(own).comparison !== "set" || !Array.isArray(value)) continue;
    const known = [former[name], live[name]].flatMap((list) => (Array.isArray(list) ? list : []));
    const gained = entriesBeside(own, value, known);
    if (gained.length > 0) owed[name] = [...(owed[name] ?? []), ...gained];
  }
  for (const [path, earlier] of Object.entries(trackingOf(state).attempted ?? {}))
    attempted[path] = joinedAttempts(attempted[path] ?? earlier, earlier);
  return { attempted, owed };
}

/**
 * The Pulumi state with a note of what another resource of the program may have written since, so that an update knows it for none of
 * somebody else's changes: the other one has shown these values last, and clears those that it no longer declares. What the state
 * itself declares has had no other owner.
 */
export function withWritten(resource: Definition, state: State, values: PropertyMap): State {
  const { attempted = {}, ...tracking } = trackingOf(state);
  const declared = declaredIn(resource, state);
  const others = Object.entries(values).filter(([name]) => !(name in declared));
  const notes = others.map(([name, value]) => {
    const place = { schema: schemaAt(resource.inputs, name), left: state[name] };
    const written = [value, undefined].map((right) => attemptRecord({ ...place, right }));
    const earlier = attempted[name];
    return [name, joinedAttempts(...written, ...(earlier === undefined ? [] : [earlier]))] as const;
  });
  if (notes.length === 0) return state;
  return withTracking(state, { ...tracking, attempted: { ...attempted, ...Object.fromEntries(notes) } });
}

/** Whether an update which failed may have written a value at a path, of which the API may show that only later. */
export function isAttempted(state: State, path: string): boolean {
  return Object.hasOwn(trackingOf(state).attempted ?? {}, path);
}

/**
 * Records of the members that an update adds to entries of lists. An entry may have another position later, so the paths name none:
 * `tiles[].asRatio`.
 */
function addedToEntries(
  schema: TSchema,
  desired: unknown,
  live: unknown,
  path: string,
): (readonly [path: string, record: string])[] {
  if (annotationsOf(schema).comparison !== undefined || schema.patternProperties) return [];
  if (Array.isArray(desired) && Array.isArray(live)) {
    const entry = schemaAt(schema, 0);
    const pairs = pairEntries(entry, desired, live);
    return desired.flatMap((value, at) => addedToEntries(entry, value, live[pairs[at] ?? -1], `${path}[]`));
  }
  if (!isObject(desired) || !isObject(live)) return [];
  return Object.entries(desired).flatMap(([name, right]) => {
    const [member, left] = [schemaAt(schema, name), ownMember(live, name)];
    const inside = joinPath(path, name);
    if (!isAbsent(left)) return addedToEntries(member, right, left, inside);
    return path.includes("[]") ? [[inside, attemptRecord({ schema: member, left, right })] as const] : [];
  });
}

/**
 * The undeclared inputs that a failed update may have set. One that shows the value that it had before that update is not among them,
 * since that value is somebody else's.
 *
 * @param live the inputs that the API shows now
 */
export function attemptedIn(
  { inputs }: Pick<Definition, "inputs">,
  state: State,
  live: PropertyMap,
): readonly string[] {
  const names = Object.keys(trackingOf(state).attempted ?? {}).filter((path) => path in inputs.properties);
  return names.filter((name) => isLeft(state, name, schemaAt(inputs, name), live[name]));
}

/** The same for the members of a map, such as the parameters of a Postgres service. */
export function attemptedMembersIn(
  { inputs }: Pick<Definition, "inputs">,
  state: State,
  name: string,
  live: PropertyMap,
): readonly string[] {
  const map = schemaAt(inputs, name);
  return Object.keys(trackingOf(state).attempted ?? {}).flatMap((path) => {
    const [first, key, ...others] = keysIn(path);
    if (first !== name || key === undefined || others.length > 0) return [];
    return isLeft(state, path, schemaAt(map, key), live[key]) ? [String(key)] : [];
  });
}

/** Whether a value at an attempted path is not, or need not be, the one from before the update that failed. */
function isLeft(state: State, path: string, schema: TSchema, value: unknown): boolean {
  const record = trackingOf(state).attempted?.[path];
  return isAbsent(value) || !record?.endsWith(`/${digest(schema, value)}`);
}
