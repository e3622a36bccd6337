import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { isOutputMember } from "../../../../provider/engine/outputMembers";
import {
  checkedTileIds,
  declaredNames,
  tileIdOf,
  watchedTile,
  watchOf,
} from "../../../../provider/hosts/dynamic/tileIds";

const tiles = [{ name: "Errors" }, { name: "Events" }, { name: "Errors" }];
const ids: { readonly [name: string]: string } = { Errors: "1", Events: "2", "Errors (2)": "3" };

const resultOf = <Value>(output: pulumi.Output<Value> | undefined) =>
  (output as unknown as { promise(): Promise<Value> }).promise();
const failureOf = (output: pulumi.Output<string> | undefined) =>
  resultOf(output).then(
    () => "no failure",
    (error: Error) => error.message,
  );

const unknownIds = () =>
  new (pulumi.Output as unknown as new (...args: unknown[]) => pulumi.Output<typeof ids>)(
    new Set(),
    Promise.resolve(undefined),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve(new Set()),
  );

describe("The members of a Pulumi Output", () => {
  it("the provider knows the names of all members that a Pulumi Output has in Pulumi's SDK", () => {
    const output = pulumi.output({});
    const { prototype } = pulumi.Output as unknown as { prototype: object };
    const names = [...Object.getOwnPropertyNames(prototype), ...Object.keys(output), "then"];
    expect(names.filter((name) => !isOutputMember(name))).to.deep.equal([]);
    const others = ["get", "apply", "promise", "toJSON", "constructor", "Errors", "name"];
    expect(others.map(isOutputMember)).to.deep.equal(others.map((name) => name in output));
  });
});

describe("The tile ids of a dashboard in a program", () => {
  const message = 'dashboard ingestion has no tile "Erors"; it has: Errors, Events, Errors (2)';

  it("the output tileIds has the id of each tile by the tile's name", async () => {
    const checked = checkedTileIds(pulumi.output(ids), "ingestion", declaredNames(tiles));
    expect(await resultOf(checked.Errors)).to.equal("1");
    expect(await resultOf(checked["Errors (2)"])).to.equal("3");
  });

  it("an undeclared tile name fails in tileIds even in the preview that creates the dashboard", async () => {
    const checked = checkedTileIds(unknownIds(), "ingestion", declaredNames(pulumi.output(tiles)));
    expect(await failureOf(checked.Erors)).to.equal(message);
    expect(await failureOf(checked.Errors)).to.equal("no failure");
  });

  it("an alert gets the id of a tile by its name, which is unknown in the preview of a new dashboard", async () => {
    const names = declaredNames([...tiles, { name: "apply" }]);
    const known = pulumi.output<{ readonly [name: string]: string }>({ ...ids, apply: "4" });
    for (const [name, id] of [
      ["Events", "2"],
      ["apply", "4"],
    ] as const)
      expect(await resultOf(tileIdOf(known, "ingestion", name, names))).to.equal(id);
    expect(await failureOf(tileIdOf(unknownIds(), "ingestion", "Events", names))).to.equal("no failure");
    expect(await resultOf(tileIdOf(known, "ingestion", "Errors (2)", undefined))).to.equal("3");
  });

  it("the search for a tile's id needs exactly one tile of the name, even before any id is known", async () => {
    const find = (name: string) => failureOf(tileIdOf(unknownIds(), "ingestion", name, declaredNames(tiles)));
    expect(await find("Erors")).to.equal(message);
    expect(await find("Errors")).to.equal(
      'dashboard ingestion has 2 tiles "Errors"; give each a name of its own, or choose by tileIds',
    );
  });

  it("the id of a newly declared tile is unknown if an update with --target skips the tile's dashboard", async () => {
    const names = declaredNames([...tiles, { name: "New" }]);
    const applied = declaredNames(tiles);
    const isKnown = (id: pulumi.Output<string> | undefined) =>
      (id as unknown as { isKnown: Promise<boolean> }).isKnown;
    const known = pulumi.output(ids);
    expect(await isKnown(tileIdOf(known, "ingestion", "New", names, applied))).to.equal(false);
    expect(await isKnown(checkedTileIds(known, "ingestion", names, applied).New)).to.equal(false);
    expect(await resultOf(tileIdOf(known, "ingestion", "Events", names, applied))).to.equal("2");
    expect(await failureOf(tileIdOf(known, "ingestion", "New", names))).to.equal(
      'dashboard ingestion has no tile "New"; it has: Errors, Events, Errors (2)',
    );
  });

  it("a reference to a tile tells whether the tile cannot carry alerts, while ids and contents are unknown", async () => {
    const sourceId = unknownIds().Errors;
    const declared = [
      { name: "Errors", config: { displayType: "line", sourceId } },
      { name: "Errors", config: pulumi.output({ displayType: "table" }) },
      { name: "Old", series: [{ type: "table", sourceId }] },
      { name: "Later", config: unknownIds() },
    ];
    for (const tiles of [declared, pulumi.output(declared.slice(1, 2))]) {
      const names = declaredNames(tiles);
      const watch = watchOf("ingestion", tiles, names);
      const checked = checkedTileIds(unknownIds(), "ingestion", names, names, watch);
      const kindOf = async (key: string) => (await resultOf(watchedTile(checked[key as never])))?.kind;
      const isList = Array.isArray(tiles);
      expect(await kindOf("Errors")).to.equal(isList ? undefined : "table");
      if (!isList) continue;
      expect(await resultOf(watchedTile(checked["Errors (2)"]))).to.deep.equal({
        ...{ name: "Errors (2)", dashboard: "ingestion", kind: "table" },
      });
      expect(await kindOf("Old")).to.equal("table");
      expect(await kindOf("Later")).to.equal(undefined);
    }
    expect(watchedTile("1")).to.equal(undefined);
  });

  it("the output tileIds is not secret if the tiles of a dashboard are secret as a whole", async () => {
    const names = declaredNames(pulumi.secret([{ name: "Payroll" }]));
    expect(await failureOf(checkedTileIds(unknownIds(), "ingestion", names).Payrol)).to.include(
      "it has: Payroll",
    );
    const id = tileIdOf(pulumi.output<typeof ids>({ Payroll: "1" }), "ingestion", "Payroll", names);
    expect(await pulumi.isSecret(id)).to.equal(false);
  });
});
