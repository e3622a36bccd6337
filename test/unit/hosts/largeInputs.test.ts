import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { failureOfCall, type PluginUnderTest, plain, startPlugin } from "./plugin/engine";

describe("What the engine keeps of a large resource", () => {
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;
  let restore: () => void;

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox();
    plugin = await startPlugin();
    await plugin.configure(settingsOf(sandbox));
  });
  after(async () => {
    restore();
    plugin.close();
    await sandbox.close();
  });

  const webhookId = "65f1c0a2b3d4e5f607182921";
  const setOf = (count: number, length: number, firstWebhook = webhookId) => ({
    alerts: Object.fromEntries(
      Array.from({ length: count }, (_, at) => {
        const channel = { type: "webhook", webhookId: at === 0 ? firstWebhook : webhookId };
        const terms = { source: "search", threshold: at, thresholdType: "above", interval: "5m" };
        return [`alert${at}`, { ...terms, channel, message: "m".repeat(length) }];
      }),
    ),
  });

  it("a create that fails in part tells the engine each property once", async () => {
    const inputs = plain(
      (await plugin.resource("AlertSet").check(setOf(3, 2000, "65f1c0a2b3d4e5f6071829ff"))).getInputs(),
    );
    const { saved } = await failureOfCall(plugin.resource("AlertSet").create(inputs));
    expect(Object.keys(plain(saved?.getProperties()).ids as object)).to.have.members(["alert1", "alert2"]);
    expect(saved?.serializeBinary().length).to.be.below(2 * 2000 + 1500);
  });

  for (const [size, count, refused] of [
    ["4 MB", 1000, false],
    ["5 MB", 1250, true],
  ] as const)
    it(`the check ${refused ? "refuses" : "accepts"} an AlertSet of ${size}`, async () => {
      const set = setOf(count, 4000 - 200);
      const { failures = [] } = await hostWith(settingsOf(sandbox)).AlertSet.check({}, set);
      const answer = await plugin.resource("AlertSet").check(set);
      const reasons = answer.getFailuresList().map((failure) => failure.getReason());
      expect(failures.map(({ reason }) => reason)).to.deep.equal(reasons);
      expect(reasons.join()).to.match(refused ? /^the arguments have more than 4 MiB.*split them/ : /^$/);
    });
});
