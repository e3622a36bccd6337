import { resolveSettings } from "../../api/settings";
import { type SettingName, settingNames, settingSchema } from "../../api/settingsSchema";
import type { NamedSource } from "../shared/session";

/** A setting in use, and the source of its value. */
export interface SettingInUse {
  readonly name: SettingName;
  /** Null where no message may show it, and for a missing one. */
  readonly value: string | null;
  /** Null for a missing one. */
  readonly from: string | null;
}

/** Defaults that follow from the dialect, or without which the rest cannot be understood. */
const shownDefaults: readonly SettingName[] = ["baseUrl", "obsBaseUrl", "dialect"];

/** The settings that are given, the defaults that say where requests go, and those that are missing. */
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
