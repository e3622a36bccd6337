import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { annotationsOf } from "../../../provider/lifecycle/schema";
import { resources, typeNames } from "../../../provider/resources/registry";
import type { TProperties, TSchema } from "../../../provider/typebox";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "members.md"), "utf8");

interface Row {
  readonly member: string;
  readonly api: string;
  /** The property that declares it; absent where no program does. */
  readonly property?: string;
}

/** The rows below the heading of a type. */
function rowsOf(type: string): Row[] {
  const [, section = ""] = page.split(`\n## ${type}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/^\| `([\w.]+)` \| (\w+) \| (declared(?: as `(\w+)`)?|[^|]*)/gm)].map(
    ([, member = "", api = "", how = "", other]) => ({
      member,
      api,
      ...(how.startsWith("declared") ? { property: other ?? member } : {}),
    }),
  );
}

/** The properties of a schema that are sent, by path, each with the API that it or what it is in needs. */
function sentProperties({ properties = {}, items }: TSchema, path = "", via = "both"): Map<string, string> {
  if (items) return sentProperties(items as TSchema, path, via);
  return new Map(
    Object.entries(properties as TProperties).flatMap(([name, schema]) => {
      const annotations = annotationsOf(schema);
      if (annotations.local) return [];
      const [own, api] = [path === "" ? name : `${path}.${name}`, annotations.via ?? via];
      return [[own, api] as const, ...sentProperties(schema, own, api)];
    }),
  );
}

describe("the table of members", () => {
  for (const type of typeNames) {
    const rows = rowsOf(type);
    const properties = sentProperties(resources[type].inputs);

    it(`has a row for each property of ${type} that is sent, and says which API takes it`, () => {
      const inTable = rows.flatMap(({ property, api }) => (property ? [[property, api] as const] : []));
      expect(Object.fromEntries(inTable)).to.deep.equal(Object.fromEntries(properties));
    });

    it(`says of every further member of ${type} what becomes of it`, () => {
      const others = rows.filter(({ property }) => property === undefined).map(({ member }) => member);
      expect(others).to.deep.equal(type === "Dashboard" ? ["filters.id"] : []);
    });
  }
});
