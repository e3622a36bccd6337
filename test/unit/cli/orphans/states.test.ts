import { expect } from "chai";
import fc from "fast-check";
import { findOrphans } from "../../../../cli/orphans/findOrphans";
import { Holdings } from "../../../../cli/orphans/states";
import type { Session } from "../../../../provider/lifecycle/session";
import { createdTypes, resource } from "./orphansFixture";

const holdingsOf = (...resources: object[]) =>
  new Holdings([{ name: "state", resources: resources as never, pending: [] }]);

const user = (output: string) =>
  holdingsOf({ urn: "urn:pulumi:z::z::z::user", type: "z", outputs: [output] });

describe("The states that pipestack orphans reads", () => {
  it("pipestack orphans finds the resource whose outputs contain an object's id, at any place of a text", () => {
    const id = fc.stringMatching(/^[0-9a-fA-F-]{1,4}$/);
    const around = fc.string({
      unit: fc.constantFrom("a", "0", "-", "/", " ", "\n", '"', "é"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(id, id, around, around, (id, other, before, after) => {
        const holdings = user(`${before}${id}${after}`);
        expect(holdings.userOf(id)).to.equal("user");
        const stands = `${before}${id}${after}`.toLowerCase().includes(other.toLowerCase());
        if (stands) expect(holdings.userOf(other)).to.equal("user");
      }),
    );
    expect(user("66f0").userOf("66f1")).to.equal(undefined);
    expect(user("a/b c").userOf("B C")).to.equal("user");
  });

  it("pipestack orphans compares thousands of resources with thousands of objects within 20 s", function () {
    this.timeout(20_000);
    const idOf = (kind: string, index: number) => `${kind}${index}`.padStart(24, "0");
    const dashboards = Array.from({ length: 2500 }, (_, index) => {
      const tiles = Array.from({ length: 8 }, (_, tile) => ({
        ...{ id: idOf(`f${tile}`, index), name: `Tile ${tile}` },
      }));
      return { type: "Dashboard", id: idOf("a", index), answer: { id: idOf("a", index), tiles } } as const;
    });
    const alerts = dashboards.map(({ id, answer: { tiles } }, index) => {
      const answer = { dashboardId: id, tileId: tiles[0]?.id };
      return { type: "Alert", id: idOf("b", index), answer } as const;
    });
    const held = dashboards.map(({ answer }, index) =>
      resource("Dashboard", idOf("c", index), {
        tiles: answer.tiles.map(({ name }) => ({ id: idOf(`e${name.slice(5)}`, index), name })),
      }),
    );
    const session = { settings: {} } as unknown as Session;
    const listing = { objects: [...dashboards, ...alerts], elsewhere: [], services: [], unseen: new Map() };
    const orphans = findOrphans(listing, createdTypes, holdingsOf(...held), session);
    expect(orphans.filter(({ kept }) => kept === null)).to.have.length(5000);
  });
});
