import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import type { Language } from "../../../../cli/import/language";
import type { NamedObject } from "../../../../cli/import/names";
import { programOf as programIn } from "../../../../cli/import/program";
import { python } from "../../../../cli/import/python";
import { typescript } from "../../../../cli/import/typescript";

const programOf = (
  objects: readonly NamedObject[],
  scope: Parameters<typeof programIn>[1],
  isElsewhere: boolean,
  language: Language = typescript("pipestack"),
) => programIn({ objects, lookups: [] }, scope, isElsewhere, language).get(language.file) ?? "";

const place = { organizationId: "o1", serviceId: "s1" };
const tiles = ["Errors", "Query time", 'say "hi"', "apply", "get", "then", "toString", "__private", "2nd"];
const tileIds = Object.fromEntries(tiles.map((tile, index) => [tile, `tile-${index}`]));

const dashboard: NamedObject = {
  ...{ type: "Dashboard", id: "d1", name: "errors", variable: "errors" },
  ...{ declared: { ...place, name: "Errors", tiles: [] }, state: { tileIds } },
};

function alertOn(tileId: string): NamedObject {
  const declared = { ...place, source: "tile", dashboardId: "d1", tileId };
  return { type: "Alert", id: tileId, name: tileId, variable: tileId, declared, state: {} };
}

describe("The program that pipestack import generates", () => {
  for (const [tile, id] of Object.entries(tileIds)) {
    it(`a generated program refers to the id of the tile ${JSON.stringify(tile)}`, async () => {
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

  it("a generated program refers to the tile of the alert's own dashboard if others have tiles with its id", () => {
    const copy = { ...dashboard, id: "d2", name: "copy", variable: "copy" };
    expect(programOf([dashboard, copy, alertOn("tile-0")], place, false)).to.include(
      "  dashboardId: errors.id,\n  tileId: errors.tileIds.Errors,\n",
    );
  });

  it("a generated Python program uses the SDK's names and references", () => {
    const board = { ...dashboard, variable: "queryErrors", declared: { ...place, name: "It's", tiles: [] } };
    const newer = { displayType: "heatmap", select: [], colorScale: 1 };
    const tile = { name: "New", x: 0, y: 0, w: 6, h: 4, config: newer };
    const declared = { ...place, name: "B", tiles: [tile] };
    const other = { ...dashboard, id: "d2", state: {}, name: "other", declared };
    const [plain, channel] = [alertOn("tile-2"), { webhookId: "w" }];
    const alert = { ...plain, declared: { ...plain.declared, channel } };
    const allowedOrigins = ["https://a.example", "https://b.example"];
    const endpoint = { ...other, type: "QueryEndpoint", declared: { roles: ["a"], allowedOrigins } } as const;
    expect(programOf([endpoint], place, false, python)).to.include(
      '    roles=["a"],\n    allowed_origins="https://a.example,https://b.example",\n',
    );
    expect(
      programOf([board, other, alert], place, true, python),
    ).to.equal(`# The objects of service s1, written by "pipestack import".
import pulumi_pipestack as pipestack

organization_id = "o1"
service_id = "s1"

query_errors = pipestack.Dashboard(
    "errors",
    organization_id=organization_id,
    service_id=service_id,
    name="It's",
    tiles=[],
)

pipestack.Dashboard(
    "other",
    organization_id=organization_id,
    service_id=service_id,
    name="B",
    tiles=[
        {
            "name": "New",
            "x": 0,
            "y": 0,
            "w": 6,
            "h": 4,
            "config": {
                "displayType": "heatmap",
                "select": [],
                "colorScale": 1,
            },
        },
    ],
)

pipestack.Alert(
    "tile-2",
    organization_id=organization_id,
    service_id=service_id,
    source=pipestack.AlertSource("tile"),
    dashboard_id=query_errors.id,
    tile_id=query_errors.tile_ids['say "hi"'],
    channel={
        "webhook_id": "w",
    },
)
`);
  });

  it("a generated program declares variables only for resources to which others refer", () => {
    expect(programOf([dashboard], place, false)).to.include("\nnew pipestack.Dashboard(");
    expect(programOf([dashboard, alertOn("tile-0")], place, false))
      .to.include("\nconst errors = new pipestack.Dashboard(")
      .and.include("\nnew pipestack.Alert(");
  });

  it("a generated program declares only the constants that it uses", () => {
    const declared = { organizationId: "o1", roles: ["admin"] };
    const key: NamedObject = { ...dashboard, type: "ApiKey", declared, state: {} };
    const program = programOf([key], place, true);
    expect(program)
      .to.include('const organizationId = "o1";\n')
      .and.include("  organizationId,\n")
      .and.not.include("serviceId");
    expect(programOf([key], place, false)).to.not.include("organizationId");
  });

  it("a generated program casts only values that no type allows", () => {
    const area = { x: 0, y: 0, w: 1, h: 1 };
    const known = { displayType: "markdown", markdown: "a" };
    const configs = [known, { ...known, font: "serif" }, { displayType: "flame" }];
    const declared = { ...dashboard.declared, tiles: configs.map((config) => ({ ...area, config })) };
    const program = programOf([{ ...dashboard, declared }], place, false);
    const casts = [...program.matchAll(/config: \{([^}]*)\}( as never)?,/g)].map(([, , cast]) => cast);
    expect(casts).to.deep.equal([undefined, " as never", " as never"]);
  });
});
