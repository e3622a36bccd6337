import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { dashboard, useService } from "./service";

const product = { dialect: "clickhouse", observabilityVia: "management" } as const;
const chart = { displayType: "line", sourceId: "65f1c0a2b3d4e5f607182911" };
const count = { aggFn: "count", where: "a:b", whereLanguage: "lucene" };

describe("An update of a dashboard with entries of lists without ids", () => {
  const service = useService({ dialect: "clickhouse" });
  const sum = { aggFn: "sum", valueExpression: "Duration", where: "", whereLanguage: "lucene" };
  const byHand = { alias: "By hand", numberFormat: { output: "percent", mantissa: 1 } };
  const showing = (...select: Data[]) => ({
    ...dashboard,
    tiles: [{ name: "Lines", x: 0, y: 0, w: 6, h: 4, config: { ...chart, select } }],
  });
  const selectOf = ({ id }: Declared) =>
    (service.stored(id, "Dashboard").tiles as { config: { select: Record<string, unknown>[] } }[]).flatMap(
      ({ config }) => config.select,
    );
  async function up(declared: Declared): Promise<readonly string[]> {
    const { session, warnings } = service.open(product);
    await declared.up(session);
    expect(await declared.refresh(session)).to.deep.equal([]);
    return warnings;
  }

  /** Two series, of which somebody names the second. */
  async function namedByHand(): Promise<Declared> {
    const declared = new Declared("Dashboard", showing(count, sum));
    await up(declared);
    Object.assign(selectOf(declared)[1] ?? {}, byHand);
    await declared.refresh(service.open(product).session);
    return declared;
  }

  const max = { ...sum, aggFn: "max" };
  const cases: [string, Data[], (Data | undefined)[], string[]?][] = [
    ["keeps what somebody set beside another change", [{ ...count, alias: "n" }, sum], [{}, byHand]],
    ["keeps what somebody set of an entry that it changes", [count, { ...sum, where: "c:d" }], [{}, byHand]],
    ["keeps what somebody set of an entry that it moves", [sum, count], [byHand, {}]],
    ["keeps what somebody set after a new entry", [count, { ...count, where: "x" }, sum], [{}, {}, byHand]],
    [
      "keeps what somebody set and it does not declare itself",
      [count, { ...sum, alias: "own" }],
      [{}, { ...byHand, alias: "own" }],
    ],
    [
      "names what it loses of an entry in whose place it declares another",
      [count, max],
      [{}, {}],
      ["alias", "numberFormat"],
    ],
    ["loses nothing that it names of an entry that it removes", [count], [{}]],
  ];
  for (const [title, select, kept, lost = []] of cases)
    it(title, async () => {
      const next = (await namedByHand()).changedTo(showing(...select));
      const warnings = await up(next);
      for (const [index, entry] of selectOf(next).entries())
        expect(entry).to.deep.equal({ valueExpression: "", ...select[index], ...kept[index] });
      const paths = lost.map((name) => `tiles["Lines"].config.select[1].${name}`).join(", ");
      expect(warnings).to.deep.equal(
        paths
          ? [
              `dashboard ${next.id}: the update loses ${paths}, which the program does not declare: it has another entry there now`,
            ]
          : [],
      );
    });

  it("removes what the program no longer declares, and keeps the rest", async () => {
    const declared = new Declared("Dashboard", showing(count, { ...sum, alias: "own" }));
    await up(declared);
    const { alias: _, ...rest } = byHand;
    Object.assign(selectOf(declared)[1] ?? {}, rest);
    const next = declared.changedTo(showing(count, sum));
    await up(next);
    expect(selectOf(next)[1]).to.deep.equal({ ...sum, ...rest });
  });
});
