import { expect } from "chai";
import fc from "fast-check";
import { diff } from "../../../provider/lifecycle/diff";
import type { Data } from "../../../provider/values/data";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert, dashboard } from "./collectionServer";
import { MemoryService, useMemoryService, withoutWaiting } from "./memoryService";
import { sessionFor } from "./note";

const product = { dialect: "clickhouse", observabilityVia: "management" } as const;

type Stored = Record<string, unknown>;

const chart = {
  displayType: "line",
  sourceId: "s",
  select: [{ aggFn: "count", where: "a:b", whereLanguage: "lucene" }],
};
const lines = { name: "Lines", x: 0, y: 0, w: 6, h: 4, config: chart };
const number = { type: "number", sourceId: "s", aggFn: "count", where: "", whereLanguage: "lucene" };
const rows = { name: "Rows", x: 6, y: 0, w: 6, h: 4, series: [number] };
const board = { ...dashboard, tags: undefined, tiles: [lines, rows] };

type Board = Data & { readonly tiles: readonly Data[] };

/** What a later program declares instead, tile for tile. */
const changes: readonly ((board: Board) => Board)[] = [
  (board) => ({ ...board, name: "Other" }),
  (board) => onLines(board, { name: "Renamed" }),
  (board) => onLines(board, { w: 3 }),
  (board) => ({ ...board, tiles: [...board.tiles].reverse() }),
];

const onLines = (board: Board, changed: Data): Board => ({
  ...board,
  tiles: board.tiles.map((tile) => ("config" in tile ? { ...tile, ...changed } : tile)),
});

const container = { id: "c1", title: "Group", collapsed: true, tabs: [{ id: "t1", title: "Tab" }] };
const filter = { id: "f1", type: "QUERY_EXPRESSION", name: "Host", expression: "host", sourceId: "s" };

/** Each is set by hand or not. */
const someOf = (values: { readonly [member: string]: unknown }) =>
  fc.subarray(Object.entries(values)).map((chosen) => Object.fromEntries(chosen) as Data);

/** Applies a later program, and fails on drift afterwards. */
async function applied(declared: Declared, program: Data, settings: object = product): Promise<Declared> {
  const next = new Declared(declared.type, { ...place, ...program });
  const { id, state, inputs } = declared;
  Object.assign(next, { id, state, inputs });
  const { session } = sessionFor(settings);
  await withoutWaiting(next.up(session));
  expect(await withoutWaiting(next.refresh(session))).to.deep.equal([]);
  return next;
}

describe("an update of an object of which a program declares a part", () => {
  const service = useMemoryService();
  const stored = ({ id }: Declared) => service.current.objects.get(id) as unknown as Stored;
  /** Puts one object there as somebody made it by hand. Returns its id. */
  const put = (object: Data): string => {
    service.current = new MemoryService();
    service.current.objects.set("made", { ...structuredClone(object), id: "made" });
    return "made";
  };
  const saved = { ...alert, source: "search", savedSearch: "a1" };

  it("leaves the members of an alert as somebody set them by hand", async () => {
    await fc.assert(
      fc.asyncProperty(
        someOf({
          name: "By hand",
          message: "set by hand",
          note: "by hand",
          numConsecutiveWindows: 3,
          scheduleOffsetMinutes: 1,
          groupBy: "host",
        }),
        someOf({ slackChannelId: "C1", severity: "critical", webhookService: "slack_api" }),
        fc.subarray(["name", "message", "note"]),
        async (byHand, inChannel, declared) => {
          const program: Data = {
            ...saved,
            name: undefined,
            ...Object.fromEntries(declared.map((name) => [name, "declared"])),
          };
          const own = Object.fromEntries(
            Object.entries({ ...byHand, ...program }).filter(([, value]) => value !== undefined),
          );
          const expected = { ...own, channel: { ...alert.channel, ...inChannel } };
          const adoptId = put({ ...saved, name: undefined, ...own, channel: expected.channel });
          const adopted = await applied(new Declared("Alert", {}), { ...program, adoptId });
          expect(stored(adopted)).to.deep.include(expected);
          const updated = await applied(adopted, { ...program, threshold: 9 });
          expect(stored(updated)).to.deep.include({ ...expected, threshold: 9 });
          const dropped = await applied(updated, { ...program, threshold: 9, message: undefined });
          const messageByHand = declared.includes("message") ? undefined : byHand.message;
          expect(stored(dropped).message).to.equal(messageByHand);
          expect(stored(dropped).channel).to.deep.equal(expected.channel);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("leaves the members of a dashboard and of its tiles so, whatever they are called later", async () => {
    await fc.assert(
      fc.asyncProperty(
        someOf({ tags: ["by", "hand"], containers: [container], filters: [filter], savedQuery: "a:b" }),
        someOf({ groupBy: "host", fillNulls: false, numberFormat: { output: "byte", mantissa: 2 } }),
        fc.constantFrom(
          {},
          { asRatio: true },
          { containerId: "c1" },
          { containerId: "c1", tabId: "t1", asRatio: true },
        ),
        fc.uniqueArray(fc.constantFrom(...changes), { minLength: 1, maxLength: 2 }),
        async (byHand, inConfig, inTile, steps) => {
          const tiles = [
            { ...lines, id: "t1", config: { ...chart, ...inConfig } },
            { ...rows, id: "t2", ...inTile },
          ];
          const adoptId = put({ ...board, tiles, ...byHand });
          let current = await applied(new Declared("Dashboard", {}), { ...board, adoptId });
          expect(stored(current)).to.deep.include({ ...board, tiles, ...byHand });
          let [program, expected]: [Board, Board] = [board, { ...board, tiles }];
          for (const change of steps) {
            [program, expected] = [change(program), change(expected)];
            current = await applied(current, program);
            expect(stored(current)).to.deep.include({ ...expected, ...byHand });
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("lets a tile leave a container that the program no longer has, and keeps what a declared one has", async () => {
    const { collapsed, ...declared } = container;
    const other = { id: "c2", title: "Other" };
    const created = await applied(new Declared("Dashboard", {}), { ...board, containers: [declared, other] });
    const containers = [container, { ...other, collapsed: false }];
    Object.assign(stored(created), { containers });
    (stored(created).tiles as Stored[]).map((each) =>
      Object.assign(each, { containerId: "c1", tabId: "t1" }),
    );
    const kept = await applied(created, { ...board, name: "Other", containers: [declared, other] });
    expect(stored(kept).containers).to.deep.equal(containers);
    expect((stored(kept).tiles as Stored[])[0]).to.include({ containerId: "c1", tabId: "t1" });
    await applied(kept, { ...board, containers: [other] });
    expect((stored(kept).tiles as Stored[])[0]).not.to.have.any.keys("containerId", "tabId");
  });

  for (const [what, change] of [
    ["added", (tiles: Stored[]) => tiles.splice(1, 0, { ...lines, id: "byHand", name: "By hand" })],
    ["removed", (tiles: Stored[]) => tiles.shift()],
  ] as const) {
    it(`keeps what tiles have beyond the program after a refresh has found that somebody ${what} one`, async () => {
      const program = { ...board, tiles: [rows, lines] };
      const declared = await applied(new Declared("Dashboard", {}), program);
      const tiles = stored(declared).tiles as Stored[];
      const byHand = {
        containerId: "c1",
        config: { ...chart, numberFormat: { output: "byte", mantissa: 2 } },
      };
      const own = Object.assign(tiles[1] ?? {}, byHand);
      Object.assign(stored(declared), { containers: [container] });
      change(tiles);
      const { session } = sessionFor(product);
      expect(await withoutWaiting(declared.refresh(session))).to.deep.equal(["tiles"]);
      expect(await withoutWaiting(declared.refresh(session))).to.deep.equal(["tiles"]);
      const repaired = await applied(declared, program);
      const [first, second, ...others] = stored(repaired).tiles as Stored[];
      expect(first).to.include({ name: "Rows" });
      expect(second).to.deep.equal({ ...own, ...byHand });
      expect(others).to.deep.equal([]);
    });
  }

  it("leaves what a refresh has found missing, and the program ignores, as somebody set it by hand since", async () => {
    const created = await applied(new Declared("Alert", {}), { ...saved, message: "declared" });
    delete stored(created).message;
    const { session } = sessionFor(product);
    expect(await withoutWaiting(created.refresh(session))).to.deep.equal(["message"]);
    stored(created).message = "by hand";
    const ignoring = { ...created.inputs, threshold: 9 };
    expect(stored(await applied(created, ignoring))).to.include({ threshold: 9, message: "by hand" });
  });

  it("takes a tile that somebody put in the place of another as it is, and says no more of it after a refresh", async () => {
    const program = { ...board, tiles: [rows, lines] };
    const declared = await applied(new Declared("Dashboard", {}), program);
    const [, own] = stored(declared).tiles as Stored[];
    const byHand = { ...lines, id: "byHand", name: "By hand" };
    Object.assign(stored(declared), { tiles: [own, byHand] });
    await withoutWaiting(declared.refresh(sessionFor(product).session));
    const { id, ...found } = byHand;
    expect(declared.inputs.tiles).to.deep.equal([lines, found]);
    const repaired = await applied(declared, program, { ...product, onConflict: "fail" });
    expect((stored(repaired).tiles as Stored[])[1]).to.deep.equal(own);
  });

  it("carries nothing over into another channel, nor into another kind of chart", async () => {
    const created = await applied(new Declared("Alert", {}), saved);
    Object.assign(stored(created), { channel: { ...alert.channel, severity: "critical" } });
    const other = { type: "webhook", webhookId: "w2" };
    await applied(created, { ...saved, channel: other });
    expect(stored(created).channel).to.deep.equal(other);

    const onBoard = await applied(new Declared("Dashboard", {}), { ...board, tiles: [lines] });
    Object.assign((stored(onBoard).tiles as Stored[])[0] ?? {}, { config: { ...chart, fillNulls: false } });
    const table = { ...chart, displayType: "table" };
    await applied(onBoard, { ...board, tiles: [{ ...lines, config: table }] });
    expect((stored(onBoard).tiles as Stored[])[0]?.config).to.deep.equal(table);
  });

  describe("in the entries of lists without ids", () => {
    const [count, sum] = [
      { aggFn: "count", where: "a:b", whereLanguage: "lucene" },
      { aggFn: "sum", valueExpression: "Duration", whereLanguage: "lucene" },
    ];
    const showing = (...select: Data[]) => ({
      ...board,
      tiles: [{ ...lines, config: { ...chart, select } }],
    });
    const selectOf = (declared: Declared) =>
      (stored(declared).tiles as { config: { select: Stored[] } }[]).flatMap(({ config }) => config.select);
    const byHand = { alias: "By hand", numberFormat: { output: "percent", mantissa: 1 } };

    /** Two series, of which somebody names the second. */
    async function namedByHand(): Promise<Declared> {
      const created = await applied(new Declared("Dashboard", {}), showing(count, sum));
      Object.assign(selectOf(created)[1] ?? {}, byHand);
      const { session } = sessionFor(product);
      expect(await withoutWaiting(created.refresh(session))).to.deep.equal([]);
      return created;
    }

    for (const [what, declared, expected] of [
      ["beside another change of the dashboard", [{ ...count, alias: "n" }, sum], [1, byHand]],
      ["of an entry that the program changes itself", [count, { ...sum, where: "c:d" }], [1, byHand]],
      ["of an entry that the program moves", [sum, count], [0, byHand]],
      [
        "of an entry before which the program puts another",
        [count, { ...count, where: "x" }, sum],
        [2, byHand],
      ],
      [
        "where the program does not declare it itself",
        [count, { ...sum, alias: "own" }],
        [1, { ...byHand, alias: "own" }],
      ],
    ] as [string, Data[], [number, Data]][]) {
      it(`keeps what somebody set ${what}`, async () => {
        const updated = await applied(await namedByHand(), showing(...declared));
        const [at, further] = expected;
        const entries = declared.map((entry, index) => (index === at ? { ...entry, ...further } : entry));
        expect(selectOf(updated)).to.deep.equal(entries);
      });
    }

    it("removes what the program no longer declares, and keeps the rest", async () => {
      const created = await applied(new Declared("Dashboard", {}), showing(count, { ...sum, alias: "own" }));
      const { alias, ...rest } = byHand;
      Object.assign(selectOf(created)[1] ?? {}, rest);
      expect(selectOf(await applied(created, showing(count, sum)))).to.deep.equal([
        count,
        { ...sum, ...rest },
      ]);
    });

    it("names what it loses of an entry in whose place the program declares another, and of no removed one", async () => {
      const other = { ...sum, aggFn: "max" };
      for (const [program, paths] of [
        [showing(count, other), ["alias", "numberFormat"]],
        [showing(count), []],
      ] as const) {
        const declared = await namedByHand();
        const next = Object.assign(new Declared("Dashboard", { ...place, ...program }), {
          ...{ id: declared.id, state: declared.state, inputs: declared.inputs },
        });
        const { session, warnings } = sessionFor(product);
        await withoutWaiting(next.up(session));
        const lost = paths.map((name) => `tiles["Lines"].config.select[1].${name}`).join(", ");
        expect(warnings).to.deep.equal(
          paths.length > 0
            ? [
                `dashboard ${next.id}: the update loses ${lost}, which the program does not declare: it has another entry there now`,
              ]
            : [],
        );
      }
    });
  });

  it("sends what a look right before it shows, and not what the state remembers", async () => {
    const created = await applied(new Declared("Alert", {}), saved);
    Object.assign(stored(created), { note: "old" });
    const { session } = sessionFor(product);
    await withoutWaiting(created.refresh(session));
    expect(created.state.note).to.equal("old");
    Object.assign(stored(created), { note: "new" });
    await applied(created, { ...saved, threshold: 9 });
    expect(stored(created).note).to.equal("new");
  });

  it("says what it loses, since only the other API could write it, in the preview as far as the state knows", async () => {
    const both = { ...product, observabilityVia: "both" } as const;
    const created = await applied(new Declared("Alert", {}), saved);
    const channels = [alert.channel, { type: "webhook", webhookId: "w2" }];
    Object.assign(stored(created), { channels, channel: { ...alert.channel, severity: "critical" } });
    await withoutWaiting(created.refresh(sessionFor(both).session));
    const news = { ...created.inputs, threshold: 9 };
    const lost = (paths: string) =>
      `alert ${created.id}: the update loses ${paths}, which only requests to the other API have (setting observabilityVia)`;
    const preview = sessionFor(both);
    diff(created.resource, created.id, created.state, news, preview.session);
    // The state shows members of a declared channel only where they are declared.
    expect(preview.warnings).to.deep.equal([]);
    const run = sessionFor(both);
    await withoutWaiting(created.resource.update(created.id, created.state, news, run.session));
    expect(run.warnings).to.deep.equal([lost("channel.severity")]);
    expect(stored(created)).to.deep.include({ channel: alert.channel, channels });
  });

  it("says so of tiles, and nothing of those that the program removes or turns into others", async () => {
    const created = await applied(new Declared("Dashboard", {}), board);
    const formulas = [{ expression: "A * 2" }];
    const byHand = { ...lines, id: "byHand", name: "By hand", config: { ...chart, formulas } };
    const [first, ...others] = stored(created).tiles as Stored[];
    Object.assign(stored(created), {
      tiles: [{ ...first, config: { ...chart, formulas } }, ...others, byHand],
    });
    const lost = 'the update loses tiles["Lines"].config.formulas';
    for (const [tiles, expected] of [
      [board.tiles, [lost]],
      [[{ ...lines, config: { ...chart, displayType: "stacked_bar" } }, rows], []],
    ] as const) {
      const { session, warnings } = sessionFor(product);
      const news = { ...created.inputs, name: "Other", tiles };
      await withoutWaiting(created.resource.update(created.id, created.state, news, session));
      expect(
        warnings.filter((text) => text.includes("loses")).map((text) => text.split(/: |, which/)[1]),
      ).to.deep.equal(expected);
      Object.assign(stored(created), {
        tiles: [{ ...first, config: { ...chart, formulas } }, ...others, byHand],
      });
    }
  });

  it("keeps what the service shows and the dialect's document does not have", async () => {
    const created = await applied(new Declared("Alert", {}), alert, {});
    Object.assign(stored(created), { note: "by hand", numConsecutiveWindows: 3 });
    await applied(created, { ...alert, threshold: 9 }, {});
    expect(stored(created)).to.include({ note: "by hand", numConsecutiveWindows: 3, threshold: 9 });
  });

  it("leaves the origins of a query endpoint that no program declares, and clears those that one no longer does", async () => {
    const endpoint: Stored = {
      id: "e1",
      roles: ["sql_console_admin"],
      openApiKeys: ["k"],
      allowedOrigins: "a,b",
    };
    service.current.call = (_name, _parameters, body) => Object.assign(endpoint, body);
    const program = { roles: ["sql_console_read_only"], openApiKeys: ["k"] };
    let declared = await applied(new Declared("QueryEndpoint", {}), program);
    expect(endpoint).to.deep.include({ ...program, allowedOrigins: "a,b" });
    declared = await applied(declared, { ...program, allowedOrigins: ["c"] });
    await applied(declared, program);
    expect(endpoint.allowedOrigins).to.equal("");
  });

  it("sends of a key what is declared, and nothing more: its update is none of the whole", async () => {
    const { organizationId } = place;
    service.current.replace = (sent, before) => ({ ...before, ...sent });
    service.current.objects.set("k1", {
      id: "k1",
      name: "k",
      roles: ["admin"],
      ipAccessList: [{ source: "::/0" }],
    });
    const bodies: unknown[] = [];
    const call = service.current.call.bind(service.current);
    service.current.call = (name, parameters, body) => {
      if (body) bodies.push(body);
      return call(name, parameters, body);
    };
    const declared = new Declared("ApiKey", {
      organizationId,
      name: "k",
      roles: ["developer"],
      adoptId: "k1",
    });
    await withoutWaiting(declared.up(sessionFor().session));
    expect(bodies).to.deep.equal([{ name: "k", roles: ["developer"] }]);
  });
});
