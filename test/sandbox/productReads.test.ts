import { expect } from "chai";
import { sourceId, useProduct } from "./product";

const kinds = ["kafka", "objectStorage", "kinesis", "postgres", "mysql", "mongodb", "bigquery", "pubsub"];

describe("pipes of the product", () => {
  const product = useProduct();
  const list = async () => (await product.client.service("GET", "/clickpipes")).body.result;

  it("have every kind of source, one as an object and the others as null", async () => {
    const pipes: { id: string; source: Record<string, unknown> }[] = await list();
    const found = pipes.map(({ source }) => {
      expect(source).to.have.all.keys(kinds);
      const present = kinds.filter((kind) => source[kind] !== null);
      expect(present).to.have.length(1);
      return present[0];
    });
    expect(found).to.have.members(kinds);
    const [first] = pipes;
    const one = (await product.client.service("GET", `/clickpipes/${first?.id}`)).body.result;
    expect(one).to.deep.equal(first);
  });

  it("answer no null where the document has a text or a number, as it does of all databases", async () => {
    for (const { source } of (await list()) as { source: Record<string, object | null> }[]) {
      const { postgres, mysql, mongodb, bigquery } = source;
      for (const database of [postgres, mysql, mongodb, bigquery])
        expect(Object.values(database ?? {})).to.not.include(null);
    }
  });

  it("take settings within their bounds only", async () => {
    const [{ id }] = await list();
    const put = async (settings: object) =>
      (await product.client.service("PUT", `/clickpipes/${id}/settings`, settings)).status;
    expect(await put({ clickhouse_max_threads: 64, streaming_max_insert_wait_ms: 500 })).to.equal(200);
    expect(await put({ clickhouse_max_threads: 65 })).to.equal(400);
    expect(await put({ streaming_max_insert_wait_ms: 499 })).to.equal(400);
  });

  it("are reached through endpoints that have every member", async () => {
    const { result } = (await product.client.service("GET", "/clickpipesReversePrivateEndpoints")).body;
    expect(result).to.have.length(2);
    for (const endpoint of result) {
      expect(endpoint).to.include.keys("gcpServiceAttachment", "mskClusterArn", "vpcEndpointServiceName");
      expect(endpoint.customPrivateDnsMappings).to.deep.equal([]);
    }
  });
});

describe("lists of the product", () => {
  const product = useProduct();
  const search = async (query: string) => {
    const { status, body, headers } = await product.client.observability("GET", `/saved-searches${query}`);
    return { status, ...body, count: headers.get("x-total-count") };
  };

  it("come in pages on the observability API, with how many there are", async () => {
    const all = await search("");
    expect(all.data).to.have.length(2);
    expect([all.meta, all.count]).to.deep.equal([{ total: 2, limit: 1000, offset: 0 }, "2"]);
    const second = await search("?limit=1&offset=1");
    expect(second.data).to.deep.equal([all.data[1]]);
    expect(second.meta).to.deep.equal({ total: 2, limit: 1, offset: 1 });
    expect((await search("?offset=5")).data).to.deep.equal([]);
  });

  for (const query of ["?limit=0", "?limit=1001", "?offset=-1", "?limit=all"]) {
    it(`are refused with ${query}`, async () => {
      expect((await search(query)).status).to.equal(400);
    });
  }

  for (const noun of ["alerts", "webhooks", "saved-searches"]) {
    it(`of ${noun} come as a whole on the management API`, async () => {
      const { status, body } = await product.client.service("GET", `/clickstack/${noun}?limit=1`);
      expect(status).to.equal(200);
      expect(body).to.not.have.property("meta");
    });
  }

  it("of dashboards and sources come as a whole on both", async () => {
    for (const noun of ["dashboards", "sources"]) {
      const { body } = await product.client.observability("GET", `/${noun}?limit=1`);
      expect(Object.keys(body)).to.deep.equal(["data"]);
    }
  });
});

describe("chart series of the product", () => {
  const product = useProduct();
  const startTime = Date.UTC(2025, 5, 15, 12);
  const query = async (change: object) => {
    const series = [{ sourceId, aggFn: "count", where: "", groupBy: [], ...change }];
    const body = { series, startTime, endTime: startTime + 3_600_000, granularity: "30m" };
    return product.client.observability("POST", "/charts/series", body);
  };

  it("have an empty group unless they are grouped", async () => {
    expect((await query({})).body.data[0].group).to.deep.equal([]);
    expect((await query({ groupBy: ["ServiceName"] })).body.data[0].group).to.have.length(1);
  });

  it("take what the product has beyond the API document, and need the type of a metric", async () => {
    const further = { whereLanguage: "lucene", metricName: "cpu", sortOrder: "asc", dataSource: "events" };
    expect((await query(further)).status).to.equal(200);
    const metric = { sourceId: "65f1c0a2b3d4e5f607182913" };
    const without = await query(metric);
    expect([without.status, typeof without.body.error]).to.deep.equal([500, "string"]);
    expect((await query({ ...metric, metricDataType: "gauge" })).status).to.equal(200);
  });
});
