import type { Operation } from "../api/operation";
import type { TSchema } from "../typebox";
import { asDeclared } from "./asDeclared";
import { equal, labelOf } from "./compare";
import { type Data, isObject, ownMember } from "./data";
import { idOf, type Keys } from "./listEntries";
import { annotationsOf, schemaAt } from "./schema";
import type { Session } from "./session";

/**
 * A request that replaces an object, with what the service has and the program does not declare: every member that the
 * schema knows, at every depth. Entries of lists are the same if they have the same id; lists whose entries have none
 * belong to the program as a whole.
 *
 * @param sent what the program declares; entries of lists have their ids
 * @param found what the service has, without members that the request does not know
 * @param before what the state declares: what the program no longer declares is not carried over
 */
export function carryOver(schema: TSchema, sent: Data, found: Data, before: Data): Data {
  const { identity = [] } = annotationsOf(schema);
  if (identity.some((name) => !equal(schemaAt(schema, name), sent[name], found[name]))) return sent;
  const result: Record<string, unknown> = { ...sent };
  // A schema that tells what an object is, but not all that it has, leaves its members to the service.
  const names = schema.properties ?? (identity.length > 0 ? found : {});
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
  if (!Array.isArray(sent) || !Array.isArray(found)) return sent;
  return sent.map((entry) => {
    const same = entryOf(found, entry);
    return same === undefined ? entry : inside(schemaAt(schema, 0), entry, same, entryOf(before, entry));
  });
}

function entryOf(list: unknown, entry: unknown): unknown {
  const id = idOf(entry);
  return id !== undefined && Array.isArray(list) ? list.find((each) => idOf(each) === id) : undefined;
}

function isCarried(schema: TSchema, name: string, sent: Data): boolean {
  const { local, createOnly, notBeside = [] } = annotationsOf(schemaAt(schema, name));
  return (
    !local && !createOnly && notBeside.every((other) => (ownMember(sent, other) ?? undefined) === undefined)
  );
}

/** The members of a value that its schema has; numbers that the service sends as text are sent back as numbers. */
function known(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => known(schemaAt(schema, 0), entry));
  if (!isObject(value)) return asDeclared(schema, value);
  if (!schema.properties) return value;
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(schema.properties, name));
  return Object.fromEntries(members.map(([name, member]) => [name, known(schemaAt(schema, name), member)]));
}

/** Warns of what the service has and requests to this API cannot write: an update loses it. */
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
    `${object}: the update loses ${paths.join(", ")}, which only requests to the other API have (setting observabilityVia)`,
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
