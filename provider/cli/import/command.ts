import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "../../../drawing/format";
import { printableMessage } from "../../api/printable";
import { fromEnvironment, requireSetting, resolveSettings } from "../../api/settings";
import { pick } from "../../lifecycle/data";
import { describeScope, type Scope } from "../../lifecycle/scope";
import { Session } from "../../lifecycle/session";
import { reachesManagement } from "../shared/lists";
import { resourceTypes } from "../shared/resourceTypes";
import { type TypeName, typeNames } from "../shared/typeNames";
import { discover } from "./discover";
import { importFileOf } from "./importFile";
import { nameObjects } from "./names";
import { programOf } from "./program";

/** Options of `pipestack import`. */
export interface ImportCommandOptions {
  /** Folder of the two files. */
  readonly out: string;
  /** Service (uuid). Default: that of the environment. Not needed where the observability API serves all types. */
  readonly service?: string;
  /** Organization (uuid), likewise. */
  readonly organization?: string;
  /** Types of resources. Default: all, or Dashboard and Alert with the credentials of the observability API alone. */
  readonly only?: readonly TypeName[];
  /** Whether to overwrite files. */
  readonly force?: boolean;
}

/** Writes a program that declares what a service has, and the file with which `pulumi import` takes it over. */
export async function importService(options: ImportCommandOptions): Promise<void> {
  const files = { program: join(options.out, "index.ts"), importFile: join(options.out, "import.json") };
  const existing = Object.values(files).filter((path) => existsSync(path));
  if (existing.length > 0 && !options.force) {
    throw new Error(
      `${existing.join(" and ")} would be overwritten; name another folder by --out, or use --force`,
    );
  }

  const given = { organizationId: options.organization, serviceId: options.service };
  const settings = resolveSettings([(name) => given[name as keyof typeof given], fromEnvironment]);
  const say = (message: string) => console.error(printableMessage(message));
  const session = new Session(() => settings, { warn: (message) => say(`warning: ${message}`), info: say });
  const types = options.only ?? (reachesManagement(session) ? typeNames : typeNames.filter(isInStack));
  if (types.length < typeNames.length && !options.only)
    say(`note: only ${types.join(" and ")} are looked for: there are no keyId and keySecret for the others`);
  const place = scopeOf(types, session);
  const { objects, warnings } = await discover(session, place, types);
  for (const warning of warnings) say(`warning: ${warning}`);
  if (objects.length === 0) {
    console.log(`There is nothing to import on ${describeScope(place)}; nothing was written.`);
    return;
  }

  const named = nameObjects(objects);
  // With other settings than here, the program would look for the objects elsewhere.
  const placed = Object.entries(given).some(
    ([name, value]) => value !== undefined && value !== fromEnvironment(name as keyof typeof given)?.trim(),
  );
  await mkdir(options.out, { recursive: true });
  await writeFile(files.program, programOf(named, place, placed));
  await writeFile(files.importFile, importFileOf(named));

  const keys = named.filter(({ type }) => type === "ApiKey").length;
  const secrets =
    keys > 0
      ? "\nThe state of the API keys will have no secret: the service shows it only at creation.\n"
      : "";
  const next = `${files.program} declares ${counted(named.length, "resource")}; ${files.importFile} is for taking them over.
${secrets}
In the folder of a Pulumi project whose program is ${files.program} (Pulumi CLI 3.254 or newer):
  pulumi import --file ${files.importFile} --generate-code=false --protect=false --yes
  pulumi preview --refresh --expect-no-changes`;
  console.log(printableMessage(next));
}

/** Where the objects are: what the settings say, which they need not where the observability API serves all types. */
function scopeOf(types: readonly TypeName[], { settings, observabilityVia }: Session): Scope {
  if (observabilityVia === "observability" && types.every(isInStack)) {
    return pick({ ...settings }, ["organizationId", "serviceId"]);
  }
  return {
    organizationId: requireSetting(settings, "organizationId"),
    serviceId: requireSetting(settings, "serviceId"),
  };
}

function isInStack(type: TypeName): boolean {
  return resourceTypes[type].scope === "observability";
}
