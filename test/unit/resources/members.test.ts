import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type Operation, operations } from "../../../provider/api/operations";
import { builtKinds, sqlKinds } from "../../../provider/resources/dashboard/tileKinds";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { TObject, TProperties, TSchema } from "../../../provider/values/schemaBuilders";
import { type Api, documentedBody } from "../../strictProduct/judge";
import { membersOf, type Server } from "../../strictProduct/schema";
import { configSchema } from "../../strictProduct/tileSchemas";

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

/** The properties of a schema that are sent, by path, each with the API that it or what it is in needs. */
function sentProperties({ properties = {}, items }: TSchema, path = "", via = "both"): Map<string, string> {
  if (items) return sentProperties(items as TSchema, path, via);
  return new Map(
    Object.entries(properties as TProperties).flatMap(([name, schema]) => {
      const annotations = annotationsOf(schema);
      if (annotations.sent === "never") return [];
      const [own, api] = [path === "" ? name : `${path}.${name}`, annotations.via ?? via];
      return [[own, api] as const, ...sentProperties(schema, own, api)];
    }),
  );
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
  return membersOf(served.flatMap((name) => documentedBody(api, name) ?? []));
}

/** What the table has beyond these bodies. */
const further: { readonly [type in TypeName]?: readonly string[] } = {
  // A member of the API document.
  Dashboard: ["tiles.series.dataSource"],
  // What people made on the product's page.
  SavedSearch: ["filters.operator", "filters.left", "filters.right"],
  // What only the server has, a name that every language can write, and what the product's documents take and ignore.
  Source: [
    ...["orderByExpression", "tableFilterExpression", "spanLinksValueExpression", "sampleRateExpression"],
    ...["seriesTable", "metricTables.exponentialHistogram", "id"],
  ],
};

describe("The table of members", () => {
  for (const type of typeNames) {
    const [management, observability] = [documented(type, "management"), documented(type, "observability")];
    const spelled = (member: string) => member.replace("exponential h", "exponentialH");
    const listed = rowsOf(type);
    const rows = withRows([...management, ...observability].map(spelled), listed);
    const properties = sentProperties(resources[type].inputs);

    it(`names the API that takes each property of ${type} that is sent`, () => {
      const inTable = rows.flatMap(({ property, api }) => (property ? [[property, api] as const] : []));
      expect(Object.fromEntries(inTable)).to.deep.equal(Object.fromEntries(properties));
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
        Dashboard: ["filters.id"],
        Source: ["id"],
      };
      expect(others).to.deep.equal(known[type] ?? []);
    });
  }
});

const tags = ["displayType", "configType"];

/** The kinds of tiles: the words that tell them apart, and members, required, of both APIs, and of one alone. */
const kinds = [...Object.values<TObject>(builtKinds), ...Object.values<TObject>(sqlKinds)].map((kind) => {
  const { displayType, configType, ...members } = kind.properties;
  const isRequired = (name: string) => kind.required?.includes(name);
  const isOnlyObservability = (name: string) => annotationsOf(schemaAt(kind, name)).via === "observability";
  const optional = Object.keys(members).filter((name) => !isRequired(name));
  return [
    `${displayType?.const} ${configType?.const ?? ""}`,
    Object.keys(members).filter(isRequired),
    optional.filter((name) => !isOnlyObservability(name)),
    optional.filter(isOnlyObservability),
  ] as const;
});

interface Variants {
  readonly allOf: readonly {
    readonly if: { readonly properties: { readonly displayType: { readonly enum: readonly [string] } } };
    readonly then: { readonly properties: object };
  }[];
}

/** The kinds in the product's document of one API, as `variants` of the strict product holds them. */
function kindsInProduct(api: Server) {
  const schema = configSchema(api) as { readonly else: object };
  const { then: sql, else: built } = (api === "api" ? schema.else : schema) as {
    readonly then: Variants;
    readonly else: { readonly allOf: readonly [Variants] };
  };
  const kindsOf = ({ allOf }: Variants, type: string) =>
    allOf.map(({ if: words, then: { properties } }) => {
      const names = Object.keys(properties).filter((name) => !tags.includes(name));
      return [`${words.properties.displayType.enum[0]} ${type}`, names] as const;
    });
  return [...kindsOf(built.allOf[0], ""), ...kindsOf(sql, "sql")];
}

describe("Kinds of tiles", () => {
  it("each kind of tile has the members that docs/members.md shows", () => {
    const [, section = ""] = page.split("\n### Content of tiles\n");
    const rows = section.matchAll(/^\| `(\w+)` \| (?:`(sql)` )?\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm);
    const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const shown = [...rows].map(([, kind, type = "", ...cells]) => [
      `${kind} ${type}`,
      ...cells.map(namesIn),
    ]);
    expect(shown).to.deep.equal(kinds);
  });

  it("each kind of tile has exactly the members that the product takes through either API", () => {
    // A document has the members of both kinds of heatmap in one schema.
    const sorted = (all: readonly (readonly [string, readonly string[]])[]) =>
      all.map(([kind]) => [
        kind,
        [...new Set(all.flatMap(([other, own]) => (other === kind ? own : [])))].sort(),
      ]);
    const ofBoth = kinds
      .filter(([, required]) => !required.includes("heatmapMode"))
      .map(([kind, required, optional]) => [kind, [...required, ...optional]] as const);
    const all = kinds.map(([kind, ...members]) => [kind, members.flat()] as const);
    expect(Object.fromEntries(sorted(ofBoth))).to.deep.equal(
      Object.fromEntries(sorted(kindsInProduct("clickstack"))),
    );
    expect(Object.fromEntries(sorted(all))).to.deep.equal(Object.fromEntries(sorted(kindsInProduct("api"))));
  });
});
