import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readDescriptions } from "../../../../provider/descriptions";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { packageSchema } from "../../../../provider/hosts/plugin/packageSchema";
import { capitalized } from "../../../../provider/hosts/plugin/schemaTypes";
import { expectMade } from "../../../golden";

const golden = join(__dirname, "../../../../provider/schema.json");

interface Spec {
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Spec };
  readonly [member: string]: unknown;
}

describe("The package schema", () => {
  let schema: {
    readonly [part in "types" | "resources" | "functions"]: { readonly [token: string]: Spec };
  } & {
    readonly provider: { readonly inputProperties: { readonly [setting: string]: Spec } };
  };
  let text: string;
  let declared: [string, Spec][];

  before(() => {
    schema = packageSchema(offer, readDescriptions()) as typeof schema;
    text = `${JSON.stringify(schema, null, 2)}\n`;
    const inputs = Object.entries(schema.resources).map(([token, { inputProperties }]) => [
      token,
      { properties: inputProperties },
    ]);
    declared = Object.entries({ ...schema.types, ...Object.fromEntries(inputs) });
  });

  it(`the committed package schema equals the generated one (npm run golden writes it)`, () => {
    if (process.env.PIPESTACK_WRITE_GOLDEN) writeFileSync(golden, text);
    expect(text).to.equal(readFileSync(golden, "utf8"));
  });

  it("the module of enumerations names each one of the package schema (npm run golden writes it)", () => {
    const enumerations = Object.entries(schema.types).flatMap(([token, spec]) => {
      const values = spec.enum as readonly { readonly value: string }[] | undefined;
      return values ? [[values.map(({ value }) => value).join(" "), token.replace(/.*:/, "")]] : [];
    });
    const table = JSON.stringify(Object.fromEntries(enumerations), null, 2);
    expectMade(
      "provider/engine/enumTypes.ts",
      `// Made of the package schema by \`npm run golden\`.

/** The names of the enumerations that the SDKs have, by their words. */
// biome-ignore format: as JSON writes it
export const enumTypes: { readonly [words: string]: string | undefined } = ${table};
`,
    );
  });

  it("the package schema describes every property", () => {
    const objects: (readonly [string, Spec])[] = [
      ...Object.entries({ ...schema.types, ...schema.resources }),
      ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
        [`${token} inputs`, inputs as Spec] as const,
        [`${token} outputs`, outputs as Spec] as const,
      ]),
    ];
    const bare = objects.flatMap(([token, { properties = {} }]) =>
      Object.keys(properties)
        .filter((name) => !properties[name]?.description)
        .map((name) => `${token}.${name}`),
    );
    expect(bare).to.deep.equal([]);
  });

  it("the package schema has an example program for every type and function, in every language", () => {
    for (const [token, { description }] of Object.entries({ ...schema.resources, ...schema.functions })) {
      const languages = [...(description ?? "").matchAll(/^```(\w+)\n/gm)].map(([, language]) => language);
      expect(languages, token).to.have.members(["typescript", "python", "go", "yaml"]);
    }
  });

  // The SDKs would write such defaults into a provider's state.
  it("the package schema declares no defaults for settings, not even from the environment", () => {
    const settings = Object.values(schema.provider.inputProperties);
    expect(settings.filter((spec) => "defaultInfo" in spec || "default" in spec)).to.deep.equal([]);
  });

  it("no type of the package schema has the name of code that is generated for a resource or function", () => {
    const names = Object.keys({ ...schema.resources, ...schema.functions }).map((token) =>
      token.replace(/:get/, ":Get"),
    );
    expect(names.filter((token) => token in schema.types)).to.deep.equal([]);
  });

  it("no type that several properties share is named after one of them, or after the resource of one", () => {
    const resources = Object.keys(schema.resources).map(nameOf);
    const uses = usesOfTypes(schema);
    /** The resources that have a type somewhere inside. */
    const resourcesOf = (owner: string): string[] =>
      resources.includes(owner) ? [owner] : (uses.get(owner) ?? []).flatMap((use) => resourcesOf(use.owner));
    const misleading = [...uses].filter(([type, all]) => {
      const others = all.filter(({ property }) => capitalized(property) !== type);
      const named = others.filter((use) => pathsOf(use).includes(type));
      const ofResource = resources.some((name) => type.startsWith(name));
      const groups = new Set(others.flatMap(({ owner }) => resourcesOf(owner)).map(groupOf));
      return (named.length > 0 && named.length < others.length) || (ofResource && groups.size > 1);
    });
    expect(misleading.map(([type]) => type)).to.deep.equal([]);
  });

  it("each value of an enumeration has a name that is valid in every language", () => {
    const values = Object.values(schema.types).flatMap(({ enum: all = [] }) => all as { name: string }[]);
    expect(values.filter(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).to.deep.equal([]);
  });

  it("in the package schema, constants distinguish the kinds of tiles", () => {
    const { config } = schema.types["pipestack:index:DashboardTile"]?.properties ?? {};
    const kinds = (config?.oneOf ?? []) as { $ref: string }[];
    const words = kinds.map(({ $ref }) => {
      const { displayType, configType } = schema.types[$ref.replace("#/types/", "")]?.properties ?? {};
      return `${displayType?.const} ${configType?.const}`;
    });
    expect(new Set(words).size).to.equal(18);
  });

  it("in the package schema, results of functions have no enumerations", () => {
    const answered = Object.keys(schema.types).filter((token) => /:Get.*(Alert|Dashboard)/.test(token));
    expect(answered.filter((token) => schema.types[token]?.enum)).to.deep.equal([]);
  });

  it("SDKs declare integers for numbers, except where a fraction has a meaning", () => {
    const fractions = declared.flatMap(([token, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { type }]) => type === "number")
        .map(([name]) => `${token.slice(token.lastIndexOf(":") + 1)}.${name}`),
    );
    expect(fractions.filter((path) => !/^(Get|AlertSet)/.test(path)).sort()).to.deep.equal([
      "Alert.threshold",
      "Alert.thresholdMax",
      "AlertAnomalyConfig.minAbsoluteDelta",
      "AlertAnomalyConfig.zScoreThreshold",
      "ChartSelect.level",
      "DashboardTileSeries.level",
      "NumberFormat.factor",
      "PipeScaling.replicaMemoryGb",
      "Slo.objective",
    ]);
  });

  it("SDKs declare milliseconds since 1970 as floating-point numbers, since 32 bits cannot hold them", () => {
    const { startTime, endTime } =
      (schema.functions["pipestack:index:getChartSeries"]?.inputs as Spec | undefined)?.properties ?? {};
    expect([startTime?.type, endTime?.type]).to.deep.equal(["number", "number"]);
  });

  it("SDKs declare open enumerations only where the check accepts other values", () => {
    const open = declared.flatMap(([token, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, spec]) =>
          /^\[\{"type":"string"\},\{"\$ref":"#\/types/.test(JSON.stringify(spec.oneOf ?? "")),
        )
        .map(([name]) => `${token.slice(token.lastIndexOf(":") + 1)}.${name}`),
    );
    // SDKs must accept further words for some properties: in the neutral dialect most rules allow other words, and a
    // materialized view may use any aggregate function of the server.
    expect(open.filter((path) => !path.startsWith("AlertSet")).sort()).to.deep.equal([
      "Alert.interval",
      "AlertChannel.type",
      "AlertChannel.webhookService",
      "AlertChannelEntry.type",
      "AlertChannelEntry.webhookService",
      "DashboardTileSeries.aggFn",
      "DashboardTileSeries.metricDataType",
      "DashboardTileSeries.type",
      "PostgresService.postgresVersion",
      "SourceMaterializedViewAggregatedColumn.aggFn",
    ]);
  });

  it("the package schema refers only to types that it has", () => {
    const references = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token = ""]) => token);
    expect(references).to.not.be.empty;
    expect(references.filter((token) => !(token in schema.types))).to.deep.equal([]);
  });
});

interface Use {
  /** The resource, function or type that has the property. */
  readonly owner: string;
  readonly property: string;
}

/** Where each named type that a program may write stands. Results of functions, whose types no program writes, are left out. */
function usesOfTypes(
  schema: { readonly [part in "types" | "resources" | "functions"]: { readonly [token: string]: Spec } },
) {
  const owners = [
    ...Object.entries(schema.types).filter(([token]) => !/:(Get|DiscoverPipeSchemaColumn)/.test(token)),
    ...Object.entries(schema.resources),
    ...Object.entries(schema.functions).map(([token, { inputs }]) => [token, inputs as Spec] as const),
  ];
  const uses = new Map<string, Use[]>();
  for (const [token, spec] of owners)
    for (const [property, value] of Object.entries({
      ...(spec.inputProperties as object),
      ...spec.properties,
    }))
      for (const [, type = ""] of JSON.stringify(value).matchAll(/#\/types\/\w+:\w+:(\w+)"/g))
        uses.set(type, [...(uses.get(type) ?? []), { owner: nameOf(token), property }]);
  return uses;
}

/** The resource or function that programs know the properties of another one by: an alert of a set, for one, is an alert. */
function groupOf(owner: string): string {
  const groups: readonly (readonly [RegExp, string])[] = [
    [/^AlertSet(Alert)?$|^Slo(Alerts)?$/, "Alert"],
    [/^AlertChannelEntry$/, "AlertChannel"],
    [/^DiscoverPipeSchema/, "Pipe"],
    [/^ServiceScaling$/, "Service"],
  ];
  return groups.reduce((name, [pattern, group]) => name.replace(pattern, group), owner);
}

/** The names that a type of a property may get from its path. */
function pathsOf({ owner, property }: Use): string[] {
  return [owner, groupOf(owner)].flatMap((start) =>
    [property, singular(property)].map((name) => start + capitalized(name)),
  );
}

function nameOf(token: string): string {
  return capitalized(token.slice(token.lastIndexOf(":") + 1));
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}
