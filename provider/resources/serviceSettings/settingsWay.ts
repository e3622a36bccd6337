import type { Way } from "../../lifecycle/definition";
import { seenAfter } from "../../lifecycle/polling";
import { ChangedInPart } from "../../lifecycle/resource";
import type { Context } from "../../lifecycle/scope";
import { isSeen } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";
import { isSame, type SettingsChange, settingsIn } from "./settingsChange";

/** One request reads all settings of a service, one sets several, and each is unset by a request of its own. */
export function wayOfSettings(usual: Way): Way {
  return {
    ...usual,

    async look(moment, id, state, context) {
      const observed = await usual.look(moment, id, state, context);
      // If a service has no ClickHouse setting of its own, there is nothing to import.
      const isNothing = moment === "read" && Object.keys(settingsIn(state)).length === 0;
      return isNothing && isSeen(observed) && Object.keys(settingsOf(observed)).length === 0
        ? "gone"
        : observed;
    },

    send: (id, body, context) => change(id, body as unknown as SettingsChange, context),
  };
}

export function settingsOf({ settings }: Data): Data {
  const entries = Array.isArray(settings) ? settings.filter(isObject) : [];
  return Object.fromEntries(entries.map(({ name, value }) => [String(name), value]));
}

export async function readSettings({ session, scope }: Context): Promise<Data> {
  return settingsOf((await session.call("getServiceSettings", scope)) as Data);
}

async function change(id: string, change: SettingsChange, context: Context): Promise<Data> {
  const { set: settings, unset } = change;
  const { session, scope } = context;
  let isBegun = false;
  try {
    if (Object.keys(settings).length > 0) {
      const answer = (await session.call("updateServiceSettings", scope, { settings })) as Data;
      isBegun = true;
      for (const { name, message } of warningsIn(answer))
        session.warnOnce(`settings of service ${id}: the service warns of ${name}: ${message}`);
    }
    for (const name of unset) {
      await session.call("deleteServiceSetting", { ...scope, id: name });
      isBegun = true;
    }
    const live = await settled(change, context);
    const kept = unset.filter((name) => isSame(live[name], change.shown[name]) && name in live);
    if (kept.length > 0)
      session.warnOnce(
        `settings of service ${id}: the service still shows ${kept.join(", ")}, which were unset; run "pulumi refresh" to see whether that was carried out`,
      );
    return { settings: Object.entries(live).map(([name, value]) => ({ name, value })) };
  } catch (error) {
    throw isBegun ? new ChangedInPart(error as Error) : error;
  }
}

function warningsIn({ warnings }: Data): readonly Data[] {
  return Array.isArray(warnings) ? warnings.filter(isObject) : [];
}

/**
 * Reads the ClickHouse settings of a service until each changed setting has its new value, or at least no longer its former
 * one.
 */
async function settled({ set, unset, shown }: SettingsChange, context: Context): Promise<Data> {
  const names = [...Object.keys(set), ...unset];
  const look = () => readSettings(context);
  const isSettled = (live: Data) =>
    names.every((name) => !isSame(live[name], shown[name]) || isSame(live[name], set[name]));
  return seenAfter(await look(), isSettled, look, context.session);
}
