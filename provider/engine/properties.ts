import { trackingName } from "../lifecycle/state";
import type { Data } from "../values/data";
import type { Keys } from "../values/secretValues";
import { isUnknown, unknown } from "../values/unknown";
import { declarationName, formerMarkName, secretsName } from "./names";
import { deepestNesting, secret, unknownText } from "./values";

/** Properties as the engine sends them, without the member `__provider` that it adds, and with `unknown` for its texts that mean that. */
export function fromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => (value === unknownText ? unknown : value)) as Data;
}

/** Properties from the host at a step at which all are known. */
export function knownFromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => value) as Data;
}

function withoutCode(properties: object): Data {
  const marks = ["__provider", declarationName, secretsName, formerMarkName];
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !marks.includes(name)));
}

/** Properties for the host, unknown values in the engine's words. */
export function toHost(properties: Data): Data {
  return mapLeaves(properties, (value) => (isUnknown(value) ? unknownText : value)) as Data;
}

function mapLeaves(value: unknown, map: (leaf: unknown) => unknown, depth = 0): unknown {
  if (depth > deepestNesting) throw new Error(`a property is nested more than ${deepestNesting} levels deep`);
  if (Array.isArray(value)) return value.map((entry) => mapLeaves(entry, map, depth + 1));
  if (typeof value !== "object" || value === null) return map(value);
  const mapped: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) mapped.push([name, mapLeaves(member, map, depth + 1)]);
  return Object.fromEntries(mapped);
}

/** The places that the class has found secret, in inputs or a state: the host is sent the values alone. */
export function markedIn(properties: object): readonly Keys[] {
  const places = (properties as Data)[secretsName];
  return Array.isArray(places) ? places : [];
}

/**
 * Properties for the engine that keep the marks of these, for steps that get no others.
 *
 * @param further members that are secret beside them
 */
export function withMarksOf(marked: object, properties: Data, further: readonly string[] = []): Data {
  const places = [
    ...markedIn(marked),
    ...further.filter((name) => name !== trackingName).map((name) => [name]),
  ];
  return places.length > 0 ? { ...properties, [secretsName]: places } : properties;
}

/** Properties of which the engine keeps these members encrypted. */
export function withSecret(properties: Data, names: readonly unknown[]): Data {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, names.includes(name) ? secret(value) : value]),
  );
}
