import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { useFixture } from "./fixture";

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`The settings of an organization, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse" } });

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("an update names what it replaces, and a destroy puts back what was there", async () => {
      const { organization } = fixture.sandbox.store;
      const former = organization.name;
      await fixture.write(
        `new OrganizationSettings("own", { name: "Acme", enableCoreDumps: false, onDestroy: "restore" });`,
      );
      const { output } = await fixture.preview();
      expect(output).to.match(
        /is there already, and taking it over replaces (name, enableCoreDumps|enableCoreDumps, name)/,
      );
      await fixture.up({ args: ["--skip-preview"] });
      expect(organization).to.include({ name: "Acme", enableCoreDumps: false });
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      organization.name = "Renamed";
      const drifted = await fixture.preview({ args: ["--refresh", "--diff"] });
      expect(drifted.output).to.match(/Renamed/);
      await fixture.up({ args: ["--skip-preview", "--refresh"] });
      expect(organization.name).to.equal("Acme");
      await fixture.destroy();
      expect(organization).to.include({ name: former, enableCoreDumps: true });
    });
  });
