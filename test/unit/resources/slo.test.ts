import { expect } from "chai";
import fc from "fast-check";
import { eventTable } from "../../../provider/functions/sloSource";
import { budgetOf, burnRates, rateOf } from "../../../provider/resources/slo/burnRates";
import { checkSlo, type SloInputs } from "../../../provider/resources/slo/slo";
import { sloAlert, sloTiles } from "../../../provider/resources/slo/sloObjects";
import { unknown } from "../../../provider/values/unknown";

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const valid: SloInputs = {
  objective: 99.9,
  sourceId: "65f1c0a2b3d4e5f607182930",
  good: "StatusCode != 'Error'",
  page: { channel },
  ticket: { channel },
};
const source = {
  ...{ id: valid.sourceId as string, name: "Traces", kind: "trace", connection: "65f1c0a2b3d4e5f607182900" },
  from: { databaseName: "otel", tableName: "otel_traces" },
  timestampValueExpression: "Timestamp",
};
const faultsOf = (changes: object) => {
  try {
    checkSlo({ ...valid, ...changes } as SloInputs);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("Service level objectives", () => {
  it("the burn rates, windows and budget shares of a 30 day objective are those of the standard table", () => {
    const table = burnRates.map((rate) => [rate.severity, rate.share, rate.long, rate.short, rateOf(rate)]);
    expect(table).to.deep.equal([
      ["page", 0.02, 1, 5 / 60, 14.4],
      ["page", 0.05, 6, 0.5, 6],
      ["ticket", 0.1, 24, 2, 3],
      ["ticket", 0.1, 72, 6, 1],
    ]);
  });

  it("an objective of 28 days has lower burn rates than one of 30 days", () => {
    expect(burnRates.map((rate) => rateOf(rate, "28d"))).to.deep.equal([13.44, 5.6, 2.8, 0.9333]);
  });

  it("the error budget of any objective is an exact decimal number, without binary rounding errors", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (parts) => {
        expect(budgetOf((1_000_000 - parts) / 10_000)).to.equal(parts / 1_000_000);
      }),
    );
  });

  it("the check accepts a complete objective", () => expect(faultsOf({})).to.equal(""));

  for (const [changes, fault] of [
    [{ objective: 0 }, "objective must be a number in percent, more than 0 and less than 100, not 0"],
    [{ objective: 99.99999999999999 }, "objective leaves no error budget; lower it"],
    [{ objective: 100 }, "objective must be a number in percent, more than 0 and less than 100, not 100"],
    [{ sourceId: undefined }, "sourceId is required unless sql is declared"],
    [
      { sql: { connectionId: "c", from: "t", timestamp: "ts" } },
      "sourceId conflicts with sql; declare only one of them",
    ],
    [{ good: undefined }, "good is required"],
    [{ page: {} }, "page.channel is required; to declare no page alerts, set page.enabled to false"],
    [
      { ticket: undefined },
      "ticket.channel is required; to declare no ticket alerts, set ticket.enabled to false",
    ],
    [
      { page: { enabled: unknown } },
      "page.enabled must be known in the preview: it decides which alerts exist",
    ],
    [{ window: "7d" }, 'window must be one of 28d, 30d, not "7d"'],
    [
      { objective: 90 },
      "objective is too low for page: its alerts fire at a burn rate of 14.4, and with all events failing it is 10",
    ],
  ] as const)
    it(`the check refuses a service level objective: ${fault}`, () => {
      expect(faultsOf(changes)).to.include(fault);
    });

  it("the check accepts an objective without page alerts that only ticket alerts can fire for", () => {
    expect(faultsOf({ objective: 90, page: { enabled: false } })).to.equal("");
  });

  it("the check of an objective accepts values that a preview does not know yet", () => {
    expect(faultsOf({ objective: unknown, sourceId: unknown, good: unknown, runbook: unknown })).to.equal("");
  });

  it("the event table of an objective uses the first timestamp expression of its source", () => {
    const odd = { ...source, timestampValueExpression: "toStartOfHour(T, 'UTC'), T" };
    expect(eventTable(valid, [odd])).to.deep.equal({
      connectionId: source.connection,
      from: "`otel`.`otel_traces`",
      timestamp: "toStartOfHour(T, 'UTC')",
    });
  });

  it("the event table of an objective quotes the names of its source", () => {
    const quoted = { ...source, from: { databaseName: "a`b", tableName: "c" } };
    expect(eventTable(valid, [quoted]).from).to.equal("`a\\`b`.`c`");
  });

  it("an objective refuses a source that does not exist", () => {
    expect(() => eventTable(valid, [])).to.throw(`sourceId names no source (${valid.sourceId})`);
  });

  it("an objective refuses a source without a table of events", () => {
    const metrics = { ...source, kind: "metric", from: { databaseName: "otel" } };
    expect(() => eventTable(valid, [metrics])).to.throw(
      "sourceId names a source without a table of events (metric)",
    );
  });

  it("the alert of the highest burn rate names its severity, share of the budget and windows", () => {
    expect(burnRates.map((rate) => sloAlert(rate, "checkout"))[0]).to.deep.equal({
      name: "checkout: page, 2 % of the error budget in 1h",
      message: "The error budget burns too fast, over the last 1h and the last 5m.",
      ...{ threshold: 14.4, thresholdType: "above", interval: "1m" },
    });
  });

  it("the dashboard of an objective keeps the tiles of disabled alerts", () => {
    const table = eventTable(valid, [source]);
    const names = (inputs: SloInputs) => sloTiles(inputs, table).map(({ name }) => name);
    expect(names({ ...valid, page: { enabled: false } })).to.deep.equal(names(valid));
  });
});
