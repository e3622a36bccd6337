import type { Data } from "../../values/data";
import { isUnknown, unknown } from "../../values/unknown";
import type { Declaration } from "../claims";
import { deepestNesting, secret, unknownText } from "../engineValues";
import { declarationName, secretDefaultsName, secretNamesName } from "../names";

/** Properties from the host: without its own `__provider`, unknown values marked as such. */
export function fromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => (value === unknownText ? unknown : value)) as Data;
}

/** Properties from the host at a step at which all are known. */
export function knownFromHost(properties: object): Data {
  return mapLeaves(withoutCode(properties), (value) => value) as Data;
}

function withoutCode(properties: object): Data {
  const marks = ["__provider", declarationName, secretNamesName, secretDefaultsName];
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !marks.includes(name)));
}

/** The identity that the class puts into the inputs for the check alone: the host is told neither URN nor name. */
export function declarationIn(inputs: object): Declaration | undefined {
  const declaration = (inputs as Data)[declarationName];
  if (typeof declaration !== "string") return undefined;
  return { identity: declaration, name: declaration.slice(declaration.indexOf(" ") + 1) };
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

/** Whether the names of tiles are secret, by inputs or a state. */
export function hasSecretNames(properties: object): boolean {
  return (properties as Data)[secretNamesName] === true;
}

/**
 * An addition to the checked inputs of a dashboard with secret names, or of one that had them: an answer may still show the
 * tiles from before. The engine keeps an output secret whose input of the same name is.
 *
 * @param tileIds undefined while they are not known
 */
export function secretTileIds(olds: object, news: object, tileIds: unknown): Data {
  if (hasSecretNames(news)) return { [secretNamesName]: true, tileIds: secret(tileIds ?? null) };
  return hasSecretNames(olds) ? { tileIds: secret(tileIds ?? null) } : {};
}

/** The checked tiles of a dashboard, which its defaults are a part of: secret if these are. */
export function withSecretDefaults(news: object, inputs: Data): Data {
  const isSecret = (news as Data)[secretDefaultsName] === true;
  return isSecret ? { ...inputs, tiles: secret(inputs.tiles) } : inputs;
}

/** A state with the mark of its inputs, for steps that get no inputs. */
export function withMarkOf(inputs: object, state: Data): Data {
  const { [secretNamesName]: _, ...members } = state;
  return hasSecretNames(inputs) ? { ...members, [secretNamesName]: true } : members;
}
