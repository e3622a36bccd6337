import { expect } from "chai";
import { Model } from "../../sandbox/core/model";
import { seededCredentials } from "../../sandbox/index";
import { consoleHeader, listen, useConsole } from "./consoleClient";
import { basic, createTileAlert, send, sourceId, unknownUuid, useSandbox } from "./requests";

const { organizationId, serviceId, keyId, keySecret, accessToken } = seededCredentials;

describe("The data that the sandbox's console shows", () => {
  const tested = useConsole();

  it("the console shows all objects and requests without a secret", async () => {
    const { client } = tested;
    const { store } = client.sandbox;
    const created = (await client.organization("POST", "/keys", { name: "ci", roles: ["admin"] })).payload;
    await createTileAlert(client);
    const [record] = store.keys.values();
    const secrets = [
      ...[keySecret, accessToken, keyId, created.keySecret, created.keyId.slice(0, -4), "AccountKey"],
      ...[record?.keyIdHash, record?.keySecretHash],
      ...[...store.services.values()].map(({ encryptionKey }) => encryptionKey),
      ...[...store.accessTokens.values()].map(({ tokenHash }) => tokenHash),
      ...[...store.webhooks.values()].map(({ url }) => url),
    ];
    const events = await listen(tested.url);
    const answers = [JSON.stringify(await events.snapshot()), JSON.stringify(await events.requests())];
    events.leave();
    for (const { number } of client.sandbox.requests)
      answers.push((await send("GET", `${tested.url}/requests/${number}`)).text);
    for (const [method, path, body] of [
      ["POST", `${tested.url}/keys`, { name: "by hand", roles: ["admin"] }],
      ["GET", `${tested.url}/keys`, undefined],
      ["GET", `${tested.url}/keys/${record?.id}`, undefined],
      ["GET", tested.service, undefined],
      ["PATCH", `${tested.service}/replicaScaling`, { numReplicas: 4 }],
    ] as const)
      expect(await send(method, path, body, consoleHeader), `${method} ${path}`).to.include({
        status: 200,
        text: "{}",
      });
    expect(answers[0]).to.include("orders-stream").and.include("Overview").and.include("on-call");
    // The console shows the ids of API keys in its journal of requests, since they are no secrets.
    expect(answers[1]).to.include("/stack/alerts");
    expect(answers[2]).to.include("keySuffix").and.include("[redacted]");
    for (const secret of secrets) {
      expect(secret).to.be.a("string").with.length.above(8);
      for (const answer of answers) expect(answer).to.not.include(secret);
    }
  });

  it("the console shows the bodies of a request and its answer, even if a fault changed the answer", async () => {
    const { client } = tested;
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    await client.observability("GET", "/nothing");
    await client.sandbox.faults.set([
      { kind: "cut-short", operation: "createKey" },
      { kind: "huge", megabytes: 1, operation: "listKeys" },
      { kind: "reset", operation: "listAlerts" },
    ]);
    const refused = () => undefined;
    await client.organization("POST", "/keys", { name: "ci", roles: ["admin"] }).catch(refused);
    await client.organization("GET", "/keys").catch(refused);
    await client.observability("GET", "/alerts").catch(refused);
    const bodies = async (number: number) => (await send("GET", `${tested.url}/requests/${number}`)).body;
    const { request, response } = await bodies(1);
    expect(JSON.parse(request)).to.deep.equal({ numReplicas: 5 });
    expect(JSON.parse(response).result).to.deep.include({ numReplicas: 5, encryptionKey: "[redacted]" });
    expect((await bodies(2)).response).to.include("Cannot GET /api/v2/nothing");
    const redacted = { keyId: "[redacted]", keySecret: "[redacted]" };
    expect(JSON.parse((await bodies(3)).response).result).to.deep.include(redacted);
    expect((await bodies(4)).response).to.equal("(an answer of many megabytes)");
    expect(await bodies(5)).to.deep.equal({});
    const unknown = await send("GET", `${tested.url}/requests/99`);
    expect(unknown).to.include({ status: 404, reason: "the sandbox no longer knows this request" });
  });

  it("the console keeps the answers of the newest 500 requests", () => {
    const model = new Model({ keepsAnswers: true });
    const headers = { authorization: basic(keyId, keySecret) };
    const url = `/v1/organizations/${organizationId}/keys`;
    for (let number = 0; number < 501; number += 1)
      model.handle("management", { method: "GET", url, headers }, 0);
    const kept = model.journal.entries.filter(({ responseBody }) => responseBody !== undefined);
    expect(kept.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 500 }, (_, index) => index + 2),
    );
  });
});

const service = `/services/${serviceId}`;

function change(model: Model, method: string, url: string, body: object) {
  const headers = { "content-type": "application/json" };
  const answer = model.change({ method, url, headers, body: JSON.stringify(body) }, Date.now());
  return { status: answer?.status, body: JSON.parse(answer?.body ?? "null") };
}

describe("Changes of objects that the sandbox's console requests", () => {
  const client = useSandbox();
  const { store, model } = client.sandbox;

  it("the console applies the rules of the API to changed alerts and dashboards", async () => {
    const { board, alert } = await createTileAlert(client);
    const changed = { name: "Errors", message: null, threshold: 9 };
    expect(change(model, "PUT", `${service}/alerts/${alert.id}`, changed).status).to.equal(200);
    const { tileId, thresholdType } = alert;
    expect(store.alerts.get(alert.id)).to.deep.include({ ...changed, thresholdType, tileId });
    const body = { name: "Overview", tiles: board.tiles.slice(1) };
    expect(change(model, "PUT", `${service}/dashboards/${board.id}`, body).status).to.equal(200);
    expect(store.dashboards.get(board.id)?.tiles).to.have.length(1);
    expect(store.alerts.size).to.equal(0);
  });

  const tooFew = "numReplicas must be >= 2 for the first service in a warehouse";
  const tooShort = "idleTimeoutMinutes must be >= 5";
  for (const [what, path, body, status, error] of [
    ["to too few replicas", `${service}/replicaScaling`, { numReplicas: 1 }, 400, tooFew],
    ["to too short a timeout", `${service}/replicaScaling`, { idleTimeoutMinutes: 1 }, 400, tooShort],
    [
      "of an unknown service",
      `/services/${unknownUuid}/replicaScaling`,
      { numReplicas: 3 },
      404,
      "service not found",
    ],
  ] as const)
    it(`the console says why it refuses a change ${what}`, () => {
      expect(change(model, "PATCH", path, body)).to.deep.equal({ status, body: { error } });
    });
});

describe("Sample data for a tile in the sandbox's console", () => {
  const { model } = useSandbox().sandbox;
  const startTime = Date.UTC(2026, 0, 15);
  const query = (further: object, range: object = {}) => {
    const series = [{ sourceId, aggFn: "count", where: "", groupBy: [], ...further }];
    const asked = { series, startTime, endTime: startTime + 3_600_000, ...range };
    const { status, body } = change(model, "POST", `${service}/series`, asked);
    expect(status).to.equal(200);
    return body as { problem?: string; points: { values: number[] }[] };
  };
  const valueAt = (further: object) => query(further).points[0]?.values[0];

  it("the sample data of a tile is one value for the whole range, or one for each bucket", () => {
    const parts = query({}, { bucketLength: 300_000 }).points;
    expect(parts).to.have.length(12);
    expect(query({}).points).to.have.length(1);
    expect(parts.reduce((total, { values }) => total + (values[0] ?? 0), 0)).to.equal(valueAt({}));
  });

  it("the sample data of a tile shows the quantile that the tile's series declares", () => {
    const named = valueAt({ aggFn: "quantile", level: 0.95 });
    expect(named)
      .to.equal(valueAt({ aggFn: "p95" }))
      .and.to.not.equal(valueAt({ aggFn: "quantile" }));
    expect(valueAt({ whereLanguage: "lucene", where: "ServiceName:api" })).to.be.a("number");
    expect(valueAt({ whereLanguage: "sql" })).to.equal(valueAt({}));
  });

  for (const [what, further, problem] of [
    [
      "with a filter on an unknown column",
      { where: "a:b" },
      "series.0.where: unknown column a; columns of a log source: ServiceName, SeverityText",
    ],
    [
      "with a filter in SQL",
      { whereLanguage: "sql", where: "ServiceName = 'api'" },
      "series.0.whereLanguage: the sandbox does not read SQL; write conditions as column:value",
    ],
  ] as const)
    it(`the console says why it has no sample data for a tile ${what}`, () => {
      expect(query(further)).to.deep.equal({ problem });
    });
});
