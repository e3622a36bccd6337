import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { readDescriptions } from "../../../provider/descriptions";
import { functions } from "../../../provider/functions/registry";
import { packageSchema } from "../../../provider/hosts/plugin/packageSchema";
import { resources } from "../../../provider/resources/registry";

interface Spec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Spec;
  readonly additionalProperties?: Spec;
  readonly oneOf?: readonly Spec[];
}

interface ObjectSpec {
  readonly properties?: Record<string, Spec>;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: string }[];
}

interface Schema {
  readonly types: Record<string, ObjectSpec>;
  readonly resources: Record<
    string,
    { inputProperties: Record<string, Spec>; requiredInputs: string[]; properties: Record<string, Spec> }
  >;
  readonly functions: Record<string, { inputs: ObjectSpec; outputs: ObjectSpec }>;
}

interface Program {
  variables: Record<string, { "fn::invoke": { function: string; arguments?: object; return: string } }>;
  resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  outputs: Record<string, string>;
}

const schema = packageSchema({ resources, functions }, readDescriptions()) as Schema;
const text = readFileSync(
  join(__dirname, "..", "..", "..", "examples", "plugin", "yaml", "Pulumi.yaml"),
  "utf8",
);

/** What keeps a value from being of a type of the package schema. */
function misfits(value: unknown, spec: Spec, path: string): string[] {
  if (spec.oneOf) {
    const found = spec.oneOf.map((one) => misfits(value, one, path));
    return found.some((one) => one.length === 0) ? [] : (found[0] ?? []);
  }
  // References and texts may be of any type until they are known.
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
  return typeof value === spec.type ? [] : [`${path}: no ${spec.type}`];
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

function problemsIn(program: Program): string[] {
  const invokes = Object.entries(program.variables).flatMap(([name, { "fn::invoke": invoke }]) => {
    const spec = schema.functions[invoke.function];
    if (!spec) return [`${name}: no function ${invoke.function}`];
    const { properties = {}, required = [] } = spec.inputs;
    const returned = invoke.return in (spec.outputs.properties ?? {}) ? [] : [`${name}: no ${invoke.return}`];
    return [...returned, ...memberMisfits(invoke.arguments ?? {}, properties, required, name)];
  });
  const declared = Object.entries(program.resources).flatMap(([name, { type, properties }]) => {
    const spec = schema.resources[type];
    if (!spec) return [`${name}: no type ${type}`];
    return memberMisfits(properties, spec.inputProperties, spec.requiredInputs, name);
  });
  const references = [...JSON.stringify(program).matchAll(/\$\{(\w+)(?:\.(\w+))?/g)].flatMap(
    ([, name = "", output = ""]) => {
      const type = program.resources[name]?.type ?? "";
      const known =
        name in program.variables || output === "id" || output in (schema.resources[type]?.properties ?? {});
      return known ? [] : [`${name}.${output}: unknown`];
    },
  );
  return [...invokes, ...declared, ...references];
}

describe("the program of the examples in YAML", () => {
  const program: Program = parse(text, { strict: true, uniqueKeys: true });

  it("uses types, functions and properties that the package schema has, and nothing else", () => {
    expect(Object.keys(program.resources)).to.deep.equal(["ingestion", "errors"]);
    expect(problemsIn(program)).to.deep.equal([]);
  });

  const mistakes: Record<string, [string, string, string]> = {
    "a misspelt property": ["threshold: 100", "treshold: 100", "errors.threshold: missing"],
    "a wrong type": ["threshold: 100", "threshold: much", "errors.threshold: no number"],
    "an unknown member deep inside": [
      "groupBy:",
      "group_by:",
      "ingestion.tiles[0].series[0].group_by: unknown",
    ],
    "an unknown function": ["getWebhooks", "getHooks", "webhooks: no function pipestack:index:getHooks"],
    "a reference to nothing": ["ingestion.tileIds", "ingestion.tiles1", "ingestion.tiles1: unknown"],
  };
  for (const [mistake, [from, to, problem]] of Object.entries(mistakes)) {
    it(`would not pass with ${mistake}`, () => {
      expect(problemsIn(parse(text.replace(from, to)))).to.include(problem);
    });
  }
});
