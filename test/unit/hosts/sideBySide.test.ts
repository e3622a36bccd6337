import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { send, settingsOf } from "../../serviceContents";
import { threeMinutesLater } from "../drift/fixture";
import { captureWarnings, hostWith, withoutEnvironment } from "./dynamic/hostProcess";
import { startPlugin, urnOf } from "./plugin/engine";

type Properties = Record<string, unknown>;

/** The steps of a dashboard's life, as the engine takes them in a host. What fails answers its message. */
interface Steps {
  check(news: object, olds?: object): Promise<{ inputs: object; failures: (readonly [string, string])[] }>;
  create(inputs: object): Promise<{ id: string; state: object }>;
  /** Whether there is a change, and which properties the host says of it. */
  diff(id: string, state: object, inputs: object): Promise<{ changes: boolean; named: string[] }>;
  update(id: string, state: object, inputs: object): Promise<object>;
  read(id: string, state: object): Promise<{ id: string; state: object }>;
  delete(id: string, state: object): Promise<void>;
  /** What the user was told besides. */
  readonly told: readonly (readonly string[])[];
  close(): void;
}

function dynamicHost(sandbox: Sandbox): Steps {
  const { lines, restore } = captureWarnings();
  const { Dashboard } = hostWith(settingsOf(sandbox));
  const withCode = (properties: object) => ({ ...properties, __provider: "code" });
  const withoutCode = ({ __provider, ...rest }: Properties) => rest;
  return {
    get told() {
      return lines.map((line) => [line]);
    },
    async check(news, olds = {}) {
      const { inputs, failures = [] } = await Dashboard.check(withCode(olds), withCode(news));
      return {
        inputs: withoutCode(inputs as Properties),
        failures: failures.map(({ property, reason }) => [property, reason] as const),
      };
    },
    async create(inputs) {
      const { id, outs } = await Dashboard.create(withCode(inputs));
      return { id, state: outs as object };
    },
    async diff(id, state, inputs) {
      const { changes = true, replaces = [] } = await Dashboard.diff(id, withCode(state), withCode(inputs));
      return { changes, named: replaces };
    },
    update: async (id, state, inputs) =>
      (await Dashboard.update(id, withCode(state), withCode(inputs))).outs as object,
    async read(id, state) {
      const found = await Dashboard.read(id, withCode(state));
      return { id: found.id ?? "", state: found.props as object };
    },
    delete: (id, state) => Dashboard.delete(id, withCode(state)),
    close: restore,
  };
}

async function plugin(sandbox: Sandbox): Promise<Steps> {
  const started = await startPlugin();
  await started.configure(settingsOf(sandbox));
  const dashboard = started.resource("Dashboard");
  const answerOf = <Response>(response: Promise<Response>) =>
    response.catch(({ details }: { details: string }) => {
      throw new Error(details);
    });
  const plain = (properties: { toJavaScript(): object } | undefined) => properties?.toJavaScript() ?? {};
  return {
    told: started.log,
    async check(news, olds) {
      const response = await answerOf(dashboard.check(news, olds));
      return {
        inputs: plain(response.getInputs()),
        failures: response
          .getFailuresList()
          .map((failure) => [failure.getProperty(), failure.getReason()] as const),
      };
    },
    async create(inputs) {
      const response = await answerOf(dashboard.create(inputs));
      return { id: response.getId(), state: plain(response.getProperties()) };
    },
    async diff(id, state, inputs) {
      const response = await answerOf(dashboard.diff(id, state, inputs));
      return {
        changes: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
        named: [...response.getDetaileddiffMap().keys()],
      };
    },
    update: async (id, state, inputs) =>
      plain((await answerOf(dashboard.update(id, state, inputs))).getProperties()),
    async read(id, state) {
      const response = await answerOf(dashboard.read(id, state));
      return { id: response.getId(), state: plain(response.getProperties()) };
    },
    delete: (id, state) => answerOf(dashboard.delete(id, state)),
    close: () => started.close(),
  };
}

/** What a story leaves behind. Ids and times differ from run to run. */
interface Told {
  readonly requests: unknown[];
  readonly states: unknown[];
  readonly failures: unknown[];
  readonly diffs: unknown[];
  readonly messages: readonly (readonly string[])[];
}

function comparable<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value)
      .replace(/\b[0-9a-f]{24}\b/g, "<id>")
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
      .replace(/127\.0\.0\.1:\d+/g, "<address>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"),
  );
}

async function story(sandbox: Sandbox, steps: Steps): Promise<Told> {
  const told = { states: [] as unknown[], failures: [] as unknown[], diffs: [] as unknown[] };
  const tile = {
    name: "Errors",
    x: 0,
    y: 0,
    w: 6,
    h: 4,
    series: [{ type: "number", aggFn: "count", where: "" }],
  };
  const board = (width: number) => ({
    name: "Board",
    tiles: [
      { ...tile, w: width },
      { ...tile, name: "Rows", x: 5 },
    ],
  });
  const failed = async (step: Promise<unknown>) =>
    told.failures.push(
      await step.then(
        () => "nothing",
        ({ message }: Error) => message,
      ),
    );

  told.failures.push((await steps.check({ ...board(0), tags: [1] })).failures);
  const { inputs } = await steps.check(board(6));
  await sandbox.faults.set([{ kind: "400", operation: "createDashboard", nth: 1 }]);
  await failed(steps.create(inputs));
  const { id, state } = await steps.create(inputs);
  told.states.push(state);
  const wider = (await steps.check(board(8), inputs)).inputs;
  told.diffs.push(await steps.diff(id, state, wider));
  const updated = await steps.update(id, state, wider);
  told.states.push(updated);
  Object.assign(sandbox.store.dashboards.get(id) ?? {}, { name: "By hand" });
  const read = await steps.read(id, updated);
  told.states.push(read.state);
  told.diffs.push(await steps.diff(id, read.state, wider));
  await sandbox.faults.set([{ kind: "403-firewall", operation: "*" }]);
  await failed(steps.read(id, updated));
  await sandbox.faults.clear();
  await steps.delete(id, updated);
  told.states.push((await threeMinutesLater(() => steps.read(id, updated))).id);
  await threeMinutesLater(() => steps.delete(id, updated));
  const requests = sandbox.requests.map(({ method, path, status, requestBody }) => [
    `${method} ${path} ${status}`,
    requestBody ?? null,
  ]);
  return comparable({ ...told, requests, messages: steps.told });
}

describe("One story of a dashboard, in the dynamic host and in the plugin", () => {
  let dynamic: Told;
  let own: Told;

  before(async () => {
    const restore = withoutEnvironment();
    const run = async (start: (sandbox: Sandbox) => Steps | Promise<Steps>) => {
      const sandbox = await createSandbox();
      const steps = await start(sandbox);
      try {
        return await story(sandbox, steps);
      } finally {
        steps.close();
        await sandbox.close();
      }
    };
    dynamic = await run(dynamicHost);
    own = await run(plugin);
    restore();
  });

  it("asks the service for the same, with the same bodies, in the same order", () => {
    expect(own.requests).to.deep.equal(dynamic.requests).and.have.length.above(8);
  });

  it("leaves the same states", () => {
    expect(own.states).to.deep.equal(dynamic.states).and.have.length(4);
  });

  it("fails with the same words", () => {
    const [invalid, ...failures] = own.failures as [[string, string][], ...string[]];
    expect(own.failures).to.deep.equal(dynamic.failures);
    expect(failures).to.have.length(2);
    // The engine cannot show the value of what is inside a property, so none is named beside the text.
    expect(invalid.map(([property]) => property)).to.deep.equal(["", ""]);
  });

  it("shows the same changes; the plugin says where", () => {
    expect(dynamic.diffs).to.deep.equal(Array(2).fill({ changes: true, named: [] }));
    expect(own.diffs).to.deep.equal([
      { changes: true, named: ["tiles[0].w"] },
      { changes: true, named: ["name"] },
    ]);
  });

  it("tells the same; the plugin beside the resource", () => {
    const texts = own.messages.map(([, text]) => `warning: pipestack: ${text}`);
    expect(texts).to.deep.equal(dynamic.messages.map(([line]) => line));
    expect(texts.join()).to.include('the tiles "Errors" and "Rows" overlap');
    expect([...new Set(own.messages.map(([urn]) => urn))]).to.deep.equal([urnOf("Dashboard")]);
  });
});

describe("A preview of an update that removes a tile", () => {
  const tile = (name: string, x: number) => ({
    ...{ name, x, y: 0, w: 6, h: 4 },
    series: [{ type: "number", aggFn: "count", where: "" }],
  });
  const board = (...tiles: object[]) => ({ name: "Board", tiles });
  const [errors, rows] = [tile("Errors", 0), tile("Rows", 6)];
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

  /** What a process of a host is asked. */
  async function inProcess<Result>(
    start: (sandbox: Sandbox) => Steps | Promise<Steps>,
    ask: (steps: Steps) => Promise<Result>,
  ): Promise<Result> {
    const steps = await start(sandbox);
    try {
      return await ask(steps);
    } finally {
      steps.close();
    }
  }

  for (const [host, start] of Object.entries({ dynamicHost, plugin })) {
    it(`names the alert that the service deletes with it, in the ${host}`, async () => {
      const { inputs, id, state } = await inProcess(start, async (steps) => {
        const { inputs } = await steps.check(board(errors, rows));
        return { inputs, ...(await steps.create(inputs)) };
      });
      const { tileIds } = state as { tileIds: { Rows: string } };
      const { id: webhookId } = [...sandbox.store.webhooks.values()][0] as { id: string };
      await send(sandbox, "POST", `/services/${sandbox.credentials.serviceId}/stack/alerts`, {
        ...{ name: "Few", source: "tile", dashboardId: id, tileId: tileIds.Rows, interval: "5m" },
        ...{ threshold: 1, thresholdType: "below", channel: { type: "webhook", webhookId } },
      });
      const told = await inProcess(start, async (steps) => {
        await steps.diff(id, state, (await steps.check(board(errors), inputs)).inputs);
        return steps.told.flat().join();
      });
      expect(told).to.match(
        /the service deletes the alert "Few" \(\w+\) of the tile "Rows", which it removes/,
      );
    });
  }
});
