import type { Data } from "../lifecycle/data";
import { isUnknown, unknown } from "../lifecycle/unknown";

/** What the engine sends in a preview for a value that is not known yet, at any depth. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Properties from the host: without its own `__provider`, unknown values marked as such. */
export function fromHost(properties: object): Data {
  const { __provider, ...own } = properties as Data;
  return mapLeaves(own, (value) => (value === unknownText ? unknown : value)) as Data;
}

/** Properties for the host, unknown values in the engine's words. */
export function toHost(properties: Data): Data {
  return mapLeaves(properties, (value) => (isUnknown(value) ? unknownText : value)) as Data;
}

/**
 * Plain JSON without `undefined`: the host fails on anything else, and after a create that means that an object
 * exists which no state knows of.
 */
export function clean(properties: Data): Data {
  return JSON.parse(JSON.stringify(properties)) as Data;
}

/** No property has a meaning that is nested as deep; what compares and prints values goes down into them. */
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
