import { expect } from "chai";
import { apis, dashboard, tile, useSandbox } from "./requests";

const [series] = tile.series;
const withTile = (change: object) => ({ ...dashboard, tiles: [{ ...tile, ...change }] });
const refused = {
  "without a name": { ...dashboard, name: undefined },
  "without tiles": { ...dashboard, tiles: undefined },
  "with tags as a text": { ...dashboard, tags: "a,b" },
  "with a tile without a name": withTile({ name: undefined }),
  "with x 24": withTile({ x: 24 }),
  "with x -1": withTile({ x: -1 }),
  "with y -1": withTile({ y: -1 }),
  "with w 0": withTile({ w: 0 }),
  "with w 25": withTile({ w: 25 }),
  "with h 0": withTile({ h: 0 }),
  'with h "4"': withTile({ h: "4" }),
  "with a tile without series": withTile({ series: [] }),
  "with a tile of neither series nor config": withTile({ series: undefined }),
  "with a tile of both series and config": withTile({ config: { displayType: "line" } }),
  "with a series without a type": withTile({ series: [{ ...series, type: undefined }] }),
  "with a time series without groupBy": withTile({ series: [{ ...series, groupBy: undefined }] }),
  "with two tiles of one id": { ...dashboard, tiles: [0, 1].map(() => ({ ...tile, id: "mine" })) },
};

describe("Dashboards of the sandbox in the dialect neutral", () => {
  const client = useSandbox();

  for (const api of apis) {
    const post = (body: object) => client.stack(api, "POST", "/dashboards", body);
    const idsOf = ({ tiles }: { tiles: { id: string }[] }) => tiles.map(({ id }) => id);

    it(`POST on the ${api} API gives every tile a new id, even one that was sent with an id`, async () => {
      const { status, payload } = await post({ ...dashboard, tiles: [{ ...tile, id: "mine" }, tile] });
      expect(status).to.equal(200);
      const ids = idsOf(payload);
      expect(new Set(ids).size).to.equal(2);
      for (const id of ids) expect(id).to.match(/^[0-9a-f]{24}$/);
      const tiles = ids.map((id) => ({ ...tile, id }));
      expect(payload).to.deep.include({ ...dashboard, tiles });
    });

    for (const [title, body] of Object.entries(refused))
      it(`POST and PUT on the ${api} API refuse a dashboard ${title}`, async () => {
        const { id } = (await post(dashboard)).payload;
        expect((await post(body)).status).to.equal(400);
        expect((await client.stack(api, "PUT", `/dashboards/${id}`, body)).status).to.equal(400);
        expect([...client.sandbox.store.dashboards.values()].map(({ name }) => name)).to.deep.equal([
          "Overview",
        ]);
      });
  }

  for (const [place, body] of [
    ["tile", withTile({ colour: "red" })],
    ["series", withTile({ series: [{ ...series, colour: "red" }] })],
  ] as const) {
    it(`the management API refuses an unknown property of a ${place}`, async () => {
      const { status, reason } = await client.service("POST", "/stack/dashboards", body);
      expect(status).to.equal(400);
      expect(reason).to.include("has no member colour");
    });

    it(`the observability API drops an unknown property of a ${place}`, async () => {
      const dropped = await client.observability("POST", "/dashboards", body);
      expect(dropped.status).to.equal(200);
      expect(dropped.text).to.not.include("colour");
    });
  }
});
