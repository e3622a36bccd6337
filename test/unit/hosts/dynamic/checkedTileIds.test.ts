import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { checkedTileIds } from "../../../../provider/hosts/dynamic/checkedTileIds";

const tiles = [{ name: "Errors" }, { name: "Events" }, { name: "Errors" }];
const ids: { readonly [name: string]: string } = { Errors: "1", Events: "2", "Errors (2)": "3" };

const resultOf = <Value>(output: pulumi.Output<Value> | undefined) =>
  (output as unknown as { promise(): Promise<Value> }).promise();
const failureOf = (output: pulumi.Output<string> | undefined) =>
  resultOf(output).then(
    () => "no failure",
    (error: Error) => error.message,
  );

/** Ids as they are in the preview of a creation. */
const unknownIds = () =>
  new (pulumi.Output as unknown as new (...args: unknown[]) => pulumi.Output<typeof ids>)(
    new Set(),
    Promise.resolve(undefined),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve(new Set()),
  );

describe("The ids of tiles in a program", () => {
  const message = 'dashboard ingestion has no tile "Erors"; it has: Errors, Events, Errors (2)';

  it("are those of the tiles", async () => {
    const checked = checkedTileIds(pulumi.output(ids), "ingestion", tiles);
    expect(await resultOf(checked.Errors)).to.equal("1");
    expect(await resultOf(checked["Errors (2)"])).to.equal("3");
  });

  it("fail for a tile that the dashboard does not declare, and say which it has", async () => {
    expect(await failureOf(checkedTileIds(pulumi.output(ids), "ingestion", tiles).Erors)).to.equal(message);
  });

  it("fail so in the preview of a creation, where no id is known", async () => {
    const checked = checkedTileIds(unknownIds(), "ingestion", pulumi.output(tiles));
    expect(await failureOf(checked.Erors)).to.equal(message);
    expect(await failureOf(checked.Errors)).to.equal("no failure");
  });

  it("say that a dashboard without tiles has none", async () => {
    expect(await failureOf(checkedTileIds(unknownIds(), "ingestion", []).Errors)).to.equal(
      'dashboard ingestion has no tile "Errors"; it has none',
    );
  });

  it("are still an output with all that outputs have", async () => {
    const checked = checkedTileIds(pulumi.output(ids), "ingestion", tiles);
    expect(pulumi.Output.isInstance(checked)).to.equal(true);
    expect(await resultOf(checked)).to.deep.equal(ids);
    expect(await resultOf(checked.apply(({ Events }) => Events))).to.equal("2");
    expect(await resultOf(pulumi.all([checked]).apply(([all]) => all?.Errors))).to.equal("1");
  });
});
