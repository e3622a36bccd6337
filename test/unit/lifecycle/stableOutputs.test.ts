import { expect } from "chai";
import type { Data } from "../../../provider/lifecycle/data";
import { diff } from "../../../provider/lifecycle/diff";
import { check, create, read, update } from "../../../provider/lifecycle/lifecycle";
import { noteResource, observed, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("an output that stays as it was", () => {
  // Known before the apply as long as no zone is declared.
  const resource = noteResource({
    stableOutputs: ({ zone }, { token }): Data =>
      zone === undefined && token !== undefined ? { token } : {},
    create: async (inputs) => ({ id: "n1", observation: observed(inputs as Data, { token: "t" }) }),
    read: async (_id, inputs) => observed(inputs as Data, { token: "t" }),
    update: async (_id, inputs) => observed(inputs as Data, { token: "t" }),
  });
  const { session } = sessionFor();
  const before = { ...declared, token: "t" };

  it("is repeated by the check among the inputs", () => {
    expect(check(resource, before, { ...declared, size: 4 }, session).inputs).to.deep.equal({
      ...declared,
      size: 4,
      token: "t",
    });
    expect(check(resource, before, { ...declared, zone: "b" }, session).inputs).to.deep.equal({
      ...declared,
      zone: "b",
    });
    expect(check(resource, {}, declared, session).inputs).to.deep.equal(declared);
  });

  it("may not be declared", () => {
    expect(check(resource, before, before, session).problems.map(({ path }) => path)).to.deep.equal([
      "token",
    ]);
  });

  it("is neither compared nor taken for declared", async () => {
    expect(
      diff(resource, "n1", { ...declared, token: "t" }, { ...declared, token: "other" }, session),
    ).to.deep.equal([]);
    expect((await create(resource, before, session)).state).to.deep.equal(before);
    expect(await update(resource, "n1", before, { ...before, size: 4 }, session)).to.deep.equal({
      ...before,
      size: 4,
    });
  });

  it("is among the inputs that a read returns, as the check would return them", async () => {
    const result = await read(resource, "n1", before, session);
    expect(result).to.deep.equal({ inputs: before, state: before });
  });
});
