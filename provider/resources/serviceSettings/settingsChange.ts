import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type Data, isObject, pick } from "../../values/data";

/** What an update of settings does. */
export interface SettingsChange {
  /** Values by name. */
  readonly set: Data;
  readonly unset: readonly string[];
  /** The settings as a look has shown them before. */
  readonly shown: Data;
}

/** The settings in inputs or in a state. */
export function settingsIn({ settings }: Data): Data {
  return isObject(settings) ? settings : {};
}

/** Whether two values of a setting mean the same: answers show numbers as texts, too. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}

/**
 * The change that brings declared settings about. What is there already is not sent again, since some settings restart the
 * replicas; but a look may be older than the last update, whose values are in the state.
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

/** What was found of settings before the program declared them: null for one that was not set. */
export function foundIn(state: State): Data {
  return settingsIn(trackingOf(state).previous ?? {});
}

/** A state that knows what was found of settings. */
export function withFound(state: State, settings: Data): State {
  return withTracking(state, { ...trackingOf(state), previous: { settings } });
}

/** What was found so far, and what a look shows of settings that the program declares now. */
export function alsoFound(found: Data, names: readonly string[], live: Data): Data {
  return { ...found, ...Object.fromEntries(names.map((name) => [name, live[name] ?? null])) };
}

/** The part about these settings. */
export function foundOf(found: Data, names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.includes(name)));
}
