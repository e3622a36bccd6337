import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { builtKinds, sqlKinds } from "../../../provider/resources/dashboard/tileKinds";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { TObject } from "../../../provider/values/schemaBuilders";
import { configSchema, type Server } from "../../strictProduct/tileSchemas";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "members.md"), "utf8");

/** The further members of a kind of tile. */
interface Kind {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly observability: readonly string[];
}

const tags = ["displayType", "configType"];

const all: readonly TObject[] = [...Object.values(builtKinds), ...Object.values(sqlKinds)];

const declared = all.map((kind) => {
  const { properties, required = [] } = kind;
  const names = Object.keys(properties).filter((name) => !tags.includes(name));
  const optional = names.filter((name) => !required.includes(name));
  const isOnlyObservability = (name: string) => annotationsOf(schemaAt(kind, name)).via === "observability";
  return [
    `${properties.displayType?.const} ${properties.configType?.const ?? ""}`,
    {
      required: names.filter((name) => required.includes(name)),
      optional: optional.filter((name) => !isOnlyObservability(name)),
      observability: optional.filter(isOnlyObservability),
    } satisfies Kind,
  ] as const;
});

/** The kinds in the product's document of one API, as `variants` of the strict product holds them. */
function inProduct(api: Server): (readonly [string, readonly string[]])[] {
  interface Variants {
    readonly allOf: readonly {
      readonly if: { readonly properties: { readonly displayType: { readonly enum: readonly [string] } } };
      readonly then: { readonly properties: object };
    }[];
  }
  const { then: sql, else: built } = (
    api === "api" ? (configSchema(api) as { readonly else: object }).else : configSchema(api)
  ) as {
    readonly then: Variants;
    readonly else: { readonly allOf: readonly [Variants] };
  };
  const kinds = ({ allOf }: Variants, type: string) =>
    allOf.map(
      (kind) =>
        [
          `${kind.if.properties.displayType.enum[0]} ${type}`,
          Object.keys(kind.then.properties).filter((name) => !tags.includes(name)),
        ] as const,
    );
  return [...kinds(built.allOf[0], ""), ...kinds(sql, "sql")];
}

describe("Kinds of tiles", () => {
  const [, section = ""] = page.split("\n### Content of tiles\n");
  const rows = section.matchAll(/^\| `(\w+)` \| (?:`(sql)` )?\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm);
  const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

  it("each kind of tile has the members that docs/members.md shows", () => {
    const shown = [...rows].map(([, kind, type = "", required = "", optional = "", observability = ""]) => [
      `${kind} ${type}`,
      {
        required: namesIn(required),
        optional: namesIn(optional),
        observability: namesIn(observability),
      },
    ]);
    expect(shown).to.deep.equal(declared);
  });

  it("each kind of tile has exactly the members that the product takes through either API", () => {
    // A document has the members of both kinds of heatmap in one schema.
    const sorted = (kinds: readonly (readonly [string, readonly string[]])[]) =>
      Object.fromEntries(
        kinds.map(([kind]) => {
          const names = kinds.flatMap(([other, own]) => (other === kind ? own : []));
          return [kind, [...new Set(names)].sort()];
        }),
      );
    const withoutObservability = declared
      .filter(([, { required }]) => !required.includes("heatmapMode"))
      .map(([kind, { required, optional }]) => [kind, [...required, ...optional]] as const);
    const whole = declared.map(
      ([kind, { required, optional, observability }]) =>
        [kind, [...required, ...optional, ...observability]] as const,
    );
    expect(sorted(withoutObservability)).to.deep.equal(sorted(inProduct("clickstack")));
    expect(sorted(whole)).to.deep.equal(sorted(inProduct("api")));
  });
});
