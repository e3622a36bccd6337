import { expect } from "chai";
import { type StrictProduct, startStrictProduct } from "../strictProduct/strictProduct";
import { type Api, alert, apis, savedSearchId, sourceId, unknownId, useProduct, webhook } from "./product";
import { basic, send } from "./requests";

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

describe("the sandbox and a product that was written apart from it", () => {
  const product = useProduct();
  let strict: StrictProduct;
  /** The ids of what both servers have, of the sandbox and of the other. */
  let pairs: readonly (readonly [string, string])[] = [[sourceId, "77aa00000000000000000002"]];
  before(async () => {
    strict = await startStrictProduct();
    const hook = { name: "On call", service: "generic", url: "https://hooks.example/1" };
    const made = await sendToStrict("management", "webhooks", hook);
    const search = await sendToStrict("management", "saved-searches", { name: "Errors", sourceId });
    pairs = [...pairs, [webhook.webhookId, made.payload.id], [savedSearchId, search.payload.id]];
  });
  after(() => strict.close());

  async function sendToStrict(api: Api, noun: string, body: object) {
    const { organizationId, serviceId, keyId, keySecret, accessToken } = strict.credentials;
    const service = `/v1/organizations/${organizationId}/services/${serviceId}/clickstack`;
    const own = pairs.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), JSON.stringify(body));
    const authorization = api === "management" ? basic(keyId, keySecret) : `Bearer ${accessToken}`;
    const path = api === "management" ? service : "/api/v2";
    const answer = await send("POST", `${strict.url}${path}/${noun}`, own, {
      authorization,
      "content-type": "application/json",
    });
    const payload = JSON.stringify(answer.body.result ?? answer.body.data ?? null);
    const text = pairs.reduce((text, [ours, theirs]) => text.replaceAll(theirs, ours), payload);
    return { status: answer.status, payload: JSON.parse(text), text: answer.text };
  }
  /** A payload without what each server chooses by itself. */
  const known = (payload: Record<string, unknown> | null) =>
    JSON.parse(
      JSON.stringify(payload, (name, value) =>
        ["id", "teamId", "createdAt", "updatedAt"].includes(name) || value === null ? undefined : value,
      ),
    );

  for (const [noun, all] of Object.entries(changes)) {
    for (const change of all) {
      for (const api of apis) {
        it(`agree on the ${api} API about ${noun} with ${JSON.stringify(change).slice(0, 100)}`, async () => {
          const body = { ...valid[noun], ...change };
          const own = await product.send(api, "POST", `/${noun}`, body);
          const other = await sendToStrict(api, noun, body);
          expect(own.status, `${own.text} ${other.text}`).to.equal(other.status);
          if (own.status === 200) expect(known(own.payload)).to.deep.equal(known(other.payload));
        });
      }
    }
  }
});
