import { resourceKey } from "../../provider/lifecycle/run";
import { resources, type TypeName } from "../../provider/resources/registry";
import { annotationsOf, schemaAt } from "../../provider/values/schema";
import { shellQuoted } from "./shell";
import { readState, type Tool } from "./terraformStates";
import { type Counterpart, replacementOf, snakeCase } from "./terraformTypes";

/** An object that Terraform manages, with its type in this provider. */
export interface TerraformObject extends Counterpart {
  /**
   * The object's name in Terraform's configuration: the names of its modules, its own name, and its key, in this order. Absent if
   * that name only repeats the id.
   */
  readonly name?: string;
  readonly address: string;
  /** Whether the state of a Pulumi stack says that the object is protected. */
  readonly isProtected?: boolean;
}

export interface TerraformState {
  readonly tool: Tool;
  readonly objects: readonly TerraformObject[];
  /**
   * The addresses of the ClickHouse resources in Terraform's state that `pipestack import` does not take over, by the reason.
   */
  readonly kept: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a state of Terraform, of a Pulumi stack that bridges to Terraform's provider, or import blocks. States hold secrets in plain text, so
 * only types, names, keys and ids leave this function, and errors quote nothing from the file.
 */
export async function readTerraformState(path: string): Promise<TerraformState> {
  const { tool, instances } = await readState(path);
  const objects: TerraformObject[] = [];
  const kept = new Map<string, string[]>();
  for (const { type, address, name, isProtected, values } of instances) {
    const replacement = replacementOf(type, values);
    if (typeof replacement === "string") kept.set(replacement, [...(kept.get(replacement) ?? []), address]);
    else
      for (const counterpart of replacement ?? [])
        objects.push({
          ...{ ...counterpart, ...(name !== undefined && { name }), address },
          ...(isProtected && { isProtected }),
        });
  }
  return { tool, objects: withLinksAlone(objects), kept };
}

/** The objects, in which links of a source that the state does not manage are objects of their own, and add to nothing. */
function withLinksAlone(objects: readonly TerraformObject[]): readonly TerraformObject[] {
  const managed = new Set(
    objects.filter(({ isAddition }) => !isAddition).map((object) => resourceKey(object, object.id)),
  );
  return objects.map((object) => {
    const { isAddition, ...links } = object;
    const isAlone = isAddition && object.type === "Source" && !managed.has(resourceKey(object, object.id));
    return isAlone ? { ...links, type: "SourceLinks" as const } : object;
  });
}

/** The addresses of resources that only add to objects which are not among the imported ones. */
export function strayAdditions(
  all: readonly TerraformObject[],
  imported: readonly TerraformObject[],
): readonly string[] {
  const keys = new Set(imported.map((object) => resourceKey(object, object.id)));
  const stray = all.filter((object) => object.isAddition && !keys.has(resourceKey(object, object.id)));
  return [...new Set(stray.map(({ address }) => address))];
}

/** The advice after an import from another tool: what to remove from the tool's state, and what to ignore there. */
export function partingFrom(
  tool: Tool,
  taken: readonly TerraformObject[],
  all: readonly TerraformObject[],
): string {
  if (tool === "import blocks") return keepOut;
  const keys = new Set(taken.map((object) => resourceKey(object, object.id)));
  const addresses = [...new Set(taken.map(({ address }) => address))];
  const isWhole = (address: string) => taken.some((object) => object.address === address && !object.isPart);
  const completed = all.filter((object) => object.isAddition && keys.has(resourceKey(object, object.id)));
  const whole = [...addresses.filter(isWhole), ...new Set(completed.map(({ address }) => address))];
  const guarded = new Set(all.filter(({ isProtected }) => isProtected).map(({ address }) => address));
  const services = addresses.filter((address) => !isWhole(address));
  const types = new Set(taken.filter(({ address }) => services.includes(address)).map(({ type }) => type));
  return (
    (whole.length > 0 ? removal[tool](whole, guarded) : "") +
    (services.length > 0 ? remainder[tool](services.join(", "), attributesOf(types)) : "")
  );
}

const keepOut = `
Keep the import blocks out of Terraform's configuration: once it has applied them, two tools manage the objects. If it has done so
already, import from its state ("terraform state pull") instead.
`;

type Keeper = Exclude<Tool, "import blocks">;

const removal: Record<Keeper, (addresses: readonly string[], guarded: ReadonlySet<string>) => string> = {
  terraform: (addresses) => `
Once the preview shows no change, take them out of Terraform's state, which deletes nothing, and out of its configuration:
  terraform state rm${addresses.map((address) => ` \\\n    ${shellQuoted(address)}`).join("")}
`,
  // In a Pulumi state, dependents come after what they depend on, and have to be removed first: the order is reversed.
  pulumi: (addresses, guarded) => `
Once the preview shows no change, take them out of the state of the other stack, which deletes nothing, and only then out of its program:
${[...addresses]
  .reverse()
  .map((urn) => `  pulumi state delete ${shellQuoted(urn)} --yes${guarded.has(urn) ? " --force" : ""}\n`)
  .join("")}`,
};

const remainder: Record<Keeper, (services: string, attributes: readonly string[]) => string> = {
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

/**
 * The attributes of Terraform's `clickhouse_service` that resources of the given types manage, by the names that this provider
 * gives them.
 */
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
