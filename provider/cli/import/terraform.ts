import { readFile } from "node:fs/promises";
import { resources, type TypeName, typeNames } from "../../resources/registry";
import { type Data, isObject } from "../../values/data";
import { annotationsOf, schemaAt } from "../../values/schema";

/** An object that Terraform manages, as an object of a type of this provider. */
export interface TerraformObject {
  readonly type: TypeName;
  readonly id: string;
  /** The name of the object in Terraform's configuration, after the names of its modules and before its key. */
  readonly name: string;
  /** Address in Terraform's state. */
  readonly address: string;
  /** Whether the object is only a part of Terraform's resource, which then has to stay in Terraform's state. */
  readonly isPart: boolean;
}

export interface TerraformState {
  readonly objects: readonly TerraformObject[];
  /** Addresses of objects of the same service that no type of this provider manages. */
  readonly otherTypes: readonly string[];
}

/** Terraform's type of a whole service, some parts of which this provider's types manage. */
const serviceType = "clickhouse_service";

/**
 * Reads a state of Terraform or OpenTofu: a file of version 4, or the output of `terraform show -json`. Since states
 * hold secrets in plain text, only types, names, keys and ids leave this function.
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
      // The parser's own message would quote the file, so it is replaced.
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

/** This provider's types for the parts of a Terraform resource. */
function typesOf(type: string, values: Data): TypeName[] {
  if (type === serviceType)
    return ["ServiceScaling", ...(isObject(values.query_api_endpoints) ? (["QueryEndpoint"] as const) : [])];
  if (type === `${serviceType}_scheduled_scaling`) return ["ServiceScalingSchedule"];
  if (type === "clickhouse_api_key") return ["ApiKey"];
  const [, noun] = /^(?:clickhouse_)?clickstack_(\w+)$/.exec(type) ?? [];
  return typeNames.filter((name) => resources[name].scope === "observability" && snakeCase(name) === noun);
}

/**
 * The advice for the end of the takeover: addresses to remove from Terraform's state, and attributes to ignore there.
 */
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

/** The attributes of Terraform's service that these types manage. */
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

/** One object in a state of Terraform, from either form of the state. */
interface Instance {
  readonly type: string;
  /** The address of the object's module; empty for the root module. */
  readonly module: string;
  readonly name: string;
  /** The object's key, if several objects have the name. */
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

/**
 * The address of an object in Terraform's form. A key is a template there, in which `$` and `%` before a brace are
 * doubled.
 */
function addressOf({ type, module, name, key }: Instance): string {
  const index = key === undefined ? "" : `[${JSON.stringify(key).replace(/[$%](?={)/g, "$&$&")}]`;
  return `${module && `${module}.`}${type}.${name}${index}`;
}

/** The names in a module's address: `module.alerts["eu"].module.queries` has `alerts`, `eu` and `queries`. */
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
