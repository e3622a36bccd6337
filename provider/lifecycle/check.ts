import { dialects } from "../api/dialect";
import { isOlder } from "../api/serverVersion";
import {
  forgottenCredentials,
  isUndecided,
  missingAccess,
  missingSettings,
  orTheOtherAlone,
} from "../api/settings";
import type { SettingName } from "../api/settingsSchema";
import { changes } from "../values/compare";
import { isObject, ownMember, type PropertyMap } from "../values/data";
import { beyondLimits, failuresWithin, membersSince, mistypedWords } from "../values/memberRules";
import { annotationsOf, partOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import {
  type Failure,
  isOfMissing,
  sentenceOf,
  validate,
  withLabels,
  withUnknownMissing,
} from "../values/validate";
import { plural } from "../values/wording";
import { withDefaultTags } from "./defaultTags";
import { type Definition, isServed } from "./definition";
import type { Checked } from "./life";
import { isWithoutScope, scopeNames } from "./scope";
import type { Session } from "./session";
import { declaredIn } from "./state";

/** Checks the inputs that a program declares. `olds` are those in the Pulumi state, empty for a new resource. */
export function check(resource: Definition, olds: PropertyMap, news: PropertyMap, session: Session): Checked {
  const declared = withoutMissing(resource.inputs, news, olds) as PropertyMap;
  const unreadable = unreadableSettings(session);
  const areReadable = unreadable.length === 0;
  const refusal = areReadable ? dialectFailure(resource, session) : undefined;
  if (refusal) return { inputs: declared, failures: [refusal], warnings: [] };
  const completed = resource.complete?.(declared);
  const named = completed?.inputs ?? declared;
  const inputs = areReadable ? withDefaultTags(resource.inputs, named, session.settings, olds) : named;
  const settings = areReadable ? settingFailures(resource, olds, inputs, session) : unreadable;
  const invalid = [...(completed?.failures ?? []), ...validate(resource.inputs, inputs)];
  const failures = [...settings, ...invalid];
  const declaredBefore = Object.keys(olds).length === 0 ? undefined : olds;
  // A missing property is like one that the preview does not know, so what is wrong with the others is said along with it.
  if (areReadable && invalid.every(isOfMissing)) {
    const known = withUnknownMissing(inputs, invalid);
    const unsupported = unsupportedMembers(resource.inputs, known, session);
    failures.push(...unsupported);
    if (unsupported.length === 0) failures.push(...ruleFailures(resource, known, declaredBefore, session));
  }
  if (failures.length === 0 && !isServed(resource, session))
    failures.push({
      path: "",
      message: unserved(resource),
    });
  if (failures.length > 0) return { inputs, failures: withLabels(failures, inputs), warnings: [] };
  return { inputs, failures, warnings: warningsOf(resource, inputs, declaredBefore, session) };
}

/** The message for objects that the API of the settings does not have. */
export function unserved({ noun }: Pick<Definition, "noun">): string {
  return `the management API has no ${plural(noun)}; for those of a self-hosted server, set obsBaseUrl and accessToken, and set observabilityVia to observability`;
}

/** The failure of a check if servers of the configured dialect do not have this type of resource. */
function dialectFailure({ noun, dialect }: Definition, session: Session): Failure | undefined {
  if (!dialect || dialect === session.settings.dialect) return undefined;
  return {
    path: "",
    message: `the API document has no ${plural(noun)} to declare: they need the setting dialect to be ${dialect}`,
  };
}

/** Checks inputs, and asks the server for its version if the program declares properties that only newer servers have. */
export async function checkWithServer(
  resource: Definition,
  olds: PropertyMap,
  news: PropertyMap,
  session: Session,
): Promise<Checked> {
  const checked = check(resource, olds, news, session);
  const { inputs } = checked;
  if (checked.failures.length > 0 || session.isOffline || isUnchanged(resource, olds, inputs)) return checked;
  const newer = membersSince(resource.inputs, inputs);
  const version = newer.length > 0 ? await session.serverVersion() : undefined;
  if (version === undefined) return checked;
  const failures = newer
    .filter(({ since }) => isOlder(version, since))
    .map(({ path, value, since }) => ({
      path,
      message: `${value === undefined ? "" : `${JSON.stringify(value)} `}needs ClickStack ${since} or newer; the server at ${session.settings.obsBaseUrl} has ${version}`,
    }));
  return { ...checked, failures: withLabels(failures, inputs) };
}

/** Checks rules across valid inputs of a resource. `olds` are the inputs in the Pulumi state, absent for a new resource. */
export function ruleFailures(
  resource: Definition,
  inputs: PropertyMap,
  olds: PropertyMap | undefined,
  session: Session,
): Failure[] {
  const { namedBy } = resource;
  const failures = [
    // The provider fills in the resource's name before this check, so only now is a missing name a failure.
    ...(namedBy && (inputs as PropertyMap)[namedBy] === undefined
      ? [{ path: namedBy, message: "is required" }]
      : []),
    ...(resource.failures?.(inputs, olds, session.settings) ?? []),
  ];
  if (!dialects[session.settings.dialect].enforcesLimits) return failures;
  const beyond = beyondLimits(resource.inputs, inputs, "");
  return [...failures, ...beyond.filter(({ path }) => !failures.some((failure) => failure.path === path))];
}

/** The inputs that the declared ones require and that are missing, such as the tile of an alert that watches a tile. */
export function missingInputs(resource: Definition, inputs: PropertyMap, session: Session): string[] {
  const present = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
  const invalid = validate(resource.inputs, present);
  const failures = invalid.length > 0 ? invalid : ruleFailures(resource, present, present, session);
  const names = Object.keys(resource.inputs.properties);
  return failures.map(({ path }) => path).filter((path) => names.includes(path) && !(path in present));
}

function warningsOf(
  resource: Definition,
  inputs: PropertyMap,
  olds: PropertyMap | undefined,
  session: Session,
): string[] {
  const deprecated = Object.entries(resource.inputs.properties).flatMap(([name, schema]) => {
    const { deprecated: reasons } = annotationsOf(schema);
    const reason = typeof reasons === "string" ? reasons : reasons?.[session.settings.dialect];
    return reason && inputs[name] !== undefined ? [`${resource.type}: ${name} is deprecated: ${reason}`] : [];
  });
  const mistyped = withLabels(mistypedWords(resource.inputs, inputs), inputs);
  const forgotten = resource.scope === "observability" ? forgottenCredentials(session.settings) : undefined;
  return [
    ...(forgotten ? [forgotten] : []),
    ...deprecated,
    ...mistyped.map((failure) => `${resource.type}: ${sentenceOf(failure)}`),
    ...(resource.warnings?.(inputs, session.settings, olds) ?? []),
  ];
}

/** Gives an API object the name of its Pulumi resource, if the program declares no name. */
export function withDefaultName<Arguments extends object>(
  { namedBy }: Pick<Definition, "namedBy">,
  resourceName: string,
  args: Arguments,
): Arguments {
  const inputs = args as PropertyMap | undefined;
  return namedBy === undefined || (inputs?.[namedBy] ?? undefined) !== undefined
    ? args
    : { ...args, [namedBy]: resourceName };
}

/**
 * Removes the nulls that a refresh wrote into inputs that the API does not show, since the resource option `ignoreChanges`
 * passes them on to the next check. A null that the schema allows stays.
 */
function withoutMissing(schema: TSchema, inputs: unknown, before: unknown): unknown {
  if (Array.isArray(inputs) && Array.isArray(before))
    return inputs.map((entry, index) => withoutMissing(schemaAt(schema, index), entry, before[index]));
  if (!isObject(inputs) || !isObject(before)) return inputs;
  const members = Object.entries(inputs).filter(
    ([name, value]) =>
      value !== null || ownMember(before, name) !== null || schemaAt(schema, name).type === undefined,
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      withoutMissing(schemaAt(schema, name), value, ownMember(before, name)),
    ]),
  );
}

/**
 * Fills in a resource's organization and service from the settings, and reports all wrong and missing settings at once. An object on
 * a server without services gets none: its state then tells that it is not in the cloud.
 */
function settingFailures(
  resource: Definition,
  olds: PropertyMap,
  inputs: Record<string, unknown>,
  session: Session,
): Failure[] {
  const { scope } = resource;
  const missing: SettingName[] = [];
  for (const name of scopeNames(scope)) {
    if (inputs[name] !== undefined && inputs[name] !== null) continue;
    delete inputs[name];
    const isNeeded = !isWithoutScope(scope, session);
    const id = isNeeded ? session.settings[name] : olds[name];
    if (id !== undefined) inputs[name] = id;
    else if (isNeeded) missing.push(name);
  }
  const { names, advice = "" } = missingAccessTo(resource, session);
  // An unchanged resource needs no request, and a preview that only draws dashboards sends none, so neither needs
  // credentials.
  const isCalled = names.length > 0 && !session.isOffline && !isUnchanged(resource, olds, inputs);
  if (isCalled) missing.push(...names);
  if (missing.length === 0) return [];
  return [{ path: "", message: missingSettings(missing) + (isCalled ? advice : "") }];
}

/** The failure of a check whose settings are invalid: without them, nothing is known of the server. */
function unreadableSettings(session: Session): Failure[] {
  try {
    void session.settings;
    return [];
  } catch (error) {
    return [{ path: "", message: (error as Error).message }];
  }
}

/** The missing settings without which no request can create or update an object of this type of resource. */
function missingAccessTo(
  resource: Definition,
  session: Session,
): { readonly names: readonly SettingName[]; readonly advice?: string } {
  // Another failure of this check names the settings that the type of resource needs, so the check does not report them twice.
  if (!isServed(resource, session)) return { names: [] };
  const { scope, operations } = resource;
  const { settings } = session;
  if (scope === "observability" && isUndecided(settings))
    return { names: missingAccess(settings, "management"), advice: orTheOtherAlone };
  const apis = new Set([operations.create, operations.update].map((name) => session.apiOf(name)));
  return { names: [...apis].flatMap((api) => missingAccess(settings, api)) };
}

/** Whether the declared inputs equal those in the Pulumi state (`olds`), which are empty for a new resource. */
export function isUnchanged(resource: Definition, olds: PropertyMap, inputs: PropertyMap): boolean {
  if (Object.keys(olds).length === 0) return false;
  return changes(resource.inputs, declaredIn(resource, olds), inputs).length === 0;
}

/** The failures of declared properties, at any depth, that only servers of another dialect have, or that the server drops. */
export function unsupportedMembers(schema: TSchema, value: unknown, session: Session): Failure[] {
  return failuresWithin(schema, value, (memberSchema, _member, path) => {
    const missing = missingSetting(memberSchema, session);
    return missing ? [{ path, message: missing }] : [];
  });
}

/** The part of an object that a program can declare under the current settings, without unsupported properties at any depth. */
export function supportedPart(schema: TSchema, data: PropertyMap, session: Session): PropertyMap {
  return partOf(schema, data, (member) => !missingSetting(member, session)) as PropertyMap;
}

function missingSetting(schema: TSchema, { settings, observabilityVia }: Session): string | undefined {
  const { dialect, droppedBy } = annotationsOf(schema);
  if (dialect && dialect !== settings.dialect) return `needs the setting dialect to be ${dialect}`;
  return droppedBy === observabilityVia
    ? "would be dropped by the server; it needs ClickHouse Cloud, with the setting observabilityVia: management"
    : undefined;
}
