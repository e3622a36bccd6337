import { expect } from "chai";
import fc from "fast-check";
import { Holdings } from "../../../../cli/orphans/states";

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

  it("pipestack orphans expects no object in the service that an interrupted replacement has deleted", () => {
    const type = "pipestack:index:Dashboard";
    const board = { urn: `urn:pulumi:z::z::${type}::board`, type, id: "66f0", inputs: { serviceId: "s" } };
    expect(holdingsOf(board).placed).to.have.length(1);
    expect(holdingsOf({ ...board, pendingReplacement: true }).placed).to.deep.equal([]);
  });
});
