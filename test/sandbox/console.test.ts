import { expect } from "chai";
import { createSandbox } from "../../sandbox/index";
import { listen, own, useConsole } from "./consoleClient";
import { Client, send } from "./requests";

describe("sandbox: console", () => {
  const tested = useConsole();

  it("is there only where it is asked for", async () => {
    const without = await createSandbox();
    expect(without.consoleUrl).to.equal("");
    await without.close();
    expect(tested.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("shows everything without a secret, and answers none", async () => {
    const { keySecret, accessToken, keyId } = tested.client.sandbox.credentials;
    const created = await tested.client.organizationRequest("POST", "/keys", {
      name: "ci",
      roles: ["admin"],
    });
    await tested.createAlert();
    const { store } = tested.client.sandbox;
    const [record] = store.keys.values();
    const secrets = [
      keySecret,
      accessToken,
      keyId,
      created.body.result.keySecret,
      created.body.result.keyId.slice(0, -4),
      record?.keyIdHash,
      record?.keySecretHash,
      "AccountKey",
      ...[...store.services.values()].map(({ encryptionKey }) => encryptionKey),
      ...[...store.accessTokens.values()].map(({ tokenHash }) => tokenHash),
      ...[...store.webhooks.values()].map((webhook) => webhook.url),
    ];
    const events = await listen(tested.url);
    const answers = [JSON.stringify(await events.snapshot()), JSON.stringify(await events.requests())];
    events.leave();
    for (const { number } of tested.client.sandbox.requests)
      answers.push((await send("GET", `${tested.url}/requests/${number}`)).text);
    const key = { name: "by hand", roles: ["admin"] };
    for (const [method, path, body] of [
      ["POST", `${tested.url}/keys`, key],
      ["GET", `${tested.url}/keys`, undefined],
      ["GET", `${tested.url}/keys/${record?.id}`, undefined],
      ["GET", tested.service, undefined],
      ["PATCH", `${tested.service}/replicaScaling`, { numReplicas: 4 }],
    ] as const) {
      const answer = await send(method, path, body, own);
      expect(answer.status, `${method} ${path}`).to.equal(200);
      expect(answer.text).to.equal("{}");
    }
    expect(answers[2]).to.include("keySuffix").and.include("[redacted]");
    expect(answers[0]).to.include("orders-stream").and.include("Overview").and.include("on-call");
    // The id of a key stands in the journal, as a user name does.
    expect(answers[1]).to.include("/stack/alerts");
    for (const secret of secrets) {
      expect(secret).to.be.a("string").with.length.above(8);
      for (const answer of answers) expect(answer).to.not.include(secret);
    }
  });

  it("shows the bodies of a request and of its answer, also of one that a fault changed", async () => {
    const { client } = tested;
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    await client.observability("GET", "/nothing");
    await client.sandbox.faults.set([
      { kind: "cut-short", operation: "createKey" },
      { kind: "huge", megabytes: 1, operation: "listKeys" },
      { kind: "reset", operation: "listAlerts" },
    ]);
    const refused = () => undefined;
    await client.organizationRequest("POST", "/keys", { name: "ci", roles: ["admin"] }).catch(refused);
    await client.organizationRequest("GET", "/keys").catch(refused);
    await client.observability("GET", "/alerts").catch(refused);
    await client.sandbox.faults.clear();
    const bodies = async (number: number) => (await send("GET", `${tested.url}/requests/${number}`)).body;
    const { request, response } = await bodies(1);
    expect(JSON.parse(request)).to.deep.equal({ numReplicas: 5 });
    expect(JSON.parse(response).result).to.deep.include({ numReplicas: 5, encryptionKey: "[redacted]" });
    expect((await bodies(2)).response).to.include("Cannot GET /api/v2/nothing");
    expect(JSON.parse((await bodies(3)).response).result).to.deep.include({
      keyId: "[redacted]",
      keySecret: "[redacted]",
    });
    expect((await bodies(4)).response).to.equal("(an answer of many megabytes)");
    expect(await bodies(5)).to.deep.equal({});
    expect(await send("GET", `${tested.url}/requests/99`)).to.deep.include({
      status: 404,
      body: { error: "the sandbox no longer knows this request" },
    });
  });

  it("keeps the answers of the newest 500 requests, and none without a console", async () => {
    const { client } = tested;
    for (let number = 0; number < 501; number += 1) await client.observability("GET", "/alerts");
    const kept = client.sandbox.requests.filter(({ responseBody }) => responseBody !== undefined);
    expect(kept.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 500 }, (_, index) => index + 2),
    );
    const without = await Client.start();
    await without.observability("GET", "/alerts");
    expect(without.sandbox.requests[0]).to.include({ status: 200 }).and.not.have.property("responseBody");
    await without.sandbox.close();
  });

  it("changes alerts, dashboards, keys, scaling and the query endpoint by the rules of the API", async () => {
    const { id, dashboard: dashboardId, tileId } = await tested.createAlert();
    const { store } = tested.client.sandbox;
    const alert = { name: "Errors", message: null, threshold: 9 };
    expect((await send("PUT", `${tested.service}/alerts/${id}`, alert, own)).status).to.equal(200);
    expect(store.alerts.get(id)).to.deep.include({ ...alert, thresholdType: "above", tileId });
    const tiles = store.dashboards.get(dashboardId)?.tiles.slice(1);
    const body = { name: "Overview", tiles };
    expect((await send("PUT", `${tested.service}/dashboards/${dashboardId}`, body, own)).status).to.equal(
      200,
    );
    expect(store.dashboards.get(dashboardId)?.tiles).to.have.length(1);
    expect(store.alerts.size).to.equal(0);
    for (const [path, change, error] of [
      [
        "/replicaScaling",
        { numReplicas: 1 },
        "numReplicas must be >= 2 for the first service in a warehouse",
      ],
      ["/replicaScaling", { idleTimeoutMinutes: 1 }, "idleTimeoutMinutes must be >= 5"],
    ] as const) {
      expect(await send("PATCH", tested.service + path, change, own)).to.deep.include({
        status: 400,
        body: { error },
      });
    }
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: "https://a.example" };
    expect((await send("POST", `${tested.service}/serviceQueryEndpoint`, endpoint, own)).status).to.equal(
      200,
    );
    expect([...store.queryEndpoints.values()][0]).to.deep.include(endpoint);
    const elsewhere = `${tested.url}/services/00000000-0000-0000-0000-000000000000/alerts/${id}`;
    expect((await send("DELETE", elsewhere, undefined, own)).status).to.equal(404);
  });

  it("answers the sample data of a tile over a whole range, or in buckets", async () => {
    const [source] = tested.client.sandbox.store.sources.values();
    const series = [{ sourceId: source?.id, aggFn: "count", where: "", groupBy: [] }];
    const startTime = Date.UTC(2026, 0, 15);
    const range = { startTime, endTime: startTime + 3_600_000 };
    const whole = await send("POST", `${tested.service}/series`, { series, ...range }, own);
    expect(whole.body.points).to.have.length(1);
    const parts = await send(
      "POST",
      `${tested.service}/series`,
      { series, ...range, bucketLength: 300_000 },
      own,
    );
    expect(parts.body.points).to.have.length(12);
    const sum = parts.body.points.reduce(
      (total: number, { values }: { values: number[] }) => total + (values[0] ?? 0),
      0,
    );
    expect(sum).to.equal(whole.body.points[0].values[0]);
    const unknown = await send(
      "POST",
      `${tested.service}/series`,
      { series: [{ ...series[0], where: "a:b" }], ...range },
      own,
    );
    expect(unknown).to.deep.include({
      status: 200,
      body: {
        problem: "series.0.where: unknown column a; columns of a log source: ServiceName, SeverityText",
      },
    });
  });

  it("answers the quantile that a tile names, and refuses a filter in SQL", async () => {
    const [source] = tested.client.sandbox.store.sources.values();
    const startTime = Date.UTC(2026, 0, 15);
    const ask = async (series: object) => {
      const one = { sourceId: source?.id, aggFn: "quantile", where: "", groupBy: [], ...series };
      const body = { series: [one], startTime, endTime: startTime + 3_600_000 };
      const answer = await send("POST", `${tested.service}/series`, body, own);
      expect(answer.status).to.equal(200);
      return answer.body.problem ?? answer.body.points[0].values[0];
    };
    expect(await ask({ level: 0.95 }))
      .to.equal(await ask({ aggFn: "p95" }))
      .and.to.not.equal(await ask({}));
    expect(await ask({ whereLanguage: "sql" })).to.equal(await ask({}));
    expect(await ask({ whereLanguage: "lucene", where: "ServiceName:api" })).to.be.a("number");
    expect(await ask({ whereLanguage: "sql", where: "ServiceName = 'api'" })).to.equal(
      "series.0.whereLanguage: the sandbox does not read SQL; write conditions as column:value",
    );
  });

  it("refuses a console port that is no port or is taken twice", async () => {
    for (const [options, message] of [
      [{ consolePort: -1 }, "consolePort must be an integer from 0 to 65535"],
      [{ consolePort: 45000, port: 45000 }, "port, obsPort and consolePort must differ"],
    ] as const) {
      const error = await createSandbox(options).catch((reason) => reason);
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.equal(message);
    }
  });
});
