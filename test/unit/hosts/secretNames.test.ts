import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { settingsOf } from "../../serviceContents";
import { type Answer, organizationId, serviceId, useServer } from "../api/server";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { startPlugin } from "./plugin/engine";

const signature = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown) => ({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value });

const tile = (name: unknown, w: number) => ({
  ...{ name, x: 0, y: 0, w, h: 4 },
  series: [{ type: "number", aggFn: "count", where: "" }],
});

describe("A dashboard with a secret name among its tiles", () => {
  let sandbox: Sandbox;
  let restore: () => void;

  before(async () => {
    restore = withoutEnvironment();
    sandbox = await createSandbox();
  });
  after(async () => {
    await sandbox.close();
    restore();
  });

  describe("in the dynamic host", () => {
    const mark = { __secretTileNames: true };
    const board = (width: number) => ({
      name: "Board",
      tiles: [tile("Payroll", width), tile("Events", 6)],
      ...mark,
    });

    it("has secret ids among its inputs, which make those of its state secret, and a state that says so", async () => {
      const { lines, restore: restoreConsole } = captureWarnings();
      try {
        const { Dashboard } = hostWith(settingsOf(sandbox));
        // The test's host shows secrets as the engine's host sends them to the other methods.
        const { inputs = {} } = await Dashboard.check({}, board(6));
        expect(inputs).to.deep.include({ ...mark, tileIds: null });
        const { id, outs } = await Dashboard.create(inputs);
        expect(outs).to.deep.include(mark);
        const read = await Dashboard.read(id, outs);
        expect(read.props).to.deep.include(mark);
        expect(read.inputs).to.deep.include({ ...mark, tileIds: outs?.tileIds });
        const changed = await Dashboard.check(inputs, board(8));
        const updated = await Dashboard.update(id, read.props as object, changed.inputs as object);
        expect(updated.outs).to.deep.include(mark);
        const { __secretTileNames, ...shown } = board(8);
        const plain = await Dashboard.check(changed.inputs as object, shown);
        const later = await Dashboard.update(id, updated.outs as object, plain.inputs as object);
        expect(later.outs).not.to.have.property("__secretTileNames");
        expect(lines.join())
          .to.include('the tiles "[secret]" and "[secret]" overlap')
          .and.not.include("Payroll");
      } finally {
        restoreConsole();
      }
    });

    it("has its name in no failure", async () => {
      const { Dashboard } = hostWith(settingsOf(sandbox));
      const { failures = [] } = await Dashboard.check({}, board(0));
      expect(failures.map(({ reason }) => reason).join())
        .to.match(/\[secret\]/)
        .and.not.match(/Payroll/);
    });
  });

  describe("in the plugin", () => {
    const board = (width: number) => ({
      name: "Board",
      tiles: [tile(secret("Payroll"), width), tile("Events", 6)],
    });
    const idsIn = (response: messages.CreateResponse | messages.ReadResponse | messages.UpdateResponse) =>
      (response.getProperties()?.toJavaScript() as { tileIds: object } | undefined)?.tileIds;

    it("has secret ids in its state, and its name in no message", async () => {
      const plugin = await startPlugin();
      try {
        await plugin.configure(settingsOf(sandbox));
        const dashboard = plugin.resource("Dashboard");
        const invalid = await dashboard.check(board(0));
        const reasons = invalid.getFailuresList().map((failure) => failure.getReason());
        expect(reasons.join())
          .to.match(/\[secret\]|tiles/)
          .and.not.match(/Payroll/);
        await dashboard.check(board(6));
        const created = await dashboard.create(board(6));
        expect(idsIn(created)).to.have.property(signature);
        const state = created.getProperties()?.toJavaScript() as object;
        expect(idsIn(await dashboard.read(created.getId(), state, board(6)))).to.have.property(signature);
        expect(idsIn(await dashboard.update(created.getId(), state, board(8)))).to.have.property(signature);
        const log = plugin.log.flat().join();
        expect(log).to.include('the tiles "[secret]" and "[secret]" overlap').and.not.include("Payroll");
      } finally {
        plugin.close();
      }
    });
  });

  describe("whose tile the service refuses by its number", () => {
    const server = useServer();
    const refusesTiles: Answer = ({ method }, response) => {
      const [status, body] =
        method === "GET"
          ? [200, { status: 200, requestId: "5b1f", result: [] }]
          : [400, { status: 400, error: "BAD_REQUEST: tiles.1.series is invalid", requestId: "5b1f" }];
      response.writeHead(status).end(JSON.stringify(body));
    };
    const settings = () => {
      server.current.alwaysAnswer(refusesTiles);
      const { url: baseUrl } = server.current;
      return { baseUrl, organizationId, serviceId, keyId: "key", keySecret: "s3cr3t", maxRetries: "0" };
    };
    const named = 'BAD_REQUEST: tiles["[secret]"].series is invalid';
    const failureOf = async (step: () => Promise<unknown>) => {
      const error = await step().then(
        () => undefined,
        (reason: Error) => reason,
      );
      return String(error?.message);
    };

    it("shows as [secret] in the error of the dynamic host", async () => {
      const tiles = [tile("Events", 6), { ...tile("Payroll", 6), x: 6 }];
      const { Dashboard } = hostWith(settings());
      const { inputs = {} } = await Dashboard.check({}, { name: "Board", tiles, __secretTileNames: true });
      const message = await failureOf(() => Dashboard.create(inputs));
      expect(message).to.include(named).and.not.include("Payroll");
    });

    it("shows as [secret] in the error of the plugin", async () => {
      const tiles = [tile("Events", 6), { ...tile(secret("Payroll"), 6), x: 6 }];
      const plugin = await startPlugin();
      try {
        await plugin.configure(settings());
        const message = await failureOf(() =>
          plugin.resource("Dashboard").create({ name: "Board", tiles, organizationId, serviceId }),
        );
        expect(message).to.include(named).and.not.include("Payroll");
      } finally {
        plugin.close();
      }
    });
  });
});
