import { expect } from "chai";
import fc from "fast-check";
import { budgetOf, burnRates, rateOf, windowName } from "../../provider/resources/slo/burnRates";
import {
  budgetQuery,
  burnQuery,
  burnSeriesQuery,
  type Events,
} from "../../provider/resources/slo/sloQueries";
import { ClickHouse } from "./clickhouse";

const objective = 99.9;
const budget = budgetOf(objective);
const minute = 60;
const start = Date.UTC(2026, 0, 1) / 1000;
const events: Events = { from: "events", timestamp: "time", good: "good", total: "total" };

/** The number of all events and of bad events of an SLO in each minute since the start. */
type Series = readonly { readonly total: number; readonly bad: number }[];

describe("The queries of an SLO in ClickHouse", () => {
  let database: ClickHouse;
  before(async function () {
    // On a machine's first run the test installs ClickHouse, which may take minutes.
    this.timeout(5 * 60_000);
    database = await ClickHouse.start();
    await database.query(
      "CREATE TABLE events (time DateTime('UTC'), good UInt32, total UInt32) ENGINE = Memory",
    );
  });
  after(() => database.close());

  async function keep(series: Series): Promise<void> {
    await database.query("TRUNCATE TABLE events");
    const rows = series.map(({ total, bad }, at) => `(${start + at * minute}, ${total - bad}, ${total})`);
    await database.query(`INSERT INTO events VALUES ${rows.join(", ")}`);
  }

  /** Runs an SLO's query with the service's macros replaced as documented, and returns the last number of its first row. */
  async function lastNumber(template: string, at: number, from = start): Promise<number> {
    const [row = []] = await rowsOf(template, at, from);
    return Number(row.at(-1));
  }

  const moment = (at: number) => `toDateTime(fromUnixTimestamp64Milli(${at * 1000}))`;
  const rowsOf = (template: string, at: number, from = start) =>
    database.query(
      template
        .replaceAll("$__toTime", moment(at))
        .replaceAll("$__fromTime", moment(from))
        .replace(/\$__timeInterval\((\w+)\)/, "toStartOfInterval(toDateTime($1), INTERVAL 3600 second)"),
    );

  /** Computes the burn rate of an SLO over the hours before a moment: the share of bad events, divided by the error budget. */
  function burnt(series: Series, at: number, hours: number): number {
    const inside = series.filter((_, index) => {
      const time = start + index * minute;
      return time > at - Math.round(hours * 3600) && time <= at;
    });
    const [total, bad] = [sum(inside.map((one) => one.total)), sum(inside.map((one) => one.bad))];
    return total === 0 ? 0 : bad / total / budget;
  }

  it("an SLO's queries return the defined burn rates and error budget for random events", async () => {
    const minutes = fc.record({ total: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) });
    const cases = fc.record({
      series: fc.array(minutes, { minLength: 1, maxLength: 500 }),
      at: fc.integer({ min: 0, max: 700 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ series: drawn, at: minutesLater }) => {
        const series = drawn.map(({ total, share }) => ({ total, bad: Math.floor(total * share * share) }));
        const at = start + minutesLater * minute;
        await keep(series);
        for (const { long, short } of burnRates) {
          const expected = Math.min(burnt(series, at, long), burnt(series, at, short));
          expect(await lastNumber(burnQuery(events, objective, [long, short]), at)).to.be.closeTo(
            expected,
            1e-6,
          );
        }
        const left = 1 - burnt(series, at, 30 * 24);
        expect(await lastNumber(budgetQuery(events, objective, 30), at)).to.be.closeTo(left, 1e-6);
      }),
      { numRuns: 100 },
    );
  });

  for (const rate of burnRates) {
    const { severity, long, short, interval } = rate;
    const threshold = rateOf(rate);
    const windows = `${windowName(long)} and ${windowName(short)}`;
    const step = { "1m": 1, "5m": 5, "15m": 15, "1h": 60 }[interval];
    const [clean, failing, calm] = [long * 60, long * 60, short * 60 + 2 * step];

    /**
     * Returns the minutes after the first failure at which an SLO's alert fires, and all minutes at which the alert is
     * evaluated.
     */
    async function firings(ratio: number): Promise<{ fired: number[]; looks: number[] }> {
      const total = 100_000;
      await keep(
        Array.from({ length: clean + failing + calm }, (_, at) => ({
          total,
          bad: at >= clean && at < clean + failing ? Math.round(total * ratio) : 0,
        })),
      );
      const query = burnQuery(events, objective, [long, short]);
      const looks = [];
      for (let at = clean; at < clean + failing + calm; at += step) looks.push(at - clean);
      const fired = [];
      // An alert fires at each evaluation at which its value reaches the threshold.
      for (const look of looks) {
        const value = await lastNumber(query, start + (clean + look) * minute);
        if (value >= threshold) fired.push(look);
      }
      return { fired, looks };
    }

    for (const times of [1.2, 2, 10])
      it(`an SLO's ${severity} alert over ${windows} fires and ends at the computed times if the burn rate is ${times} times its limit`, async () => {
        const ratio = Math.min(1, threshold * budget * times);
        const { fired, looks } = await firings(ratio);
        const share = (threshold * budget) / ratio;
        // An SLO's alert fires once errors fill this share of its long window. It ends once the last errors fill less than this
        // share of its short window.
        const [detected, ended] = [long * 60 * share, failing + short * 60 * (1 - share)];
        const expected = looks.filter((look) => look >= detected - 1 && look <= ended);
        expect(fired[0]).to.be.within(detected - 1, detected + step);
        expect(fired.at(-1)).to.be.within(ended - step - 1, ended + 1);
        expect(fired.length).to.be.closeTo(expected.length, 2);
      });

    it(`an SLO's ${severity} alert over ${windows} does not fire while the burn rate stays below its limit`, async () => {
      expect((await firings(threshold * budget * 0.98)).fired).to.deep.equal([]);
    });
  }

  it("the queries of an SLO accept nulls, comments and a subquery as table", async () => {
    await database.query(
      "CREATE TABLE requests (at DateTime64(9, 'UTC'), status Nullable(String), kind String) ENGINE = Memory",
    );
    const rows = [
      "'Ok', 'server'",
      "'Error', 'server'",
      "NULL, 'server'",
      "'Error', 'client'",
      "'Ok', 'client'",
    ];
    const at = start + 30;
    await database.query(
      `INSERT INTO requests VALUES ${rows.map((row) => `(${start}.5, ${row})`).join(", ")}`,
    );
    const own: Events = {
      from: "(SELECT * FROM requests) -- all of them",
      timestamp: "at -- with nanoseconds",
      good: "status != 'Error' -- not nulls",
      total: "kind = 'server'",
    };
    // Three of the rows are requests to servers. The SLO counts only the first one as good: the second has an error, and the
    // third has no status.
    expect(await lastNumber(burnQuery(own, 50, [1, 1 / 12]), at)).to.be.closeTo(2 / 3 / 0.5, 1e-9);
    expect(await lastNumber(budgetQuery(own, 50, 30), at)).to.be.closeTo(1 - 2 / 3 / 0.5, 1e-9);
  });

  it("an error budget does not burn without events", async () => {
    await keep([{ total: 0, bad: 0 }]);
    expect(await lastNumber(burnQuery(events, objective, [1, 1 / 12]), start + 1)).to.equal(0);
  });

  it("an error budget does not burn with more good events than events", async () => {
    await keep([{ total: 0, bad: 0 }]);
    const more = { ...events, good: "2", total: "1" };
    expect(await lastNumber(burnQuery(more, objective, [1]), start + 1)).to.equal(0);
  });

  it("the query of burn rates over time returns a value for each interval with events", async () => {
    await keep(Array.from({ length: 120 }, (_, at) => ({ total: 10, bad: at < 60 ? 0 : 1 })));
    const rows = await rowsOf(burnSeriesQuery(events, objective), start + 7199, start);
    expect(rows.map(([, rate]) => Math.round(Number(rate)))).to.deep.equal([0, 100]);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
