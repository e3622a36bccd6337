import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { type Answer, apis, unknownId, unknownUuid, useSandbox } from "./requests";

/** What the APIs call the objects of each path. */
const nouns = {
  ...{ dashboards: "Dashboard", alerts: "Alert", sources: "Source", webhooks: "Webhook" },
  ...{ "saved-searches": "Saved search", connections: "Connection", keys: "key" },
};
/** The objects of which the observability API says in plain text that one is missing. */
const inText = ["dashboards", "connections"];

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`Routes of the sandbox to single objects, in the dialect ${dialect}`, () => {
    const client = useSandbox({ dialect });

    for (const [path, noun] of Object.entries(nouns)) {
      const servers = { connections: ["observability"], keys: ["management"] }[path] ?? apis;
      const methods = path === "webhooks" ? ["DELETE"] : ["GET", "DELETE"];

      for (const api of servers as readonly ApiName[]) {
        const ask = (method: string, id: string): Promise<Answer> =>
          path === "keys"
            ? client.organization(method, `/keys/${id}`)
            : client.stack(api, method, `/${path}/${id}`);

        it(`the ${api} API refuses a malformed id in /${path}`, async () => {
          for (const method of methods) {
            const malformed = await ask(method, "mine");
            expect(malformed.status, method).to.equal(400);
            expect(malformed.text).to.include(`Invalid ${noun.toLowerCase()} id`);
          }
        });

        it(`the ${api} API reports a missing object in /${path} in the words of this API`, async () => {
          for (const method of methods) {
            const missing = await ask(method, path === "keys" ? unknownUuid : unknownId);
            // A server of HyperDX reports success for the deletion of a missing dashboard.
            const isIgnored = dialect === "clickhouse" && path === "dashboards" && method === "DELETE";
            expect(missing.status, method).to.equal(isIgnored ? 200 : 404);
            if (isIgnored) continue;
            const words = inText.includes(path) ? "Not Found" : `${noun} not found`;
            if (api === "management") expect(missing.reason).to.equal(`NOT_FOUND: ${words}`);
            else if (inText.includes(path))
              expect(missing).to.include({ text: words, type: "text/plain; charset=utf-8" });
            else expect(missing.body).to.deep.equal({ message: words });
          }
        });
      }
    }

    it("requests about one service reach no object of another service", async () => {
      const stack = dialect === "clickhouse" ? "/clickstack" : "/stack";
      const board = { name: "Overview", tiles: [] };
      const { id } = (await client.service("POST", `${stack}/dashboards`, board)).payload;
      for (const [path, method] of [
        ["", "GET"],
        [`/${id}`, "GET"],
        [`/${id}`, "PUT"],
      ] as const) {
        const body = method === "PUT" ? board : undefined;
        const answer = await client.secondService(method, `${stack}/dashboards${path}`, body);
        if (path === "") expect(answer.payload).to.deep.equal([]);
        else expect(answer.status).to.equal(404);
      }
    });
  });
}

describe("Pages of lists in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const search = (query: string) => client.observability("GET", `/saved-searches${query}`);

  it("a list of the observability API has pages, and contains the total number of entries", async () => {
    const { payload, body, headers } = await search("");
    expect(payload).to.have.length(2);
    expect([body.meta, headers.get("x-total-count")]).to.deep.equal([
      { total: 2, limit: 1000, offset: 0 },
      "2",
    ]);
    const second = (await search("?limit=1&offset=1")).body;
    expect(second).to.deep.equal({ data: [payload[1]], meta: { total: 2, limit: 1, offset: 1 } });
    expect((await search("?limit=1")).payload).to.deep.equal([payload[0]]);
    expect((await search("?offset=5")).payload).to.deep.equal([]);
  });

  for (const query of ["?limit=0", "?limit=1001", "?offset=-1", "?limit=all"])
    it(`the observability API refuses a list with ${query}`, async () => {
      expect((await search(query)).status).to.equal(400);
    });

  for (const [api, ...nouns] of [
    ["management", "alerts", "webhooks", "saved-searches", "dashboards", "sources"],
    ["observability", "dashboards", "sources"],
  ] as const)
    for (const noun of nouns)
      it(`the list of ${noun} has no pages on the ${api} API`, async () => {
        const { status, body } = await client.stack(api, "GET", `/${noun}?limit=1`);
        const members = api === "management" ? ["status", "requestId", "result"] : ["data"];
        expect([status, Object.keys(body)]).to.deep.equal([200, members]);
      });
});
