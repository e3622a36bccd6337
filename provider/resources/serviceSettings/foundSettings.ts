import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";

export function settingsIn({ settings }: Data): Data {
  return isObject(settings) ? settings : {};
}

/** Whether two values of a setting are equal. Answers may show numbers as text. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}

/** The values that settings had before the program declared them; null for a setting that had no value. */
export function foundIn(state: State): Data {
  return settingsIn(trackingOf(state).previous ?? {});
}

export function withFound(state: State, settings: Data): State {
  return withTracking(state, { ...trackingOf(state), previous: { settings } });
}

/**
 * The values that settings had before the program declared them: the recorded values, and the current ones of settings that the
 * program newly declares.
 */
export function alsoFound(found: Data, names: readonly string[], live: Data): Data {
  return { ...found, ...Object.fromEntries(names.map((name) => [name, live[name] ?? null])) };
}

export function foundOf(found: Data, names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.includes(name)));
}
