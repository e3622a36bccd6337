import { SettingsError } from "../../api/errors";
import {
  fromEnvironment,
  hasKey,
  isUndecided,
  missingAccess,
  missingSettings,
  orTheOtherAlone,
  resolveSettings,
  type SettingSource,
} from "../../api/settings";
import { stackKey } from "../../hosts/names";
import { isServed } from "../../lifecycle/resource";
import { isWithoutScope, scopeNames } from "../../lifecycle/scope";
import { Session } from "../../lifecycle/session";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import type { Stack } from "../engine/stack";
import { note, warn } from "./output";

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

/** @throws SettingsError that names all settings which are missing to look at objects of these types */
export function requireSettingsFor(types: readonly TypeName[], session: Session): void {
  const { settings } = session;
  const isOpen = isUndecided(settings);
  const missing = types.flatMap((type) => {
    const { scope, operations } = resources[type];
    const names = isWithoutScope(scope, session) ? [] : scopeNames(scope);
    const looking = operations.list ?? operations.get;
    return [
      ...names.filter((name) => settings[name] === undefined),
      ...(looking ? missingAccess(settings, isOpen ? "management" : session.apiOf(looking)) : []),
    ];
  });
  if (missing.length === 0) return;
  throw new SettingsError(missingSettings([...new Set(missing)]) + (isOpen ? orTheOtherAlone : ""));
}

/** Types whose objects a program creates and deletes, those first that refer to others. */
export const deletableTypes = typeNames
  .filter((type) => resources[type].operations.delete !== undefined)
  .reverse();

/** Those of the types that the settings give access to: all, or those of the observability API. */
export function reachableTypes(types: readonly TypeName[], session: Session): readonly TypeName[] {
  const { observabilityVia, settings } = session;
  const served = types.filter((type) => isServed(resources[type], session));
  if (observabilityVia !== "observability" || hasKey(settings)) return served;
  return served.filter((type) => resources[type].scope === "observability");
}
