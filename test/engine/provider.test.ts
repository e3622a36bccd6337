import { expect } from "chai";
import type { Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";
import { calls, expectNoSecrets, forget, useFixture } from "./fixture";
import { changeAccessToken, createOther, other, settingsOfOther } from "./otherOrganization";
import { hostUnlessTold } from "./pluginHost";

describe("two explicit providers in one program", () => {
  const fixture = useFixture({ settings: {} });
  let second: Sandbox;

  before(async () => {
    second = await createOther();
  });
  after(() => second?.close());

  const all = (settings: Record<string, Record<string, string>>, board = "Board") =>
    `const settings = ${JSON.stringify(settings)};
const first = { provider: new Provider("first", settings.first) };
const second = { provider: new Provider("second", settings.second) };
new pipestack.ServiceScaling("scaling", { numReplicas: 3 }, first);
const key = new pipestack.ApiKey("key", { roles: ["developer"] }, first);
new pipestack.QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: [key.id] }, first);
const tiles = [{ name: "One", x: 0, y: 0, w: 1, h: 1, series: [{ type: "number" }] }];
const board = new pipestack.Dashboard("board", { name: "${board}", tiles }, first);
const channel = { type: "webhook", webhookId: pipestack.getWebhooksOutput({}, first).apply(([webhook]) => webhook.id) };
new pipestack.Alert("alert", {
  source: "tile", dashboardId: board.id, tileId: board.tileIds.One,
  threshold: 1, thresholdType: "above", interval: "5m", channel,
}, first);
new pipestack.ApiKey("second key", { roles: ["admin"] }, second);
exports.pipes = pipestack.getPipes({}, first).then((pipes) => pipes.length);
exports.secondPipes = pipestack.getPipesOutput({}, second).apply((pipes) => pipes.length);`;
  const settings = () => ({
    first: settingsOf(fixture.sandbox),
    second: settingsOfOther(second),
  });

  it("manage and read each its own organization", async () => {
    await fixture.write(all(settings()));
    const { summary } = await fixture.up();
    expect(summary).to.deep.equal({ create: 8 });
    expect([...fixture.sandbox.store.keys.values()].map(({ name }) => name)).to.have.members([
      "sandbox admin",
      "key",
    ]);
    expect([...second.store.keys.values()].map(({ name }) => name)).to.have.members([
      "sandbox admin",
      "second key",
    ]);
    expect(await fixture.outputs()).to.deep.equal({ pipes: 4, secondPipes: 0 });
    expect(second.requests.map(({ method }) => method)).to.have.members(["GET", "POST", "GET"]);
  });

  // For the plugin it is the SDK that says it.
  if (hostUnlessTold("dynamic") === "dynamic")
    it("say in state where the program declares each resource", async () => {
      const { sourcePosition, stackTrace } = await fixture.resource("board");
      expect(sourcePosition).to.equal("project:///index.js#10,15");
      expect(stackTrace).to.deep.equal([{ sourcePosition }]);
    });

  it("keep their credentials encrypted in state", async () => {
    const secrets = ["key", "second key"].map(async (name) => (await fixture.outputsOf(name)).keySecret);
    await expectNoSecrets(fixture, other.keySecret, other.accessToken, ...(await Promise.all(secrets)));
  });

  it("find neither changes nor drift right after", async () => {
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("update the provider alone when its token changes, which is used from then on", async () => {
    const accessToken = "another-token-of-the-first-organization";
    const { first, second: unchanged } = settings();
    changeAccessToken(fixture.sandbox, accessToken);
    await fixture.write(all({ first: { ...first, accessToken }, second: unchanged }));
    forget(fixture.sandbox);
    const { steps, summary } = await fixture.up();
    expect(summary).to.deep.equal({ same: 7, update: 1 });
    expect(steps.find(({ op }) => op === "update")?.name).to.equal("first");
    expect(calls(fixture.sandbox)).to.have.members(["GET /stack/webhooks", "GET /pipes"]);

    await fixture.write(all({ first: { ...first, accessToken }, second: unchanged }, "Renamed"));
    forget(fixture.sandbox);
    await fixture.up();
    expect(calls(fixture.sandbox)).to.include("PUT /api/v2/dashboards/{id}");
    await expectNoSecrets(fixture, accessToken);
  });

  it("replace every resource of a provider that moves to another organization", async () => {
    const { second: moved } = settings();
    await fixture.write(all({ first: moved, second: moved }));
    const { steps, summary } = await fixture.preview();
    expect(summary).to.deep.equal({ replace: 5, update: 1, same: 2 });
    for (const { name, replaceKeys } of steps.filter(({ op }) => op === "replace"))
      expect(replaceKeys, name).to.include("organizationId");
  });

  it("destroy what they made, each in its organization, from what the state holds", async () => {
    await fixture.write("throw new Error('destroy runs no program')");
    await fixture.destroy();
    for (const { store } of [fixture.sandbox, second]) {
      expect([...store.keys.values()].map(({ name }) => name)).to.deep.equal(["sandbox admin"]);
      expect([store.dashboards.size, store.alerts.size, store.queryEndpoints.size]).to.deep.equal([0, 0, 0]);
    }
  });
});
