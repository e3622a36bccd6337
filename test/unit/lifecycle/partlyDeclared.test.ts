import { expect } from "chai";
import { diff } from "../../../provider/lifecycle/diff";
import type { Data } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { alert, dashboard, useService } from "./service";

const product = { dialect: "clickhouse", observabilityVia: "management" } as const;
const sourceId = "65f1c0a2b3d4e5f607182911";

type Stored = Record<string, unknown>;

const saved = { ...alert, savedSearch: "65f1c0a2b3d4e5f607182931" };
const count = { aggFn: "count", where: "a:b", whereLanguage: "lucene" };
const chart = { displayType: "line", sourceId, select: [count] };
const lines = { name: "Lines", x: 0, y: 0, w: 6, h: 4, config: chart };
const series = { type: "number", sourceId, aggFn: "count", where: "", whereLanguage: "lucene" };
const rows = { name: "Rows", x: 6, y: 0, w: 6, h: 4, series: [series] };
const board = { ...dashboard, tags: undefined, tiles: [lines, rows] };
const container = { id: "c1", title: "Group", collapsed: true, tabs: [{ id: "t1", title: "Tab" }] };

describe("Updates of partly declared objects", () => {
  const service = useService({ dialect: "clickhouse" });
  const { open, stored } = service;
  const alertOf = ({ id }: Declared) => stored(id);
  const boardOf = ({ id }: Declared) => stored(id, "Dashboard");
  const tilesOf = (declared: Declared) => boardOf(declared).tiles as (Stored & { config: Stored })[];

  /** Applies a program, and fails on drift afterwards. */
  async function applied(declared: Declared, program: Data, settings: object = product): Promise<Declared> {
    const next = declared.changedTo(program);
    const { session } = open(settings);
    await next.up(session);
    expect(await next.refresh(session)).to.deep.equal([]);
    return next;
  }
  const created = (type: "Alert" | "Dashboard", program: Data) => applied(new Declared(type, {}), program);
  const refreshed = (declared: Declared) => declared.refresh(open(product).session);
  /** The warnings of an update about what it loses. */
  async function lossesOf(declared: Declared, program: Data, settings: object = product) {
    const { session, warnings } = open(settings);
    await declared.changedTo(program).up(session);
    return warnings.filter((text) => text.includes(" loses "));
  }

  for (const [what, change] of [
    [
      "added",
      (tiles: Stored[]) => tiles.splice(1, 0, { ...lines, id: "65f1c0a2b3d4e5f6071829f2", name: "By hand" }),
    ],
    ["removed", (tiles: Stored[]) => tiles.shift()],
  ] as const)
    it(`keeps tiles' undeclared members after a refresh has found that somebody ${what} one`, async () => {
      const program = { ...board, tiles: [rows, lines] };
      const declared = await created("Dashboard", program);
      const own = tilesOf(declared)[1];
      Object.assign(own ?? {}, { containerId: "c1" });
      Object.assign(own?.config ?? {}, { numberFormat: { output: "byte", mantissa: 2 } });
      const expected = structuredClone(own);
      Object.assign(boardOf(declared), { containers: [container] });
      change(tilesOf(declared));
      for (let times = 0; times < 2; times++) expect(await refreshed(declared)).to.deep.equal(["tiles"]);
      const [first, second, ...others] = tilesOf(await applied(declared, program));
      expect(first).to.include({ name: "Rows" });
      expect(second).to.deep.equal(expected);
      expect(others).to.deep.equal([]);
    });

  it("carries nothing over into another channel or another kind of chart", async () => {
    const declared = await created("Alert", saved);
    const [, webhookId = ""] = [...service.model.store.webhooks.keys(), service.model.ids.object(Date.now())];
    const [webhook] = service.model.store.webhooks.values();
    service.model.store.webhooks.set(webhookId, {
      ...(webhook as NonNullable<typeof webhook>),
      id: webhookId,
    });
    const bySomebody = { ...alert.channel, severity: "critical" };
    Object.assign(alertOf(declared), { channel: bySomebody, channels: [bySomebody] });
    const channel = { type: "webhook", webhookId };
    await applied(declared, { ...saved, channel });
    expect(alertOf(declared).channel).to.deep.equal(channel);

    const onBoard = await created("Dashboard", { ...board, tiles: [lines] });
    Object.assign(tilesOf(onBoard)[0]?.config ?? {}, { fillNulls: false });
    await applied(onBoard, { ...board, tiles: [{ ...lines, config: { ...chart, displayType: "table" } }] });
    expect(tilesOf(onBoard)[0]?.config).to.not.have.property("fillNulls");
  });

  it("names members that only the other API could write, in the preview as far as the state knows", async () => {
    const both = { ...product, observabilityVia: "both" } as const;
    const declared = await created("Alert", saved);
    const channel = { ...alert.channel, severity: "critical" };
    Object.assign(alertOf(declared), { channel, channels: [channel] });
    await declared.refresh(open(both).session);
    const preview = open(both);
    const next = { ...declared.inputs, threshold: 9 };
    diff(declared.resource, declared.id, declared.state, next, preview.session);
    // The state shows members of a declared channel only where they are declared.
    expect(preview.warnings).to.deep.equal([]);
    expect(await lossesOf(declared, { ...saved, threshold: 9 }, both)).to.deep.equal([
      `alert ${declared.id}: the update loses channel.severity, which only the other API accepts (setting observabilityVia)`,
    ]);
    expect(alertOf(declared).channel).to.deep.equal(alert.channel);
  });

  for (const [what, tiles, lost] of [
    ["names the loss of a member of a tile", board.tiles, ['tiles["Lines"].config.formulas']],
    [
      "names no loss of tiles that it removes or turns into others",
      [{ ...lines, config: { ...chart, displayType: "stacked_bar" } }, rows],
      [],
    ],
  ] as const)
    it(`an update ${what}`, async () => {
      const declared = await created("Dashboard", board);
      const formulas = [{ expression: "A * 2" }];
      const [first] = tilesOf(declared);
      Object.assign(first?.config ?? {}, { formulas });
      tilesOf(declared).push({
        ...structuredClone(first as NonNullable<typeof first>),
        id: "65f1c0a2b3d4e5f6071829f2",
        name: "By hand",
      });
      const losses = await lossesOf(declared, { ...board, name: "Other", tiles });
      expect(losses.map((text) => /loses (.*), which/.exec(text)?.[1])).to.deep.equal(lost);
    });
});

describe("Updates by partial requests", () => {
  const service = useService();

  it("keeps members that the service shows and the dialect's document does not have", async () => {
    const adoptId = service.addForeign({ note: "by hand", numConsecutiveWindows: 3 });
    await service.create(service.open().session, "Alert", { adoptId, threshold: 9 });
    expect(service.model.journal.entries.at(-1)?.requestBody).to.deep.include({
      ...alert,
      ...{ note: "by hand", numConsecutiveWindows: 3, threshold: 9 },
    });
  });
});
