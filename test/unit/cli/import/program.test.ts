import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import type { NamedObject } from "../../../../provider/cli/import/names";
import { programOf } from "../../../../provider/cli/import/program";

const place = { organizationId: "o1", serviceId: "s1" };
const tiles = ["Errors", "Query time", 'say "hi"', "apply", "get", "then", "toString", "__private", "2nd"];
const tileIds = Object.fromEntries(tiles.map((tile, index) => [tile, `tile-${index}`]));

const dashboard: NamedObject = {
  type: "Dashboard",
  id: "d1",
  name: "errors",
  variable: "errors",
  declared: { ...place, name: "Errors", tiles: [] },
  state: { tileIds },
};

function alertOn(tileId: string): NamedObject {
  const declared = { ...place, source: "tile", dashboardId: "d1", tileId };
  return { type: "Alert", id: tileId, name: tileId, variable: tileId, declared, state: {} };
}

describe("A generated program", () => {
  for (const [tile, id] of Object.entries(tileIds)) {
    it(`reaches the id of the tile ${JSON.stringify(tile)}`, async () => {
      const program = programOf([dashboard, alertOn(id)], place, false);
      const [, reference] = /^ {2}tileId: (.+),$/m.exec(program) ?? [];
      expect(reference).to.match(/^errors\.tileIds/);
      const evaluate = new Function("errors", `return ${reference};`);
      const output: pulumi.Output<string> = evaluate({ tileIds: pulumi.output(tileIds) });
      const value = await new Promise((resolve) => {
        output.apply((known) => resolve(known));
      });
      expect(value).to.equal(id);
    });
  }

  it("names in a variable only what something refers to", () => {
    expect(programOf([dashboard], place, false)).to.include("\nnew pipestack.Dashboard(");
    expect(programOf([dashboard, alertOn("tile-0")], place, false))
      .to.include("\nconst errors = new pipestack.Dashboard(")
      .and.include("\nnew pipestack.Alert(");
  });

  it("declares the constants that it uses and no others", () => {
    const key: NamedObject = {
      ...dashboard,
      type: "ApiKey",
      declared: { organizationId: "o1", roles: ["admin"] },
      state: {},
    };
    const program = programOf([key], place, true);
    expect(program)
      .to.include('const organizationId = "o1";\n')
      .and.include("  organizationId,\n")
      .and.not.include("serviceId");
    expect(programOf([key], place, false)).to.not.include("organizationId");
  });

  it("takes what no type knows out of the compiler's sight, and nothing else", () => {
    const place = { x: 0, y: 0, w: 1, h: 1 };
    const known = { displayType: "markdown", markdown: "a" };
    const declared = {
      ...dashboard.declared,
      tiles: [known, { ...known, font: "serif" }, { displayType: "flame" }].map((config) => ({
        ...place,
        config,
      })),
    };
    const program = programOf([{ ...dashboard, declared }], { organizationId: "o1", serviceId: "s1" }, false);
    const casts = [...program.matchAll(/config: \{([^}]*)\}( as never)?,/g)].map(([, , cast]) => cast);
    expect(casts).to.deep.equal([undefined, " as never", " as never"]);
  });
});
