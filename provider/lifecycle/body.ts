import { dialects } from "../api/dialect";
import { asDeclared } from "../values/asDeclared";
import { equal, isEmpty, labelOf } from "../values/compare";
import { isObject, ownMember, type PropertyMap } from "../values/data";
import { idOf, type Keys, pairEntries, valueAt } from "../values/pairing";
import { annotationsOf, joinPath, kindOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Definition } from "./definition";
import { mayHaveWritten, type Records } from "./records";
import type { Session } from "./session";
import { declaredIn, type State, sentPart, trackingOf, undeclaredIn } from "./state";
import type { UpdateBody } from "./unmanagedFields";

/** The values from which the body of an update request is made. List entries have the ids that the API gave them. */
interface Parts {
  /** The declared inputs to send, and reset values for the inputs that the program no longer declares. */
  readonly desired: PropertyMap;
  /** The inputs that the program declared at the last update, as the Pulumi state has them. */
  readonly before: PropertyMap;
  /** The object as the API shows it now; undefined if the API does not show it. */
  readonly live: PropertyMap | undefined;
  readonly state: State;
  /** The answer of the API that shows the object. */
  readonly answer: PropertyMap | undefined;
}

/**
 * Builds the body of an update request. A request that replaces the whole object repeats its undeclared properties, so that the
 * update does not erase them.
 *
 * @param object the name of the updated object for a warning, such as `alert 66f0c2d8a1b2c3d4e5f60701`
 */
export function bodyOf(
  resource: Pick<Definition, "inputs" | "outputs" | "operations" | "encode" | "keepsUnknown">,
  object: string,
  { desired, before, live, state, answer }: Parts,
  session: Session,
): UpdateBody {
  const { inputs, operations, encode } = resource;
  const replaces = session.replaces(operations.update);
  const updatable = Object.entries(desired).filter(
    ([name]) => annotationsOf(schemaAt(inputs, name)).sent === undefined,
  );
  const members = Object.fromEntries(updatable);
  const { attempted } = trackingOf(state);
  const whole = replaces
    ? carryOver(inputs, members, live ?? undeclaredIn(state), before, attempted)
    : members;
  const encoded = (values: PropertyMap) => encode?.(values, session.settings, live ?? state, state) ?? values;
  const unknown = resource.keepsUnknown && answer ? unknownIn(resource, answer, session) : {};
  const body = { ...unknown, ...encoded(whole) };
  if (live && replaces)
    warnOfReplaced(object, inputs, { desired: members, live, before, request: body }, session);
  return { full: body, declaredOnly: () => encoded(members) };
}

/** The body of the request that creates an object with the given inputs. */
export function createBodyOf(
  resource: Pick<Definition, "inputs" | "outputs" | "encode">,
  inputs: PropertyMap,
  { settings }: Session,
): PropertyMap {
  const desired = sentPart(resource, declaredIn(resource, inputs));
  return resource.encode?.(desired, settings) ?? desired;
}

/**
 * The members of an answer that this version of the provider does not know. They are sent back only to servers of ClickHouse Cloud
 * and HyperDX, which are known to accept all members that their answers show.
 */
function unknownIn(
  { inputs, outputs }: Pick<Definition, "inputs" | "outputs">,
  answer: PropertyMap,
  { settings }: Session,
): PropertyMap {
  if (!dialects[settings.dialect].hasTileConfig) return {};
  const schemas = { ...inputs.properties, ...outputs.properties };
  const otherNames = Object.values(schemas).flatMap((schema) => annotationsOf(schema).alsoNamed ?? []);
  const known = new Set(["id", ...Object.keys(schemas), ...otherNames]);
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => !known.has(name) && value !== null),
  );
}

/**
 * Adds to the declared properties those that only the API shows, for an update that replaces the whole object. At the top level
 * it adds only properties of the schema, since responses have more properties than requests take; in nested objects it adds
 * all.
 *
 * @param before the declared properties in the Pulumi state: one that the program no longer declares is not added
 * @param attempted the records of what a failed update may have added: the program that goes back does not declare it
 */
export function carryOver(
  schema: TSchema,
  desired: PropertyMap,
  live: PropertyMap,
  before: PropertyMap,
  attempted: Records = {},
): PropertyMap {
  const names = Object.keys(schema.properties ?? {});
  return withUndeclared(schema, desired, live, before, { path: "", attempted }, names);
}

/** Where a value is: the path, without the positions of entries. */
interface At {
  readonly path: string;
  readonly attempted: Records;
}

function withUndeclared(
  schema: TSchema,
  desired: PropertyMap,
  live: PropertyMap,
  before: PropertyMap,
  { path, attempted }: At,
  names: readonly string[] = Object.keys(live),
): PropertyMap {
  const result: Record<string, unknown> = { ...desired };
  for (const name of names) {
    const value = ownMember(live, name) ?? undefined;
    const declared = ownMember(desired, name);
    const former = ownMember(before, name) ?? undefined;
    const [member, at] = [schemaAt(schema, name), { path: joinPath(path, name), attempted }];
    if (value === undefined) continue;
    if (declared !== undefined) result[name] = mergeValue(member, declared, value, former, at);
    else if (former === undefined && isCarried(schema, name, desired)) {
      if (!mayHaveWritten(attempted, at.path, member, value)) result[name] = sentBack(member, value);
    }
  }
  return result;
}

/** Adds undeclared properties to a nested object of an update's body, unless the API shows a different object at this place. */
function mergeObject(
  schema: TSchema,
  desired: PropertyMap,
  live: PropertyMap,
  before: PropertyMap,
  at: At,
): PropertyMap {
  const { identity = [] } = annotationsOf(schema);
  const isSame = identity.every((name) => equal(schemaAt(schema, name), desired[name], live[name]));
  return isSame ? withUndeclared(schema, desired, live, before, at) : desired;
}

function mergeValue(schema: TSchema, desired: unknown, live: unknown, before: unknown, at: At): unknown {
  // A program that declares one name of a map owns the whole map, so an update adds no other names to the map.
  if (schema.patternProperties) return desired;
  if (isObject(desired) && isObject(live))
    return mergeObject(schema, desired, live, isObject(before) ? before : {}, at);
  // A program that declares a list without order owns the whole list, so an update adds no undeclared entries to it.
  if (!Array.isArray(desired) || !Array.isArray(live) || annotationsOf(schema).comparison) return desired;
  const former = Array.isArray(before) ? before : [];
  const entrySchema = schemaAt(schema, 0);
  const [inFound, inFormer] = [
    pairEntries(entrySchema, desired, live),
    pairEntries(entrySchema, desired, former),
  ];
  return desired.map((entry, index) => {
    const [now, last] = [live[inFound[index] ?? -1], former[inFormer[index] ?? -1]];
    return isObject(entry) && isObject(now)
      ? withUndeclared(entrySchema, entry, now, isObject(last) ? last : {}, { ...at, path: `${at.path}[]` })
      : entry;
  });
}

function isCarried(schema: TSchema, name: string, desired: PropertyMap): boolean {
  const { sent: requests, notBeside = [], shown: answers } = annotationsOf(schemaAt(schema, name));
  return (
    answers !== "declared" &&
    requests === undefined &&
    notBeside.every((neighbour) => (ownMember(desired, neighbour) ?? undefined) === undefined)
  );
}

/** The value to send back for one that the API showed: numbers shown as text become numbers, since requests need numbers. */
function sentBack(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => sentBack(schemaAt(schema, 0), entry));
  if (!isObject(value)) return asDeclared(schema, value);
  // The schema does not know this nested object or its type, so the update sends it back as the API showed it.
  if (!schema.properties || (annotationsOf(schema).kinds && !kindOf(schema, value))) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, sentBack(schemaAt(schema, name), member)]),
  );
}

/** Warns when another list entry takes the place of one whose properties somebody else has set: the update loses them. */
function warnOfReplaced(
  object: string,
  schema: TSchema,
  {
    desired,
    live,
    before,
    request,
  }: { readonly [version in "desired" | "live" | "before" | "request"]: PropertyMap },
  session: Session,
): void {
  const paths = replacedIn(schema, { desired, live, before, request }).map((keys) => labelOf(desired, keys));
  if (paths.length === 0) return;
  session.warnOnce(
    `${object}: the update replaces a list entry, and so loses ${paths.join(", ")}; declare what shall stay`,
  );
}

function replacedIn(
  schema: TSchema,
  {
    desired,
    live,
    before,
    request,
  }: { readonly [version in "desired" | "live" | "before" | "request"]: unknown },
  keys: Keys = [],
): Keys[] {
  const within = (
    memberSchema: TSchema,
    key: string | number,
    inFound: string | number,
    inBefore: string | number,
  ) =>
    replacedIn(
      memberSchema,
      {
        desired: valueAt(desired, [key]),
        live: valueAt(live, [inFound]),
        before: valueAt(before, [inBefore]),
        request: valueAt(request, [key]),
      },
      [...keys, key],
    );
  if (isObject(desired) && isObject(live))
    return Object.keys(desired).flatMap((name) => within(schemaAt(schema, name), name, name, name));
  if (!Array.isArray(desired) || !Array.isArray(live) || annotationsOf(schema).comparison) return [];
  const entrySchema = schemaAt(schema, 0);
  // A program owns such entries with all that is in them, so what somebody has added is drift.
  if (annotationsOf(entrySchema).comparison === "whole") return [];
  const former = Array.isArray(before) ? before : [];
  const [inFound, inFormer] = [
    pairEntries(entrySchema, desired, live),
    pairEntries(entrySchema, desired, former),
  ];
  const paired = new Set(inFound);
  return desired.flatMap((_entry, index) => {
    const at = inFound[index];
    if (at !== undefined) return within(entrySchema, index, at, inFormer[index] ?? -1);
    const replaced = paired.has(index) ? undefined : live[index];
    if (!isObject(replaced) || idOf(replaced) !== undefined) return [];
    return Object.entries(replaced)
      .filter(([name, value]) => name in (entrySchema.properties ?? {}) && !isEmpty(value))
      .filter(([name]) => [valueAt(former, [index, name]), valueAt(request, [index, name])].every(isEmpty))
      .map(([name]) => [...keys, index, name]);
  });
}
