import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { secret, signature } from "../../../provider/engine/engineValues";
import { constructSlo } from "../../../provider/hosts/plugin/sloConstruct";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { secretPlacesIn, withoutSecrets } from "../../simulation/actors/secrets";
import { failureOf } from "../api/failure";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { type PluginUnderTest, plain, startPlugin, struct } from "./plugin/engine";

const tile = (name: unknown, w = 6) => ({
  ...{ name, x: 0, y: 0, w, h: 4 },
  series: [{ type: "number", aggFn: "count", where: "" }],
});
const board = { name: "Board", tiles: [tile("Payroll")] };

/** Makes the inputs as the resource class sends them to the dynamic host, where secrets are plain values. */
const fromClass = (inputs: object) => ({
  ...(withoutSecrets(inputs) as object),
  __secrets: secretPlacesIn(inputs),
});

describe("Names of objects that a program marks as secret", () => {
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;
  let restore: () => void;

  before(async () => {
    const restoreEnvironment = withoutEnvironment();
    const captured = captureWarnings();
    restore = () => {
      captured.restore();
      restoreEnvironment();
    };
    sandbox = await createSandbox();
    plugin = await startPlugin();
    await plugin.configure(settingsOf(sandbox));
  });
  after(async () => {
    restore();
    plugin.close();
    await sandbox.close();
  });

  async function failuresOf(type: "Dashboard" | "Webhook", inputs: object): Promise<string[]> {
    const { failures = [] } = await hostWith(settingsOf(sandbox))[type].check({}, fromClass(inputs));
    const reasons = failures.map(({ reason }) => reason);
    const answer = await plugin.resource(type).check(inputs);
    expect(answer.getFailuresList().map((failure) => failure.getReason())).to.deep.equal(reasons);
    return reasons;
  }

  const refusal = "must not be marked as secret: messages, lists and reports show names";

  it("the check refuses a secret name of an object and of a tile", async () => {
    expect(await failuresOf("Dashboard", { ...board, name: secret("Payroll") })).to.deep.equal([
      `name ${refusal}`,
    ]);
    expect(await failuresOf("Dashboard", { ...board, tiles: [tile(secret("Payroll"))] })).to.deep.equal([
      `tiles[0].name ${refusal}`,
    ]);
  });

  it("the check accepts tiles computed from a secret, and a secret header called name", async () => {
    expect(await failuresOf("Dashboard", { ...board, tiles: secret(board.tiles) })).to.deep.equal([]);
    const hook = { name: "Team", service: "generic", url: "https://hooks.example.com/1" };
    expect(await failuresOf("Webhook", { ...hook, headers: { name: secret("a") } })).to.deep.equal([]);
  });

  it("the check refuses a secret name of an Slo, since its dashboard and alerts get names made of it", async () => {
    const request = new ConstructRequest().setName("checkout").setInputs(struct({ name: secret("Payroll") }));
    const { message } = await failureOf(constructSlo(request, undefined as never));
    expect(message).to.equal(`name ${refusal}`);
  });

  it("tiles become secret if the defaults of their dashboard are secret, since they contain the defaults", async () => {
    const tiles = [{ name: "A", series: [{ type: "number", aggFn: "count" }] }];
    const program = { name: "Board", tiles, defaults: { where: secret("user:payroll") } };
    const { Dashboard } = hostWith(settingsOf(sandbox), undefined, (inputs) => inputs);
    for (const inputs of [
      plain((await plugin.resource("Dashboard").check(program)).getInputs()),
      (await Dashboard.check({}, fromClass(program))).inputs ?? {},
    ]) {
      const { tiles } = inputs as { tiles: object };
      expect(tiles).to.have.property(signature);
      expect(JSON.stringify(tiles)).to.include("user:payroll");
    }
  });

  describe("Secret names of objects in a state of an earlier version", () => {
    it("the dynamic host finds nothing to change in a state of an earlier version with secret names", async () => {
      const { Dashboard } = hostWith(settingsOf(sandbox));
      const { inputs = {} } = await Dashboard.check({}, board);
      const { id, outs = {} } = await Dashboard.create(inputs);
      const mark = { __secretTileNames: true };
      const old = { inputs: { ...inputs, ...mark, tileIds: null }, state: { ...outs, ...mark } };
      const later = hostWith(settingsOf(sandbox)).Dashboard;
      const checked = await later.check(old.inputs, board);
      expect(checked.failures).to.deep.equal([]);
      expect(checked.inputs).to.not.have.property("__secretTileNames");
      expect(await later.diff(id, old.state, checked.inputs ?? {})).to.deep.equal({
        changes: false,
        replaces: [],
      });
      const read = await later.read(id, old.state);
      expect(read.props).to.deep.equal(outs);
      expect(await later.diff(id, read.props ?? {}, read.inputs ?? {})).to.deep.equal({
        changes: false,
        replaces: [],
      });
    });

    it("the plugin plans no change and finds no drift for a state of an earlier version with secret names", async () => {
      const resource = plugin.resource("Dashboard", "old");
      const inputs = plain((await resource.check(board)).getInputs());
      const created = await resource.create(inputs);
      const state = plain(created.getProperties());
      const old = {
        ...state,
        tiles: [tile(secret("Payroll"))],
        tileIds: secret(state.tileIds),
        __tracking: secret(state.__tracking),
      };
      expect((await resource.diff(created.getId(), old, inputs)).getDiffsList()).to.deep.equal([]);
      const read = await resource.read(created.getId(), old, inputs);
      expect(withoutSecrets(plain(read.getProperties()))).to.deep.equal(state);
      expect(withoutSecrets(plain(read.getInputs()))).to.deep.equal(inputs);
    });
  });
});
