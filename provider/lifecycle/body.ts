import type { Operation } from "../api/operations";
import { asDeclared } from "../values/asDeclared";
import { equal, isEmpty, labelOf } from "../values/compare";
import { type Data, isObject, ownMember } from "../values/data";
import { idOf, type Keys, pairEntries, valueAt } from "../values/pairing";
import { annotationsOf, kindOf, partOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Body } from "./carried";
import type { Definition } from "./resource";
import type { Session } from "./session";
import { type State, undeclaredIn } from "./state";

/** The parts of an update's body; entries of lists have their ids. */
interface Parts {
  /** All that the program declares, with what is never sent. */
  readonly declared: Data;
  /** The declared members, with values that reset those that are declared no longer. */
  readonly desired: Data;
  /** The values that the state declares. */
  readonly before: Data;
  /** The live object; undefined if it could not be seen. */
  readonly live: Data | undefined;
  readonly state: State;
}

/**
 * The body of an update. Where the request replaces the object, it carries over the members that the program does not
 * declare, and warns of those that it cannot carry over.
 *
 * @param object the name of the object in a warning: `alert 66f0c2d8a1b2c3d4e5f60701`
 */
export function bodyOf<Inputs extends object>(
  { inputs, operations, encode }: Pick<Definition<Inputs>, "inputs" | "operations" | "encode">,
  object: string,
  { declared, desired, before, live, state }: Parts,
  session: Session,
): Body {
  const replaces = session.replaces(operations.update);
  const api = session.apiOf(operations.update);
  const updatable = Object.entries(desired).filter(
    ([name]) => annotationsOf(schemaAt(inputs, name)).sent === undefined,
  );
  const members = Object.fromEntries(updatable);
  const whole = replaces ? carryOver(inputs, members, live ?? undeclaredIn(state), before) : members;
  if (live) warnOfLost(object, inputs, whole, api, session);
  const encoded = (values: Data) => {
    const writable = writablePart(inputs, values, api);
    return encode?.(writable, session.settings, live ?? state, state, declared) ?? writable;
  };
  const body = encoded(whole);
  if (live && replaces)
    warnOfReplaced(object, inputs, { desired: members, live, before, request: body }, session);
  return { whole: body, own: () => encoded(members) };
}

/**
 * A request that replaces an object, with the members in the service that the program does not declare: all that the
 * schema knows, at every depth, in the entries of lists, too.
 *
 * @param desired the declared members; entries of lists have their ids
 * @param live the object in the service, without members that the request does not know
 * @param before the members that the state declares: those that the program dropped are not carried over
 */
export function carryOver(schema: TSchema, desired: Data, live: Data, before: Data): Data {
  const { identity = [] } = annotationsOf(schema);
  const isSame = identity.every((name) => equal(schemaAt(schema, name), desired[name], live[name]));
  return isSame ? withUndeclared(schema, desired, live, before) : desired;
}

function withUndeclared(schema: TSchema, desired: Data, live: Data, before: Data): Data {
  const result: Record<string, unknown> = { ...desired };
  // A schema with an identity and without properties leaves the members to the service.
  const names = schema.properties ?? (annotationsOf(schema).identity ? live : {});
  for (const name of Object.keys(names)) {
    const value = ownMember(live, name) ?? undefined;
    const declared = ownMember(desired, name);
    const former = ownMember(before, name) ?? undefined;
    if (value === undefined) continue;
    if (declared !== undefined) result[name] = inside(schemaAt(schema, name), declared, value, former);
    else if (former === undefined && isCarried(schema, name, desired)) {
      result[name] = knownPart(schemaAt(schema, name), value);
    }
  }
  return result;
}

function inside(schema: TSchema, desired: unknown, live: unknown, before: unknown): unknown {
  if (isObject(desired) && isObject(live))
    return carryOver(schema, desired, live, isObject(before) ? before : {});
  // A list that is compared without order belongs to the program as a whole.
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
      ? withUndeclared(entrySchema, entry, now, isObject(last) ? last : {})
      : entry;
  });
}

function isCarried(schema: TSchema, name: string, desired: Data): boolean {
  const { sent: requests, notBeside = [], shown: answers } = annotationsOf(schemaAt(schema, name));
  return (
    answers !== "declared" &&
    requests === undefined &&
    notBeside.every((neighbour) => (ownMember(desired, neighbour) ?? undefined) === undefined)
  );
}

/** The members of a value that its schema has; numbers that the service sends as text are sent back as numbers. */
function knownPart(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => knownPart(schemaAt(schema, 0), entry));
  if (!isObject(value)) return asDeclared(schema, value);
  // An object of a kind that the schema does not have is the service's.
  if (!schema.properties || (annotationsOf(schema).kinds && !kindOf(schema, value))) return value;
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, knownPart(schemaAt(schema, name), member)]),
  );
}

/**
 * Warns of members that somebody has set in entries of lists in whose place the program declares others: an update loses
 * them.
 *
 * @param request the final body: it has the defaults of the service, too
 */
function warnOfReplaced(
  object: string,
  schema: TSchema,
  {
    desired,
    live,
    before,
    request,
  }: { readonly [version in "desired" | "live" | "before" | "request"]: Data },
  session: Session,
): void {
  const paths = replacedIn(schema, { desired, live, before, request }).map((keys) => labelOf(desired, keys));
  if (paths.length === 0) return;
  session.warnOnce(
    `${object}: the update loses ${paths.join(", ")}, which belong to a replaced entry and are not declared`,
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

/**
 * The members of a shown object that requests to an API take, at any depth. A service knows all that it shows;
 * only members of the other API alone are no part of it.
 */
function writablePart(schema: TSchema, data: Data, api: Operation["api"]): Data {
  return partOf(schema, data, (member) => (annotationsOf(member).via ?? api) === api) as Data;
}

/** Warns of members in the service that requests to this API cannot write: an update loses them. */
export function warnOfLost(
  object: string,
  schema: TSchema,
  live: Data,
  api: Operation["api"],
  session: Session,
): void {
  const paths = lostIn(schema, live, api).map((keys) => labelOf(live, keys));
  if (paths.length === 0) return;
  session.warnOnce(
    `${object}: the update loses ${paths.join(", ")}, which only the other API accepts (setting observabilityVia)`,
  );
}

function lostIn(schema: TSchema, live: unknown, api: Operation["api"], keys: Keys = []): Keys[] {
  if (live === undefined || live === null) return [];
  // A service may show true or false where nobody has set either.
  if ((annotationsOf(schema).via ?? api) !== api) return typeof live === "boolean" ? [] : [keys];
  const inside = (key: string | number, value: unknown) =>
    lostIn(schemaAt(schema, key), value, api, [...keys, key]);
  if (Array.isArray(live)) return live.flatMap((entry, index) => inside(index, entry));
  return isObject(live) ? Object.entries(live).flatMap(([name, value]) => inside(name, value)) : [];
}
