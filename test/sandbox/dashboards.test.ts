import { expect } from "chai";
import type { Answer } from "./requests";
import { Client, dashboard, tile } from "./requests";

type Api = {
  name: string;
  request: (method: string, path: string, body?: unknown) => Promise<Answer>;
  result: (answer: Answer) => Record<string, unknown> & { id: string; tiles: { id: string; name: string }[] };
};

describe("sandbox: dashboards", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const apis: Api[] = [
    {
      name: "…/stack/dashboards",
      request: (method, path, body) => client.service(method, `/stack/dashboards${path}`, body),
      result: ({ body }) => body.result,
    },
    {
      name: "/api/v2/dashboards",
      request: (method, path, body) => client.observability(method, `/dashboards${path}`, body),
      result: ({ body }) => body.data,
    },
  ];

  for (const { name, request, result } of apis) {
    const create = async () => result(await request("POST", "", dashboard));

    it(`POST ${name} gives every tile a new id, also one that was sent with an id`, async () => {
      const sent = { ...dashboard, tiles: [{ ...tile, id: "mine" }, tile] };
      const created = await request("POST", "", sent);
      expect(created.status).to.equal(200);
      const ids = result(created).tiles.map(({ id }) => id);
      expect(new Set(ids).size).to.equal(2);
      for (const id of ids) expect(id).to.match(/^[0-9a-f]{24}$/);
      expect(result(created)).to.deep.include({
        name: "Overview",
        tags: ["a", "b"],
        tiles: [
          { ...tile, id: ids[0] },
          { ...tile, id: ids[1] },
        ],
      });
      expect(result(await request("GET", `/${result(created).id}`))).to.deep.equal(result(created));
    });

    it(`PUT ${name}/{id} keeps the tile ids it knows and gives new ones for the others`, async () => {
      const { id, tiles } = await create();
      const [first, second] = tiles;
      const unknown = { ...tile, id: "0123456789abcdef01234567" };
      const changed = result(await request("PUT", `/${id}`, { name: "New", tiles: [second, unknown, tile] }));
      const ids = changed.tiles.map((changedTile) => changedTile.id);
      expect(ids[0]).to.equal(second?.id);
      expect(ids).to.not.include(first?.id).and.not.include(unknown.id);
      expect(new Set(ids).size).to.equal(3);
    });

    it(`PUT ${name}/{id} keeps tags that are left out, and clears them with []`, async () => {
      const { id, tiles } = await create();
      const put = async (tags?: string[]) =>
        result(await request("PUT", `/${id}`, { name: "New", tiles, tags }));
      expect((await put()).tags).to.deep.equal(["a", "b"]);
      expect((await put([])).tags).to.deep.equal([]);
    });

    const mutate = (mutation: object) => ({ ...dashboard, tiles: [{ ...tile, ...mutation }] });
    const [series] = tile.series;
    const refused: [string, object][] = [
      ["without a name", { ...dashboard, name: undefined }],
      ["without tiles", { ...dashboard, tiles: undefined }],
      ["with tags as a text", { ...dashboard, tags: "a,b" }],
      ["with a tile without a name", mutate({ name: undefined })],
      ["with x 24", mutate({ x: 24 })],
      ["with x -1", mutate({ x: -1 })],
      ["with y -1", mutate({ y: -1 })],
      ["with w 0", mutate({ w: 0 })],
      ["with w 25", mutate({ w: 25 })],
      ["with h 0", mutate({ h: 0 })],
      ['with h "4"', mutate({ h: "4" })],
      ["with a tile without series", mutate({ series: [] })],
      ["with a series without a type", mutate({ series: [{ ...series, type: undefined }] })],
      ["with a time series without groupBy", mutate({ series: [{ ...series, groupBy: undefined }] })],
      ["with two tiles of one id", { ...dashboard, tiles: [0, 1].map(() => ({ ...tile, id: "mine" })) }],
    ];
    for (const [what, body] of refused) {
      it(`POST and PUT ${name} ${what} are refused with 400`, async () => {
        const { id } = await create();
        expect((await request("POST", "", body)).status).to.equal(400);
        expect((await request("PUT", `/${id}`, body)).status).to.equal(400);
        expect(client.sandbox.store.dashboards.size).to.equal(1);
        expect(client.sandbox.store.dashboards.get(id)?.name).to.equal("Overview");
      });
    }

    it(`POST ${name} with a number series without groupBy and no tiles at all are accepted`, async () => {
      expect((await request("POST", "", mutate({ series: [{ type: "number" }] }))).status).to.equal(200);
      expect((await request("POST", "", { ...dashboard, tiles: [] })).status).to.equal(200);
    });

    it(`GET, PUT and DELETE ${name}/mine are refused with 400`, async () => {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await request(method, "/mine", method === "PUT" ? dashboard : undefined);
        expect(answer.status, method).to.equal(400);
        expect(answer.text).to.include("Invalid dashboard id");
      }
    });
  }

  it("a dashboard created on one API is seen on the other, and only with the service it belongs to", async () => {
    const { result } = (await client.service("POST", "/stack/dashboards", dashboard)).body;
    expect((await client.observability("GET", "/dashboards")).body).to.deep.equal({ data: [result] });
    const other = (await client.secondService("POST", "/stack/dashboards", dashboard)).body.result;
    expect((await client.observability("GET", `/dashboards/${other.id}`)).status).to.equal(404);
    expect((await client.service("GET", `/stack/dashboards/${other.id}`)).status).to.equal(404);
    expect((await client.service("GET", "/stack/dashboards")).body.result).to.deep.equal([result]);
  });

  it("unknown members are refused with 400 on the management API and ignored on the observability API", async () => {
    const [series] = tile.series;
    const bodies = [
      { ...dashboard, colour: "red" },
      { ...dashboard, tiles: [{ ...tile, colour: "red" }] },
      { ...dashboard, tiles: [{ ...tile, series: [{ ...series, colour: "red" }] }] },
    ];
    for (const body of bodies) {
      const refused = await client.service("POST", "/stack/dashboards", body);
      expect(refused.status).to.equal(400);
      expect(refused.body.error).to.include("has no member colour");
      const { status, text } = await client.observability("POST", "/dashboards", body);
      expect(status).to.equal(200);
      expect(text).to.not.include("colour");
    }
  });

  it("a missing dashboard is answered with JSON on the management API, with text on the observability API", async () => {
    const id = "0123456789abcdef01234567";
    const management = await client.service("GET", `/stack/dashboards/${id}`);
    expect(management.status).to.equal(404);
    expect(management.body.error).to.match(/^NOT_FOUND: /);
    const observability = await client.observability("GET", `/dashboards/${id}`);
    expect(observability).to.include({ status: 404, text: "Not Found", type: "text/plain; charset=utf-8" });
  });

  it("DELETE of a dashboard answers {} on the observability API and an envelope without result on the other", async () => {
    const create = async () => (await client.observability("POST", "/dashboards", dashboard)).body.data.id;
    expect((await client.observability("DELETE", `/dashboards/${await create()}`)).body).to.deep.equal({});
    const { body } = await client.service("DELETE", `/stack/dashboards/${await create()}`);
    expect(body).to.have.all.keys("status", "requestId");
    expect(client.sandbox.store.dashboards.size).to.equal(0);
  });
});
