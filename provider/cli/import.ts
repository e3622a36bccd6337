import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fromEnvironment, requireSetting, resolveSettings } from "../api/settings";
import { Session } from "../lifecycle/session";
import { counted } from "./counted";
import { discover } from "./import/discover";
import { importFileOf } from "./import/importFile";
import { nameObjects } from "./import/names";
import { programOf } from "./import/program";
import { type TypeName, typeNames } from "./typeNames";

/** Options of `pipestack import`. */
export interface ImportCommandOptions {
  /** Folder of the two files. */
  readonly out: string;
  /** Service (uuid). Default: that of the environment. */
  readonly service?: string;
  /** Organization (uuid). Default: that of the environment. */
  readonly organization?: string;
  /** Types of resources. Default: all. */
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
  const place = {
    organizationId: requireSetting(settings, "organizationId"),
    serviceId: requireSetting(settings, "serviceId"),
  };
  const say = (message: string) => console.error(message);
  const session = new Session(() => settings, { warn: (message) => say(`warning: ${message}`), info: say });
  const { objects, warnings } = await discover(session, place, options.only ?? typeNames);
  for (const warning of warnings) say(`warning: ${warning}`);
  if (objects.length === 0) {
    console.log(`Service ${place.serviceId} has nothing to import; nothing was written.`);
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
  console.log(`${files.program} declares ${counted(named.length, "resource")}; ${files.importFile} is for taking them over.
${secrets}
In the folder of a Pulumi project whose program is ${files.program} (Pulumi CLI 3.254 or newer):
  pulumi import --file ${files.importFile} --generate-code=false --protect=false --yes
  pulumi preview --refresh --expect-no-changes`);
}
