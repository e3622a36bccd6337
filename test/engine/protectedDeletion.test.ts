import { expect } from "chai";
import { selected } from "../seed";
import { useFixture } from "./fixture";

/** A protected service, and what it takes along; `options` are further options of the service. */
const program = (options = "{}") => `
const lake = new Service("lake", { provider: "aws", region: "eu-west-1", ipAccessList: [] }, ${options});
new UpgradeWindow("window", { serviceId: lake.id, weekday: 0, startHourUtc: 0 }, { deletedWith: lake });
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`A destroy of a protected service with what has the option deletedWith, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 10 } });
    const names = async () => {
      const { deployment } = await fixture.exportState();
      const urns = (deployment.resources ?? []).map(({ urn }) => urn.split("::").at(-1));
      return urns.filter((name) => name === "lake" || name === "window").sort();
    };

    const windows = () => {
      const services = [...fixture.sandbox.store.services.values()].filter(({ name }) => name === "lake");
      return services.map(({ upgradeWindow }) => upgradeWindow?.weekday);
    };

    it("deletionProtection alone keeps only the service in the state", async () => {
      await fixture.apply(program());
      const { output } = await fixture.run(["destroy", "--yes"], { expect: "failure" });
      expect(output).to.include("deletionProtection");
      expect(await names()).to.deep.equal(["lake"]);
      expect(windows()).to.deep.equal([0]);
      const { summary } = await fixture.up();
      expect(summary).to.deep.equal({ same: 1, create: 1 });
      expect(await names()).to.deep.equal(["lake", "window"]);
      expect(windows()).to.deep.equal([0]);
    });

    it("the option protect refuses a destroy that has a preview before anything leaves the state", async () => {
      await fixture.apply(program("{ protect: true }"));
      const { output } = await fixture.run(["destroy", "--yes"], { expect: "failure" });
      expect(output).to.include("cannot be deleted");
      expect(await names()).to.deep.equal(["lake", "window"]);
      await fixture.destroy({ expect: "failure" });
      expect(await names()).to.deep.equal(["lake"]);
      await fixture.up();
    });
  });
