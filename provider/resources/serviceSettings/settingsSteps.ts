import type { ServiceSettings } from "../../api/answers.golden";
import { isAttempted } from "../../lifecycle/attempts";
import { seenAfter } from "../../lifecycle/polling";
import type { Context } from "../../lifecycle/scope";
import type { Aim, At, Step } from "../../lifecycle/steps";
import { isObject, type MembersOf, type PropertyMap, pick } from "../../values/data";
import { joinPath } from "../../values/schema";
import { foundIn, isSame, settingsIn } from "./foundSettings";

/**
 * One request sets several settings, and each is unset by a request of its own. Settings with the right value are not sent again,
 * since some restart the replicas. An answer may lag behind the last update, so a setting is also sent if the Pulumi state has
 * another value.
 */
export function stepsOf({ declared, desired, live, state }: Aim): readonly Step[] {
  const [settings, shown, before] = [desired, live, state].map(settingsIn) as [
    PropertyMap,
    PropertyMap,
    PropertyMap,
  ];
  const found = foundIn(state);
  // A setting whose former value is known may be one that an update has set which failed, and which the state does not declare.
  const left = Object.keys({ ...before, ...found }).filter((name) => !(name in settings));
  const leaving = declared.onDestroy === "keep" ? [] : left;
  const restored = pick(found, leaving);
  const isNew = (name: string) => !(name in before) && name in settings;
  // The service may show a setting that an update has set which failed only later.
  const isThere = ([name, value]: [string, unknown]) =>
    isSame(shown[name], value) &&
    (isNew(name) || isSame(before[name], value)) &&
    !isAttempted(state, joinPath("settings", name));
  const set = Object.fromEntries(
    Object.entries({ ...settings, ...restored }).filter((entry) => !isThere(entry)),
  );
  const unset = leaving.filter((name) => !(name in restored));
  return [
    {
      operation: "updateServiceSettings",
      body: async () => (Object.keys(set).length > 0 ? { settings: set } : undefined),
      shown: warnOfAnswer,
    },
    ...unset.map((name) => ({
      ensure: (at: At) => at.call("deleteServiceSetting", undefined, { id: name }).then(() => undefined),
    })),
    { ensure: (at) => settled(set, unset, shown, at) },
  ];
}

function warnOfAnswer({ warnings }: PropertyMap, { id, context }: At): undefined {
  for (const { name, message } of Array.isArray(warnings) ? warnings.filter(isObject) : [])
    context.session.warnOnce(`settings of service ${id}: the service warns of ${name}: ${message}`);
}

/** Reads the settings until each changed one has its new value, or at least no longer its former one. */
async function settled(
  set: PropertyMap,
  unset: readonly string[],
  shown: PropertyMap,
  { id, context }: At,
): Promise<PropertyMap> {
  const names = [...Object.keys(set), ...unset];
  const look = () => readSettings(context);
  const isSettled = (live: PropertyMap) =>
    names.every((name) => !isSame(live[name], shown[name]) || isSame(live[name], set[name]));
  const live = await seenAfter(await look(), isSettled, look, context.session);
  const kept = unset.filter((name) => isSame(live[name], shown[name]) && name in live);
  if (kept.length > 0)
    context.session.warnOnce(
      `settings of service ${id}: the service still shows ${kept.join(", ")}, which were unset; run "pulumi refresh" to see whether that was carried out`,
    );
  return { settings: Object.entries(live).map(([name, value]) => ({ name, value })) };
}

/** The settings in an answer of the API, by their names. */
export function settingsOf({ settings }: MembersOf<ServiceSettings>): PropertyMap {
  const entries = Array.isArray(settings) ? settings.filter(isObject) : [];
  return Object.fromEntries(entries.map(({ name, value }) => [String(name), value]));
}

export async function readSettings({ session, scope }: Context): Promise<PropertyMap> {
  return settingsOf(await session.call("getServiceSettings", scope));
}
