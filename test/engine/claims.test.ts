import { expect } from "chai";
import { calls, forget, useFixture } from "./fixture";

// A rename in the same update in which the resource gets another provider, and so another process: the engine creates
// the renamed resource in one of them and deletes the old one in the other. `dynamic` and `plugin` are both hosts.
describe("an object that two provider processes of one update have", () => {
  const fixture = useFixture({ host: "plugin" });
  const program = (body: string) => `
const plugin = globalThis.pipestack;
const dynamic = require("pipestack");
const other = { dynamic: new dynamic.Provider("otherDynamic", {}), plugin: new plugin.Provider("otherPlugin", {}) };
${body}`;
  let adopted = "";

  /** All three kinds of objects that two resources can have, in a host and one of its processes. */
  const resources = (host: "dynamic" | "plugin", suffix: string, isOther = false) => `{
  const options = ${isOther} ? { provider: other.${host} } : {};
  new ${host}.QueryEndpoint("endpoint${suffix}", { roles: ["sql_console_read_only"], openApiKeys: [] }, options);
  new ${host}.ServiceScaling("scaling${suffix}", { numReplicas: 2, onDestroy: "restore" }, options);
  new ${host}.ApiKey("key${suffix}", { adoptId: "${adopted}", name: "queries", roles: ["developer"] }, options);
}`;

  const held = () => {
    const { credentials, store } = fixture.sandbox;
    return {
      roles: store.queryEndpointOf(credentials.serviceId)?.roles,
      numReplicas: store.services.get(credentials.serviceId)?.numReplicas,
      key: store.keys.get(adopted)?.name,
    };
  };
  const everything = { roles: ["sql_console_read_only"], numReplicas: 2, key: "queries" };

  before(async () => {
    await fixture.write(program(""));
    await fixture.up();
    await fixture.write(
      program(`new dynamic.ApiKey("made", { roles: ["admin"] }, { retainOnDelete: true });`),
    );
    await fixture.up();
    adopted = (await fixture.resource("made")).id ?? "";
    await fixture.write(program(resources("dynamic", "")));
    await fixture.up();
    expect(held()).to.deep.equal(everything);
  });

  const moves = [
    ["from the default provider to another one of the dynamic host", "dynamic", true],
    ["back to the default provider of the dynamic host", "dynamic", false],
    ["from the dynamic host to the plugin", "plugin", false],
    ["from the default provider to another one of the plugin", "plugin", true],
    ["from the plugin to the dynamic host", "dynamic", false],
  ] as const;
  for (const [index, [move, host, isOther]] of moves.entries()) {
    it(`stays when it is renamed and moved ${move}`, async () => {
      forget(fixture.sandbox);
      await fixture.write(program(resources(host, String(index), isOther)));
      const { summary, output } = await fixture.up();
      expect(summary).to.include({ create: 3, delete: 3 });
      expect(held()).to.deep.equal(everything);
      expect(calls(fixture.sandbox).filter((line) => line.startsWith("DELETE"))).to.deep.equal([]);
      for (const type of ["QueryEndpoint", "ServiceScaling", "ApiKey"])
        expect(output).to.match(
          new RegExp(`${type} \\S+ is not deleted, since the program still declares it`),
        );
    });
  }

  for (const [first, second] of [
    [`dynamic.QueryEndpoint("a", roles)`, `dynamic.QueryEndpoint("b", roles)`],
    [`plugin.QueryEndpoint("a", roles)`, `plugin.QueryEndpoint("b", roles)`],
    [`plugin.QueryEndpoint("a", roles)`, `dynamic.QueryEndpoint("b", roles)`],
    [`dynamic.QueryEndpoint("a", roles)`, `dynamic.QueryEndpoint("b", roles, { provider: other.dynamic })`],
  ] as const)
    it(`is refused in the preview as new ${first} beside new ${second}`, async () => {
      await fixture.write(
        program(`const roles = { roles: ["sql_console_read_only"], openApiKeys: [] };
new ${first};
new ${second};`),
      );
      const { output } = await fixture.preview({ expect: "failure" });
      expect(output).to.match(
        /QueryEndpoint "[ab]" and QueryEndpoint "[ab]" both declare the query endpoint of service/,
      );
    });

  it("is deleted as ever by destroy", async () => {
    await fixture.destroy();
    // The last of the resources found 2 replicas, and restores them.
    expect(held()).to.deep.equal({ roles: undefined, numReplicas: 2, key: undefined });
  });
});
