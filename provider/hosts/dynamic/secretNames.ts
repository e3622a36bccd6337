import * as pulumi from "@pulumi/pulumi";
import type { Data } from "../../values/data";
import { secret } from "../engineValues";
import { secretNamesName } from "../names";

/**
 * What the class of a dashboard adds to its inputs if the name of a tile is secret: the host is told no secrets, and the
 * names are keys of `tileIds`.
 */
export function secretNamesMark(keys: pulumi.Output<unknown>): object {
  return {
    [secretNamesName]: pulumi.output(pulumi.isSecret(keys)).apply((isSecret) => isSecret || undefined),
  };
}

/** Whether the names of tiles are secret, by inputs or a state. */
export function hasSecretNames(properties: object): boolean {
  return (properties as Data)[secretNamesName] === true;
}

/**
 * What goes among the checked inputs of a dashboard with secret names. The engine keeps an output secret whose input of
 * the same name is.
 */
export function secretTileIds(tileIds: unknown): Data {
  return { [secretNamesName]: true, tileIds: secret(tileIds ?? null) };
}

/** A state with the mark of its inputs, for steps that get no inputs. */
export function withMarkOf(inputs: object, state: Data): Data {
  const { [secretNamesName]: _, ...rest } = state;
  return hasSecretNames(inputs) ? { ...rest, [secretNamesName]: true } : rest;
}
