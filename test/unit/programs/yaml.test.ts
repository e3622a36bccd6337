import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { readDescriptions } from "../../../provider/descriptions";
import { offer } from "../../../provider/hosts/plugin/offer";
import { packageSchema } from "../../../provider/hosts/plugin/packageSchema";

interface Spec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Spec;
  readonly additionalProperties?: Spec;
  readonly oneOf?: readonly Spec[];
  readonly const?: string;
}

interface ObjectSpec {
  readonly properties?: Record<string, Spec>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: string }[];
}

interface ResourceSpec {
  readonly inputProperties: Record<string, Spec>;
  readonly requiredInputs: readonly string[];
  readonly properties: Record<string, Spec>;
}

interface Schema {
  readonly types: Record<string, ObjectSpec>;
  readonly resources: Record<string, ResourceSpec>;
  readonly functions: Record<string, { inputs: ObjectSpec; outputs: ObjectSpec }>;
}

interface Program {
  config?: Record<string, { type: string; secret?: boolean }>;
  variables?: Record<string, { "fn::invoke": { function: string; arguments?: object; return?: string } }>;
  resources?: Record<string, { type: string; properties: Record<string, unknown> }>;
  outputs?: Record<string, string>;
}

let schema: Schema;
const checkout = join(__dirname, "..", "..", "..");
const read = (...path: string[]) => readFileSync(join(checkout, ...path), "utf8");
const text = read("examples", "plugin", "yaml", "Pulumi.yaml");
const [, inOverview = ""] = /^```yaml\n([\s\S]*?)^```/m.exec(read("docs", "_index.md")) ?? [];
const examplesFile = join(checkout, "provider", "hosts", "plugin", "examples.json");

/** Lists the reasons why a value in a YAML program does not have a type of the package schema. */
function misfits(value: unknown, spec: Spec, path: string): string[] {
  if (spec.oneOf) {
    const found = spec.oneOf.map((one) => misfits(value, one, path));
    return found.some((one) => one.length === 0) ? [] : (found[0] ?? []);
  }
  if (spec.$ref === "pulumi.json#/Asset")
    return Object.keys(value as object).join() === "fn::fileAsset" ? [] : [`${path}: no file`];
  // References and interpolated texts in a YAML program have no type before the program runs, so the test accepts them
  // everywhere.
  if (typeof value === "string" && value.startsWith("${")) return [];
  const named = schema.types[decodeURIComponent(spec.$ref?.replace("#/types/", "") ?? "")];
  if (named?.enum) return named.enum.some((one) => one.value === value) ? [] : [`${path}: no ${value}`];
  if (named) return memberMisfits(value as object, named.properties ?? {}, named.required ?? [], path);
  const { items, additionalProperties } = spec;
  if (items) {
    if (!Array.isArray(value)) return [`${path}: no list`];
    return value.flatMap((item, index) => misfits(item, items, `${path}[${index}]`));
  }
  if (additionalProperties)
    return Object.entries(value as object).flatMap(([name, one]) =>
      misfits(one, additionalProperties, `${path}.${name}`),
    );
  if (spec.const && value !== spec.const) return [`${path}: no ${value}`];
  const isType = spec.type === "integer" ? Number.isInteger(value) : typeof value === spec.type;
  return isType ? [] : [`${path}: no ${spec.type}`];
}

function memberMisfits(
  value: object,
  properties: Record<string, Spec>,
  required: readonly string[],
  path: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name}: missing`);
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const spec = properties[name];
    return spec ? misfits(member, spec, `${path}.${name}`) : [`${path}.${name}: unknown`];
  });
  return [...missing, ...wrong];
}

function problemsIn({ config = {}, variables = {}, resources = {}, outputs = {} }: Program): string[] {
  const invokes = Object.entries(variables).flatMap(([name, { "fn::invoke": invoke }]) => {
    const spec = schema.functions[invoke.function];
    if (!spec) return [`${name}: no function ${invoke.function}`];
    const isReturned = invoke.return === undefined || invoke.return in (spec.outputs.properties ?? {});
    const { properties = {}, required = [] } = spec.inputs;
    return [
      ...(isReturned ? [] : [`${name}: no ${invoke.return}`]),
      ...memberMisfits(invoke.arguments ?? {}, properties, required, name),
    ];
  });
  const declared = Object.entries(resources).flatMap(([name, { type, properties }]) => {
    const spec = schema.resources[type];
    if (!spec) return [`${name}: no type ${type}`];
    return memberMisfits(properties, spec.inputProperties, spec.requiredInputs, name);
  });
  const all = JSON.stringify([variables, resources, outputs]);
  const references = [...all.matchAll(/\$\{(\w+)(?:\.(\w+))?/g)].flatMap(([, name = "", output = ""]) => {
    const outputsOf = schema.resources[resources[name]?.type ?? ""]?.properties ?? {};
    const isKnown = name in config || name in variables || output === "id" || output in outputsOf;
    return isKnown ? [] : [`${name}.${output}: unknown`];
  });
  return [...invokes, ...declared, ...references];
}

describe("Programs in YAML", () => {
  before(() => {
    schema = packageSchema(offer, readDescriptions()) as Schema;
  });

  const shown = Object.entries(
    JSON.parse(readFileSync(examplesFile, "utf8")) as Record<string, { yaml: string }>,
  );
  const programs = [
    ["examples/plugin", text],
    ["docs/_index.md", inOverview],
    ...shown.map(([name, { yaml }]) => [name, yaml] as const),
  ] as const;

  it("programs in YAML use only types, functions and properties of the package schema", () => {
    expect(programs).to.have.length.above(15);
    for (const [name, program] of programs) {
      const parsed: Program = parse(program, { strict: true, uniqueKeys: true });
      expect(Object.keys({ ...parsed.resources, ...parsed.variables }), name).to.not.be.empty;
      expect(problemsIn(parsed), name).to.deep.equal([]);
    }
  });
});
