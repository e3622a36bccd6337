import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { expectNoSecrets, useFixture } from "./fixture";

const programWith = (members: string) => `
const orders = new PostgresService("orders", {
  name: "orders", provider: "aws", region: "us-east-1", size: "r8gd.large",
  ipAccessList: [{ source: "203.0.113.7", portRange: "5432" }], pgConfig: { max_connections: 200 }, ${members}
});
exports.hostname = orders.hostname;
exports.password = orders.generatedPassword;
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`A managed Postgres service, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 300 } });
    const services = () => [...fixture.sandbox.store.postgresServices.values()];

    before(() => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
    });

    it("one update creates it, waits until it runs, and keeps its password encrypted; no drift follows", async () => {
      await fixture.write(programWith(""));
      await fixture.up({ args: ["--skip-preview"] });
      expect(services().map(({ state }) => state)).to.deep.equal(["running"]);
      const { hostname, password } = await fixture.outputs({ showSecrets: true });
      expect(hostname).to.equal(services()[0]?.hostname);
      await expectNoSecrets(fixture, password);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("a refresh shows what somebody changed, and the next update puts it back in place", async () => {
      const [before] = services();
      Object.assign(before ?? {}, {
        pgConfig: { max_connections: "50", work_mem: "8MB" },
        size: "r8gd.xlarge",
      });
      const { output } = await fixture.preview({ args: ["--refresh", "--diff"] });
      expect(output)
        .to.include("r8gd.xlarge")
        .and.to.match(/max_connections/)
        .and.to.not.include("work_mem");
      await fixture.up({ args: ["--skip-preview", "--refresh"] });
      const [after] = services();
      expect(after).to.include({ id: before?.id, size: "r8gd.large" });
      expect(after?.pgConfig).to.deep.equal({ max_connections: "200", work_mem: "8MB" });
    });

    it("a destroy and a replacement are refused until the program lifts the protection", async () => {
      const [before] = services();
      await fixture.write(programWith("").replace("us-east-1", "us-west-2"));
      const { output } = await fixture.preview({ expect: "failure" });
      expect(output).to.match(/region: the change would replace .*, which is protected/);
      expect((await fixture.destroy({ expect: "failure" })).output).to.include(
        "is not deleted: it is protected, and its data would be lost",
      );
      expect(services().map(({ id }) => id)).to.deep.equal([before?.id]);
      await fixture.write(programWith("deletionProtection: false"));
      await fixture.up({ args: ["--skip-preview"] });
      await fixture.destroy();
      expect(services()).to.deep.equal([]);
    });
  });
