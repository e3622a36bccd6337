import { expect } from "chai";
import { type Api, apis, sourceId, unknownId, useProduct } from "./product";

const place = { x: 0, y: 0, w: 6, h: 3 };
const select = [{ aggFn: "count" }];
const line = { name: "Lines", ...place, config: { displayType: "line", sourceId, select } };
const filter = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId };
const containers = [{ id: "top", title: "Top", collapsed: false, tabs: [{ id: "first", title: "First" }] }];

describe("dashboards of the product", () => {
  const product = useProduct();
  const post = (api: Api, body: object) => product.send(api, "POST", "/dashboards", body);
  const created = async (api: Api, change: object = {}) => {
    const { payload, text } = await post(api, { name: "Board", tiles: [line], ...change });
    expect(payload, text).to.be.an("object");
    return payload;
  };
  const put = (api: Api, id: string, body: object) => product.send(api, "PUT", `/dashboards/${id}`, body);

  for (const api of apis) {
    describe(`on the ${api} API`, () => {
      it("have every list, null without a query, and containers only if there are any", async () => {
        const { id, tiles, ...members } = await created(api);
        expect(members).to.deep.equal({
          name: "Board",
          tags: [],
          filters: [],
          savedQuery: null,
          savedQueryLanguage: null,
          savedFilterValues: [],
        });
        expect((await created(api, { containers })).containers).to.deep.equal(containers);
      });

      it("have tags once, and filters with ids of the server", async () => {
        const { tags, filters } = await created(api, { tags: ["a", "b", "a"], filters: [filter] });
        expect(tags).to.deep.equal(["a", "b"]);
        expect(filters).to.have.length(1);
        expect(filters[0]).to.deep.include(filter);
        expect(filters[0].id).to.match(/^[0-9a-f]{24}$/);
      });

      it("keep what an update omits, except for tiles", async () => {
        const full = {
          tags: ["a"],
          filters: [filter],
          savedQuery: "level:error",
          savedFilterValues: [{ condition: "a = 1" }],
          containers,
        };
        const before = await created(api, full);
        expect(before).to.deep.include({
          savedQueryLanguage: "lucene",
          savedFilterValues: [{ type: "sql", condition: "a = 1" }],
        });
        const { payload } = await put(api, before.id, { name: "Other", tiles: [] });
        expect(payload).to.deep.equal({ ...before, name: "Other", tiles: [] });
      });

      it("lose what an update sends as empty or null", async () => {
        const { id } = await created(api, { tags: ["a"], filters: [filter], savedQuery: "q", containers });
        const cleared = { tags: [], filters: [], savedQuery: null, savedFilterValues: [], containers: [] };
        const { payload } = await put(api, id, { name: "Board", tiles: [], ...cleared });
        expect(payload).to.include({ savedQuery: null, savedQueryLanguage: null });
        expect([payload.tags, payload.filters, payload.containers]).to.deep.equal([[], [], undefined]);
      });

      it("take filters without ids on a create and with ids on an update, where an unknown one is replaced", async () => {
        const withId = [{ ...filter, id: "mine" }];
        expect((await post(api, { name: "Board", tiles: [], filters: withId })).status).to.equal(400);
        const { id, filters } = await created(api, { filters: [filter] });
        expect((await put(api, id, { name: "Board", tiles: [], filters: [filter] })).status).to.equal(400);
        const kept = { ...filters[0], name: "Host" };
        const { payload } = await put(api, id, { name: "Board", tiles: [], filters: [kept, withId[0]] });
        expect(payload.filters[0]).to.deep.equal(kept);
        expect(payload.filters[1].id).to.not.equal("mine");
      });

      it("keep the ids of their own tiles, and give others new ones", async () => {
        const { id, tiles } = await created(api, { tiles: [line, line] });
        const sent = [{ ...line, id: tiles[1].id }, { ...line, id: unknownId }, line];
        const ids = (await put(api, id, { name: "Board", tiles: sent })).payload.tiles.map(
          (tile: { id: string }) => tile.id,
        );
        expect(ids[0]).to.equal(tiles[1].id);
        expect(new Set([...ids, unknownId])).to.have.length(4);
      });

      it("put a tile into a container that is sent, or that there is", async () => {
        const inside = { ...line, containerId: "top", tabId: "first" };
        const { id, tiles } = await created(api, { containers, tiles: [inside] });
        expect(tiles[0]).to.include({ containerId: "top", tabId: "first" });
        const again = (await put(api, id, { name: "Board", tiles: [inside] })).payload;
        expect(again.tiles[0]).to.include({ containerId: "top", tabId: "first" });
        const left = (await put(api, id, { name: "Board", tiles: [line] })).payload;
        expect(left.tiles[0]).to.not.have.any.keys("containerId", "tabId");
        expect((await post(api, { name: "Board", tiles: [inside] })).status).to.equal(400);
      });

      const refused: [string, object][] = [
        ["no name", { name: undefined }],
        ["a name of 1025 characters", { name: "n".repeat(1025) }],
        ["no tiles", { tiles: undefined }],
        ["501 tiles", { tiles: Array(501).fill(line) }],
        [
          "two tiles of one id",
          {
            tiles: [
              { ...line, id: "a" },
              { ...line, id: "a" },
            ],
          },
        ],
        ["a tile beyond the grid", { tiles: [{ ...line, x: 24 }] }],
        ["a tile that is too wide", { tiles: [{ ...line, w: 25 }] }],
        ["a tile that shows nothing", { tiles: [{ name: "Empty", ...place }] }],
        ["51 tags", { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
        ["a tag of 33 characters", { tags: ["t".repeat(33)] }],
        ["two containers of one id", { containers: [...containers, ...containers] }],
        ["a container without a title", { containers: [{ ...containers[0], title: "" }] }],
        ["a tile in a container that is not there", { tiles: [{ ...line, containerId: "bottom" }] }],
        [
          "a tile on a tab that is not there",
          { containers, tiles: [{ ...line, containerId: "top", tabId: "second" }] },
        ],
        ["a filter on a source that is not there", { filters: [{ ...filter, sourceId: unknownId }] }],
        ["a filter with an unknown member", { filters: [{ ...filter, color: "red" }] }],
        ["a query of no language", { savedQuery: "a", savedQueryLanguage: null }],
      ];
      for (const [what, change] of refused) {
        it(`are refused with ${what}`, async () => {
          const { status, reason } = await post(api, { name: "Board", tiles: [line], ...change });
          expect([status, typeof reason]).to.deep.equal([400, "string"]);
          expect(product.client.sandbox.store.dashboards.size).to.equal(0);
        });
      }

      it("may have tiles and a name that say nothing", async () => {
        expect((await created(api, { name: "", tiles: [{ ...line, name: "" }] })).name).to.equal("");
      });

      it("can be deleted although they are not there", async () => {
        expect((await product.send(api, "DELETE", `/dashboards/${unknownId}`)).status).to.equal(200);
        expect((await product.send(api, "DELETE", "/dashboards/mine")).status).to.equal(400);
        expect((await product.send(api, "GET", `/dashboards/${unknownId}`)).status).to.equal(404);
      });

      it("are validated as a create would be, with an answer of 200", async () => {
        const validate = async (body: object) => {
          const { status, body: answer } = await product.send(api, "POST", "/dashboards/validate", body);
          expect(status).to.equal(200);
          return api === "management" ? answer.result : answer;
        };
        const body = { name: "Board", tiles: [line] };
        expect(await validate(body)).to.deep.equal({
          valid: true,
          errors: [],
          normalized: {
            ...body,
            tiles: [{ ...line, config: { ...line.config, select: [{ aggFn: "count", where: "" }] } }],
          },
        });
        const wrong = await validate({ name: 5, tiles: [{ ...line, w: 0 }] });
        expect(wrong).to.include({ valid: false, normalized: null });
        expect(wrong.errors.map(({ path }: { path: string }) => path)).to.have.members(["name", "tiles.0.w"]);
        const missing = { ...line, config: { ...line.config, sourceId: unknownId } };
        expect(await validate({ name: "Board", tiles: [missing] })).to.deep.equal({
          valid: false,
          errors: [{ path: "", message: `Could not find the following source IDs: ${unknownId}` }],
          normalized: null,
        });
        expect(product.client.sandbox.store.dashboards.size).to.equal(0);
      });
    });
  }

  it("are refused by the gateway with members that its document does not have, and cut by the server", async () => {
    const body = { id: unknownId, name: "Board", tiles: [line] };
    for (const path of ["/dashboards", "/dashboards/validate"]) {
      const { status, reason } = await product.send("management", "POST", path, body);
      expect([status, reason]).to.deep.equal([
        400,
        "BAD_REQUEST: request body property can't be validated: id",
      ]);
    }
    expect((await created("observability", { id: unknownId })).id).to.not.equal(unknownId);
  });

  it("have variables in filters on the observability API only", async () => {
    const variable = { ...filter, isVariableEnabled: true, variableName: "service" };
    expect((await created("observability", { filters: [variable] })).filters[0]).to.deep.include(variable);
    expect((await post("management", { name: "Board", tiles: [], filters: [variable] })).status).to.equal(
      400,
    );
    for (const change of [
      { isBroadcastEnabled: false, isVariableEnabled: false, variableName: undefined },
      { isVariableEnabled: false },
      { variableName: "1st" },
    ]) {
      const filters = [{ ...variable, ...change }];
      expect((await post("observability", { name: "Board", tiles: [], filters })).status).to.equal(400);
    }
  });

  it("take fractions for places on the observability API only", async () => {
    const tiles = [{ ...line, h: 2.5 }];
    expect((await post("observability", { name: "Board", tiles })).status).to.equal(200);
    expect((await post("management", { name: "Board", tiles })).status).to.equal(400);
  });

  describe("with alerts on their tiles", () => {
    const alertOn = async (config: object) => {
      const { id, tiles } = await created("observability", { tiles: [{ ...line, config }] });
      const alert = { source: "tile", dashboardId: id, tileId: tiles[0].id, threshold: 1, interval: "5m" };
      const channel = { type: "webhook", webhookId: product.client.webhookId };
      const body = { ...alert, thresholdType: "above", channel };
      return {
        id,
        tiles,
        answer: await product.send("observability", "POST", "/alerts", body),
        count: () => product.client.sandbox.store.alerts.size,
      };
    };

    it("lose them when the tile becomes one that cannot have any", async () => {
      const { id, tiles, count } = await alertOn(line.config);
      await put("observability", id, { name: "Board", tiles });
      expect(count()).to.equal(1);
      const table = { ...tiles[0], config: { ...line.config, displayType: "table" } };
      await put("observability", id, { name: "Board", tiles: [table] });
      expect(count()).to.equal(0);
    });

    it("take one on any chart, and lose it at the next update", async () => {
      const { id, tiles, answer, count } = await alertOn({ ...line.config, displayType: "table" });
      expect(answer.status).to.equal(200);
      await put("observability", id, { name: "Board", tiles });
      expect(count()).to.equal(0);
    });

    it("take one on raw SQL only where it yields values over an interval, or one", async () => {
      const sql = { configType: "sql", connectionId: "65f1c0a2b3d4e5f607182900", sqlTemplate: "SELECT 1" };
      const overTime = `SELECT toStartOfInterval(ts, INTERVAL {intervalSeconds:Int64} second)`;
      for (const [config, status] of [
        [{ ...sql, displayType: "number" }, 200],
        [{ ...sql, displayType: "line", sqlTemplate: overTime }, 200],
        [{ ...sql, displayType: "line" }, 400],
        [{ ...sql, displayType: "table" }, 400],
      ] as const) {
        expect((await alertOn(config)).answer.status).to.equal(status);
      }
    });
  });
});
