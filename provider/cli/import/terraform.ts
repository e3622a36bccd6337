import { resourceKey } from "../../lifecycle/resource";
import { resources, type TypeName } from "../../resources/registry";
import { annotationsOf, schemaAt } from "../../values/schema";
import { readState, type Tool } from "./terraformStates";
import { type Counterpart, replacementOf, snakeCase } from "./terraformTypes";

/** An object that Terraform manages, as an object of a type of this provider. */
export interface TerraformObject extends Counterpart {
  /** The name of the object in Terraform's configuration, after the names of its modules and before its key. */
  readonly name: string;
  /** Address in Terraform's state. */
  readonly address: string;
}

export interface TerraformState {
  readonly tool: Tool;
  readonly objects: readonly TerraformObject[];
  /** The addresses of the resources of the same product that this provider does not take over, by the reason. */
  readonly kept: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the state of Terraform, or of a Pulumi stack that bridges to Terraform's provider. Since states hold secrets in
 * plain text, only types, names, keys and ids leave this function.
 *
 * @throws Error that repeats nothing of the file
 */
export async function readTerraformState(path: string): Promise<TerraformState> {
  const { tool, instances } = await readState(path);
  const objects: TerraformObject[] = [];
  const kept = new Map<string, string[]>();
  for (const { type, address, name, values } of instances) {
    const replacement = replacementOf(type, values);
    if (typeof replacement === "string") kept.set(replacement, [...(kept.get(replacement) ?? []), address]);
    else for (const counterpart of replacement ?? []) objects.push({ ...counterpart, name, address });
  }
  return { tool, objects, kept };
}

/**
 * The advice for the end of the takeover: what to remove from the other tool's state, and what to ignore there.
 *
 * @param taken the objects that the program declares
 * @param all the objects of the state
 */
export function partingFrom(
  tool: Tool,
  taken: readonly TerraformObject[],
  all: readonly TerraformObject[],
): string {
  const keys = new Set(taken.map((object) => resourceKey(object, object.id)));
  const addresses = [...new Set(taken.map(({ address }) => address))];
  const isWhole = (address: string) => taken.some((object) => object.address === address && !object.isPart);
  const completed = all.filter((object) => object.isAddition && keys.has(resourceKey(object, object.id)));
  const whole = [...addresses.filter(isWhole), ...new Set(completed.map(({ address }) => address))];
  const services = addresses.filter((address) => !isWhole(address));
  const types = new Set(taken.filter(({ address }) => services.includes(address)).map(({ type }) => type));
  return (
    (whole.length > 0 ? removal[tool](whole) : "") +
    (services.length > 0 ? remainder[tool](services.join(", "), attributesOf(types)) : "")
  );
}

const removal: Record<Tool, (addresses: readonly string[]) => string> = {
  terraform: (addresses) => `
Once the preview shows no change, take them out of Terraform's state, which deletes nothing, and out of its configuration:
  terraform state rm${addresses.map((address) => ` \\\n    ${shellQuoted(address)}`).join("")}
`,
  // The engine refuses to forget a resource that another one depends on, and such resources are behind it in the state.
  pulumi: (addresses) => `
Once the preview shows no change, take them out of the state of the other stack, which deletes nothing, and only then out of its program:
${[...addresses]
  .reverse()
  .map((urn) => `  pulumi state delete ${shellQuoted(urn)} --yes\n`)
  .join("")}`,
};

const remainder: Record<Tool, (services: string, attributes: readonly string[]) => string> = {
  terraform: (services, attributes) => `
${services} stays in Terraform, and pipestack now manages a part of it. Add this to its block, so that Terraform ignores that part:
  lifecycle {
    ignore_changes = [
${attributes.map((name) => `      ${snakeCase(name)},\n`).join("")}    ]
  }
`,
  pulumi: (services, attributes) => `
${services} stays in the other stack, and pipestack now manages a part of it. Give it this option there:
  ignoreChanges: ${JSON.stringify(attributes)}
`,
};

/** The attributes of Terraform's service that these types manage, by our names. */
function attributesOf(types: ReadonlySet<TypeName>): string[] {
  const { inputs } = resources.ServiceScaling;
  const scaling = Object.keys(inputs.properties).filter(
    (name) => annotationsOf(schemaAt(inputs, name)).sent !== "never",
  );
  return [
    ...(types.has("ServiceScaling") ? scaling : []),
    ...(types.has("BackupConfiguration") ? ["backupConfiguration"] : []),
    ...(types.has("QueryEndpoint") ? ["queryApiEndpoints"] : []),
  ];
}

function shellQuoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
