import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/lifecycle/data";
import { unknown } from "../../../provider/lifecycle/unknown";
import { alertResource } from "../../../provider/resources/alert";
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
const onManagement = { observabilityVia: "management" } as const;
const onObservability = { observabilityVia: "observability" } as const;

function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
}

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

const interval = "must be a count and a unit (s, m, h or d), such as 5m";

const instant = "must be a moment in UTC, such as 2026-01-31T08:00:00Z";

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
  ["note", "Ask the owner", "needs the setting dialect to be clickhouse"],
  ["numConsecutiveWindows", 3, "needs the setting dialect to be clickhouse"],
  ["scheduleOffsetMinutes", 2, "needs the setting dialect to be clickhouse"],
  ["scheduleOffsetMinutes", 1440, "must be a whole number from 0 to 1439"],
  ["scheduleStartAt", "2026-01-31T08:00:00Z", "needs the setting dialect to be clickhouse"],
  ["scheduleStartAt", "2026-01-31T08:00:00+01:00", instant],
  ["scheduleStartAt", "2026-13-31T08:00:00Z", instant],
  ["numConsecutiveWindows", 0, "must be a whole number of at least 1"],
  ["channel.severity", "error", "needs the setting dialect to be clickhouse"],
  ["channel.severity", "high", "must be one of critical, error, warning, info"],
  ["channel.emailRecipients", [], "must be a list with at least one entry"],
  [
    "channel.url",
    "https://hooks.example.com",
    "is not a valid property; expected one of type, webhookId, webhookService, slackChannelId, severity, emailRecipients",
  ],
  ["treshold", 500, "is not a valid property; did you mean threshold?"],
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
      const refused: [string, Data, string[], Partial<Settings>?][] = [
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
        [
          "both kinds of channel",
          { ...alert, channels: [channel] },
          ["channels conflicts with channel"],
          onObservability,
        ],
        [
          "one channel twice",
          { ...alert, channel: undefined, channels: [channel, channel] },
          ["channels contains a duplicate: entries 0 and 1 are equal"],
        ],
        [
          "several channels through the management API",
          { ...alert, channel: undefined, channels: [channel, secondChannel] },
          ["channels needs the setting observabilityVia to be observability"],
          onManagement,
        ],
        [
          "several channels of a kind that no server has",
          { ...alert, channel: undefined, channels: [channel, { type: "sms", webhookId: "w" }] },
          ["channels[1].type must be one of webhook, email"],
          onObservability,
        ],
        [
          "a severity through the observability API",
          { ...alert, channel: { ...channel, severity: "error" } },
          ["channel.severity needs the setting observabilityVia to be management"],
          onObservability,
        ],
        [
          "mail through the observability API",
          { ...alert, channel: { type: "email" } },
          ['channel.type "email" needs the setting observabilityVia to be management'],
          onObservability,
        ],
        [
          "mail to nobody",
          { ...alert, channel: { type: "email" } },
          ["channel.emailRecipients is required"],
          onManagement,
        ],
        [
          "mail to a webhook",
          { ...alert, channel: { type: "email", emailRecipients: ["a@b.example"], webhookId: "w" } },
          ['channel.webhookId does not apply when type is "email"'],
          onManagement,
        ],
        [
          "a webhook with addresses",
          { ...alert, channel: { ...channel, emailRecipients: ["a@b.example"] } },
          ['channel.emailRecipients does not apply when type is "webhook"'],
          onManagement,
        ],
        [
          "a webhook without its id",
          { ...alert, channel: { type: "webhook" } },
          ["channel.webhookId is required"],
        ],
        [
          "an offset as long as its interval",
          { ...alert, scheduleOffsetMinutes: 5 },
          ["scheduleOffsetMinutes must be less than the interval, 5m"],
        ],
        [
          "an offset and a start",
          { ...alert, scheduleOffsetMinutes: 1, scheduleStartAt: inDays(-1) },
          ["scheduleOffsetMinutes conflicts with scheduleStartAt"],
        ],
        [
          "a start in a year and a day",
          { ...alert, scheduleStartAt: inDays(366) },
          ["scheduleStartAt must be at most ten years ago and at most one year ahead"],
        ],
        [
          "a start more than ten years ago",
          { ...alert, scheduleStartAt: inDays(-3651) },
          ["scheduleStartAt must be at most ten years ago and at most one year ahead"],
        ],
        [
          "a name, a message and a note that are too long",
          { ...alert, name: "n".repeat(513), message: "m".repeat(4097), note: "o".repeat(4097) },
          [
            "name must be a string of at most 512 characters",
            "message must be a string of at most 4096 characters",
            "note must be a string of at most 4096 characters",
          ],
        ],
      ];
      for (const [what, declared, expected, settings] of refused) {
        it(`with ${what} is refused`, () => {
          const given = Object.fromEntries(
            Object.entries(declared).filter(([, value]) => value !== undefined),
          );
          expect(problemsOf(given, settings)).to.deep.equal(expected);
        });
      }

      const accepted: [string, Data, Partial<Settings>?][] = [
        ["mail", { channel: { type: "email", emailRecipients: ["a@b.example"] } }, onManagement],
        ["a severity", { channel: { ...channel, severity: "error" } }, onManagement],
        ["an offset of one minute less than its interval", { scheduleOffsetMinutes: 4 }],
        ["no offset beside a start", { scheduleOffsetMinutes: 0, scheduleStartAt: inDays(-1) }],
        ["a start in a year", { scheduleStartAt: inDays(364) }],
        ["the longest texts", { name: "n".repeat(512), message: "m".repeat(4096), note: "o".repeat(4096) }],
        ["values that are not known yet", { channel: { type: unknown }, scheduleStartAt: unknown }],
      ];
      for (const [what, declared, settings] of accepted) {
        it(`with ${what} is accepted`, () => {
          expect(problemsOf({ ...alert, ...declared }, settings)).to.deep.equal([]);
        });
      }

      it("whose start has grown old since it was declared is still accepted", () => {
        const declared = { ...alert, scheduleStartAt: inDays(-4000) };
        expect(failuresOf("Alert", declared, { dialect: "clickhouse" }, declared)).to.deep.equal([]);
      });

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
        const sessionNow = () => sessionOfProduct(sandbox, onObservability).session;
        await declared.up(sessionNow());
        const { savedSearch: id, source, ...same } = ranged;
        expect(sent("POST")).to.deep.equal([
          ["alerts", { ...same, savedSearchId: id, source: "saved_search" }],
        ]);
        expect(await declared.refresh(sessionNow())).to.deep.equal([]);

        const stored = sandbox.store.alerts.get(declared.id);
        Object.assign(stored ?? {}, { channels: [channel, secondChannel], channel });
        expect(await declared.refresh(sessionNow()), "order").to.deep.equal([]);
        Object.assign(stored ?? {}, { channels: [channel], groupBy: "other", thresholdMax: 10 });
        const later = sessionNow();
        expect(await declared.refresh(later)).to.have.members(["channels", "groupBy", "thresholdMax"]);
        await declared.up(later);
        expect(stored).to.deep.include({
          channels: [secondChannel, channel],
          groupBy: "host",
          thresholdMax: 9,
        });
      });

      it("that loses its group loses it in the service, too", async () => {
        const declared = new Declared("Alert", { ...alert, groupBy: "host" });
        await declared.up(session);
        const without = new Declared("Alert", alert);
        Object.assign(without, { id: declared.id, state: declared.state, inputs: declared.inputs });
        await without.up(session);
        expect(sandbox.store.alerts.get(declared.id)).to.not.have.property("groupBy");
        expect(warnings).to.deep.equal([]);
        expect(await without.refresh(session)).to.deep.equal([]);
      });

      /** Applies one program after the other to the same alert. */
      async function applied(
        settings: Partial<Record<string, string>>,
        ...programs: Data[]
      ): Promise<Declared> {
        const open = () => sessionOfProduct(sandbox, settings as Record<string, string>);
        const declared = new Declared("Alert", {});
        for (const program of programs) {
          Object.assign(declared, { program });
          const opened = open();
          await declared.up(opened.session);
          expect(opened.warnings).to.deep.equal([]);
          expect(await declared.refresh(open().session)).to.deep.equal([]);
        }
        return declared;
      }

      const onTheWire = {
        ...alert,
        source: "saved_search",
        savedSearchId: savedSearch,
        savedSearch: undefined,
      };
      const wire = (changed: Data) => JSON.parse(JSON.stringify({ ...onTheWire, ...changed }));

      it("sends every member that the management API has, and none that the program drops", async () => {
        const further = {
          note: "Ask the owner",
          numConsecutiveWindows: 3,
          scheduleOffsetMinutes: 2,
          channel: { ...channel, webhookService: "pagerduty_api", severity: "error" },
        };
        const declared = await applied(onManagement, { ...alert, ...further }, alert);
        expect(sent("POST")).to.deep.equal([["alerts", wire(further)]]);
        const [[, body]] = sent("PUT") as [[string, Data]];
        // The offset has no null, and the others go by being left out.
        expect(body).to.include({ scheduleOffsetMinutes: 0 });
        expect(body).not.to.have.any.keys("note", "numConsecutiveWindows", "scheduleStartAt", "channels");
        expect(sandbox.store.alerts.get(declared.id)).to.include({ note: null, numConsecutiveWindows: null });
      });

      it("reaches people by mail", async () => {
        const mail = { type: "email", emailRecipients: ["a@b.example", "c@d.example"] };
        await applied(onManagement, { ...alert, channel: mail });
        expect(sent("POST")).to.deep.equal([["alerts", wire({ channel: mail })]]);
      });

      it("begins at a moment, in whatever words, until the program drops it", async () => {
        const scheduleStartAt = inDays(-1).replace(/\.\d+Z$/, "Z");
        const declared = await applied({}, { ...alert, scheduleStartAt }, alert);
        expect(sent("POST")).to.deep.equal([["alerts", wire({ scheduleStartAt })]]);
        expect(sent("PUT").map(([, body]) => body)).to.deep.equal([
          wire({ scheduleStartAt: null, scheduleOffsetMinutes: 0 }),
        ]);
        expect(declared.state).not.to.have.property("scheduleStartAt");
      });

      it("never gets a null that the server refuses", async () => {
        const range = { ...alert, thresholdType: "between", thresholdMax: 9, scheduleOffsetMinutes: 1 };
        await applied({}, range, alert, { ...alert, scheduleStartAt: inDays(-1) });
        for (const [, body] of [...sent("POST"), ...sent("PUT")] as [string, Data][]) {
          expect(body.thresholdMax).not.to.equal(null);
          expect(body.scheduleOffsetMinutes).not.to.equal(null);
        }
        expect(sent("PUT").at(-1)?.[1]).not.to.have.property("scheduleOffsetMinutes");
      });

      it("with one of several channels keeps the others where that is known", () => {
        const first = { type: "webhook", webhookId: "new" };
        const carried = { ...alert, channel: first, channels: [channel, secondChannel] };
        expect(alertResource.updateBody?.(carried, {})).to.deep.include({ channels: [first, secondChannel] });
        const same = { ...alert, channel, channels: [channel] };
        expect(alertResource.updateBody?.(same, {})).not.to.have.property("channels");
      });

      it("shows who silenced it, and what failed, and neither is drift", async () => {
        const declared = await applied(onManagement, alert);
        const silenced = { by: "u1", at: inDays(-1), until: inDays(1) };
        const executionErrors = [{ timestamp: inDays(-1), type: "QUERY_ERROR", message: "no such column" }];
        Object.assign(sandbox.store.alerts.get(declared.id) ?? {}, { silenced, executionErrors });
        expect(await declared.refresh(sessionOfProduct(sandbox).session)).to.deep.equal([]);
        expect(declared.state).to.deep.include({ silenced, executionErrors });
      });

      it("that loses its upper threshold keeps it in the service", async () => {
        const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
        const declared = new Declared("Alert", range);
        await declared.up(session);
        const without = new Declared("Alert", alert);
        Object.assign(without, { id: declared.id, state: declared.state, inputs: declared.inputs });
        await without.up(session);
        expect(sandbox.store.alerts.get(declared.id)?.thresholdMax).to.equal(9);
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
