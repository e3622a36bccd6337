/** Stands for a value that is not known before something else has been applied. The adapter of a host puts it in. */
export const unknown: unique symbol = Symbol("unknown");

/** Whether the value itself is not known yet. */
export function isUnknown(value: unknown): value is typeof unknown {
  return value === unknown;
}

/** Whether the value, or anything inside it, is not known yet. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnknown);
}
