import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readDescriptions } from "../../../../provider/descriptions";
import { offer } from "../../../../provider/hosts/plugin/offer";
import { packageSchema } from "../../../../provider/hosts/plugin/packageSchema";
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

  it("the package schema declares no settings from the environment and no defaults, which SDKs would write into a provider's state", () => {
    const settings = Object.values(schema.provider.inputProperties);
    expect(settings.filter((spec) => "defaultInfo" in spec || "default" in spec)).to.deep.equal([]);
  });

  it("no type of the package schema has the name of code that is generated for a resource or function", () => {
    const names = Object.keys({ ...schema.resources, ...schema.functions }).map((token) =>
      token.replace(/:get/, ":Get"),
    );
    expect(names.filter((token) => token in schema.types)).to.deep.equal([]);
  });

  it("each value of an enumeration has a name that is valid in every language", () => {
    const values = Object.values(schema.types).flatMap(({ enum: all = [] }) => all as { name: string }[]);
    expect(values.filter(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).to.deep.equal([]);
  });

  it("in the package schema, constants distinguish the kinds of tiles, and results of functions have no enumerations", () => {
    const { config } = schema.types["pipestack:index:DashboardTile"]?.properties ?? {};
    const kinds = (config?.oneOf ?? []) as { $ref: string }[];
    const words = kinds.map(({ $ref }) => {
      const { displayType, configType } = schema.types[$ref.replace("#/types/", "")]?.properties ?? {};
      return `${displayType?.const} ${configType?.const}`;
    });
    expect(new Set(words).size).to.equal(18);
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
      "DashboardTileConfigSelect.level",
      "DashboardTileConfigSelectNumberFormat.factor",
      "DashboardTileSeries.level",
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
      "SourceMaterializedViewAggregatedColumn.aggFn",
    ]);
  });

  it("the package schema refers only to types that it has", () => {
    const references = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token = ""]) => token);
    expect(references).to.not.be.empty;
    expect(references.filter((token) => !(token in schema.types))).to.deep.equal([]);
  });
});
