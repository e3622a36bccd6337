import { expect } from "chai";
import { judge } from "../strictProduct/judge";
import { alert, apis, sourceId, unknownId, useProduct, webhook } from "./product";

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 3 };
const select = [{ aggFn: "count" }];
const line = { displayType: "line", sourceId, select };
const series = { type: "time", sourceId, aggFn: "count", where: "", whereLanguage: "lucene", groupBy: [] };
const filter = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId };
const showing = (config: object) => ({ tiles: [{ ...tile, config }] });

/** Changes of a valid dashboard and a valid alert. Each server says by itself which of them it takes. */
const changes: { readonly [noun: string]: readonly object[] } = {
  dashboards: [
    {},
    { name: "" },
    { name: "n".repeat(1025) },
    { tags: ["a", "a"] },
    { tags: ["t".repeat(33)] },
    { filters: [filter] },
    { filters: [{ ...filter, id: "mine" }] },
    { filters: [{ ...filter, sourceId: unknownId }] },
    { filters: [{ ...filter, isVariableEnabled: true }] },
    { savedQuery: "a", savedQueryLanguage: "sql", savedFilterValues: [{ condition: "a = 1" }] },
    { savedFilterValues: [{ condition: "a", type: "lucene" }] },
    {
      containers: [{ id: "a", title: "A", collapsed: true }],
      tiles: [{ ...tile, config: line, containerId: "a" }],
    },
    { tiles: [{ ...tile, config: line, containerId: "a" }] },
    { containers: [{ id: "a", title: "A" }] },
    { tiles: [{ ...tile, config: line, x: 24 }] },
    { tiles: [{ ...tile, config: line, h: 1.5 }] },
    { tiles: [tile] },
    { tiles: [{ ...tile, config: line, series: [series] }] },
    { tiles: [{ ...tile, series: [series] }] },
    { tiles: [{ ...tile, series: [{ ...series, whereLanguage: undefined }] }] },
    { tiles: [{ ...tile, series: [{ ...series, where: undefined }] }] },
    { tiles: [{ ...tile, series: [{ ...series, sourceId: unknownId }] }] },
    { tiles: [{ ...tile, series: [{ type: "markdown", content: "# A" }] }] },
    {
      tiles: [
        { ...tile, series: [{ type: "search", sourceId, where: "", whereLanguage: "sql", fields: ["a"] }] },
      ],
    },
    showing({ ...line, displayType: "scatter" }),
    showing({ ...line, select: [{ aggFn: "max" }] }),
    showing({ ...line, select: [{ aggFn: "max", valueExpression: "a", level: 0.9 }] }),
    showing({ ...line, select: [{ aggFn: "count", valueExpression: "a" }] }),
    showing({ ...line, seriesLimit: 4 }),
    showing({ ...line, displayType: "table", having: "a > 1", orderBy: "a" }),
    showing({ ...line, displayType: "table", onClick: { type: "external", urlTemplate: "https://a" } }),
    showing({ ...line, displayType: "table", onClick: { type: "external" } }),
    showing({ ...line, displayType: "number", color: "chart-red" }),
    showing({ ...line, displayType: "number", color: "red" }),
    showing({ ...line, displayType: "pie", select: [...select, ...select] }),
    showing({ displayType: "markdown", markdown: "# A" }),
    showing({ displayType: "search", sourceId, select: "Body" }),
    showing({ displayType: "search", sourceId, select: "Body", whereLanguage: "sql" }),
    showing({ displayType: "search", sourceId }),
    showing({ displayType: "event_patterns", sourceId }),
  ],
  alerts: [
    {},
    { name: null, message: null, note: null, numConsecutiveWindows: null, groupBy: null, tileId: null },
    { name: "" },
    { note: "n".repeat(4097) },
    { numConsecutiveWindows: 0 },
    { interval: "10m" },
    { thresholdType: "between" },
    { thresholdType: "between", thresholdMax: 4 },
    { thresholdMax: null },
    { scheduleOffsetMinutes: null },
    { scheduleOffsetMinutes: 3 },
    { scheduleStartAt: "2026-01-01T00:00:00Z" },
    { scheduleStartAt: "2026-01-01T00:00:00+01:00" },
    { savedSearchId: unknownId },
    { channel: { ...webhook, webhookId: unknownId } },
    { channel: undefined },
    { channel: undefined, channels: [webhook] },
    { channel: undefined, channels: [webhook, webhook] },
    { channel: { type: "email", emailRecipients: ["a@example.com"] } },
    { source: "search" },
  ],
};

const valid: { readonly [noun: string]: object } = {
  dashboards: { name: "Board", ...showing(line) },
  alerts: alert,
};

/** Whether a body names an object or a container that is not there, of which schemas know nothing. */
const isDangling = (change: object) => {
  const text = JSON.stringify(change);
  return text.includes(unknownId) || (text.includes("containerId") && !("containers" in change));
};

describe("the sandbox agrees with a reading of the product's documents apart from it", () => {
  const product = useProduct();

  for (const [noun, all] of Object.entries(changes)) {
    const operation = noun === "dashboards" ? "createDashboard" : "createAlert";
    for (const change of all) {
      for (const api of apis) {
        it(`on the ${api} API about ${noun} with ${JSON.stringify(change).slice(0, 100)}`, async () => {
          const body = { ...valid[noun], ...change };
          const failure = judge.requestFailure(api, operation, JSON.parse(JSON.stringify(body)));
          const { status, text, payload } = await product.send(api, "POST", `/${noun}`, body);
          const isRefused = failure !== undefined || isDangling(change);
          expect(status, `${text} ${failure}`).to.equal(isRefused ? 400 : 200);
          if (status === 200) expect(judge.answerFailure(api, operation, payload)).to.equal(undefined);
        });
      }
    }
  }
});
