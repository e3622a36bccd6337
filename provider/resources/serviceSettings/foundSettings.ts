import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { isObject, type PropertyMap } from "../../values/data";

export function settingsIn({ settings }: PropertyMap): PropertyMap {
  return isObject(settings) ? settings : {};
}

/** Whether two values of a setting are equal. Answers may show numbers as text. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}

/** The values that settings had before the program declared them; null for a setting that had no value. */
export function foundIn(state: State): PropertyMap {
  return settingsIn(trackingOf(state).previous ?? {});
}

export function withFound(state: State, settings: PropertyMap): State {
  return withTracking(state, { ...trackingOf(state), previous: { settings } });
}

/**
 * The values that settings had before the program declared them: the recorded values, and the current ones of settings that the
 * program newly declares.
 */
export function alsoFound(found: PropertyMap, names: readonly string[], live: PropertyMap): PropertyMap {
  return { ...found, ...Object.fromEntries(names.map((name) => [name, live[name] ?? null])) };
}

export function foundOf(found: PropertyMap, names: readonly string[]): PropertyMap {
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.includes(name)));
}
