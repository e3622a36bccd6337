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
  const { settings: found } = foundIn(state);
  const left = Object.keys(before).filter((name) => !(name in desired));
  const leaving = declared.onDestroy === "keep" ? [] : left;
  const isThere = ([name, value]: [string, unknown]) =>
    isSame(shown[name], value) && isSame(before[name] ?? value, value);
  const wanted = { ...desired, ...pick(found, leaving) };
  return {
    set: Object.fromEntries(Object.entries(wanted).filter((entry) => !isThere(entry))),
    unset: leaving.filter((name) => !(name in found)),
    shown,
  };
}

/** What was found of settings before the program declared them. */
interface Found {
  /** The values of those that were set. */
  readonly settings: Data;
  /** The names of the others. */
  readonly unset: readonly string[];
}

export function foundIn(state: State): Found {
  const { settings = {}, unset = [] } = (trackingOf(state).previous ?? {}) as Partial<Found>;
  return { settings, unset };
}

/** A state that knows what was found of settings. */
export function withFound(state: State, found: Found): State {
  return withTracking(state, { ...trackingOf(state), previous: found as unknown as Data });
}

/** What was found so far, and what a look shows of settings that the program declares now. */
export function alsoFound({ settings, unset }: Found, names: readonly string[], live: Data): Found {
  return {
    settings: { ...settings, ...pick(live, names) },
    unset: [...unset, ...names.filter((name) => !(name in live))],
  };
}

/** The part about these settings. */
export function foundOf({ settings, unset }: Found, names: readonly string[]): Found {
  return { settings: pick(settings, names), unset: unset.filter((name) => names.includes(name)) };
}
