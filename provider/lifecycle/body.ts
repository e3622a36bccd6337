import type { Operation } from "../api/operations";
import { asDeclared } from "../values/asDeclared";
import { equal, isEmpty, labelOf } from "../values/compare";
import { type Data, isObject, ownMember } from "../values/data";
import { idOf, type Keys, pairEntries, valueAt } from "../values/pairing";
import { annotationsOf, kindOf, partOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Definition } from "./resource";
import type { Session } from "./session";
import { type State, undeclaredIn } from "./state";

/** The parts of an update's body; entries of lists have their ids. */
interface Parts {
  /** The declared members, with values that reset those that are declared no longer. */
  readonly sent: Data;
  /** The values that the state declares. */
  readonly before: Data;
  /** The live object; undefined if it could not be seen. */
  readonly found: Data | undefined;
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
  { sent, before, found, state }: Parts,
  session: Session,
): Data {
  const replaces = session.replaces(operations.update);
  const api = session.apiOf(operations.update);
  const updatable = Object.entries(sent).filter(
    ([name]) => annotationsOf(schemaAt(inputs, name)).sent === undefined,
  );
  const own = Object.fromEntries(updatable);
  const whole = replaces ? carryOver(inputs, own, found ?? undeclaredIn(state), before) : own;
  if (found) warnOfLost(object, inputs, whole, api, session);
  const writable = writablePart(inputs, whole, api);
  const body = encode?.(writable, session.settings, found ?? state, state) ?? writable;
  if (found && replaces) warnOfReplaced(object, inputs, { sent: own, found, before, request: body }, session);
  return body;
}

/**
 * A request that replaces an object, with the members in the service that the program does not declare: all that the
 * schema knows, at every depth, in the entries of lists, too.
 *
 * @param sent the declared members; entries of lists have their ids
 * @param found the object in the service, without members that the request does not know
 * @param before the members that the state declares: those that the program dropped are not carried over
 */
export function carryOver(schema: TSchema, sent: Data, found: Data, before: Data): Data {
  const { identity = [] } = annotationsOf(schema);
  const isSame = identity.every((name) => equal(schemaAt(schema, name), sent[name], found[name]));
  return isSame ? withUndeclared(schema, sent, found, before) : sent;
}

function withUndeclared(schema: TSchema, sent: Data, found: Data, before: Data): Data {
  const result: Record<string, unknown> = { ...sent };
  // A schema with an identity and without properties leaves the members to the service.
  const names = schema.properties ?? (annotationsOf(schema).identity ? found : {});
  for (const name of Object.keys(names)) {
    const value = ownMember(found, name) ?? undefined;
    const own = ownMember(sent, name);
    const former = ownMember(before, name) ?? undefined;
    if (value === undefined) continue;
    if (own !== undefined) result[name] = inside(schemaAt(schema, name), own, value, former);
    else if (former === undefined && isCarried(schema, name, sent)) {
      result[name] = known(schemaAt(schema, name), value);
    }
  }
  return result;
}

function inside(schema: TSchema, sent: unknown, found: unknown, before: unknown): unknown {
  if (isObject(sent) && isObject(found))
    return carryOver(schema, sent, found, isObject(before) ? before : {});
  // A list that is compared without order belongs to the program as a whole.
  if (!Array.isArray(sent) || !Array.isArray(found) || annotationsOf(schema).comparison) return sent;
  const former = Array.isArray(before) ? before : [];
  const own = schemaAt(schema, 0);
  const [inFound, inFormer] = [pairEntries(own, sent, found), pairEntries(own, sent, former)];
  return sent.map((entry, index) => {
    const [now, last] = [found[inFound[index] ?? -1], former[inFormer[index] ?? -1]];
    return isObject(entry) && isObject(now)
      ? withUndeclared(own, entry, now, isObject(last) ? last : {})
      : entry;
  });
}

function isCarried(schema: TSchema, name: string, sent: Data): boolean {
  const { sent: requests, notBeside = [], shown } = annotationsOf(schemaAt(schema, name));
  return (
    shown !== "declared" &&
    requests === undefined &&
    notBeside.every((other) => (ownMember(sent, other) ?? undefined) === undefined)
  );
}

/** The members of a value that its schema has; numbers that the service sends as text are sent back as numbers. */
function known(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => known(schemaAt(schema, 0), entry));
  if (!isObject(value)) return asDeclared(schema, value);
  // An object of a kind that the schema does not have is the service's.
  if (!schema.properties || (annotationsOf(schema).kinds && !kindOf(schema, value))) return value;
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name));
  return Object.fromEntries(members.map(([name, member]) => [name, known(schemaAt(schema, name), member)]));
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
  { sent, found, before, request }: { readonly [version in "sent" | "found" | "before" | "request"]: Data },
  session: Session,
): void {
  const paths = replacedIn(schema, { sent, found, before, request }).map((keys) => labelOf(sent, keys));
  if (paths.length === 0) return;
  session.warnOnce(
    `${object}: the update loses ${paths.join(", ")}, which belong to a replaced entry and are not declared`,
  );
}

function replacedIn(
  schema: TSchema,
  {
    sent,
    found,
    before,
    request,
  }: { readonly [version in "sent" | "found" | "before" | "request"]: unknown },
  keys: Keys = [],
): Keys[] {
  const within = (own: TSchema, key: string | number, inFound: string | number, inBefore: string | number) =>
    replacedIn(
      own,
      {
        sent: valueAt(sent, [key]),
        found: valueAt(found, [inFound]),
        before: valueAt(before, [inBefore]),
        request: valueAt(request, [key]),
      },
      [...keys, key],
    );
  if (isObject(sent) && isObject(found))
    return Object.keys(sent).flatMap((name) => within(schemaAt(schema, name), name, name, name));
  if (!Array.isArray(sent) || !Array.isArray(found) || annotationsOf(schema).comparison) return [];
  const own = schemaAt(schema, 0);
  const former = Array.isArray(before) ? before : [];
  const [inFound, inFormer] = [pairEntries(own, sent, found), pairEntries(own, sent, former)];
  const kept = new Set(inFound);
  return sent.flatMap((_entry, index) => {
    const at = inFound[index];
    if (at !== undefined) return within(own, index, at, inFormer[index] ?? -1);
    const other = kept.has(index) ? undefined : found[index];
    if (!isObject(other) || idOf(other) !== undefined) return [];
    return Object.entries(other)
      .filter(([name, value]) => name in (own.properties ?? {}) && !isEmpty(value))
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
  found: Data,
  api: Operation["api"],
  session: Session,
): void {
  const paths = lostIn(schema, found, api).map((keys) => labelOf(found, keys));
  if (paths.length === 0) return;
  session.warnOnce(
    `${object}: the update loses ${paths.join(", ")}, which only the other API accepts (setting observabilityVia)`,
  );
}

function lostIn(schema: TSchema, found: unknown, api: Operation["api"], keys: Keys = []): Keys[] {
  if (found === undefined || found === null) return [];
  // A service may show true or false where nobody has set either.
  if ((annotationsOf(schema).via ?? api) !== api) return typeof found === "boolean" ? [] : [keys];
  const inside = (key: string | number, value: unknown) =>
    lostIn(schemaAt(schema, key), value, api, [...keys, key]);
  if (Array.isArray(found)) return found.flatMap((entry, index) => inside(index, entry));
  return isObject(found) ? Object.entries(found).flatMap(([name, value]) => inside(name, value)) : [];
}
