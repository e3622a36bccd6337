import { expect } from "chai";
import { send } from "../serviceContents";
import { calls, forget, useFixture } from "./fixture";

/**
 * The beginning of a program that uses the dynamic host and the plugin, each with a second provider instance and thus a second
 * process.
 */
const beginning = `
const plugin = globalThis.pipestack;
const dynamic = require("pipestack");
const other = { dynamic: new dynamic.Provider("otherDynamic", {}), plugin: new plugin.Provider("otherPlugin", {}) };
`;

// These tests rename resources in the same update that moves them to another provider instance, and so to another
// process. The engine creates the renamed resource in one process and deletes the old one in the other.
describe("Programs that use the dynamic host and the plugin", () => {
  const fixture = useFixture({ host: "plugin" });
  const write = (body: string) => fixture.write(beginning + body);
  let adopted = "";

  /**
   * Returns three resources whose objects a second resource of the program can share: two singletons and an adopted API key.
   */
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
    const made = await send<{ key: { id: string } }>(fixture.sandbox, "POST", "/keys", {
      name: "made",
      roles: ["admin"],
    });
    adopted = made.key.id;
    await write(resources("dynamic", ""));
    await fixture.up();
    expect(held()).to.deep.equal(everything);
  });

  const moves = [
    ["from the default provider to another one of the dynamic host", "dynamic", true],
    ["from the dynamic host to the plugin", "plugin", false],
    ["from the default provider to another one of the plugin", "plugin", true],
  ] as const;
  for (const [index, [move, host, isOther]] of moves.entries()) {
    it(`an object survives an update that renames its resource and moves it ${move}`, async () => {
      forget(fixture.sandbox);
      await write(resources(host, String(index), isOther));
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

  it("the preview refuses a singleton that a program declares in both hosts", async () => {
    await write(`const roles = { roles: ["sql_console_read_only"], openApiKeys: [] };
new plugin.QueryEndpoint("a", roles);
new dynamic.QueryEndpoint("b", roles);`);
    const { output } = await fixture.preview({ expect: "failure" });
    expect(output).to.match(
      /QueryEndpoint "[ab]" and QueryEndpoint "[ab]" both declare the query endpoint of service/,
    );
  });

  it("destroying moved resources keeps the query endpoint and replicas from before the move", async () => {
    await write(resources("plugin", String(moves.length - 1), true));
    await fixture.destroy({ args: ["--run-program"] });
    // The query endpoint and the 2 replicas existed before the last update moved their resources to another provider. So
    // destroying the moved resources keeps the endpoint, and restores 2 replicas.
    expect(held()).to.deep.equal({ roles: everything.roles, numReplicas: 2, key: undefined });
  });
});
