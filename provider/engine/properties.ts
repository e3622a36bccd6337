import { trackingName } from "../lifecycle/state";
import type { PropertyMap } from "../values/data";
import type { Keys } from "../values/pairing";
import { isUnknown, unknown } from "../values/unknown";
import { deepestNesting, secret, unknownText } from "./engineValues";
import { declarationName, formerMarkName, secretsName, watchedTileName } from "./names";

/**
 * Converts properties from the engine: drops `__provider`, and puts `unknown` in place of the engine's texts for unknown
 * values.
 */
export function fromHost(properties: object): PropertyMap {
  return mapLeaves(withoutCode(properties), (value) =>
    value === unknownText ? unknown : value,
  ) as PropertyMap;
}

/** Converts properties from the engine for a step, such as create, at which all values have to be known. */
export function knownFromHost(properties: object): PropertyMap {
  return mapLeaves(withoutCode(properties), (value) => value) as PropertyMap;
}

function withoutCode(properties: object): PropertyMap {
  const marks = ["__provider", declarationName, watchedTileName, secretsName, formerMarkName];
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !marks.includes(name)));
}

/** Converts properties for the engine, with its special text in place of unknown values. */
export function toHost(properties: PropertyMap): PropertyMap {
  return mapLeaves(properties, (value) => (isUnknown(value) ? unknownText : value)) as PropertyMap;
}

function mapLeaves(value: unknown, map: (leaf: unknown) => unknown, depth = 0): unknown {
  if (depth > deepestNesting)
    throw new Error(`a property is nested more than ${deepestNesting} levels deep, and no valid property is`);
  if (Array.isArray(value)) return value.map((entry) => mapLeaves(entry, map, depth + 1));
  if (typeof value !== "object" || value === null) return map(value);
  const mapped: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) mapped.push([name, mapLeaves(member, map, depth + 1)]);
  return Object.fromEntries(mapped);
}

/** The places that the program keeps secret, noted by the resource's class: the dynamic provider gets plain values. */
export function markedIn(properties: object): readonly Keys[] {
  const places = (properties as PropertyMap)[secretsName];
  return Array.isArray(places) ? places : [];
}

/**
 * Adds to a resource's properties the list of its secret places, which the Pulumi state then has, too: the places that `marked`
 * lists, and the properties with the names in `further`.
 */
export function withMarksOf(
  marked: object,
  properties: PropertyMap,
  further: readonly string[] = [],
): PropertyMap {
  const places = [
    ...markedIn(marked),
    ...further.filter((name) => name !== trackingName).map((name) => [name]),
  ];
  return places.length > 0 ? { ...properties, [secretsName]: places } : properties;
}

/** Marks the properties with the given names as secret, so that the engine keeps them encrypted. */
export function withSecret(properties: PropertyMap, names: readonly unknown[]): PropertyMap {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, names.includes(name) ? secret(value) : value]),
  );
}
