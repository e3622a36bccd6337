import { expect } from "chai";
import { answerFrom, dialects, pathIn, requestIn } from "../../../provider/api/dialect";
import { clientOf, enveloped, organizationId, place, serviceId, useServer } from "./server";

const { neutral, clickhouse } = dialects;
const tile = { name: "t", config: { source: "search", team: "x", engine_a: 1 } };

/** Equal values in the words of the API document and in those of the dialect `clickhouse`. */
const translations: { readonly [what: string]: readonly [document: unknown, clickhouse: unknown] } = {
  "a saved search as the source of an alert, and its team": [
    { source: "search", savedSearch: "s", message: "search", team: "t" },
    { source: "saved_search", savedSearchId: "s", message: "search", teamId: "t" },
  ],
  "the version of a service": [{ engineVersion: "25.8" }, { clickhouseVersion: "25.8" }],
  "settings in a pipe": [
    { settings: { engine_max_threads: 8 }, source: { kafka: {} } },
    { settings: { clickhouse_max_threads: 8 }, source: { kafka: {} } },
  ],
  "nothing inside a tile": [
    { name: "n", tiles: [tile] },
    { name: "n", tiles: [tile] },
  ],
};

describe("The vocabulary of the dialect clickhouse", () => {
  for (const [what, [document, translated]] of Object.entries(translations))
    it(`the clickhouse dialect translates ${what} in both directions`, () => {
      expect(requestIn(clickhouse, document)).to.deep.equal(translated);
      expect(answerFrom(clickhouse, translated)).to.deep.equal(document);
    });

  it("the clickhouse dialect leaves the property savedSearch of an answer unchanged", () => {
    const alert = { source: "tile", savedSearch: "s" };
    expect(answerFrom(clickhouse, alert)).to.deep.equal(alert);
  });
});

it("the client changes no request, answer or path in the neutral dialect", () => {
  for (const value of Object.values(translations).flat()) {
    expect(requestIn(neutral, value)).to.deep.equal(value);
    expect(answerFrom(neutral, value)).to.deep.equal(value);
  }
  expect(pathIn(neutral, "/v1/stack/pipes")).to.equal("/v1/stack/pipes");
});

describe("The API client in the clickhouse dialect", () => {
  const server = useServer();
  const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
  const client = () => clientOf(server.current, { dialect: "clickhouse", requestsPerSecond: 1000 }).client;

  it("the client does not translate a path parameter that equals a word of the clickhouse dialect", async () => {
    server.current.answer(enveloped({ id: "pipes" }));
    await client().call("getPipe", { ...place, id: "pipes" });
    expect(server.current.lines).to.deep.equal([`GET ${service}/clickpipes/pipes`]);
  });

  it("the client does not translate the columns of a query into the clickhouse dialect", async () => {
    const rows = [{ ts_bucket: 1, teamId: "a", source: "saved_search", clickhouse_x: "b" }];
    server.current.answer({ body: { data: rows } });
    expect(await client().call("getChartSeries", place, { series: [] })).to.deep.equal(rows);
  });
});
