import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { calls, expectNoSecrets, forget, projectIn, useFixture } from "./fixture";

const example = join(__dirname, "..", "..", "examples", "service");
const sandbox = { dialect: "clickhouse", stateMilliseconds: 300 } as const;

describe("The example program service", () => {
  const fixture = useFixture({ host: "dynamic", projectFile: projectIn(example), sandbox, settings: {} });

  before(() => {
    const { baseUrl, credentials } = fixture.sandbox;
    const { organizationId, keyId, keySecret } = credentials;
    // The provider's own rate limit is lifted, since it would only slow down the test.
    const settings = { baseUrl, organizationId, keyId, keySecret, requestsPerSecond: "1000" };
    Object.assign(fixture.environment, settingVariables(settings));
  });

  it("the example program service creates a service with its objects in one update, after which there is no drift", async () => {
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 7 });
    expect(output)
      .to.match(/service [0-9a-f-]{36} is provisioning/)
      .and.to.not.include("warning");
    const { services, queryEndpoints, scalingSchedules, dashboards } = fixture.sandbox.store;
    const [id] = [...services.keys()].slice(2);
    for (const children of [queryEndpoints, scalingSchedules, dashboards])
      expect([...children.values()].map(({ serviceId }) => serviceId)).to.deep.equal([id]);
    const { password } = await fixture.outputs({ showSecrets: true });
    await expectNoSecrets(fixture, password);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("destroying a protected service fails until the program removes its protection", async () => {
    const { output } = await fixture.destroy({ expect: "failure" });
    expect(output).to.match(/is not deleted: it is protected, and its data would be lost/);
    expect(fixture.sandbox.store.services.size).to.equal(3);
    await fixture.config("protected", "false");
    await fixture.up();
    await fixture.destroy();
    expect(fixture.sandbox.store.services.size).to.equal(2);
  });
});

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`The settings and private endpoint of a service, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });

    before(async () => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
      await fixture.write(`
const lake = new Service("lake", {
  name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [], deletionProtection: false,
});
const serviceId = lake.id;
new BackupConfiguration("nightly", { serviceId, backupPeriodInHours: 12 }, { deletedWith: lake });
new UpgradeWindow("sundays", { serviceId, weekday: 0, startHourUtc: 6 }, { deletedWith: lake });
const settings = { max_concurrent_queries: 500, session_timezone: "UTC" };
new ServiceSettings("settings", { serviceId, settings }, { deletedWith: lake });
new PrivateEndpoint("office", { serviceId, endpointId: "vpce-0", description: "office", unregister: true });
`);
    });

    it("one update creates a service with its settings, after which there is no drift, and destroy deletes them with the service", async () => {
      const { store } = fixture.sandbox;
      expect((await fixture.up({ args: ["--skip-preview"] })).summary).to.deep.equal({ create: 5 });
      const [lake] = [...store.services.values()].slice(2);
      expect(lake).to.deep.include({
        backupConfiguration: { backupPeriodInHours: 12, backupRetentionPeriodInHours: 24 },
        upgradeWindow: { weekday: 0, startHourUtc: 6 },
        databaseSettings: { max_concurrent_queries: 500, session_timezone: "UTC" },
        privateEndpointIds: ["vpce-0"],
      });
      expect(store.organization.privateEndpoints).to.have.length(1);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      forget(fixture.sandbox);
      expect((await fixture.destroy()).summary).to.deep.equal({ delete: 5 });
      const restored = calls(fixture.sandbox).filter((line) =>
        /Settings|backupConfiguration|upgradeWindow/.test(line),
      );
      expect(restored, "requests that deletedWith saves").to.deep.equal([]);
      expect([store.services.size, store.organization.privateEndpoints]).to.deep.equal([2, []]);
    });
  });

for (const host of selected(["dynamic", "plugin"] as const, 2, 2))
  describe(`A reverse private endpoint, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });
    const endpoints = () => [...fixture.sandbox.store.reversePrivateEndpoints.values()].slice(2);
    const write = (description: string) =>
      fixture.write(`
const orders = new ReversePrivateEndpoint("orders", {
  description: "${description}", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc-1",
  customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }],
});
exports.endpointId = orders.endpointId;
`);

    before(() =>
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      ),
    );

    it("a reverse private endpoint shows no drift once accepted, and its replacement gets its private DNS name", async () => {
      await write("orders");
      expect((await fixture.up({ args: ["--skip-preview"] })).summary).to.deep.equal({ create: 1 });
      const [first] = endpoints();
      expect(first?.status).to.equal("PendingAcceptance");
      expect((await fixture.outputs()).endpointId).to.equal(first?.endpointId);
      Object.assign(first ?? {}, { status: "Ready" });
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      // The service refuses a private DNS name that another endpoint still has. So the new endpoint gets the name only after
      // the old one is deleted.
      await write("orders database");
      await fixture.up({ args: ["--skip-preview"] });
      expect(endpoints().map(({ description }) => description)).to.deep.equal(["orders database"]);
      await fixture.destroy();
      expect(endpoints()).to.deep.equal([]);
    });
  });

for (const host of selected(["dynamic", "plugin"] as const, 2, 3))
  describe(`A service whose provisioning fails, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });
    const created = () => [...fixture.sandbox.store.services.values()].slice(2);
    const program = `new Service("lake", {
  name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [], deletionProtection: false,
});
`;

    before(async () => {
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      );
      await fixture.write(program);
    });

    it("a service whose provisioning fails stays in the state, and the next update completes it", async () => {
      fixture.sandbox.store.organization.provisioning = "fails";
      const { output } = await fixture.up({ expect: "failure", args: ["--skip-preview"] });
      expect(output).to.match(/is failed, and does not get ready by itself/);
      const [{ id }] = created() as unknown as [{ id: string }];
      expect((await fixture.resource("lake")).id).to.equal(id);
      await fixture.refresh();
      expect((await fixture.preview()).summary).to.include({ update: 1 });
      Object.assign(created()[0] ?? {}, { state: "running" });
      expect((await fixture.up()).summary).to.deep.equal({ update: 1 });
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(created()).to.have.length(1);
      await fixture.destroy();
    });
  });
