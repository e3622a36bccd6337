import { expect } from "chai";
import { compareDashboards, describeChange, isUnchanged, readDashboards } from "../../../drawing";

const id = "66f0c2d8a1b2c3d4e5f60718";
const tile = (name: string, members: object = {}) => ({
  ...{ id: `tile ${name}`, name, x: 0, y: 0, w: 12, h: 4 },
  series: [{ type: "time", aggFn: "count", where: "", groupBy: [] }],
  ...members,
});
const alert = (members: object = {}) => ({
  ...{ name: "Too many", dashboardId: id, tileId: "tile A" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m", ...members },
});
const of = (tiles: object[], alerts: object[] = [], members: object = {}) =>
  readDashboards({ dashboards: [{ id, name: "D", tags: ["a", "b"], tiles, ...members }], alerts });

function changesOf(before: ReturnType<typeof of>, after: ReturnType<typeof of>): string[] {
  return compareDashboards(before, after).flatMap(describeChange);
}

describe("Comparisons of dashboards in pictures", () => {
  const before = of([tile("A"), tile("B", { x: 12 })], [alert()]);

  it("neither the order of tags nor the state of an alert is a change of a dashboard", () => {
    const after = of([tile("A"), tile("B", { x: 12 })], [alert({ state: "ALERT" })], { tags: ["b", "a"] });
    expect(compareDashboards(before, after).every(isUnchanged)).to.equal(true);
    expect(changesOf(before, after)).to.deep.equal([]);
  });

  it("the comparison of dashboards shows sources by name, and sources of the same name by their ids", () => {
    const sources = ["Logs", "Traces", "Logs"].map((name, index) => ({ id: String(index + 1), name }));
    const from = (sourceId: string) => {
      const tiles = [tile("A", { series: [{ type: "time", aggFn: "count", sourceId }] })];
      return readDashboards({ dashboards: [{ id, name: "D", tiles }], alerts: [], sources });
    };
    const change = (now: string) => changesOf(from("1"), from(now));
    expect(change("1")).to.deep.equal([]);
    expect(change("2")).to.deep.equal(["A: shows: time; count from Logs → time; count from Traces"]);
    expect(change("3")).to.deep.equal(["A: shows: time; count from 1 → time; count from 3"]);
    expect(change("4")).to.deep.equal(["A: shows: time; count from 1 → time; count from 4"]);
  });

  const other = tile("B", { x: 12 });
  const cases: Record<string, [after: ReturnType<typeof of>, changes: string[]]> = {
    "a tile that was renamed and kept its id": [
      of([tile("A", { name: "C" }), other], [alert()]),
      ["C: name: A → C"],
    ],
    "a tile that was renamed, if ids are not known": [
      of([{ ...tile("A", { name: "C" }), id: "urn:x#C" }, other], [alert({ tileId: "urn:x#C" })]),
      ["C: name: A → C"],
    ],
    "tiles that took the place of one another": [
      of([tile("A", { x: 12 }), tile("B")], [alert()]),
      [
        "A: moved from x 0, y 0, 12 × 4 to x 12, y 0, 12 × 4",
        "B: moved from x 12, y 0, 12 × 4 to x 0, y 0, 12 × 4",
      ],
    ],
    "a tile that was removed, and another one in its place": [
      of([tile("A"), tile("N", { x: 12, series: [{ type: "number" }] })], [alert()]),
      ["N: added", "B: removed"],
    ],
  };
  for (const [what, [after, changes]] of Object.entries(cases)) {
    it(`the comparison of dashboards names changed tiles, and pairs them by id or name: ${what}`, () => {
      expect(changesOf(before, after)).to.deep.equal(changes);
    });
  }

  it("the comparison of dashboards pairs tiles of the same name in their order if they have no ids", () => {
    const two = (y: number) => of([tile("A", { id: undefined }), tile("A", { id: undefined, x: 12, y })]);
    expect(changesOf(two(0), two(4))).to.deep.equal(["A: moved from x 12, y 0, 12 × 4 to x 12, y 4, 12 × 4"]);
  });

  describe("Comparisons of tiles that a newer server writes in another form", () => {
    const series = (members: object) => [
      { type: "time", aggFn: "count", where: "a", groupBy: [], ...members },
    ];
    const select = [{ aggFn: "count", valueExpression: "", where: "a", whereLanguage: "lucene" }];
    const config = (sourceId: string) => ({ displayType: "line", sourceId, select });
    const answered = (sourceId: string, isLive = true) => ({
      ...of([tile("A", { series: undefined, config: config(sourceId) })]),
      isLive,
    });

    it("the form in which a newer server writes a tile is not a change", () => {
      for (const members of [{}, { sourceId: "s" }])
        expect(changesOf(of([tile("A", { series: series(members) })]), answered("s"))).to.deep.equal([]);
    });

    it("the comparison of dashboards names the changed source of a tile in a newer server's form", () => {
      expect(changesOf(answered("s"), answered("other"))).to.deep.equal([
        "A: shows: line; count where a from s → line; count where a from other",
      ]);
    });

    it("the comparison of dashboards names the changed chart of a tile in a newer server's form", () => {
      const stacked = { ...config("s"), displayType: "stacked_bar" };
      const bars = of([tile("A", { series: undefined, config: stacked })]);
      expect(changesOf(answered("s", false), bars)).to.have.length(1);
    });
  });

  it("the comparison of dashboards names dashboards that were added or removed", () => {
    const none = readDashboards({ dashboards: [], alerts: [] });
    expect(changesOf(before, none)).to.deep.equal(["dashboard removed", "A: removed", "B: removed"]);
    expect(changesOf(none, before)).to.deep.equal(["dashboard added", "A: added", "B: added"]);
  });

  it("the comparison of dashboards recognizes a dashboard by its URN if its id changes", () => {
    const at = (own: string, name: string) => of([], [], { id: own, urn: "urn:pulumi:x", name });
    expect(changesOf(at("1", "Old"), at("2", "New"))).to.deep.equal(["name: Old → New"]);
  });
});
