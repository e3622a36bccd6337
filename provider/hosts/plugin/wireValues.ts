import { isDeepStrictEqual } from "node:util";
import { deepestNesting, secret, secretMark, signature, unknownText } from "../../engine/engineValues";
import { isObject, type PropertyMap } from "../../values/data";
import type { Keys } from "../../values/pairing";
import { isUnknown, unknown } from "../../values/unknown";
import { Struct } from "./struct";

/** Properties from the engine in the form that the lifecycle uses, with the places that the engine keeps encrypted. */
export interface Received {
  readonly data: PropertyMap;
  readonly secrets: readonly Keys[];
}

/** Converts properties from the engine without `__provider`, which Pulumi states from the dynamic provider contain. */
export function received(struct: Struct | undefined): Received {
  const secrets: Keys[] = [];
  const { __provider, ...properties } = (struct?.toJavaScript() ?? {}) as PropertyMap;
  return { data: unwrap(properties, [], secrets) as PropertyMap, secrets };
}

/** Unwraps the engine's secrets in the value itself: every copy of a large `AlertSet` takes time and memory. */
function unwrap(value: unknown, keys: (string | number)[], secrets: Keys[]): unknown {
  if (keys.length > deepestNesting)
    throw new Error(`a property is nested more than ${deepestNesting} levels deep, and no valid property is`);
  if (value === unknownText) return unknown;
  if (typeof value !== "object" || value === null) return value;
  const members = value as Members;
  if (members[signature] === secretMark) {
    secrets.push([...keys]);
    return unwrap(members.value, keys, secrets);
  }
  for (const name of Object.keys(members)) {
    keys.push(Array.isArray(value) ? Number(name) : name);
    members[name] = unwrap(members[name], keys, secrets);
    keys.pop();
  }
  return value;
}

/**
 * The places of secrets in the properties that a read returns. If a property has changed, all of it counts as secret, since
 * list elements may have moved or been copied.
 */
export function placesIn(live: PropertyMap, { data, secrets }: Received): readonly Keys[] {
  return secrets.map((keys) => {
    const [name = ""] = keys;
    return isDeepStrictEqual(live[name], data[name]) ? keys : [name];
  });
}

/**
 * The places inside a resource's properties that are secret now and were not before. Properties that became secret as a whole
 * are left out, since the engine notices these itself.
 */
export function newlySecret(olds: Received, news: Received): readonly Keys[] {
  return news.secrets.filter(
    (keys) =>
      keys.length > 1 && !olds.secrets.some((oldKeys) => oldKeys.every((key, at) => key === keys[at])),
  );
}

/** Converts properties for the engine. If a secret place is empty, the whole property is secret: the value may have moved. */
export function toStruct(data: PropertyMap, secrets: readonly Keys[] = []): Struct {
  const unmarked = plain(data) as Members;
  const properties = secrets.length > 0 ? structuredClone(unmarked) : unmarked;
  // Inner places of secrets are marked first: inside a property that is already marked, no place could be found.
  for (const keys of [...secrets].sort((a, b) => b.length - a.length)) markSecret(properties, keys);
  return Struct.fromJavaScript(properties as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** Converts a value to plain JSON. Data of the service loses the engine's marks, which only the lifecycle may set. */
function plain(value: unknown): unknown {
  if (isUnknown(value)) return unknownText;
  if (typeof value === "string") return value === unknownText ? null : value;
  if (typeof value === "number") return Number.isFinite(value) ? value || 0 : null;
  if (typeof value === "boolean" || value === undefined || value === null) return value;
  const members = value as Members;
  let copy: Members | undefined;
  for (const name of Object.keys(members)) {
    const member = name === signature ? undefined : plain(members[name]);
    if (member === members[name] && member !== undefined) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...members }) as Members;
    if (member !== undefined) copy[name] = member;
    else if (Array.isArray(value)) copy[name] = null;
    else delete copy[name];
  }
  return copy ?? value;
}

function markSecret(properties: Record<string, unknown>, keys: Keys): void {
  let parent: unknown = properties;
  for (const key of keys.slice(0, -1)) parent = memberOf(parent, key);
  const last = keys.at(-1) ?? "";
  if (memberOf(parent, last) !== undefined) wrap(parent as Members, last);
  else if (memberOf(properties, keys[0] ?? "") !== undefined) wrap(properties, keys[0] ?? "");
}

type Members = Record<string | number, unknown>;

function wrap(parent: Members, key: string | number): void {
  const value = parent[key];
  if (!isObject(value) || value[signature] !== secretMark) parent[key] = secret(value);
}

function memberOf(value: unknown, key: string | number): unknown {
  const isInside = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return isInside ? (value as Members)[key] : undefined;
}
