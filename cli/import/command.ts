import { join } from "node:path";
import { hasKey } from "../../provider/api/settings";
import { nameIn, nodePackage, tokenPrefix, typeOfToken, typeToken } from "../../provider/engine/names";
import { importIdOf } from "../../provider/lifecycle/read";
import { knownId, resourceKey } from "../../provider/lifecycle/run";
import {
  defaultScope,
  describeScope,
  neededScope,
  type Scope,
  type ScopeName,
  scopeNames,
} from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName, typeNames } from "../../provider/resources/registry";
import type { PropertyMap } from "../../provider/values/data";
import { printable, printableLine } from "../../provider/values/printable";
import { firstOf } from "../../provider/values/wording";
import { Stack, type StateResource } from "../engine/stack";
import { withEntries } from "../shared/entries";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { checkOutput, writeOutput } from "../shared/outputFiles";
import { stateForImport } from "../shared/secrets";
import { openStackSession, reachableTypes, requireSettingsFor } from "../shared/session";
import { discoverAll, discoverOne, examineKnown, type FoundObject } from "./discover";
import { readJsonFiles } from "./jsonFiles";
import { declarationsOf } from "./jsonObjects";
import { type Lookup, lookupsByName, lookupsFor } from "./lookups";
import { type NamedObject, nameLookups, nameObjects, variablesOfProgram } from "./names";
import { nextSteps } from "./nextSteps";
import { programOf } from "./program";
import { python } from "./python";
import { partingFrom, readTerraformState, strayAdditions, type TerraformObject } from "./terraform";
import { typescript } from "./typescript";

export interface ImportCommandOptions {
  readonly stack?: string;
  readonly cwd: string;
  readonly out: string;
  readonly service?: string;
  readonly organization?: string;
  readonly only?: readonly TypeName[];
  readonly plugin?: "typescript" | "python";
  /** A Terraform state file, or a file of import blocks, whose objects `pipestack import` imports. */
  readonly terraform?: string;
  /** JSON files with dashboards and alerts, which a program declares as new objects. */
  readonly json?: readonly string[];
  readonly force?: boolean;
}

const importFileName = "import.json";

/** Maximum number of resources that the warning about objects of the stack names. */
const mostNamed = 5;

/** Runs `pipestack import`: writes a program that declares a service's objects, and the file for `pulumi import`. */
export async function importService(options: ImportCommandOptions): Promise<ExitCode> {
  const language =
    options.plugin === "python" ? python : typescript(options.plugin ? nodePackage : "pipestack");
  const output = {
    folder: options.out,
    mayReplace: () => options.force === true,
    advice: "choose another folder with --out, or add --force",
  };
  const { json } = options;
  await checkOutput(output, [language.file, ...(json ? [] : [importFileName])]);

  const stack = new Stack(options.cwd, options.stack);
  const { session, isElsewhere } = await openStackSession(stack, options);
  const { objects, origin, scope, advice, ...others } = await (json
    ? objectsOfFiles(json, session, options)
    : options.terraform === undefined
      ? objectsOfService(session, options)
      : objectsOfTerraform(options.terraform, session, options));
  if (objects.length === 0) {
    console.log(printable(`Nothing to import from ${origin}; no files were written.`));
    return exitCodes.done;
  }

  if (!json) warnOfHeld(objects, await stack.resourcesIfAny());
  const variables = variablesOfProgram();
  const named = nameObjects(objects, variables);
  const lookups = nameLookups(others.lookups ?? (await lookupsFor(objects, scope, session)), variables);
  const files = programOf(
    { objects: named, lookups, ...(json && { owner: printableLine(origin) }) },
    scope,
    isElsewhere,
    language,
  );
  const isInOtherPlace = ({ serviceId }: PropertyMap) =>
    isElsewhere ||
    scope.serviceId === undefined ||
    (serviceId !== undefined && serviceId !== scope.serviceId);
  const importFile = json ? [] : [importFileOf(named, options.plugin ? "plugin" : "dynamic", isInOtherPlace)];
  await writeOutput(
    output,
    new Map([...files, ...importFile.map((text) => [importFileName, text] as const)]),
  );
  const paths = {
    program: join(options.out, language.file),
    ...(json ? {} : { importFile: join(options.out, importFileName) }),
  };
  const host = options.plugin ? "plugin" : "dynamic";
  console.log(printable(nextSteps(named, { ...paths, host, besides: files.size - 1, advice })));
  return exitCodes.done;
}

/**
 * Warns of objects that the stack has already. Pulumi's import asks no dynamic provider, so nothing else would say that each of
 * two resources overwrites what the other one declares.
 */
function warnOfHeld(objects: readonly FoundObject[], ofStack: readonly StateResource[]): void {
  const keyOf = (type: TypeName, id: string, values: PropertyMap = {}) =>
    resourceKey({ type }, knownId(resources[type], id, values));
  const names = new Map(
    withEntries(ofStack).flatMap(({ type: token, id, urn, inputs, delete: isGoing, external }) => {
      const type = typeOfToken(token);
      return type && id && !isGoing && !external ? [[keyOf(type, id, inputs), `${type} ${nameIn(urn)}`]] : [];
    }),
  );
  const held = objects.flatMap(({ type, id, declared }) => names.get(keyOf(type, id, declared)) ?? []);
  if (held.length > 0)
    warn(
      `the stack has ${held.length} of these objects already: ${firstOf(held, mostNamed)}. Take them out of both files, or out of its state: an import makes a second resource of each, and the two overwrite each other`,
    );
}

/** The objects that the generated program will declare, with their organization and service. */
interface Imported {
  readonly objects: readonly FoundObject[];
  readonly origin: string;
  readonly scope: Scope;
  readonly advice: string;
  /** The lookups of the program (calls such as `getSource`), if the objects refer to others by names instead of ids. */
  readonly lookups?: readonly Lookup[];
}

async function objectsOfService(session: Session, { only }: ImportCommandOptions): Promise<Imported> {
  const types = only ?? reachableTypes(typeNames, session);
  if (areOnServer(types) && !only)
    note(`note: importing only ${types.join(", ")}: the other types require keyId and keySecret`);
  const isWhole = isOfOrganization(types, session);
  requireSettingsFor(
    isWhole ? types.filter((type) => resources[type].scope === "organization") : types,
    session,
  );
  const scope = isWhole ? { organizationId: session.settings.organizationId } : scopeFor(types, session);
  const { objects, warnings, notes } = await (isWhole ? discoverAll : discoverOne)(session, scope, types);
  for (const warning of warnings) warn(warning);
  for (const text of notes) note(`note: ${text}`);
  return { objects, origin: describeScope(scope), scope, advice: "" };
}

/** Whether the settings name an organization of ClickHouse Cloud without a service: then all services are imported. */
function isOfOrganization(types: readonly TypeName[], { settings }: Session): boolean {
  const { dialect, organizationId, serviceId } = settings;
  const isNamed = organizationId !== undefined && serviceId === undefined;
  return dialect === "clickhouse" && isNamed && hasKey(settings) && !areOnServer(types);
}

async function objectsOfTerraform(
  path: string,
  session: Session,
  { only = typeNames }: ImportCommandOptions,
): Promise<Imported> {
  const { tool, objects: all, kept } = await readTerraformState(path);
  const noteKept = (addresses: readonly string[], reason: string) =>
    note(
      `note: ${tool === "pulumi" ? "the other stack" : "Terraform"} keeps ${addresses.join(", ")}: ${reason}`,
    );
  for (const [reason, addresses] of kept) noteKept(addresses, reason);
  const reachable = reachableTypes(only, session);
  // `Service` declares the scaling of a whole service, too, so `ServiceScaling` is left out.
  const isWanted = ({ type, isAddition }: TerraformObject) =>
    only.includes(type) && !isAddition && !(type === "ServiceScaling" && reachable.includes("Service"));
  const wanted = all.filter(isWanted);
  const accessible = wanted.filter(({ type }) => reachable.includes(type));
  const isPartAlone = ({ type }: TerraformObject) =>
    type === "Service" && reachable.includes("ServiceScaling");
  for (const object of wanted.filter((object) => !accessible.includes(object) && !isPartAlone(object)))
    warn(`${object.address}: skipped, because the settings give no access to objects of its type`);
  const types = typeNames.filter((type) => accessible.some((object) => object.type === type));
  const place = placeIn(accessible, session);
  requireSettingsFor(types, session, place);
  const scope = scopeFor(types, session, place);
  const { objects, warnings } = await examineKnown<TerraformObject>(session, scope, accessible);
  for (const warning of warnings) warn(warning);
  const stray = strayAdditions(
    all.filter(({ type }) => only.includes(type)),
    objects,
  );
  if (stray.length > 0) noteKept(stray, "the objects to which they add are not imported");
  return { objects, origin: path, scope, advice: partingFrom(tool, objects, all) };
}

/**
 * The objects that JSON files describe, which exist in no service. The service is only asked for the names of objects to which
 * they refer, and may be unreachable.
 */
async function objectsOfFiles(
  paths: readonly string[],
  session: Session,
  { only = typeNames, organization, service }: ImportCommandOptions,
): Promise<Imported> {
  const wanted = (await readJsonFiles(paths)).filter(({ type }) => only.includes(type));
  const given = { organizationId: organization, serviceId: service };
  const isGiven = Object.values(given).some((id) => id !== undefined);
  const scope = isGiven ? scopeFor(["Dashboard"], session) : {};
  const { objects: named, warnings } = declarationsOf(wanted, scope, session);
  const { objects, lookups, missing } = await lookupsByName(named, scope, session);
  for (const warning of warnings) warn(warning);
  for (const what of missing)
    warn(`the service has no ${what}, to which imported objects refer; name another one in the program`);
  return { objects, origin: firstOf(paths, 3), scope, advice: "", lookups };
}

/**
 * Lists `serviceId` if the state of Terraform (or of the other Pulumi stack) has the service of each object, which the program
 * then names. If the list is empty, all objects belong to the service of the settings.
 */
function placeIn(objects: readonly TerraformObject[], session: Session): readonly ScopeName[] {
  const { settings } = session;
  const ofServices = objects.filter(({ type }) =>
    neededScope(resources[type].scope, session).includes("serviceId"),
  );
  const isUseful = settings.serviceId === undefined || objects.some(({ type }) => type === "Service");
  return isUseful && ofServices.every(({ serviceId }) => serviceId !== undefined) ? ["serviceId"] : [];
}

/**
 * The organization and service of the imported objects, from the settings. A self-hosted server has neither.
 * @param known which of the two ids the objects themselves have
 */
function scopeFor(types: readonly TypeName[], session: Session, known: readonly ScopeName[] = []): Scope {
  const kind = areOnServer(types) ? "observability" : "service";
  const names = scopeNames(kind).filter((name) => !known.includes(name));
  const ids = names.map((name) => [name, defaultScope(kind, name, session)] as const);
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined));
}

/** Whether a self-hosted server of HyperDX has objects of all the given resource types. */
function areOnServer(types: readonly TypeName[]): boolean {
  return types.every((type) => resources[type].scope === "observability");
}

/**
 * The file for `pulumi import --file`. For Pulumi's dynamic provider it contains inputs and outputs, since the engine cannot
 * import through it; for the plugin it only contains the type, name and id of each object.
 */
function importFileOf(
  objects: readonly NamedObject[],
  host: "dynamic" | "plugin",
  isElsewhere: (inputs: PropertyMap) => boolean,
): string {
  const imported = objects.map(({ type, name, id, declared: inputs, state: outputs }) =>
    host === "plugin"
      ? {
          type: tokenPrefix + type,
          name,
          id: isElsewhere(inputs) ? importIdOf(resources[type], id, inputs) : id,
        }
      : { type: typeToken(type), name, id, ...stateForImport({ type, inputs, outputs, host }) },
  );
  return `${printable(JSON.stringify({ resources: imported }, null, 2))}\n`;
}
