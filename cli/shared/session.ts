import { SettingsError } from "../../provider/api/errors";
import {
  fromEnvironment,
  type GivenSettings,
  hasKey,
  isUndecided,
  missingAccess,
  missingSettings,
  orTheOtherAlone,
  resolveSettings,
  type SettingSource,
} from "../../provider/api/settings";
import { environmentVariable, type SettingName } from "../../provider/api/settingsSchema";
import { stackKey } from "../../provider/engine/names";
import { isServed } from "../../provider/lifecycle/definition";
import { neededScope, type ScopeName, scopeNames } from "../../provider/lifecycle/scope";
import { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import type { Stack } from "../engine/stack";
import { note, warn } from "./output";

/** The organization and service that the options of a CLI command name. */
export interface GivenPlace {
  readonly organization?: string;
  readonly service?: string;
}

/** A source of provider settings, such as the environment, with its name for users. */
export interface NamedSource {
  readonly get: SettingSource;
  nameOf(setting: SettingName): string;
}

/** The sources of settings for a CLI command: its options, then the environment, then the stack's configuration. */
export async function settingSourcesOf(
  stack: Stack | undefined,
  { organization, service }: GivenPlace,
): Promise<readonly [options: NamedSource, ...usual: NamedSource[]]> {
  const configuration = await stack?.configuration();
  const settings: GivenSettings = { organizationId: organization, serviceId: service };
  return [
    { get: (name) => settings[name], nameOf: (name) => `--${name.replace("Id", "")}` },
    { get: fromEnvironment, nameOf: environmentVariable },
    { get: (name) => configuration?.get(stackKey(name)), nameOf: () => "configuration of the stack" },
  ];
}

/**
 * Opens the session of a CLI command, with the settings that the command uses. `isElsewhere`: the command's options name
 * another organization or service than the environment and the stack's configuration.
 */
export async function openStackSession(
  stack: Stack | undefined,
  place: GivenPlace = {},
): Promise<{ session: Session; isElsewhere: boolean }> {
  const sources = await settingSourcesOf(stack, place);
  const [options, ...usualSources] = sources;
  const isElsewhere = scopeNames("service").some((name) => {
    const usual = usualSources.map(({ get }) => get(name)?.trim()).find(Boolean);
    return options.get(name) !== undefined && options.get(name) !== usual;
  });
  return { session: sessionFrom(sources), isElsewhere };
}

/**
 * Opens a session with the settings from the given sources, such as the environment; throws a SettingsError if a setting is
 * invalid.
 */
export function sessionFrom(sources: readonly NamedSource[]): Session {
  const settings = resolveSettings(
    sources.map(({ get }) => get),
    note,
  );
  return new Session(() => settings, { warn, info: note });
}

/**
 * Checks that the settings suffice for reading objects of the given types; a SettingsError names all missing settings.
 * @param known the ids of the scope (organization, service) that the objects themselves have
 */
export function requireSettingsFor(
  types: readonly TypeName[],
  session: Session,
  known: readonly ScopeName[] = [],
): void {
  const { settings } = session;
  const isOpen = isUndecided(settings);
  const places = types.flatMap((type) => {
    const names = neededScope(resources[type].scope, session);
    return names.filter((name) => settings[name] === undefined && !known.includes(name));
  });
  const access = types.flatMap((type) => {
    const { list, get } = resources[type].operations;
    const looking = list ?? get;
    return looking ? missingAccess(settings, isOpen ? "management" : session.apiOf(looking)) : [];
  });
  const missing = [...places, ...access];
  if (missing.length === 0) return;
  throw new SettingsError(missingSettings([...new Set(missing)]) + (isOpen ? orTheOtherAlone : ""));
}

/**
 * Whether objects of a type never count as orphans: an object whose inputs are its identity, such as the assignment of a role,
 * may have existed before the program.
 */
const isNoOrphan = (type: TypeName) =>
  resources[type].isNoOrphan === true || resources[type].idIn !== undefined;

/** Resource types that `pipestack orphans` can list. Types that refer to others come first. */
export const orphanTypes = typeNames
  .filter((type) => resources[type].operations.delete !== undefined && !isNoOrphan(type))
  .reverse();

/** The resource types that `pipestack orphans` lists by default: usually a program has made their objects. */
export const leftoverTypes = orphanTypes.filter((type) => resources[type].isNoOrphan === undefined);

/** The types to which the settings give access: all types of the server, or only those of the observability API. */
export function reachableTypes(types: readonly TypeName[], session: Session): readonly TypeName[] {
  const { observabilityVia, settings } = session;
  const served = types.filter((type) => isServed(resources[type], session));
  if (observabilityVia !== "observability" || hasKey(settings)) return served;
  return served.filter((type) => resources[type].scope === "observability");
}
