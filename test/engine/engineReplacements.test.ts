import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { useFixture } from "./fixture";

for (const host of ["dynamic", "plugin"] as const)
  describe(`A protected service that the engine replaces on its own, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 100 } });
    const created = () => [...fixture.sandbox.store.services.values()].slice(2);
    const write = (name: string, options = "{}", members = "") =>
      fixture.write(`new Service("${name}", {
  name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [], ${members}
}, ${options});
`);
    const urn = async () => (await fixture.resource("lake")).urn;

    before(async () => {
      await write("lake");
      await fixture.up();
    });

    /** Expects an update to fail before it makes a second service, and the next update of the program to change nothing. */
    async function isRefused(message: RegExp, args: string[] = []): Promise<void> {
      const { output } = await fixture.up({ expect: "failure", args });
      expect(output).to.match(message);
      expect(created()).to.have.length(1);
      await write("lake");
      await fixture.up({ args: ["--expect-no-changes"] });
    }

    it("replaceOnChanges makes no second service, also where the service gets another name", async () => {
      await fixture.write(`new Service("lake", {
  name: "pond", provider: "aws", region: "eu-west-1", ipAccessList: [],
}, { replaceOnChanges: ["name"] });
`);
      await isRefused(/the engine would replace service \S+ \(lake\), which is protected, by an empty one/);
    });

    it("up --replace and a tainted service make no second service", async () => {
      const taken = /is also named "lake", and was created .*, so no second service was created/;
      await isRefused(taken, ["--replace", await urn()]);
      await fixture.run(["state", "taint", await urn(), "--yes"]);
      const { output } = await fixture.up({ expect: "failure" });
      expect(output).to.match(taken);
      expect(created()).to.have.length(1);
      await fixture.run(["state", "untaint", await urn(), "--yes"]);
      await fixture.up({ args: ["--expect-no-changes"] });
    });

    it("a renamed resource without the option aliases makes no second service", async () => {
      await write("renamed");
      await isRefused(/is also named "lake", and was created .*, so no second service was created/);
    });

    it("a stack whose service is pending deletion is mended by the commands that the message names", async () => {
      await write("lake", "{}", "allowSameName: true");
      await fixture.up();
      const { output } = await fixture.up({ expect: "failure", args: ["--replace", await urn()] });
      expect(output).to.match(
        /pulumi stack export.*remove the entry with "delete": true.*pulumi stack import/,
      );
      expect(created()).to.have.length(2);
      const { stdout } = await fixture.run(["stack", "export"]);
      const state = JSON.parse(stdout) as { deployment: { resources: { delete?: boolean; id?: string }[] } };
      const [pending] = state.deployment.resources.filter((resource) => resource.delete === true);
      expect(pending?.id).to.equal(created()[0]?.id);
      state.deployment.resources = state.deployment.resources.filter((resource) => resource.delete !== true);
      await writeFile(join(fixture.folder, "mended.json"), JSON.stringify(state));
      await fixture.run(["stack", "import", "--file", "mended.json"]);
      await fixture.up({ args: ["--expect-no-changes"] });
      await write("lake", "{}", "allowSameName: true, deletionProtection: false");
      await fixture.up();
      await fixture.destroy();
      expect(created().map(({ id }) => id)).to.deep.equal([pending?.id]);
    });
  });
