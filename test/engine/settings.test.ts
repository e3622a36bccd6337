import { expect } from "chai";
import { sha256 } from "../../sandbox/core/identifiers";
import { createSandbox, type Sandbox } from "../../sandbox/index";
import { settingVariables } from "../pipestackCommand";
import { send, settingsOf } from "../serviceContents";
import { calls, expectNoSecrets, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const host = hostUnlessTold("dynamic");

/** The id and credentials of a second organization, which has no pipes. */
const other = {
  organizationId: "5b0f7b52-0c1e-4a57-8f0e-6d3f4b1c9a20",
  keySecret: "Other+Organization/Secret=%&42",
  accessToken: "other-organization-token-9d1c",
};

async function createOther(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const { store } = sandbox;
  store.organization.id = other.organizationId;
  store.pipes.clear();
  for (const key of store.keys.values()) key.keySecretHash = sha256(other.keySecret);
  for (const token of store.accessTokens.values()) token.tokenHash = sha256(other.accessToken);
  return sandbox;
}

const settingsOfOther = (sandbox: Sandbox) => ({ ...settingsOf(sandbox), ...other });

describe("Settings of the provider from configuration and environment", () => {
  const fixture = useFixture({ settings: {} });
  let second: Sandbox;

  before(async () => {
    second = await createOther();
  });
  after(() => second?.close());

  const program = (settings?: object) => `
const options = ${settings ? `{ provider: new Provider("own", ${JSON.stringify(settings)}) }` : "{}"};
new ApiKey("key", { roles: ["developer"] }, options);
exports.pipes = getPipesOutput({}, options).apply((pipes) => pipes.length);`;

  it("resources and functions use the settings in the stack's configuration", async () => {
    for (const [name, value] of Object.entries(settingsOf(fixture.sandbox)))
      await fixture.config(`pipestack:${name}`, value, ["keySecret", "accessToken"].includes(name));
    await fixture.apply(program());
    expect(await fixture.outputs()).to.deep.equal({ pipes: 4 });
    expect(calls(fixture.sandbox)).to.have.members(["GET /pipes", "GET /keys", "POST /keys"]);
    await expectNoSecrets(fixture);
  });

  const tagged = (options: string) =>
    `new Dashboard("board", { name: "board", tiles: [], tags: ["web"] }, ${options});`;
  const tags = () =>
    [...fixture.sandbox.store.dashboards.values()].find(({ name }) => name === "board")?.tags;

  it("a dashboard has the default tags of the configuration", async () => {
    await fixture.config("pipestack:defaultTags", JSON.stringify({ team: "core" }));
    await fixture.apply(tagged("{}"));
    expect(tags()).to.deep.equal(["team:core", "web"]);
  });

  it("the default tags of an explicit provider replace those of the configuration", async () => {
    await fixture.apply(tagged(`{ provider: new Provider("tagged", { defaultTags: { stack: "prod" } }) }`));
    expect(tags()).to.deep.equal(["stack:prod", "web"]);
    await fixture.destroy();
    await fixture.config("pipestack:defaultTags", "{}");
  });

  it("an explicit provider uses the stack's configuration for settings that it lacks", async () => {
    const { accessToken, keySecret, ...given } = settingsOf(fixture.sandbox);
    await fixture.apply(program(given));
    expect(await fixture.outputs()).to.deep.equal({ pipes: 4 });
    await fixture.destroy();
  });

  let printed: string;

  it("environment variables override the stack's configuration", async () => {
    await fixture.config("pipestack:accessToken", "plain-token", false);
    forget(fixture.sandbox);
    const environment = settingVariables(settingsOfOther(second));
    printed = (await fixture.apply(program(), { environment })).output;
    expect(await fixture.outputs()).to.deep.equal({ pipes: 0 });
    expect(calls(fixture.sandbox)).to.deep.equal([]);
    await fixture.destroy({ environment });
  });

  it("only the dynamic host warns of a plain-text credential in the configuration", () => {
    // The engine does not tell a plugin which settings are encrypted.
    const warning = "pipestack:accessToken is plain text in the configuration and in the state of the stack";
    expect(printed.includes(warning)).to.equal(host === "dynamic");
  });

  it("a key in the environment replaces a disabled key of the stack's configuration", async () => {
    const { key, ...old } = await send<{ key: { id: string }; keyId: string; keySecret: string }>(
      ...([fixture.sandbox, "POST", "/keys", { name: "old", roles: ["admin"] }] as const),
    );
    await fixture.config("pipestack:keyId", old.keyId);
    await fixture.config("pipestack:keySecret", old.keySecret, true);
    await fixture.apply(`new Dashboard("dashboard", { name: "D", tiles: [] });`);
    Object.assign(fixture.sandbox.store.keys.get(key.id) ?? {}, { state: "disabled" });
    const refused = await fixture.refresh({ expect: "failure" });
    expect(refused.output).to.include("answered 401");
    const { keyId = "", keySecret = "" } = settingsOf(fixture.sandbox);
    const environment = settingVariables({ keyId, keySecret });
    await fixture.refresh({ environment });
    await fixture.destroy({ environment });
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
  });
});

describe("Explicit providers of one program", () => {
  const fixture = useFixture({ settings: {} });
  let second: Sandbox;

  before(async () => {
    second = await createOther();
  });
  after(() => second?.close());

  /**
   * A program with resources of two organizations. The requests of the query endpoint are signed with an API key that the
   * program creates.
   */
  const program = (settings: readonly object[], generation = 1) => `
const [first, second] = ${JSON.stringify(settings)}.map((own, index) => ({ provider: new Provider("p" + index, own) }));
const key = new ApiKey("key", { name: "key", roles: ["admin"], keepers: { generation: "${generation}" } }, first);
const own = new Provider("own", { ...${JSON.stringify(settings[0])}, keyId: key.keyId, keySecret: key.keySecret });
new QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: [key.id] }, { provider: own });
new ApiKey("second key", { roles: ["admin"] }, second);
exports.pipes = getPipes({}, first).then((pipes) => pipes.length);
exports.secondPipes = getPipesOutput({}, second).apply((pipes) => pipes.length);`;
  const settings = () => [settingsOf(fixture.sandbox), settingsOfOther(second)];
  const keysIn = ({ store }: Sandbox) => [...store.keys.values()].map(({ name }) => name);

  it("each explicit provider manages its own organization", async () => {
    fixture.environment.PIPESTACK_ORGANIZATION_ID = other.organizationId;
    const { summary } = await fixture.apply(program(settings()));
    expect(summary).to.deep.equal({ create: 6 });
    expect(keysIn(fixture.sandbox)).to.have.members(["sandbox admin", "key"]);
    expect(keysIn(second)).to.have.members(["sandbox admin", "second key"]);
    expect(await fixture.outputs()).to.deep.equal({ pipes: 4, secondPipes: 0 });
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("the state encrypts the credentials of explicit providers", async () => {
    const secrets = ["key", "second key"].map(async (name) => (await fixture.outputsOf(name)).keySecret);
    await expectNoSecrets(fixture, other.keySecret, other.accessToken, ...(await Promise.all(secrets)));
  });

  it("an explicit provider changes to a new API key before the old one is deleted", async () => {
    forget(fixture.sandbox);
    await fixture.apply(program(settings(), 2));
    expect(calls(fixture.sandbox).filter((line) => !line.endsWith("/pipes"))).to.deep.equal([
      "GET /keys",
      "POST /keys",
      "GET /serviceQueryEndpoint",
      "POST /serviceQueryEndpoint",
      "GET /query-api-endpoints",
      "DELETE /keys/{id}",
    ]);
  });

  it("moving a resource to another organization replaces it", async () => {
    const [, moved = {}] = settings();
    await fixture.write(program([moved, moved], 2));
    const { steps } = await fixture.preview();
    const replaced = steps.filter(({ op }) => op === "replace");
    // In a preview the new API key is unknown, and so are the settings of the provider instance that signs with it. So the
    // preview does not show that the query endpoint of this provider is replaced, too.
    expect(replaced.map(({ name }) => name)).to.deep.equal(["key"]);
    for (const { replaceKeys } of replaced) expect(replaceKeys).to.include("organizationId");
  });

  it("without its program, destroy deletes the key of an explicit provider last", async () => {
    await fixture.write("throw new Error('destroy runs no program')");
    forget(fixture.sandbox);
    await fixture.destroy();
    expect(calls(fixture.sandbox).at(-1)).to.equal("DELETE /keys/{id}");
    for (const sandbox of [fixture.sandbox, second])
      expect([keysIn(sandbox), sandbox.store.queryEndpoints.size]).to.deep.equal([["sandbox admin"], 0]);
  });
});
