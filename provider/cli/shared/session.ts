import { fromEnvironment, resolveSettings, type SettingSource } from "../../api/settings";
import { stackKey } from "../../hosts/dynamic/settingKeys";
import { Session } from "../../lifecycle/session";
import type { Stack } from "../engine/stack";
import { note, warn } from "./messages";

/** Settings that a command takes as options. */
export interface GivenSettings {
  readonly organizationId?: string;
  readonly serviceId?: string;
}

/** Where settings come from that no option gives: the environment, then the configuration of the stack, if there is one. */
export async function settingSources(stack: Stack | undefined): Promise<SettingSource[]> {
  const configuration = await stack?.configuration();
  return [fromEnvironment, (name) => configuration?.get(stackKey(name))];
}

/**
 * Opens the session of a command. Every command takes its settings from its options, then from the sources, then from the
 * defaults of the dialect.
 *
 * @throws SettingsError when a setting is invalid
 */
export function openSession(given: GivenSettings, sources: readonly SettingSource[]): Session {
  const settings = resolveSettings([(name) => given[name as keyof GivenSettings], ...sources]);
  return new Session(() => settings, { warn, info: note });
}
