import { expect } from "chai";
import type { Sandbox } from "../../sandbox/index";
import { settingVariables } from "../pipestackCommand";
import { settingsOf } from "../serviceContents";
import { calls, expectNoSecrets, expectOneClearError, forget, useFixture } from "./fixture";
import { createOther, other, settingsOfOther } from "./otherOrganization";
import { hostUnlessTold } from "./pluginHost";

describe("settings of a provider", () => {
  const fixture = useFixture({ settings: {} });
  let second: Sandbox;

  before(async () => {
    second = await createOther();
  });
  after(() => second?.close());

  const byDefault = `new pipestack.ApiKey("key", { roles: ["developer"] });
exports.pipes = pipestack.getPipesOutput().apply((pipes) => pipes.length);`;

  describe("that are missing", () => {
    it("are asked for with the command and the variable that set them", async () => {
      await fixture.write(`new pipestack.ApiKey("key", { roles: ["developer"] });`);
      const { output } = await fixture.preview({ expect: "failure" });
      expectOneClearError(
        output,
        "settings organizationId, baseUrl, keyId and keySecret are missing",
        'set each with "pulumi config set pipestack:<name> <value>" (--secret for keySecret)',
        "or the environment variables PIPESTACK_ORGANIZATION_ID, PIPESTACK_BASE_URL,",
      );
    });

    it("are asked for where a secret is concerned with --secret, by functions too", async () => {
      const { keySecret, ...settings } = settingsOf(fixture.sandbox);
      await fixture.write("pipestack.getPipesOutput();");
      const { output } = await fixture.preview({
        environment: settingVariables(settings),
        expect: "failure",
      });
      const host = hostUnlessTold("dynamic");
      expect(output).to.include(host === "dynamic" ? "pipestack.getPipes: " : "pipestack:index:getPipes");
      expect(output).to.include(
        'setting keySecret is missing; set it with "pulumi config set --secret pipestack:keySecret <value>" or the environment variable PIPESTACK_KEY_SECRET',
      );
      // The SDK shows where it has invoked the plugin.
      if (host === "dynamic") expect(output).to.not.match(/^\s+at /m);
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });
  });

  describe("in the stack's configuration", () => {
    before(async () => {
      for (const [name, value] of Object.entries(settingsOf(fixture.sandbox)))
        await fixture.config(`pipestack:${name}`, value, ["keySecret", "accessToken"].includes(name));
      await fixture.write(byDefault);
    });

    it("are used by resources and functions", async () => {
      await fixture.up();
      expect(await fixture.outputs()).to.deep.equal({ pipes: 4 });
      expect(calls(fixture.sandbox)).to.have.members(["GET /pipes", "GET /keys", "POST /keys"]);
      await expectNoSecrets(fixture);
    });

    it("stand in for what an explicit provider was not given", async () => {
      const { accessToken, keySecret, ...given } = settingsOf(fixture.sandbox);
      await fixture.write(
        `const provider = new Provider("own", ${JSON.stringify(given)});
new pipestack.ApiKey("key", { roles: ["developer"] }, { provider });
exports.pipes = pipestack.getPipesOutput({}, { provider }).apply((pipes) => pipes.length);`,
      );
      await fixture.up();
      expect(await fixture.outputs()).to.deep.equal({ pipes: 4 });
      await expectNoSecrets(fixture);
    });

    it("give way to the environment, and are warned of where they hold a credential in plain text", async () => {
      await fixture.destroy();
      await fixture.config("pipestack:accessToken", "plain-token", false);
      await fixture.write(byDefault);
      forget(fixture.sandbox);
      const { output } = await fixture.up({ environment: settingVariables(settingsOfOther(second)) });
      // The engine prints a line of the log as it comes, and again at the end. It does not tell a plugin what is encrypted.
      const warning =
        'warning: pipestack:accessToken is plain text in the configuration and in the state of the stack: replace the credential, then set it with "pulumi config set --secret pipestack:accessToken"';
      expect([...new Set(output.match(/warning: .* is plain text .*/g))]).to.deep.equal(
        hostUnlessTold("dynamic") === "dynamic" ? [warning] : [],
      );
      expect(await fixture.outputs()).to.deep.equal({ pipes: 0 });
      expect([...second.store.keys.values()].map(({ name }) => name)).to.include("key");
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("give way to an explicit provider, as the environment does", async () => {
      await fixture.destroy({ environment: settingVariables(settingsOfOther(second)) });
      forget(second);
      await fixture.write(
        `const provider = new Provider("own", ${JSON.stringify(settingsOfOther(second))});
new pipestack.ApiKey("key", { roles: ["developer"] }, { provider });
exports.pipes = pipestack.getPipesOutput({}, { provider }).apply((pipes) => pipes.length);`,
      );
      const environment = settingVariables(settingsOf(fixture.sandbox));
      await fixture.up({ environment });
      expect(await fixture.outputs()).to.deep.equal({ pipes: 0 });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
      await expectNoSecrets(fixture, other.keySecret, other.accessToken);
      await fixture.destroy({ environment });
      expect(second.store.keys.size).to.equal(1);
    });
  });
});
