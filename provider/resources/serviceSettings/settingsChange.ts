import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type Data, isObject, pick } from "../../values/data";

/** The settings that an update sets and resets. */
export interface SettingsChange {
  /** The values to set, by the names of the settings. */
  readonly set: Data;
  readonly unset: readonly string[];
  /** The settings of the service before the update. */
  readonly shown: Data;
}

/** The settings in inputs or in a state. */
export function settingsIn({ settings }: Data): Data {
  return isObject(settings) ? settings : {};
}

/** Whether two values of a setting mean the same: answers also show numbers as texts. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}

/**
 * The change that makes the service's settings equal the declared ones. Settings with the right value are not sent
 * again, since some settings restart the replicas. Where reads may lag behind the last update, the values in the state
 * count.
 */
export function changeOf(body: Data, current: Data, state: State, declared: Data): SettingsChange {
  const [desired, shown, before] = [body, current, state].map(settingsIn) as [Data, Data, Data];
  const left = Object.keys(before).filter((name) => !(name in desired));
  const leaving = declared.onDestroy === "keep" ? [] : left;
  const restored = pick(foundIn(state), leaving);
  const isThere = ([name, value]: [string, unknown]) =>
    isSame(shown[name], value) && isSame(before[name] ?? value, value);
  const wanted = { ...desired, ...restored };
  return {
    set: Object.fromEntries(Object.entries(wanted).filter((entry) => !isThere(entry))),
    unset: leaving.filter((name) => !(name in restored)),
    shown,
  };
}

/** The values that settings had before the program declared them; null for a setting that was not set. */
export function foundIn(state: State): Data {
  return settingsIn(trackingOf(state).previous ?? {});
}

/** A state that records the former values of settings. */
export function withFound(state: State, settings: Data): State {
  return withTracking(state, { ...trackingOf(state), previous: { settings } });
}

/** The recorded former values, with those of settings that the program newly declares. */
export function alsoFound(found: Data, names: readonly string[], live: Data): Data {
  return { ...found, ...Object.fromEntries(names.map((name) => [name, live[name] ?? null])) };
}

/** The recorded former values of these settings. */
export function foundOf(found: Data, names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.includes(name)));
}
