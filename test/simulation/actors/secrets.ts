import { secret, secretMark, signature } from "../../../provider/engine/values";
import type { Data } from "../../promises/store";

/** Secret values as the engine has them: each wrapped in an object that says so. */

/** The values alone: a host that takes no secrets gets these. */
export function withoutSecrets(value: unknown): unknown {
  return mapped(value, (wrapped) => withoutSecrets(wrapped.value));
}

/** What a state in a file shows: nothing of a secret. */
export function encrypted(value: unknown): unknown {
  return mapped(value, () => ({ [signature]: secretMark, ciphertext: "…" }));
}

/** What holds no secret stays the same object: most values do not. */
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

/** Marks in what a host without secrets answers whatever was secret in what it got: of a list, the whole. */
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

/** Outputs of which those are secret whose inputs are. */
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

/** The places of secret values, as the class of a resource finds them. */
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
