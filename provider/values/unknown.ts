/**
 * Stands for a value that a preview cannot know yet. The adapters of the hosts put it in place of the engine's texts.
 */
export const unknown: unique symbol = Symbol("unknown");

/** Whether the value itself is unknown. */
export function isUnknown(value: unknown): value is typeof unknown {
  return value === unknown;
}

/** Whether the value, or anything inside it, is unknown. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnknown);
}
