import { expect } from "chai";
import { withSecretDefaults } from "../../../provider/hosts/dynamic/hostValues";
import { secret, signature } from "../../../provider/hosts/engineValues";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { type PluginUnderTest, plain, startPlugin } from "./plugin/engine";

const tile = (name: unknown, w: number, x = 0) => ({
  ...{ name, x, y: 0, w, h: 4 },
  series: [{ type: "number", aggFn: "count", where: "" }],
});
const mark = { __secretTileNames: true };
/** As the SDK sends it to the dynamic host, which sees no secrets; and as the engine sends it to the plugin. */
const marked = (width: number) => ({
  name: "Board",
  tiles: [tile("Payroll", width), tile("Events", 6)],
  ...mark,
});
const wrapped = (width: number) => ({
  name: "Board",
  tiles: [tile(secret("Payroll"), width), tile("Events", 6)],
});

describe("A dashboard with a secret name among its tiles", () => {
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;
  let captured: ReturnType<typeof captureWarnings>;
  let restoreEnvironment: () => void;

  before(async () => {
    restoreEnvironment = withoutEnvironment();
    captured = captureWarnings();
    sandbox = await createSandbox();
    plugin = await startPlugin();
  });
  after(async () => {
    captured.restore();
    restoreEnvironment();
    plugin.close();
    await sandbox.close();
  });

  it("a secret tile name makes the ids in inputs and state secret, and marks the state", async () => {
    const { Dashboard } = hostWith(settingsOf(sandbox));
    // The test's host shows secrets as the engine's host sends them to the other methods.
    const { inputs = {} } = await Dashboard.check({}, marked(6));
    expect(inputs).to.deep.include({ ...mark, tileIds: null });
    const { id, outs } = await Dashboard.create(inputs);
    expect(outs).to.deep.include(mark);
    const read = await Dashboard.read(id, outs);
    expect(read.props).to.deep.include(mark);
    expect(read.inputs).to.deep.include({ ...mark, tileIds: outs?.tileIds });
    const changed = await Dashboard.check(inputs, marked(8));
    const updated = await Dashboard.update(id, read.props as object, changed.inputs as object);
    expect(updated.outs).to.deep.include(mark);
    const { __secretTileNames, ...shown } = marked(8);
    const later = await Dashboard.check(changed.inputs as object, shown);
    // The answer to this update may show the tiles from before.
    expect(later.inputs).to.have.property("tileIds").and.not.equal(undefined);
    expect((await Dashboard.check(later.inputs as object, shown)).inputs).to.not.have.property("tileIds");
    const { outs: plainly } = await Dashboard.update(id, updated.outs as object, later.inputs as object);
    expect(plainly).not.to.have.property("__secretTileNames");
    const log = captured.lines.join();
    expect(log).to.include('the tiles "[secret]" and "[secret]" overlap').and.not.include("Payroll");
  });

  it("a secret tile name makes the ids in the plugin's state secret", async () => {
    await plugin.configure(settingsOf(sandbox));
    const dashboard = plugin.resource("Dashboard");
    await dashboard.check(wrapped(6));
    const created = await dashboard.create(wrapped(6));
    const [id, state] = [created.getId(), plain(created.getProperties())];
    for (const response of [
      created,
      await dashboard.read(id, state, wrapped(6)),
      await dashboard.update(id, state, wrapped(8)),
    ])
      expect(plain(response.getProperties()).tileIds).to.have.property(signature);
    const log = plugin.log.flat().join();
    expect(log).to.include('the tiles "[secret]" and "[secret]" overlap').and.not.include("Payroll");
  });

  it("secret defaults of a dashboard make its tiles secret, of which they are a part", async () => {
    const tiles = [{ name: "A", series: [{ type: "number", aggFn: "count" }] }];
    const program = { name: "Board", tiles, defaults: { where: secret("user:payroll") } };
    await plugin.configure(settingsOf(sandbox));
    const inputs = plain((await plugin.resource("Dashboard").check(program)).getInputs());
    expect(inputs.tiles).to.have.property(signature);
    expect(JSON.stringify(inputs.tiles)).to.include("user:payroll");
    const host = withSecretDefaults({ __secretDefaults: true }, { name: "Board", tiles });
    expect(host).to.deep.equal({ name: "Board", tiles: secret(tiles) });
  });

  it("a preview that removes the tile does not say its secret name, which only the state has", async () => {
    const settings = settingsOf(sandbox);
    const first = hostWith(settings).Dashboard;
    const { id, outs = {} } = await first.create((await first.check({}, marked(6))).inputs ?? {});
    const { Dashboard } = hostWith(settings);
    const { inputs = {} } = await Dashboard.check({}, { ...marked(6), tiles: [tile("Events", 6)] });
    await Dashboard.diff(id, outs, inputs);
    expect(captured.lines.at(-1)).to.equal('pipestack: Dashboard "Board": removes tile "[secret]"');
  });
});
