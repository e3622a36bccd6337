import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { builtKinds, sqlKinds } from "../../../provider/resources/dashboard/tileKinds";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { TObject } from "../../../provider/values/schemaBuilders";

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
});
