import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/lifecycle/data";
import type { Sandbox } from "../../../sandbox/src";
import { Declared } from "../drift/fixture";
import { channel, type Product, secondChannel, sentBy, sessionOfProduct, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";

const savedSearch = "65f1c0a2b3d4e5f607182931";
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

const interval = "must be a count and a unit (s, m, h or d), such as 5m";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["adoptId", "", text],
  ["name", "", text],
  ["message", 5, text],
  ["threshold", absent, required],
  ["threshold", "500", "must be a number"],
  ["threshold", null, "must be a number"],
  ["interval", absent, required],
  ["interval", "5 minutes", interval],
  ["interval", "0m", interval],
  ["interval", "m", interval],
  ["interval", 300, interval],
  ["thresholdType", absent, required],
  ["thresholdType", "over", "must be one of above, below"],
  ["source", absent, required],
  ["source", "saved_search", "must be one of tile, search"],
  ["dashboardId", absent, 'is required when source is "tile"'],
  ["dashboardId", "", text],
  ["tileId", absent, 'is required when source is "tile"'],
  ["tileId", {}, text],
  ["channel", absent, required],
  ["channel", "webhook", "must be an object"],
  ["channel", [], "must be an object"],
  ["channel.type", absent, required],
  ["channel.type", "", text],
  ["channel.webhookId", absent, required],
  ["channel.webhookId", 5, text],
  ["thresholdType", "equal", "must be one of above, below"],
  ["thresholdMax", 9, "needs the setting dialect to be clickhouse"],
  ["savedSearch", "s", "needs the setting dialect to be clickhouse"],
  ["channels", [{ type: "webhook", webhookId: "w" }], "needs the setting dialect to be clickhouse"],
  ["channel.url", "https://hooks.example.com", "is not a valid property; expected one of type, webhookId"],
  [
    "treshold",
    500,
    "is not a valid property; expected one of organizationId, serviceId, adoptId, name, message, threshold, thresholdMax, interval, thresholdType, source, dashboardId, tileId, savedSearch, groupBy, channel, channels",
  ],
];

describe("Alert", () => {
  itKeeps("Alert", rules);

  it("needs no dashboard and no tile on a search", () => {
    const { dashboardId, tileId, ...onSearch } = validInputs.Alert;
    expect(failuresOf("Alert", { ...onSearch, source: "search" })).to.deep.equal([]);
  });

  describe("in the clickhouse dialect", () => {
    const product = useProduct();
    let sandbox: Sandbox;
    let session: Product["session"];
    let warnings: string[];
    beforeEach(() => {
      ({ sandbox, session, warnings } = product);
    });
    const sent = (method: string) => sentBy(product, method);
    const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
      failuresOf("Alert", declared, { dialect: "clickhouse", ...further });

    describe("by its rules", () => {
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
        [
          "a group on a tile",
          { ...onTile, groupBy: "host" },
          ['groupBy does not apply when source is "tile"'],
        ],
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
          const given = Object.fromEntries(
            Object.entries(declared).filter(([, value]) => value !== undefined),
          );
          expect(problemsOf(given)).to.deep.equal(expected);
        });
      }

      it("with any of the product's intervals is accepted", () => {
        const wrong = ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"].flatMap((interval) =>
          problemsOf({ ...alert, interval }),
        );
        expect(wrong).to.deep.equal([]);
      });

      it("has none of this in the neutral dialect", () => {
        const neutral = { dialect: "neutral" } as const;
        const { savedSearch: _, ...plain } = alert;
        expect(problemsOf({ ...plain, interval: "10m" }, neutral)).to.deep.equal([]);
        for (const name of ["savedSearch", "groupBy"]) {
          expect(problemsOf({ ...plain, [name]: "x" }, neutral)).to.deep.equal([
            `${name} needs the setting dialect to be clickhouse`,
          ]);
        }
        expect(problemsOf({ ...plain, thresholdType: "equal" }, neutral)).to.deep.equal([
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
          channels: [secondChannel, channel],
        };
        const declared = new Declared("Alert", ranged);
        await declared.up(session);
        const { savedSearch: id, source, ...same } = ranged;
        expect(sent("POST")).to.deep.equal([
          ["alerts", { ...same, savedSearchId: id, source: "saved_search" }],
        ]);
        expect(await declared.refresh(session)).to.deep.equal([]);

        const stored = sandbox.store.alerts.get(declared.id);
        Object.assign(stored ?? {}, { channels: [channel, secondChannel], channel });
        expect(await declared.refresh(sessionOfProduct(sandbox).session), "order").to.deep.equal([]);
        Object.assign(stored ?? {}, { channels: [channel], groupBy: "other", thresholdMax: 10 });
        const later = sessionOfProduct(sandbox).session;
        expect(await declared.refresh(later)).to.have.members(["channels", "groupBy", "thresholdMax"]);
        await declared.up(later);
        expect(stored).to.deep.include({
          channels: [secondChannel, channel],
          groupBy: "host",
          thresholdMax: 9,
        });
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

    describe("that was of another kind before", () => {
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
          expect(await changed.refresh(sessionOfProduct(sandbox).session)).to.deep.equal([]);
          for (const name of Object.keys(left)) expect(changed.state).not.to.have.property(name);
        });
      }
    });
  });
});
