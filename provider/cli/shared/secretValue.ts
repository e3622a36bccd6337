import { secretMark, signature } from "../../hosts/engineValues";
import { isObject } from "../../values/data";

/** Shown in place of every secret. */
export const hidden = "[secret]";

/** Whether a value of a state is encrypted, or anything inside it. */
export function isSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isSecret);
  if (!isObject(value)) return false;
  return value[signature] === secretMark || Object.values(value).some(isSecret);
}

/** A value that the engine will keep encrypted. */
export function secretValue(value: unknown): { readonly [member: string]: string } {
  return { [signature]: secretMark, plaintext: JSON.stringify(value) };
}
