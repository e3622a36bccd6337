import { expect } from "chai";
import {
  compareAlerts,
  compareDashboards,
  describeChange,
  isUnchanged,
  readDashboards,
} from "../../../drawing";

const id = "66f0c2d8a1b2c3d4e5f60718";
const tile = (name: string, members: object = {}) => ({
  id: `tile ${name}`,
  name,
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", where: "", groupBy: [] }],
  ...members,
});
const alert = (members: object = {}) => ({
  name: "Too many",
  dashboardId: id,
  tileId: "tile A",
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  ...members,
});
const of = (tiles: object[], alerts: object[] = [], members: object = {}) =>
  readDashboards({ dashboards: [{ id, name: "D", tags: ["a", "b"], tiles, ...members }], alerts });

function changesOf(before: ReturnType<typeof of>, after: ReturnType<typeof of>): string[] {
  return compareDashboards(before, after).flatMap(describeChange);
}

describe("a comparison of dashboards", () => {
  const before = of([tile("A"), tile("B", { x: 12 })], [alert()]);

  it("finds nothing where nothing has changed, however tags are ordered and whether an alert fires", () => {
    const after = of([tile("A"), tile("B", { x: 12 })], [alert({ state: "ALERT" })], { tags: ["b", "a"] });
    expect(compareDashboards(before, after).every(isUnchanged)).to.equal(true);
    expect(changesOf(before, after)).to.deep.equal([]);
  });

  it("names sources, and tells those of one name apart by their ids", () => {
    const sources = [
      { id: "1", name: "Logs" },
      { id: "2", name: "Traces" },
      { id: "3", name: "Logs" },
    ];
    const from = (sourceId: string) =>
      readDashboards({
        dashboards: [
          { id, name: "D", tiles: [tile("A", { series: [{ type: "time", aggFn: "count", sourceId }] })] },
        ],
        alerts: [],
        sources,
      });
    const change = (now: string) => changesOf(from("1"), from(now));
    expect(change("1")).to.deep.equal([]);
    expect(change("2")).to.deep.equal(["A: shows: time; count from Logs → time; count from Traces"]);
    expect(change("3")).to.deep.equal(["A: shows: time; count from 1 → time; count from 3"]);
    expect(change("4")).to.deep.equal(["A: shows: time; count from 1 → time; count from 4"]);
  });

  const cases: Record<string, [after: ReturnType<typeof of>, changes: string[]]> = {
    "a tile that was moved": [
      of([tile("A", { y: 4 }), tile("B", { x: 12 })], [alert()]),
      ["A: moved from x 0, y 0, 12 × 4 to x 0, y 4, 12 × 4"],
    ],
    "a tile that was resized": [
      of([tile("A", { h: 6 }), tile("B", { x: 12 })], [alert()]),
      ["A: resized from x 0, y 0, 12 × 4 to x 0, y 0, 12 × 6"],
    ],
    "a tile that was renamed and kept its id": [
      of([tile("A", { name: "C" }), tile("B", { x: 12 })], [alert()]),
      ["C: name: A → C"],
    ],
    "a tile that was renamed where ids are not known": [
      of(
        [{ ...tile("A", { name: "C" }), id: "urn:x#C" }, tile("B", { x: 12 })],
        [alert({ tileId: "urn:x#C" })],
      ),
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
    "what a tile shows": [
      of(
        [
          tile("A", { series: [{ type: "table", aggFn: "sum", where: "x:y", groupBy: ["h"] }] }),
          tile("B", { x: 12 }),
        ],
        [alert()],
      ),
      ["A: shows: time; count → table; sum by h where x:y"],
    ],
    "a threshold": [
      of([tile("A"), tile("B", { x: 12 })], [alert({ threshold: 7, thresholdType: "below" })]),
      ["A: alert Too many: ▲ above 5, every 5m → ▼ below 7, every 5m"],
    ],
    "an alert that was added, and one that was removed": [
      of([tile("A"), tile("B", { x: 12 })], [alert({ name: "New", interval: "1h" })]),
      ["A: alert New added (▲ above 5, every 1h); alert Too many removed (▲ above 5, every 5m)"],
    ],
    "name and tags": [
      of([tile("A"), tile("B", { x: 12 })], [alert()], { name: "E", tags: [] }),
      ["name: D → E", "tags: a, b → (none)"],
    ],
  };
  for (const [what, [after, changes]] of Object.entries(cases)) {
    it(`names ${what}`, () => {
      expect(changesOf(before, after)).to.deep.equal(changes);
    });
  }

  it("matches tiles of one name in their order where they have no ids", () => {
    const two = (y: number) => of([tile("A", { id: undefined }), tile("A", { id: undefined, x: 12, y })]);
    expect(changesOf(two(0), two(4))).to.deep.equal(["A: moved from x 12, y 0, 12 × 4 to x 12, y 4, 12 × 4"]);
  });

  it("sees a threshold that only its last digits tell from another, and each other type", () => {
    const withAlert = (members: object) => of([tile("A")], [alert(members)]);
    const [above, exactly] = [withAlert({ threshold: 12_300 }), withAlert({ threshold: 12_345 })];
    expect(changesOf(above, exactly)).to.deep.equal([
      "A: alert Too many: ▲ above 12,300, every 5m → ▲ above 12,345, every 5m",
    ]);
    expect(
      changesOf(above, withAlert({ threshold: 12_300, thresholdType: "above_exclusive" })),
    ).to.deep.equal(["A: alert Too many: ▲ above 12,300, every 5m → ▲ strictly above 12,300, every 5m"]);
  });

  it("sees another level, and another language of a filter", () => {
    const showing = (members: object) =>
      of([tile("A", { series: [{ type: "time", aggFn: "quantile", level: 0.95, where: "a", ...members }] })]);
    expect(changesOf(showing({}), showing({ level: 0.99 }))).to.deep.equal([
      "A: shows: time; p95 where a → time; p99 where a",
    ]);
    expect(changesOf(showing({}), showing({ whereLanguage: "sql" }))).to.deep.equal([
      "A: shows: time; p95 where a → time; p95 where (sql) a",
    ]);
    expect(changesOf(showing({}), showing({ whereLanguage: "lucene" }))).to.deep.equal([
      'A: series[0].whereLanguage: (none) → "lucene"',
    ]);
  });

  it("sees no change where a newer server has other words for the same, and names a source by itself", () => {
    const series = (members: object) => [
      { type: "time", aggFn: "count", where: "a", groupBy: [], ...members },
    ];
    const config = (sourceId: string) => ({
      displayType: "line",
      sourceId,
      select: [{ aggFn: "count", valueExpression: "", where: "a", whereLanguage: "lucene" }],
    });
    const answered = (sourceId: string, isLive = true) => ({
      ...of([tile("A", { series: undefined, config: config(sourceId) })]),
      isLive,
    });
    expect(changesOf(of([tile("A", { series: series({}) })]), answered("s"))).to.deep.equal([]);
    expect(changesOf(of([tile("A", { series: series({ sourceId: "s" }) })]), answered("s"))).to.deep.equal(
      [],
    );
    expect(changesOf(answered("s"), answered("other"))).to.deep.equal([
      "A: shows: line; count where a from s → line; count where a from other",
    ]);
    const bars = of([
      tile("A", { series: undefined, config: { ...config("s"), displayType: "stacked_bar" } }),
    ]);
    expect(changesOf(answered("s", false), bars)).to.have.length(1);
  });

  it("names what has changed of alerts on no dashboard", () => {
    const onSearch = (members: object) => alert({ source: "search", tileId: undefined, ...members });
    const listing = (...alerts: object[]) => readDashboards({ dashboards: [], alerts });
    const kept = onSearch({ name: "Kept" });
    expect(
      compareAlerts(
        listing(kept, onSearch({}), onSearch({ name: "Old" })),
        listing(onSearch({ threshold: 7 }), kept),
      ),
    ).to.deep.equal([
      "alert Too many: ▲ above 5, every 5m → ▲ above 7, every 5m",
      "alert Old removed (▲ above 5, every 5m)",
    ]);
    expect(compareAlerts(listing(kept), listing(kept))).to.deep.equal([]);
  });

  it("names dashboards that are there on one side only", () => {
    const none = readDashboards({ dashboards: [], alerts: [] });
    expect(changesOf(before, none)).to.deep.equal(["dashboard removed", "A: removed", "B: removed"]);
    expect(changesOf(none, before)).to.deep.equal(["dashboard added", "A: added", "B: added"]);
  });

  it("knows a dashboard by its URN where its id changes", () => {
    const at = (own: string, name: string) => of([], [], { id: own, urn: "urn:pulumi:x", name });
    expect(changesOf(at("1", "Old"), at("2", "New"))).to.deep.equal(["name: Old → New"]);
  });
});
