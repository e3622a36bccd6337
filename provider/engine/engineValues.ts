import type { PropertyMap } from "../values/data";
import { shortened } from "../values/printable";
import { joinPath } from "../values/schema";
import type { Failure } from "../values/validate";

/** The text that the engine passes for a value that is not known yet in a preview. It may stand at any depth of a property. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The name of the property by which the engine recognizes an object as a secret, an asset or a reference to a resource. */
export const signature = "4dabf18193072939515e22adb298388d";

/** The value of the property {@link signature} by which the engine recognizes a secret. */
export const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** Marks a value as secret, so that the engine keeps it encrypted. */
export function secret(value: unknown): PropertyMap {
  return { [signature]: secretMark, value };
}

/**
 * Copies a value as plain JSON without `undefined`: Pulumi's dynamic provider fails on anything else, and a failure after a
 * create would leave an object that is in no Pulumi state. It also removes the engine's signatures from data of the service: a
 * forged signature could make the engine read a local file.
 */
export function clean<Value>(value: Value): Value {
  const text = JSON.stringify(value, (name, member) => {
    if (name === signature) return undefined;
    return member === unknownText ? null : member;
  });
  return JSON.parse(text);
}

export const mustBeData = "must be plain data; assets, archives and resources are not supported";

/** Paths of assets, archives and references to resources within properties, where only plain data is allowed. */
export function pathsBeyondData(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, signature)) return [path];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsBeyondData(member, joinPath(path, Array.isArray(value) ? Number(name) : shortened(name))),
  );
}

/** Maximum depth of a resource's properties: no valid one is nested this deep, and a deeper one could exhaust the stack. */
export const deepestNesting = 100;

/**
 * Most bytes of a resource's inputs. What an update made that failed in part reaches the engine in a header, in base64. If that is
 * longer than 16 MiB, the engine drops the connection, and with it the results of all steps under way: it loses their objects. A
 * state holds the inputs, what the service says beyond them, and perhaps what was there before.
 */
const mostBytes = 4 * 1024 * 1024;

/** The failure for inputs so large that the engine could lose the object. */
export function sizeFailures(inputs: PropertyMap): Failure[] {
  if (Buffer.byteLength(JSON.stringify(inputs)) <= mostBytes) return [];
  const message =
    "the arguments have more than 4 MiB, and if an update failed in part, the engine could lose what it made; split them over several resources";
  return [{ path: "", message }];
}
