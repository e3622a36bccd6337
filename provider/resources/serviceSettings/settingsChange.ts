import { type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type Data, isObject, pick } from "../../values/data";

/** The ClickHouse settings of a service that an update sets and unsets. */
export interface SettingsChange {
  readonly set: Data;
  readonly unset: readonly string[];
  readonly shown: Data;
}

export function settingsIn({ settings }: Data): Data {
  return isObject(settings) ? settings : {};
}

/** Whether two values of a setting are equal. Answers may show numbers as text. */
export function isSame(one: unknown, other: unknown): boolean {
  return String(one) === String(other);
}

/**
 * The change that makes the settings of a service equal the declared ones. Settings with the right value are not sent again,
 * since some restart the replicas. An answer may lag behind the last update, so a setting is also sent if the Pulumi state has
 * another value.
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
