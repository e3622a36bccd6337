import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Schema } from "../../../product/read";
import { type Operation, operations } from "../../../provider/api/operations";
import { builtKinds, sqlKinds } from "../../../provider/resources/dashboard/tileKinds";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { annotationsOf } from "../../../provider/values/schema";
import type { TObject, TProperties, TSchema } from "../../../provider/values/schemaBuilders";
import { type Api, documentedBody } from "../../productJudge";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "members.md"), "utf8");

interface Row {
  readonly member: string;
  readonly api: string;
  /** The property that declares it; absent where no program does. */
  readonly property?: string;
}

/** The rows below the heading of a type: of the members of which there is more to say than that a program declares them. */
function rowsOf(type: string): Row[] {
  const [, section = ""] = page.split(`\n## ${type}\n`);
  const [own = ""] = section.split("\n## ");
  const rows = own.matchAll(/^\| (`[\w.]+`(?:, `[\w.]+`)*) \| (\w+) \| ?(not declared|as `(\w+)`)?/gm);
  return [...rows].flatMap(([, members = "", api = "", how, other]) =>
    (members.match(/[\w.]+/g) ?? []).map((member) => ({
      member,
      api,
      ...(how === "not declared" ? {} : { property: other ?? member }),
    })),
  );
}

/** The paths of the properties of a schema that are sent. */
function sentProperties({ properties = {}, items }: TSchema, path = ""): string[] {
  if (items) return sentProperties(items as TSchema, path);
  return Object.entries(properties as TProperties).flatMap(([name, schema]) => {
    if (annotationsOf(schema).sent === "never") return [];
    const own = path === "" ? name : `${path}.${name}`;
    return [own, ...sentProperties(schema, own)];
  });
}

/** What holds of each of these members: what its row says, else that it is declared through the API of what it is in. */
function withRows(members: Iterable<string>, rows: readonly Row[]): Row[] {
  return [...new Set([...members, ...rows.map(({ member }) => member)])].map((member) => {
    const row = rows.find((each) => each.member === member);
    return row ?? { member, api: outerOf(member, rows)?.api ?? "both", property: member };
  });
}

/** The row of the innermost listed member that a member is in. */
function outerOf(member: string, rows: readonly Row[]): Row | undefined {
  const outer = rows.filter((row) => member.startsWith(`${row.member}.`));
  return outer.sort((one, other) => other.member.length - one.member.length)[0];
}

/** The members that the product's documents of one API name in bodies of requests for a type. */
function documented(type: TypeName, api: Api): Set<string> {
  const { create, update = create } = resources[type].operations;
  const names = [create, update, ...(type === "ServiceScaling" ? ["updateReplicaScaling" as const] : [])];
  const served = names.filter((name) => {
    const operation: Operation = operations[name];
    return operation.api === api || operation.otherPath !== undefined;
  });
  return new Set(served.flatMap((name) => membersOf(documentedBody(api, name) ?? {})));
}

/** The paths of all members that a schema names, such as `tiles.name`. */
function membersOf(
  { properties = {}, items, allOf = [], anyOf = [], oneOf = [] }: Schema,
  path = "",
): string[] {
  return [
    ...[...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap((part) => membersOf(part, path)),
    ...Object.entries(properties).flatMap(([name, member]) => {
      const own = path === "" ? name : `${path}.${name}`;
      return [own, ...membersOf(member, own)];
    }),
  ];
}

/** What the table has beyond these bodies. */
const further: { readonly [type in TypeName]?: readonly string[] } = {
  // A member of the API document.
  Dashboard: ["tiles.series.dataSource"],
  // A name that every language can write.
  Source: ["metricTables.exponentialHistogram"],
};

describe("The table of members", () => {
  for (const type of typeNames) {
    const [management, observability] = [documented(type, "management"), documented(type, "observability")];
    const spelled = (member: string) => member.replace("exponential h", "exponentialH");
    const listed = rowsOf(type);
    const rows = withRows([...management, ...observability].map(spelled), listed);
    const properties = sentProperties(resources[type].inputs);

    it(`has each property of ${type} that is sent`, () => {
      const inTable = rows.flatMap(({ property }) => property ?? []);
      expect([...new Set(inTable)].sort()).to.deep.equal([...properties].sort());
    });

    it(`names the API that takes every member of the product's requests about ${type}`, () => {
      const isOnBoth = management.size > 0 && observability.size > 0;
      const taken = [...new Set([...management, ...observability])].map((member) => {
        const api = !management.has(member)
          ? "observability"
          : observability.has(member)
            ? "both"
            : "management";
        return [spelled(member), isOnBoth ? api : "both"] as const;
      });
      const inTable = rows.filter(({ member }) => !further[type]?.includes(member));
      expect(Object.fromEntries(inTable.map(({ member, api }) => [member, api]))).to.deep.equal(
        Object.fromEntries(taken.filter(([member]) => !further[type]?.includes(member))),
      );
    });

    it(`states the treatment of every further member of ${type}`, () => {
      const others = listed.filter(({ property }) => property === undefined).map(({ member }) => member);
      const known: { readonly [type: string]: readonly string[] } = {
        Alert: ["chartConfig.lineInterpolation"],
        Dashboard: [
          "filters.id",
          "savedFilterValues.all",
          "tiles.description",
          "tiles.config.lineInterpolation",
        ],
        Source: ["id", "filterSettings.columns.valueExpression", "filterSettings.columns.allowAll"],
      };
      expect(others).to.deep.equal(known[type] ?? []);
    });
  }
});

const tags = ["displayType", "configType"];

/** The kinds of tiles: the words that tell them apart, and their members, required and optional. */
const kinds = [...Object.values<TObject>(builtKinds), ...Object.values<TObject>(sqlKinds)].map((kind) => {
  const { displayType, configType, ...members } = kind.properties;
  const isRequired = (name: string) => kind.required?.includes(name);
  return [
    `${displayType?.const} ${configType?.const ?? ""}`,
    Object.keys(members).filter(isRequired),
    Object.keys(members).filter((name) => !isRequired(name)),
  ] as const;
});

/** The members of each kind in the product's document of one API; a kind that programs cannot declare is not among them. */
function kindsInProduct(api: Api): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (schema: Schema): void => {
    const { allOf = [], anyOf = [], oneOf = [] } = schema;
    for (const part of [...anyOf, ...oneOf]) walk(part);
    const properties = Object.assign({}, schema.properties, ...allOf.map((part) => part.properties ?? {}));
    const [displayType] = properties.displayType?.enum ?? [];
    if (displayType === undefined) for (const part of allOf) walk(part);
    else {
      const key = `${displayType} ${properties.configType?.enum?.[0] ?? ""}`;
      const names = Object.keys(properties).filter((name) => !tags.includes(name));
      found.set(key, new Set([...(found.get(key) ?? []), ...names]));
    }
  };
  const tiles = documentedBody(api, "createDashboard")?.properties?.tiles;
  const config = (schema: Schema | undefined): Schema | undefined =>
    schema?.properties?.config ?? schema?.allOf?.map(config).find(Boolean);
  walk(config(tiles?.items) ?? {});
  return found;
}

/** Members of tiles that no program can declare yet; an update keeps what the service shows of them. */
const undeclared = ["lineInterpolation", "colorRules"];

describe("Kinds of tiles", () => {
  it("each kind of tile has the members that docs/members.md shows", () => {
    const [, section = ""] = page.split("\n### Content of tiles\n");
    const rows = section.matchAll(/^\| `(\w+)` \| (?:`(sql)` )?\|([^|]*)\|([^|]*)\|$/gm);
    const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const shown = [...rows].map(([, kind, type = "", ...cells]) => [
      `${kind} ${type}`,
      ...cells.map(namesIn),
    ]);
    expect(shown).to.deep.equal(kinds);
  });

  it("each kind of tile has exactly the members that the product takes through either API", () => {
    const [cloud, server] = [kindsInProduct("management"), kindsInProduct("observability")];
    const declared = new Map<string, Set<string>>();
    for (const [kind, ...members] of kinds)
      declared.set(kind, new Set([...(declared.get(kind) ?? []), ...members.flat()]));
    for (const [kind, members] of declared) {
      const taken = new Set([...(cloud.get(kind) ?? []), ...(server.get(kind) ?? [])]);
      const expected = new Set([...members, ...undeclared.filter((name) => taken.has(name))]);
      expect([kind, ...[...expected].sort()]).to.deep.equal([kind, ...[...taken].sort()]);
    }
    const unknown = [...new Set([...cloud.keys(), ...server.keys()])].filter((kind) => !declared.has(kind));
    expect(unknown).to.deep.equal(["stacked_line ", "stacked_line sql"]);
  });
});
