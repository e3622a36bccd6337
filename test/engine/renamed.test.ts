import crypto from "node:crypto";
import { expect } from "chai";
import { useFixture } from "./fixture";

describe("a resource that gets another name in the program", () => {
  const fixture = useFixture();
  let signingKey = "";
  let adopted = "";

  const roles = ["sql_console_read_only"];
  const program = (suffix: string, key: object) => `
new QueryEndpoint("endpoint${suffix}", { roles: ${JSON.stringify(roles)}, openApiKeys: ["${signingKey}"] });
new ServiceScaling("scaling${suffix}", { numReplicas: 2, onDestroy: "restore" });
new ApiKey("key${suffix}", ${JSON.stringify({ name: "queries", roles: ["query_endpoints"], ...key })});
`;

  const held = () => {
    const { credentials, store } = fixture.sandbox;
    const { serviceId } = credentials;
    return {
      roles: store.queryEndpointOf(serviceId)?.roles,
      numReplicas: store.services.get(serviceId)?.numReplicas,
      key: store.keys.get(adopted)?.name,
    };
  };
  const everything = { roles, numReplicas: 2, key: "queries" };
  const asked = () => fixture.sandbox.requests.map(({ operation }) => operation);

  before(async () => {
    [signingKey = ""] = fixture.sandbox.store.keys.keys();
    await fixture.apply(`new ApiKey("made", { roles: ["admin"] }, { retainOnDelete: true });`);
    adopted = (await fixture.resource("made")).id ?? "";
    await fixture.apply(program("", { adoptId: adopted }));
    expect(held()).to.deep.equal(everything);
  });

  it("keeps the object, which the engine would have it delete as the one of the old name", async () => {
    fixture.sandbox.requests.length = 0;
    const missing = `new ApiKey("missing", { adoptId: "${crypto.randomUUID()}", roles: ["admin"] });`;
    const renamed = program("Again", { adoptId: adopted });
    // A failure leaves both names in the state.
    const { output: failed } = await fixture.apply(renamed + missing, { expect: "failure" });
    expect(failed).to.include("has no API key");
    const { summary, output } = await fixture.apply(renamed);
    expect(summary).to.include({ delete: 3 });
    expect(held()).to.deep.equal(everything);
    expect(asked().filter((operation) => operation?.startsWith("delete"))).to.deep.equal([]);
    for (const type of ["QueryEndpoint", "ServiceScaling", "ApiKey"])
      expect(output).to.match(new RegExp(`${type} \\S+ is not deleted, since the program still declares it`));
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("refuses a preview in which an adopted object would be replaced by itself", async () => {
    fixture.sandbox.requests.length = 0;
    await fixture.write(program("Again", { adoptId: adopted, keepers: { rotation: "2" } }));
    const { output } = await fixture.preview({ expect: "failure" });
    expect(output).to.include(
      `keepers: this change replaces ${adopted}, but adoptId would adopt ${adopted} again; remove adoptId from the program`,
    );
    expect(asked()).to.deep.equal([]);
  });

  it("is replaced as ever where adoptId is gone", async () => {
    const { summary } = await fixture.apply(program("Again", { keepers: { rotation: "2" } }));
    expect(summary).to.deep.equal({ same: 2, replace: 1 });
    expect(held()).to.deep.equal({ ...everything, key: undefined });
    expect([...fixture.sandbox.store.keys.values()].map(({ name }) => name)).to.include("queries");
  });

  for (const args of [[], ["--run-program"]]) {
    it(["is destroyed as ever by destroy", ...args].join(" "), async () => {
      await fixture.apply(program("Again", {}));
      await fixture.destroy({ args });
      expect(held().roles).to.equal(undefined);
      expect([...fixture.sandbox.store.keys.keys()]).to.deep.equal([signingKey]);
    });
  }
});
