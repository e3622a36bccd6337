import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { alert, inDays, onManagement, onObservability, onTile, savedSearch } from "./clickhouseAlerts";
import { channel, secondChannel } from "./product";
import { failuresOf } from "./rules";

describe("An alert, by the rules of the clickhouse dialect,", () => {
  const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
    failuresOf("Alert", declared, { dialect: "clickhouse", ...further });

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
    ["a group on a tile", { ...onTile, groupBy: "host" }, ['groupBy does not apply when source is "tile"']],
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
      const given = Object.fromEntries(Object.entries(declared).filter(([, value]) => value !== undefined));
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
});
