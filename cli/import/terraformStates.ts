import { nameIn } from "../../provider/engine/names";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { textOfFile } from "../shared/textFile";
import { type ImportBlock, importBlocksIn } from "./importBlocks";
import { snakeCase } from "./terraformTypes";

/**
 * The tool that keeps a state file: Terraform or OpenTofu, or Pulumi with a bridge to Terraform's provider. Import blocks are in a
 * configuration of Terraform, which need not have a state yet.
 */
export type Tool = "terraform" | "pulumi" | "import blocks";

/** One resource in a Terraform or Pulumi state, or in an import block, in a form common to all formats. */
export interface Instance {
  /** The resource's type in Terraform, such as `clickhouse_service`. */
  readonly type: string;
  /** The resource's address in the state (a URN in Pulumi). */
  readonly address: string;
  /**
   * A name for the resource: the names of its Terraform modules, its own name, and its key, in this order. Absent if its own name
   * only repeats its id.
   */
  readonly name?: string;
  /** Whether Pulumi's option `protect` keeps the resource in the state unless a command has the option `--force`. */
  readonly isProtected?: boolean;
  /** The resource's attributes, by Terraform's names. They hold secrets in plain text. */
  readonly values: PropertyMap;
}

/**
 * Reads a state of Terraform or OpenTofu (a file of version 4, or the output of `terraform show -json`), or of a Pulumi stack
 * (the output of `pulumi stack export`), or the import blocks of a Terraform configuration.
 * @throws Error whose message quotes nothing from the file, which may hold secrets
 */
export async function readState(path: string): Promise<{ tool: Tool; instances: readonly Instance[] }> {
  const text = await textOfFile(path);
  const blocks = importBlocksIn(text);
  if (blocks.length > 0) return { tool: "import blocks", instances: blocks.flatMap(inBlock) };
  const state = parsed(text, path);
  if (state.version === 4)
    return { tool: "terraform", instances: objectsIn(state.resources).flatMap(inStateFile) };
  if (typeof state.format_version === "string" && !("planned_values" in state))
    return { tool: "terraform", instances: isObject(state.values) ? inModule(state.values.root_module) : [] };
  if (isObject(state.deployment))
    return { tool: "pulumi", instances: objectsIn(state.deployment.resources).flatMap(inStack) };
  throw new Error(
    `${path} is neither a state of Terraform in version 4 nor the output of "terraform show -json" or "pulumi stack export"; "terraform state pull" prints such a state`,
  );
}

function parsed(text: string, path: string): PropertyMap {
  try {
    const state: unknown = JSON.parse(text);
    if (isObject(state)) return state;
  } catch {
    // The message of the JSON parser would quote the file, which may hold secrets, so it is replaced.
  }
  throw new Error(
    `${path} is not JSON of Terraform, and has no import blocks; "terraform state pull" prints a state`,
  );
}

function inStateFile({ mode, type, module, name, instances }: PropertyMap): Instance[] {
  if (mode !== "managed") return [];
  return objectsIn(instances).flatMap((instance) =>
    instanceOf(instance.deposed, {
      type,
      module,
      name,
      key: instance.index_key,
      values: instance.attributes,
    }),
  );
}

function inModule(module: unknown): Instance[] {
  if (!isObject(module)) return [];
  const managed = objectsIn(module.resources).filter(({ mode }) => mode === "managed");
  return [
    ...managed.flatMap(({ type, name, index, values, deposed_key }) =>
      instanceOf(deposed_key, { type, module: module.address, name, key: index, values }),
    ),
    ...objectsIn(module.child_modules).flatMap(inModule),
  ];
}

/** Reads a resource of a Terraform state, unless it is `deposed`: Terraform is about to delete it. */
function instanceOf(
  deposed: unknown,
  { type, module: path, name, key: index, values }: PropertyMap,
): Instance[] {
  if (deposed !== undefined || typeof type !== "string" || typeof name !== "string") return [];
  const module = typeof path === "string" ? path : "";
  const key = typeof index === "string" || typeof index === "number" ? [index] : [];
  return [
    {
      type,
      address: `${module && `${module}.`}${type}.${name}${key.map(keyInAddress).join("")}`,
      name: [...namesIn(module), name, ...key].join("-"),
      values: isObject(values) ? values : {},
    },
  ];
}

/**
 * Reads an import block. The id of an object of ClickStack may begin with that of its team, which the credentials determine here.
 * HyperDX's page exports names such as `alert_65f1c0a2b3d4e5f607182941`, since objects may be renamed.
 */
function inBlock({ to, id: importId }: ImportBlock): Instance[] {
  const [, path = "", type, name, key, index] =
    /^((?:module\.[\w-]+(?:\[[^\]]*\])?\.)*)(\w+)\.([\w-]+)(?:\[(?:"((?:\\.|[^"\\])*)"|(\d+)|.*)\])?$/.exec(
      to,
    ) ?? [];
  if (type === undefined || name === undefined) return [];
  const id = importId?.slice(importId.lastIndexOf("/") + 1);
  const isOfId = id !== undefined && `${type}_${id.toLowerCase()}`.endsWith(`_${name}`);
  const names = [...namesIn(path), name, key ?? index ?? []].flat();
  return [{ type, address: to, ...(!isOfId && { name: names.join("-") }), values: { id } }];
}

/** A resource's key in Terraform's form for addresses: a template, in which `$` and `%` before a brace are doubled. */
function keyInAddress(key: string | number): string {
  return `[${JSON.stringify(key).replace(/[$%](?={)/g, "$&$&")}]`;
}

/** The names in the address of a Terraform module: `module.alerts["eu"].module.queries` has `alerts`, `eu` and `queries`. */
function namesIn(module: string): string[] {
  return [...module.matchAll(/module\.([\w-]+)(?:\[(?:"((?:\\.|[^"\\])*)"|(\d+))\])?/g)].flatMap(
    ([, name = "", key, index]) => [name, key ?? index ?? []].flat(),
  );
}

/**
 * Reads a resource of a Pulumi provider that bridges to Terraform's. The bridge makes
 * `clickhouse:index/serviceUpgradeWindow:ServiceUpgradeWindow` of Terraform's type `clickhouse_service_upgrade_window`, or, in
 * older types of @pulumiverse/clickhouse, `clickhouse:ServicePrivateEndpoints/attachment:Attachment`. Resources that are only
 * read, or about to be deleted, are left out.
 */
function inStack({ urn, type, id, outputs, protect, external, delete: isGoing }: PropertyMap): Instance[] {
  const [, module = "", noun = ""] = /^clickhouse:(\w+)\/\w+:(\w+)$/.exec(String(type)) ?? [];
  if (noun === "" || typeof urn !== "string" || external === true || isGoing === true) return [];
  const values = Object.entries(isObject(outputs) ? outputs : {}).map(([name, value]) => [
    snakeCase(name),
    value,
  ]);
  return [
    {
      type: ["clickhouse", ...(module === "index" ? [] : [snakeCase(module)]), snakeCase(noun)].join("_"),
      address: urn,
      name: nameIn(urn),
      ...(protect === true && { isProtected: true }),
      values: { id, ...Object.fromEntries(values) },
    },
  ];
}

function objectsIn(list: unknown): PropertyMap[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
