import { secret, secretMark, signature } from "../../../provider/engine/engineValues";
import type { Data } from "../../promises/store";

/** This module handles secret values as Pulumi's engine does: each is an object with a mark and the value. */

/** Removes the marks of secrets from a value, for the dynamic host, which receives plain values. */
export function withoutSecrets(value: unknown): unknown {
  return mapped(value, (wrapped) => withoutSecrets(wrapped.value));
}

/** Replaces each secret by a ciphertext, as a state file shows it. */
export function encrypted(value: unknown): unknown {
  return mapped(value, () => ({ [signature]: secretMark, ciphertext: "…" }));
}

/**
 * Replaces each secret inside a value by a function's result. Parts without secrets are not copied, since most have none and
 * copies take time.
 */
function mapped(value: unknown, ofSecret: (wrapped: Data) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (signature in value) return ofSecret(value as Data);
  const members = value as { readonly [name: string]: unknown };
  let result: Record<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const member = members[name];
    const instead = mapped(member, ofSecret);
    if (instead === member) continue;
    result ??= (Array.isArray(value) ? [...value] : { ...members }) as Record<string, unknown>;
    result[name] = instead;
  }
  return result ?? value;
}

/**
 * Marks as secret in a provider's answer what was secret in the engine's request. If an element of a list was secret, the whole
 * list is marked.
 */
export function annotated(answer: Data, asked: Data): Data {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const before = asked[name];
      if (isSecret(value) || !holdsSecret(before)) return [name, value];
      const areObjects = isPlainObject(value) && isPlainObject(before) && !isSecret(before);
      return [name, areObjects ? annotated(value, before) : secret(value)];
    }),
  );
}

export function withMarksOf(inputs: Data, outputs: Data): Data {
  return withMarks(
    outputs,
    Object.keys(inputs).filter((name) => isSecret(inputs[name])),
  );
}

export function withMarks(properties: Data, names: readonly string[]): Data {
  const mark = ([name, value]: [string, unknown]) =>
    [name, names.includes(name) && !isSecret(value) ? secret(value) : value] as const;
  return Object.fromEntries(Object.entries(properties).map(mark));
}

/** Returns the property paths of all secrets in a value, as the class of a resource finds them for the dynamic host. */
export function secretPlacesIn(value: unknown, keys: readonly (string | number)[] = []): (typeof keys)[] {
  if (isSecret(value)) return [keys];
  if (typeof value !== "object" || value === null) return [];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members.flatMap(([name, member]) => secretPlacesIn(member, [...keys, name]));
}

export function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && signature in value;
}

function holdsSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isSecret(value) || Object.values(value).some(holdsSecret);
}

function isPlainObject(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
