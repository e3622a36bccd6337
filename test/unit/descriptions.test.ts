import { expect } from "chai";
import { dialectNames } from "../../provider/api/dialect";
import { settingNames } from "../../provider/api/settingsSchema";
import { type Description, type DescriptionsByPath, readDescriptions } from "../../provider/descriptions";
import { functions } from "../../provider/functions/registry";
import { offer } from "../../provider/hosts/plugin/offer";
import type { Component } from "../../provider/hosts/plugin/packageSchema";
import { type DeclarableName, declarable } from "../../provider/resources/registry";
import { annotationsOf } from "../../provider/values/schema";
import type { TProperties, TSchema } from "../../provider/values/schemaBuilders";
import { buildWhenChanged } from "../../toolchain/build.mjs";

const names = Object.keys(declarable) as DeclarableName[];
const schemas: { readonly [type: string]: Pick<Component, "inputs" | "outputs"> } = {
  ...offer.resources,
  ...offer.components,
};

describe("The descriptions of types and functions that the build generates", () => {
  let descriptions: ReturnType<typeof readDescriptions>;

  before(async function () {
    // This test waits some seconds for a compilation that generates the descriptions of types and functions, unless `npm test`
    // has run the compilation before.
    this.timeout(120_000);
    await buildWhenChanged("provider");
    descriptions = readDescriptions();
  });

  it("the generated descriptions cover every type of resource, and call nothing else a type", () => {
    expect(descriptions.resources).to.have.all.keys(...Object.keys(schemas));
  });

  for (const [type, schema] of Object.entries(schemas)) {
    it(`the generated descriptions of ${type} cover exactly its inputs and outputs`, () => {
      const { inputs, outputs } = descriptions.resources[type] ?? {};
      expectSamePaths(inputs, schema.inputs);
      expectSamePaths(outputs, schema.outputs);
    });
  }

  it("the generated descriptions cover every function, and call nothing else a function", () => {
    expect(descriptions.functions).to.have.all.keys(...Object.keys(functions));
  });

  for (const [name, definition] of Object.entries(functions)) {
    it(`the generated descriptions of ${name} cover exactly its arguments and the properties of its result`, () => {
      expectSamePaths(descriptions.functions[name]?.arguments, definition.arguments);
      expectSamePaths(descriptions.functions[name]?.result, definition.result);
    });
  }

  it("the generated descriptions cover exactly the settings", () => {
    expect(descriptions.settings).to.have.all.keys(...settingNames);
  });

  it("the generated descriptions mark as deprecated what the schemas deprecate in every dialect", () => {
    for (const type of names) {
      const inputs = descriptions.resources[type]?.inputs ?? {};
      const inSchema = Object.entries(declarable[type].inputs.properties as TProperties).flatMap(
        ([name, schema]) => {
          const { deprecated } = annotationsOf(schema);
          return deprecated === undefined ? [] : [[name, deprecated] as const];
        },
      );
      const isEverywhere = (reasons: (typeof inSchema)[number][1]) =>
        typeof reasons === "string" || dialectNames.every((dialect) => reasons[dialect]);
      const described = Object.entries(inputs).flatMap(([path, { deprecated }]) =>
        deprecated ? [path] : [],
      );
      expect(described).to.have.members(
        inSchema.filter(([, reasons]) => isEverywhere(reasons)).map(([name]) => name),
      );
      // A @deprecated tag for one dialect would make editors strike the property through for users of the other dialect, too.
      for (const [name, reasons] of inSchema.filter(([, reasons]) => !isEverywhere(reasons)))
        for (const dialect of Object.keys(reasons))
          expect(inputs[name]?.description.replace(/\s+/g, " ")).to.include(
            `deprecated in the dialect \`${dialect}\``,
          );
    }
  });

  it("every description of a type or function has an example, and functions state their errors", () => {
    for (const { examples } of [
      ...Object.values(descriptions.resources),
      ...Object.values(descriptions.functions),
    ])
      expect(examples?.[0]).to.match(/^```typescript\n.*\bpipestack\b.*\n```$/s);
    for (const { throws } of Object.values(descriptions.functions)) expect(throws?.[0]).to.match(/^Error /);
  });

  it("descriptions contain no JSDoc tag and no link markup", () => {
    const texts = all(descriptions).map(({ description }) => description);
    expect(texts).to.have.length.above(100);
    for (const text of texts) {
      expect(text).to.match(/^\S.{3,}\S$/s);
      expect(text).not.to.match(/\{@|^\s*@/m);
    }
  });
});

function all(value: object): Description[] {
  const inside = Object.values(value).flatMap((member) => (isObject(member) ? all(member) : []));
  return "description" in value && typeof value.description === "string"
    ? [value as Description, ...inside]
    : inside;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Expects descriptions of exactly the properties of a schema. Inside an object that the schema leaves open, further properties
 * may have descriptions.
 */
function expectSamePaths(described: DescriptionsByPath | undefined, schema: TSchema): void {
  const properties = propertiesIn(schema);
  const open = [...properties].filter(([, { type, properties }]) => type === "object" && !properties);
  const paths = Object.keys(described ?? {}).map((path) => path.replace(/\[[^\]]*\]/g, ""));
  expect({
    undescribed: [...properties.keys()].filter((path) => !paths.includes(path)),
    unknown: paths.filter(
      (path) => !properties.has(path) && !open.some(([outer]) => path.startsWith(`${outer}.`)),
    ),
  }).to.deep.equal({ undescribed: [], unknown: [] });
}

/** Lists the properties in a schema at any depth by their paths, such as `tiles.series.aggFn`. */
function propertiesIn(
  { properties = {}, items, anyOf = [], patternProperties = {} }: TSchema,
  path = "",
): Map<string, TSchema> {
  return new Map([
    ...Object.entries(properties as TProperties).flatMap(([name, schema]) => [
      [`${path}${name}`, schema] as const,
      ...propertiesIn(schema, `${path}${name}.`),
    ]),
    ...[items, ...anyOf, ...Object.values<TSchema>(patternProperties)].flatMap((schema) =>
      schema ? [...propertiesIn(schema, path)] : [],
    ),
  ]);
}
