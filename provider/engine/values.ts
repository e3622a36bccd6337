import type { Data } from "../values/data";
import { shortened } from "../values/printable";
import { joinPath } from "../values/schema";

/** The engine's mark in a preview for a value that is not known yet, at any depth. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The member by which the engine takes an object for a secret, for a file to read or for a reference. */
export const signature = "4dabf18193072939515e22adb298388d";

/** The signature of a secret. */
export const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** A value that the engine keeps encrypted. */
export function secret(value: unknown): Data {
  return { [signature]: secretMark, value };
}

/**
 * Plain JSON without `undefined`: the dynamic host fails on anything else, and after a create that means that an object
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

export const mustBeData = "must be plain data; assets, archives and resources are not supported";

/** Paths of assets, archives and references to resources in properties. */
export function pathsBeyondData(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, signature)) return [path];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsBeyondData(member, joinPath(path, Array.isArray(value) ? Number(name) : shortened(name))),
  );
}

/** No valid property is nested this deep; comparisons and messages go down into values. */
export const deepestNesting = 100;
