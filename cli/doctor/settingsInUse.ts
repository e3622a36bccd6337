import { resolveSettings } from "../../provider/api/settings";
import { type SettingName, settingNames, settingSchema } from "../../provider/api/settingsSchema";
import type { NamedSource } from "../shared/session";

export interface SettingInUse {
  readonly name: SettingName;
  /** The value of a setting; null if no message may show it, or if it is missing. */
  readonly value: string | null;
  /** The source of a setting's value, such as an environment variable; null if the setting is missing. */
  readonly from: string | null;
}

/** Settings whose defaults `pipestack doctor` shows, since they decide where requests go. */
const shownDefaults: readonly SettingName[] = ["baseUrl", "obsBaseUrl", "dialect"];

/** The settings that are set, the defaults that decide where requests go, and the missing settings. */
export function settingsInUse(
  sources: readonly NamedSource[],
  missing: readonly SettingName[],
): readonly SettingInUse[] {
  const settings = resolveSettings(sources.map(({ get }) => get));
  return settingNames.flatMap((name): SettingInUse[] => {
    const source = sources.find(({ get }) => get(name)?.trim());
    const value = settingSchema(name).isShown === false ? null : String(settings[name]);
    if (source) return [{ name, value, from: source.nameOf(name) }];
    if (settings[name] !== undefined && shownDefaults.includes(name))
      return [{ name, value, from: name === "dialect" ? "default" : `default of ${settings.dialect}` }];
    return missing.includes(name) ? [{ name, value: null, from: null }] : [];
  });
}
