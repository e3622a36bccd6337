import { readFile } from "node:fs/promises";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import { type Data, isObject } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";

/** An object that Terraform manages, as one of our types. */
export interface TerraformObject {
  readonly type: TypeName;
  readonly id: string;
  /** The name that it has in the configuration of Terraform: those of its modules before its own, keys behind. */
  readonly name: string;
  /** Address in Terraform's state. */
  readonly address: string;
  /** Whether our object is only a part of Terraform's, which then has to stay in its state. */
  readonly isPart: boolean;
}

export interface TerraformState {
  readonly objects: readonly TerraformObject[];
  /** Addresses of objects of the same service that no type of ours manages. */
  readonly otherTypes: readonly string[];
}

/** Terraform's type of a whole service, of which our types manage parts. */
const serviceType = "clickhouse_service";

/**
 * Reads a state of Terraform or OpenTofu: a file of version 4, or the output of `terraform show -json`. Nothing of it but
 * types, names, keys and ids leaves this function: it holds secrets in plain text.
 *
 * @throws Error that repeats nothing of the file
 */
export async function readTerraformState(path: string): Promise<TerraformState> {
  const objects: TerraformObject[] = [];
  const otherTypes: string[] = [];
  for (const instance of instancesIn(parsed(await readFile(path, "utf8")))) {
    const { type, module, name: resourceName, key, values } = instance;
    const address = addressOf(instance);
    const name = [...namesIn(module), resourceName, ...(key === undefined ? [] : [key])].join("-");
    const types = typeof values.id === "string" && values.id !== "" ? typesOf(type, values) : [];
    const isPart = type === serviceType;
    for (const candidate of types)
      objects.push({ type: candidate, id: values.id as string, name, address, isPart });
    if (types.length === 0 && /^(clickhouse|clickstack)_/.test(type)) otherTypes.push(address);
  }
  return { objects, otherTypes };

  function parsed(text: string): Data {
    try {
      const state: unknown = JSON.parse(text);
      if (isObject(state)) return state;
    } catch {
      // The parser's own message would quote the file.
    }
    throw new Error(`${path} is not JSON of Terraform; "terraform state pull" prints a state`);
  }

  function instancesIn(state: Data): Instance[] {
    if (state.version === 4) return objectsIn(state.resources).flatMap(inStateFile);
    if (typeof state.format_version === "string" && !("planned_values" in state))
      return isObject(state.values) ? inModule(state.values.root_module) : [];
    throw new Error(
      `${path} is neither a state of Terraform in version 4 nor the output of "terraform show -json"; "terraform state pull" prints such a state`,
    );
  }
}

/** Our types for the parts of one of Terraform's objects. */
function typesOf(type: string, values: Data): TypeName[] {
  if (type === serviceType)
    return ["ServiceScaling", ...(isObject(values.query_api_endpoints) ? (["QueryEndpoint"] as const) : [])];
  if (type === `${serviceType}_scheduled_scaling`) return ["ServiceScalingSchedule"];
  if (type === "clickhouse_api_key") return ["ApiKey"];
  const [, noun] = /^(?:clickhouse_)?clickstack_(\w+)$/.exec(type) ?? [];
  return typeNames.filter((name) => resources[name].scope === "observability" && snakeCase(name) === noun);
}

/** The advice that ends the takeover: the addresses to remove from Terraform's state, and the parts to ignore there. */
export function partingFrom(objects: readonly TerraformObject[]): string {
  const whole = objects.filter(({ isPart }) => !isPart).map(({ address }) => shellQuoted(address));
  const parts = objects.filter(({ isPart }) => isPart);
  const services = [...new Set(parts.map(({ address }) => address))];
  const removal = `
Once the preview shows no change, take them out of Terraform's state, which deletes nothing, and out of its configuration:
  terraform state rm${whole.map((address) => ` \\\n    ${address}`).join("")}
`;
  const remainder = `
Terraform keeps ${services.join(", ")}, of which pipestack manages a part. Let Terraform ignore that part:
  lifecycle {
    ignore_changes = [
${attributesOf(new Set(parts.map(({ type }) => type)))
  .map((name) => `      ${name},\n`)
  .join("")}    ]
  }
`;
  return (whole.length > 0 ? removal : "") + (parts.length > 0 ? remainder : "");
}

/** The attributes of Terraform's service that these types of ours manage. */
function attributesOf(types: ReadonlySet<TypeName>): string[] {
  const { inputs } = resources.ServiceScaling;
  const scaling = Object.keys(inputs.properties).filter(
    (name) => annotationsOf(schemaAt(inputs, name)).sent !== "never",
  );
  return [
    ...(types.has("ServiceScaling") ? scaling.map(snakeCase) : []),
    ...(types.has("QueryEndpoint") ? ["query_api_endpoints"] : []),
  ];
}

/** One object of Terraform's, in either form of a state. */
interface Instance {
  readonly type: string;
  /** Address of its module; empty for the root. */
  readonly module: string;
  readonly name: string;
  /** Its key where there are several of the name. */
  readonly key: string | number | undefined;
  readonly values: Data;
}

function inStateFile({ mode, type, module, name, instances }: Data): Instance[] {
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

/** @param deposed the key of an object that Terraform is about to delete */
function instanceOf(deposed: unknown, { type, module, name, key, values }: Data): Instance[] {
  if (deposed !== undefined || typeof type !== "string" || typeof name !== "string") return [];
  return [
    {
      ...{ type, name, module: typeof module === "string" ? module : "" },
      key: typeof key === "string" || typeof key === "number" ? key : undefined,
      values: isObject(values) ? values : {},
    },
  ];
}

function objectsIn(list: unknown): Data[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The address as Terraform writes it: a text is a template there, in which two signs stand for one. */
function addressOf({ type, module, name, key }: Instance): string {
  const index = key === undefined ? "" : `[${JSON.stringify(key).replace(/[$%](?={)/g, "$&$&")}]`;
  return `${module && `${module}.`}${type}.${name}${index}`;
}

/** `module.alerts["eu"].module.queries` as `alerts`, `eu`, `queries`. */
function namesIn(module: string): string[] {
  return [...module.matchAll(/module\.([\w-]+)(?:\[(?:"((?:\\.|[^"\\])*)"|(\d+))\])?/g)].flatMap(
    ([, name = "", key, index]) => [name, key ?? index ?? []].flat(),
  );
}

function snakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}

function shellQuoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
