import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { resources } from "../../../provider/resources/registry";
import { isRenamedTile } from "../../../provider/resources/tiles/renames";
import { idsByName, matchIds } from "../../../provider/resources/tiles/tiles";
import { differences, equal } from "../../../provider/values/compare";
import { failureOf } from "../api/failure";
import { place } from "../api/server";
import { useHost } from "../hosts/dynamic/hostProcess";
import { tile, useService } from "../lifecycle/scriptedService";
import { expectCleanPrototypes, inherited } from "./inherited";

describe("Names that equal inherited members of JavaScript objects", () => {
  it("a tile can have the name of an inherited member such as constructor", () => {
    const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
    const tiles = inherited.map((name, index) => ({ name, id: ids[index] }));
    const tileIds = idsByName(tiles);
    expect(Object.entries(tileIds)).to.deep.equal(inherited.map((name, index) => [name, ids[index]]));
    expect(Object.getPrototypeOf(tileIds)).to.equal(Object.prototype);
    const declared = inherited.map((name) => ({ name }));
    expect(matchIds(declared, tiles, tileIds, isRenamedTile)).to.deep.equal(ids);
    // A new tile has no id yet, even if it is named like an inherited property of JavaScript objects.
    expect(matchIds(declared, [], {}, isRenamedTile)).to.deep.equal(inherited.map(() => undefined));
    // A tile that is renamed to the name of an inherited property of JavaScript objects keeps its id by its position.
    const renamed = matchIds([{ name: "constructor" }], [{ name: "Errors" }], { Errors: "e" }, isRenamedTile);
    expect(renamed).to.deep.equal(["e"]);
  });

  describe("tiles of a live dashboard that are named like inherited members of JavaScript objects", () => {
    const service = useService();

    it("pulumi import of tiles named like inherited members gives a program that shows no change", async () => {
      const tiles = inherited.map((name, at) => ({ ...tile, name, y: at * 4 }));
      const { id } = await service.create(service.open().session, "Dashboard", { tiles });
      const { session } = service.open();
      const imported = (await importObject(resources.Dashboard, id, {}, session)) as unknown as {
        inputs: { tiles: { name: string }[] };
        state: { tileIds: object };
      };
      expect(imported.inputs.tiles.map(({ name }) => name)).to.deep.equal(inherited);
      expect(Object.keys(imported.state.tileIds)).to.have.members(inherited);
      expect(await resources.Dashboard.diff(id, imported.state, imported.inputs, session)).to.deep.equal([]);
    });
  });

  for (const name of inherited)
    it(`a comparison finds a difference in a member with an inherited name: ${name}`, () => {
      const config = (text: string) => ({ tiles: [{ name: "a", config: JSON.parse(text) }] });
      const [left, right] = [config(`{"a": 1, "${name}": "x"}`), config('{"a": 1}')];
      expect(equal(dashboardResource.inputs, left, right)).to.equal(false);
      const found = differences(dashboardResource.inputs, left, right);
      expect(found.map(({ keys, right: other }) => [keys, other])).to.deep.equal([
        [["tiles", 0, "config", name], undefined],
      ]);
    });

  describe("inputs named like inherited members", () => {
    const host = useHost();

    for (const name of inherited.filter((one) => one !== "__proto__"))
      it(`the check refuses ${name} as a property, and keeps it as a key of an open object`, async () => {
        const { ApiKey } = host.current;
        const inputs = { name: "key", roles: ["admin"], keepers: { [name]: "x" } };
        expect((await ApiKey.check({}, inputs)).failures).to.deep.equal([]);
        const { failures } = await ApiKey.check({}, { ...inputs, [name]: "x" });
        const reason = new RegExp(`^${name} is not a valid property; expected one of `);
        expect(failures?.[0]?.reason).to.match(reason);
        const change = await ApiKey.diff("id", { ...inputs, ...place, keepers: {} }, { ...inputs, ...place });
        expect(change).to.have.property("replaces");
        expect(change).not.to.have.property("changes");
        expectCleanPrototypes();
      });

    it("inputs that are nested too deeply cause a readable error", async () => {
      let config: unknown = "x";
      for (let depth = 0; depth < 5000; depth++) config = { config };
      const inputs = { name: "d", tiles: [{ name: "t", x: 0, y: 0, w: 1, h: 1, config }] };
      const { message, stack } = await failureOf(host.current.Dashboard.check({}, inputs));
      expect(message).to.equal("a property is nested more than 100 levels deep, and no valid property is");
      expect(stack).to.equal(message);
    });
  });
});
