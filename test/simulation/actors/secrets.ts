import { secret, secretMark, signature } from "../../../provider/engine/values";
import type { Data } from "../../promises/store";

/** Secret values in the engine's form: each is wrapped in an object with a mark. */

/** A value without marks of secrets, for a host that gets none. */
export function withoutSecrets(value: unknown): unknown {
  return mapped(value, (wrapped) => withoutSecrets(wrapped.value));
}

/** A value as it is readable in a state file, without its secrets. */
export function encrypted(value: unknown): unknown {
  return mapped(value, () => ({ [signature]: secretMark, ciphertext: "…" }));
}

/** Values without secrets are not copied, since most have none. */
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

/** Marks in an answer whatever was secret in the request; of a list, the whole list. */
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

/** Outputs in which those are marked whose inputs are secret. */
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

/** The places of secret values, as a resource's class finds them. */
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
