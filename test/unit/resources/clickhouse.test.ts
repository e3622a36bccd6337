import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import type { Data } from "../../../provider/lifecycle/data";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { createSandbox, type JournalEntry, type Sandbox } from "../../../sandbox/src";
import { Declared, sessionOf } from "../drift/fixture";

const savedSearch = "65f1c0a2b3d4e5f607182931";
const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const second = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182922" };
const alert = {
  source: "search",
  savedSearch,
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel,
};
const onTile = {
  ...{ source: "tile", dashboardId: "d", tileId: "t" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m", channel },
};
const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };
const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count", where: "level:error" }] };

describe("in the clickhouse dialect", () => {
  let sandbox: Sandbox;
  let session: ReturnType<typeof sessionOf>["session"];
  let warnings: string[];

  before(async () => {
    sandbox = await createSandbox({ dialect: "clickhouse" });
    const webhook = sandbox.store.webhooks.get(channel.webhookId);
    if (webhook) sandbox.store.webhooks.set(second.webhookId, { ...webhook, id: second.webhookId });
  });
  beforeEach(() => {
    sandbox.requests.length = 0;
    sandbox.rewrites.clear();
    ({ session, warnings } = sessionOf(sandbox, { dialect: "clickhouse", requestsPerSecond: "1000" }));
  });
  after(() => sandbox.close());

  /** What a check says of the object: `path message`. */
  function problemsOf(type: TypeName, declared: Data, further: Record<string, string> = {}): string[] {
    const settings = { dialect: "clickhouse", ...further };
    const { failures } = check(resources[type], {}, declared, sessionOf(sandbox, settings).session);
    return failures.map(({ path, message }) => `${path} ${message}`);
  }
  const sent = (method: string) =>
    sandbox.requests
      .filter((request: JournalEntry) => request.method === method)
      .map(({ path, requestBody }) => [path.split("/").pop(), requestBody]);

  describe("an alert", () => {
    const refused: [string, Data, string[]][] = [
      [
        "another interval",
        { ...alert, interval: "10m" },
        ["interval must be one of 1m, 5m, 15m, 30m, 1h, 6h, 12h, 1d"],
      ],
      [
        "another threshold type",
        { ...alert, thresholdType: "over" },
        [
          "thresholdType must be one of above, below, above_exclusive, below_or_equal, equal, not_equal, between, not_between",
        ],
      ],
      [
        "a range without an end",
        { ...alert, thresholdType: "between" },
        ['thresholdMax is required when thresholdType is "between"'],
      ],
      [
        "a range that ends before it begins",
        { ...alert, thresholdType: "not_between", thresholdMax: 4 },
        ["thresholdMax must be at least threshold"],
      ],
      [
        "an end without a range",
        { ...alert, thresholdMax: 9 },
        ['thresholdMax does not apply when thresholdType is "above"'],
      ],
      [
        "no saved search",
        { ...alert, savedSearch: undefined },
        ['savedSearch is required when source is "search"'],
      ],
      [
        "a saved search and a tile",
        { ...onTile, savedSearch },
        ['savedSearch does not apply when source is "tile"'],
      ],
      ["a group on a tile", { ...onTile, groupBy: "host" }, ['groupBy does not apply when source is "tile"']],
      ["no channel", { ...alert, channel: undefined }, ["channel is required"]],
      ["both kinds of channel", { ...alert, channels: [channel] }, ["channels conflicts with channel"]],
      [
        "one channel twice",
        { ...alert, channel: undefined, channels: [channel, channel] },
        ["channels contains a duplicate: entries 0 and 1 are equal"],
      ],
    ];
    for (const [what, declared, expected] of refused) {
      it(`with ${what} is refused`, () => {
        const given = Object.fromEntries(Object.entries(declared).filter(([, value]) => value !== undefined));
        expect(problemsOf("Alert", given)).to.deep.equal(expected);
      });
    }

    it("with any of the product's intervals is accepted", () => {
      const wrong = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"].flatMap((interval) =>
        problemsOf("Alert", { ...alert, interval }),
      );
      expect(wrong).to.deep.equal([]);
    });

    it("has none of this in the neutral dialect", () => {
      const neutral = { dialect: "neutral" };
      const { savedSearch: _, ...plain } = alert;
      expect(problemsOf("Alert", { ...plain, interval: "10m" }, neutral)).to.deep.equal([]);
      for (const name of ["savedSearch", "groupBy"]) {
        expect(problemsOf("Alert", { ...plain, [name]: "x" }, neutral)).to.deep.equal([
          `${name} needs the setting dialect to be clickhouse`,
        ]);
      }
      expect(problemsOf("Alert", { ...plain, thresholdType: "equal" }, neutral)).to.deep.equal([
        "thresholdType must be one of above, below",
      ]);
    });

    it("on a saved search is created, read and updated with all that it has", async () => {
      const { channel: _, ...rest } = alert;
      const ranged = {
        ...rest,
        groupBy: "host",
        thresholdType: "between",
        thresholdMax: 9,
        channels: [second, channel],
      };
      const declared = new Declared("Alert", ranged);
      await declared.up(session);
      const { savedSearch: id, source, ...same } = ranged;
      expect(sent("POST")).to.deep.equal([
        ["alerts", { ...same, savedSearchId: id, source: "saved_search" }],
      ]);
      expect(await declared.refresh(session)).to.deep.equal([]);

      const stored = sandbox.store.alerts.get(declared.id);
      Object.assign(stored ?? {}, { channels: [channel, second], channel });
      expect(
        await declared.refresh(sessionOf(sandbox, { dialect: "clickhouse" }).session),
        "order",
      ).to.deep.equal([]);
      Object.assign(stored ?? {}, { channels: [channel], groupBy: "other", thresholdMax: 10 });
      const later = sessionOf(sandbox, { dialect: "clickhouse" }).session;
      expect(await declared.refresh(later)).to.have.members(["channels", "groupBy", "thresholdMax"]);
      await declared.up(later);
      expect(stored).to.deep.include({ channels: [second, channel], groupBy: "host", thresholdMax: 9 });
    });

    it("that loses its group keeps it in the service, which is said", async () => {
      const declared = new Declared("Alert", { ...alert, groupBy: "host" });
      await declared.up(session);
      const without = new Declared("Alert", alert);
      Object.assign(without, { id: declared.id, state: declared.state, inputs: declared.inputs });
      await without.up(session);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/^alert [0-9a-f]{24} keeps its groupBy/);
      expect(await without.refresh(session)).to.deep.equal([]);
    });
  });

  describe("an alert that was of another kind before", () => {
    const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
    const { savedSearch: _, ...search } = alert;
    const place = { dashboardId: "65f1c0a2b3d4e5f607182941", tileId: "65f1c0a2b3d4e5f607182942" };
    const changes: [string, Data, Data, Data][] = [
      ["a range", range, alert, { thresholdMax: 9 }],
      ["on a tile", { ...onTile, ...place }, alert, place],
      ["on a search", alert, { ...search, ...onTile, ...place }, { savedSearchId: savedSearch }],
    ];
    for (const [what, before, after, left] of changes) {
      it(`shows nothing of what the service keeps of that: ${what}`, async () => {
        const { serviceId } = sandbox.credentials;
        const tiles = [{ id: place.tileId, ...tile, series: [{ type: "number" }] }];
        const board = { id: place.dashboardId, serviceId, name: "Board", tiles };
        sandbox.store.dashboards.set(board.id, board as never);
        const declared = new Declared("Alert", before);
        await declared.up(session);
        const changed = new Declared("Alert", after);
        Object.assign(changed, { id: declared.id, state: declared.state, inputs: declared.inputs });
        await changed.up(session);
        // Some servers keep these, which are not in the request.
        Object.assign(sandbox.store.alerts.get(declared.id) ?? {}, left);
        expect(await changed.refresh(sessionOf(sandbox, { dialect: "clickhouse" }).session)).to.deep.equal(
          [],
        );
        for (const name of Object.keys(left)) expect(changed.state).not.to.have.property(name);
      });
    }
  });

  describe("the scaling of a service", () => {
    const refused: [string, Data, string[]][] = [
      [
        "too little memory",
        { minReplicaMemoryGb: 4 },
        ["minReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
      ],
      [
        "too much memory",
        { maxReplicaMemoryGb: 360 },
        ["maxReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
      ],
      [
        "memory between the steps",
        { maxReplicaMemoryGb: 10 },
        ["maxReplicaMemoryGb must be a whole number from 8 to 356, a multiple of 4"],
      ],
      [
        "a least memory above the most",
        { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 12 },
        ["minReplicaMemoryGb must be at most maxReplicaMemoryGb"],
      ],
    ];
    for (const [what, declared, expected] of refused) {
      it(`with ${what} is refused`, () => {
        expect(problemsOf("ServiceScaling", declared)).to.deep.equal(expected);
      });
    }

    it("with the memory of one replica is refused under operations: documented", () => {
      const [problem] = problemsOf("ServiceScaling", { minReplicaMemoryGb: 8 }, { operations: "documented" });
      expect(problem).to.match(
        /^minReplicaMemoryGb cannot be declared: changing it needs an undocumented operation/,
      );
    });

    it("asks the operation of the document for its members and the newer one for the rest", async () => {
      const declared = new Declared("ServiceScaling", {
        numReplicas: 5,
        minReplicaMemoryGb: 12,
        maxReplicaMemoryGb: 20,
      });
      await declared.up(session);
      expect(sent("PATCH")).to.deep.equal([
        ["scaling", { numReplicas: 5 }],
        ["replicaScaling", { minReplicaMemoryGb: 12, maxReplicaMemoryGb: 20 }],
      ]);
      expect(await declared.refresh(session)).to.deep.equal([]);
      expect(declared.state.engineVersion).to.equal("25.6");
    });

    it("asks only for what is declared, waits until it shows, and sees drift of it", async () => {
      sandbox.rewrites.add("laggingScaling");
      const declared = new Declared("ServiceScaling", { minReplicaMemoryGb: 16 });
      await declared.up(session);
      expect(sent("PATCH")).to.deep.equal([["replicaScaling", { minReplicaMemoryGb: 16 }]]);
      expect(declared.state.minReplicaMemoryGb).to.equal(16);
      const service = sandbox.store.services.get(sandbox.credentials.serviceId);
      Object.assign(service ?? {}, { minReplicaMemoryGb: 8 });
      expect(await declared.refresh(session)).to.deep.equal(["minReplicaMemoryGb"]);
    });

    it("puts the memory back that was there before", async () => {
      const service = sandbox.store.services.get(sandbox.credentials.serviceId);
      Object.assign(service ?? {}, { maxReplicaMemoryGb: 24 });
      const declared = new Declared("ServiceScaling", { maxReplicaMemoryGb: 32, onDestroy: "restore" });
      await declared.up(session);
      await declared.delete(session);
      expect(service).to.include({ maxReplicaMemoryGb: 24 });
    });
  });

  describe("a tile with config", () => {
    it("is sent as it is, and a change inside it is drift", async () => {
      const tiles = [{ ...tile, config }];
      const declared = new Declared("Dashboard", { name: "Config", tiles });
      await declared.up(session);
      expect(sent("POST")).to.deep.equal([["dashboards", { name: "Config", tiles }]]);
      expect(await declared.refresh(session)).to.deep.equal([]);
      const [stored] = sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      Object.assign(stored ?? {}, { config: { ...config, displayType: "number" } });
      const later = sessionOf(sandbox, { dialect: "clickhouse" }).session;
      expect(await declared.refresh(later)).to.deep.equal(["tiles[0].config.displayType"]);
    });

    it("does not drift by what a server adds to it", async () => {
      const declared = new Declared("Dashboard", { name: "Config", tiles: [{ ...tile, config }] });
      await declared.up(session);
      const [stored] = sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      Object.assign(stored ?? {}, { config: { ...config, fillNulls: true } });
      const later = sessionOf(sandbox, { dialect: "clickhouse" }).session;
      expect(await declared.refresh(later)).to.deep.equal([]);
    });

    const shapes: [string, Data, string[]][] = [
      ["neither", {}, ["tiles[0].series is required unless config is declared"]],
      ["both", { config, series: [{ type: "number" }] }, ["tiles[0].series conflicts with config"]],
      ["a ratio beside config", { config, asRatio: true }, ["tiles[0].asRatio conflicts with config"]],
      ["an empty config", { config: {} }, ["tiles[0].config must be an object with at least one member"]],
    ];
    for (const [what, shape, expected] of shapes) {
      it(`is refused with ${what}`, () => {
        expect(problemsOf("Dashboard", { name: "n", tiles: [{ ...tile, ...shape }] })).to.deep.equal(
          expected,
        );
      });
    }
  });
});
