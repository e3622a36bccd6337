import { expect } from "chai";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text } from "./rules";
import { absent, validInputs } from "./validInputs";

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
  ["channel", "webhook", "must be an object with type"],
  ["channel", [], "must be an object with type"],
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
});
