import { shortened } from "../../api/printable";
import type { Data } from "../../lifecycle/data";
import { joinPath } from "../../lifecycle/schema";
import { isUnknown, unknown } from "../../lifecycle/unknown";

/** What the engine sends in a preview for a value that is not known yet, at any depth. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The member by which the engine takes an object for a secret, for a file to read or for a reference. */
export const signature = "4dabf18193072939515e22adb298388d";

/** What the signature is in a secret. */
export const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** A value that the engine keeps encrypted. It hands none to the host, but takes them from it. */
export function secret(value: unknown): Data {
  return { [signature]: secretMark, value };
}

/** Properties from the host: without its own `__provider`, unknown values marked as such. */
export function fromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => (value === unknownText ? unknown : value)) as Data;
}

/** Properties from the host at a step at which all are known. */
export function knownFromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => value) as Data;
}

function withoutCode(properties: object): Data {
  const { __provider, ...own } = properties as Data;
  return own;
}

/** Properties for the host, unknown values in the engine's words. */
export function toHost(properties: Data): Data {
  return mapLeaves(properties, (value) => (isUnknown(value) ? unknownText : value)) as Data;
}

/**
 * Plain JSON without `undefined`: the host fails on anything else, and after a create that means that an object
 * exists which no state knows of. Nor does anything stay that a service has answered and the engine would take for more
 * than data: it reads the file that an object with its signature names.
 */
export function clean<Value>(value: Value): Value {
  const text = JSON.stringify(value, (name, member) => {
    if (name === signature) return undefined;
    return member === unknownText ? null : member;
  });
  return JSON.parse(text);
}

/** Paths in properties from the host of what is more than data: assets, archives, references to resources. */
export function pathsBeyondData(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, signature)) return [path];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsBeyondData(member, joinPath(path, Array.isArray(value) ? Number(name) : shortened(name))),
  );
}

/** No valid property is nested this deep; what compares and prints values goes down into them. */
const deepestNesting = 100;

function mapLeaves(value: unknown, map: (leaf: unknown) => unknown, depth = 0): unknown {
  if (depth > deepestNesting) throw new Error(`a property is nested more than ${deepestNesting} levels deep`);
  if (Array.isArray(value)) return value.map((entry) => mapLeaves(entry, map, depth + 1));
  if (typeof value !== "object" || value === null) return map(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, mapLeaves(member, map, depth + 1)] as const],
    ),
  );
}
