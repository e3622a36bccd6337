import { counted } from "../../provider/values/wording";
import type { NamedObject } from "./names";
import { secretInputsIn } from "./program";
import { pathQuoted } from "./shell";

interface Written {
  /** The path of the generated file that Pulumi runs. */
  readonly program: string;
  /** The path of the file for `pulumi import`; undefined if the objects are new. */
  readonly importFile?: string;
  readonly host: "dynamic" | "plugin";
  /** The number of files of the generated program besides the one that Pulumi runs. */
  readonly besides: number;
  readonly advice: string;
}

export function nextSteps(
  objects: readonly NamedObject[],
  { program, importFile, host, besides, advice }: Written,
): string {
  const secrets = objects.some(({ type }) => type === "ApiKey")
    ? "\nThe state of the API keys will hold no secret: the service shows it only at creation.\n"
    : "";
  const settings = objects.flatMap(secretInputsIn).map(({ key }) => `  pulumi config set --secret ${key}\n`);
  const configuration =
    settings.length > 0
      ? `\nThe program reads secrets from the configuration of its stack. Set them first, as the service has them:\n${settings.join("")}`
      : "";
  const others = besides > 0 ? `, with ${counted(besides, "file")} beside it,` : "";
  const declared = `${program}${others} declares ${counted(objects.length, "resource")}`;
  const project = `use ${program} as the program of a Pulumi project and run in its folder`;
  const them = objects.length === 1 ? "it" : "them";
  if (importFile === undefined)
    return `${declared} to create.\n\nTo create ${them}, ${project}:\n  pulumi up`;
  const steps = `${declared}; ${importFile} imports them.
${secrets}${configuration}
To import them, ${project}${host === "plugin" ? "" : " (Pulumi CLI 3.254 or newer)"}:
  pulumi import --file ${pathQuoted(importFile)} --generate-code=false --protect=false --yes
  pulumi preview --refresh --expect-no-changes
${advice}`;
  return steps.trimEnd();
}
