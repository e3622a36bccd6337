import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readDescriptions } from "../../../../provider/descriptions";
import { functions } from "../../../../provider/functions/registry";
import { packageSchema } from "../../../../provider/hosts/plugin/packageSchema";
import { resources } from "../../../../provider/resources/registry";

const golden = join(__dirname, "schema.golden.json");

interface Spec {
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Spec };
  readonly [member: string]: unknown;
}

describe("The package schema", () => {
  const schema = packageSchema({ resources, functions }, readDescriptions()) as {
    readonly [part in "types" | "resources" | "functions"]: { readonly [token: string]: Spec };
  } & {
    readonly config: { readonly variables: { readonly [setting: string]: Spec } };
    readonly provider: { readonly inputProperties: { readonly [setting: string]: Spec } };
  };
  const text = `${JSON.stringify(schema, null, 2)}\n`;

  it(`is the committed one (PIPESTACK_WRITE_SCHEMA=1 writes it anew)`, () => {
    if (process.env.PIPESTACK_WRITE_SCHEMA) writeFileSync(golden, text);
    expect(text).to.equal(readFileSync(golden, "utf8"));
  });

  it("has every type and every function of the registries, and takes over the stacks of the dynamic provider", () => {
    const tokens = (names: string[]) => names.map((name) => `pipestack:index:${name}`);
    expect(Object.keys(schema.resources)).to.have.members(tokens(Object.keys(resources)));
    expect(Object.keys(schema.functions)).to.have.members(tokens(Object.keys(functions)));
    expect(schema.resources["pipestack:index:Alert"]?.aliases).to.deep.equal([
      { type: "pulumi-nodejs:dynamic/pipestack:Alert" },
    ]);
  });

  it("describes every property", () => {
    const objects: (readonly [string, Spec])[] = [
      ...Object.entries(schema.types),
      ...Object.entries(schema.resources),
      ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
        [`${token} inputs`, inputs as Spec] as const,
        [`${token} outputs`, outputs as Spec] as const,
      ]),
    ];
    const bare = objects.flatMap(([token, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description }]) => !description)
        .map(([name]) => `${token}.${name}`),
    );
    expect(bare).to.deep.equal([]);
  });

  it("shows a program for every type and every function, in every language that it is generated for", () => {
    for (const [token, { description }] of Object.entries({ ...schema.resources, ...schema.functions })) {
      const languages = [...(description ?? "").matchAll(/^```(\w+)\n/gm)].map(([, language]) => language);
      expect(languages, token).to.have.members(["typescript", "python", "go", "yaml"]);
    }
  });

  it("has secrets at every depth", () => {
    const secretIn = ({ properties = {} }: Spec = {}) =>
      Object.keys(properties).filter((name) => properties[name]?.secret === true);
    expect(secretIn(schema.resources["pipestack:index:ApiKey"])).to.have.members(["hashData", "keySecret"]);
    expect(secretIn(schema.types["pipestack:index:ApiKeyHashData"])).to.have.length(3);
    expect(Object.values(schema.config.variables).filter(({ secret }) => secret)).to.have.length(2);
  });

  it("knows the outputs that every object has", () => {
    expect(schema.resources["pipestack:index:ApiKey"]?.required).to.have.members(["name", "organizationId"]);
    expect(schema.resources["pipestack:index:Alert"]?.required).to.not.include("organizationId");
  });

  it("lets strings have further values than those that are known", () => {
    const type = schema.types["pipestack:index:DashboardTileSeries"]?.properties?.type;
    const known = "pipestack:index:DashboardTileSeriesType";
    expect(type).to.deep.include({ oneOf: [{ type: "string" }, { $ref: `#/types/${known}` }] });
    expect(schema.types[known]?.enum).to.deep.include({ name: "Number", value: "number" });
  });

  it("lets no SDK write settings of the environment or defaults into the state of a provider", () => {
    const settings = Object.values(schema.provider.inputProperties);
    expect(settings.filter((spec) => "defaultInfo" in spec || "default" in spec)).to.deep.equal([]);
    expect(schema.provider.inputProperties.dialect?.description).to.match(/ Default: `neutral`\.$/);
    expect(schema.config.variables.keyId?.defaultInfo).to.deep.equal({ environment: ["PIPESTACK_KEY_ID"] });
  });

  it("names no type like a resource or a function, from whose names generated code makes names of its own", () => {
    const names = Object.keys({ ...schema.resources, ...schema.functions }).map((token) =>
      token.replace(/:get/, ":Get"),
    );
    expect(names.filter((token) => token in schema.types)).to.deep.equal([]);
  });

  it("gives a value that may be null the type that it has otherwise", () => {
    expect(schema.resources["pipestack:index:ApiKey"]?.properties?.expireAt?.type).to.equal("string");
  });

  it("gives every value of an enumeration a name that each language can have", () => {
    const values = Object.values(schema.types).flatMap(({ enum: all = [] }) => all as { name: string }[]);
    expect(values.filter(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).to.deep.equal([]);
    const interval = schema.types["pipestack:index:AlertInterval"]?.enum;
    expect(interval).to.deep.include({ name: "FifteenMinutes", value: "15m" });
    const operator = schema.types["pipestack:index:SavedSearchFilterOperator"]?.enum;
    expect(operator).to.deep.include({ name: "LessOrEqual", value: "<=" });
  });

  describe("has one type for each kind of tile", () => {
    const typeNamed = (name: string) => schema.types[`pipestack:index:${name}`];
    const { config } = typeNamed("DashboardTile")?.properties ?? {};
    const kinds = ((config?.oneOf ?? []) as { $ref: string }[]).map(({ $ref }) =>
      $ref.replace("#/types/", ""),
    );

    it("which its words tell from the others", () => {
      const words = kinds.map((token) => {
        const { displayType, configType } = schema.types[token]?.properties ?? {};
        return `${displayType?.const} ${configType?.const ?? "built"}`;
      });
      expect(words).to.include.members(["line built", "event_patterns built", "line sql", "bar sql"]);
      expect(new Set(words).size).to.equal(16);
    });

    it("with its own members", () => {
      const membersOf = (name: string) => Object.keys(typeNamed(name)?.properties ?? {});
      expect(membersOf("DashboardTileConfigMarkdown")).to.deep.equal(["displayType", "markdown"]);
      expect(membersOf("DashboardTileConfigSqlTable")).to.include("onClick").and.not.include("select");
      expect(membersOf("DashboardTileConfigTable")).to.include("having").and.not.include("sqlTemplate");
      expect(typeNamed("DashboardTileConfigTable")?.required).to.deep.equal([
        "displayType",
        "sourceId",
        "select",
      ]);
    });

    it("with `select` as each fills it", () => {
      const selectOf = (name: string) => typeNamed(`DashboardTileConfig${name}`)?.properties?.select;
      const listOf = (name: string) => ({
        type: "array",
        items: { $ref: `#/types/pipestack:index:${name}` },
      });
      expect(selectOf("Line")).to.deep.include(listOf("DashboardTileConfigSelect"));
      expect(selectOf("Pie")).to.deep.include(listOf("DashboardTileConfigSelect"));
      expect(selectOf("Heatmap")).to.deep.include(listOf("DashboardTileConfigHeatmapSelect"));
      expect(selectOf("Search")).to.deep.include({ type: "string" });
    });

    it("with its own description of itself and of what differs", () => {
      expect(typeNamed("DashboardTileConfigPie")?.description).to.equal("A tile with a pie of the groups.");
      const described = (name: string, member: string) =>
        typeNamed(`DashboardTileConfig${name}`)?.properties?.[member]?.description;
      expect(described("Table", "displayType")).to.equal("A table.");
      expect(described("Search", "select")).to.match(/^The columns that are shown/);
      expect(described("SqlBar", "sourceId")).to.equal("Id of a source of that connection.");
    });

    it("and one type with the members of all where functions answer it, in any words", () => {
      const answered = typeNamed("GetDashboardsDashboardTileConfig")?.properties ?? {};
      expect(Object.keys(answered)).to.include.members(["displayType", "having", "sqlTemplate", "markdown"]);
      expect(answered.displayType?.type).to.equal("string");
      const words = Object.keys(schema.types).filter((token) => /:Get.*(Alert|Dashboard)/.test(token));
      expect(words.filter((token) => schema.types[token]?.enum)).to.deep.equal([]);
    });
  });

  it("names what takes the place of what is deprecated", () => {
    const deprecated = Object.values({ ...schema.types, ...schema.resources }).flatMap(
      ({ properties = {} }) =>
        Object.entries(properties).flatMap(([name, { deprecationMessage }]) =>
          deprecationMessage ? [`${name}: ${deprecationMessage}`] : [],
        ),
    );
    expect(deprecated.some((each) => /^series: .*`config`/.test(each))).to.equal(true);
    expect(deprecated.some((each) => /^concurrency: .*`replicas`/.test(each))).to.equal(true);
  });

  it("has a list alone where a text may be as well, at which the SDK for Python fails", () => {
    const { allowedOrigins } = schema.resources["pipestack:index:QueryEndpoint"]?.properties ?? {};
    expect(allowedOrigins).to.deep.include({ type: "array", items: { type: "string" } });
  });

  it("refers to no type that it does not have", () => {
    const references = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token = ""]) => token);
    expect(references).to.not.be.empty;
    expect(references.filter((token) => !(token in schema.types))).to.deep.equal([]);
  });
});
