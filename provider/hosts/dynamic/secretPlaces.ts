import * as pulumi from "@pulumi/pulumi";
import type { Keys } from "../../values/pairing";

/** The places of secrets in a resource's arguments, which the engine does not tell to a dynamic provider. */
export function secretPlaces(args: object): Promise<readonly Keys[] | undefined> | undefined {
  const found = placesIn(args, [], new WeakSet());
  return found.length === 0
    ? undefined
    : all(found).then((places) => (places.length > 0 ? places : undefined));
}

type Places = readonly (Keys[] | Promise<Keys[]>)[];

/** The places of secrets inside a value of a resource's arguments. The search visits no object of `seen` again. */
function placesIn(value: unknown, keys: Keys, seen: WeakSet<object>): Places {
  if (pulumi.Output.isInstance(value)) return [inOutput(value, keys, seen)];
  if (value instanceof Promise) {
    const places = value.then((inner) => all(placesIn(inner, keys, seen)));
    // A rejected promise has no secret places. The rejection is ignored, since Pulumi's SDK reports it.
    return [places.catch(() => [])];
  }
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  if (pulumi.Resource.isInstance(value)) return [];
  seen.add(value);
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members.flatMap(([name, member]) => placesIn(member, [...keys, name], seen));
}

async function inOutput(output: pulumi.Output<unknown>, keys: Keys, seen: WeakSet<object>): Promise<Keys[]> {
  try {
    if (await pulumi.isSecret(output)) return [keys];
    return await all(placesIn(await resolved(output), keys, seen));
  } catch {
    return [];
  }
}

/** The value of an output of Pulumi; undefined if it is unknown. */
function resolved(output: pulumi.Output<unknown>): Promise<unknown> {
  return (output as unknown as { promise(): Promise<unknown> }).promise();
}

async function all(places: Places): Promise<Keys[]> {
  return (await Promise.all(places)).flat();
}
