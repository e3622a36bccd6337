import { once } from "node:events";
import http from "node:http";
import { expect } from "chai";
import { createSandbox } from "../../sandbox/src";
import type { ConsoleView, NewRequests } from "../../sandbox/src/console/view";
import { Client, dashboard, send } from "./requests";

const own = { "x-sandbox-console": "1" };

/** What the console tells a page, read event by event. */
async function listen(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${url}/events`, { headers, signal: leaving.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  /** The next event of a kind; those before it are passed over. */
  const next = async <Data>(kind: string): Promise<Data> => {
    for (;;) {
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        const [, data] = new RegExp(`^event: ${kind}\ndata: (.*)$`, "m").exec(event) ?? [];
        if (data !== undefined) return JSON.parse(data);
      }
      const { value, done } = await reader.read();
      if (done) throw new Error(`the console ended before an event ${kind}`);
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    response,
    view: () => next<ConsoleView>("view"),
    requests: () => next<NewRequests>("requests"),
    leave: () => leaving.abort(),
  };
}

/** A request whose Host is not that of the address. */
async function sendTo(url: string, headers: Record<string, string>, method = "GET", path = "/") {
  const request = http.request(new URL(path, url), { method, headers });
  request.end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("sandbox: console", () => {
  let client: Client;
  let url: string;
  let service: string;
  before(async () => {
    client = await Client.start({ consolePort: 0 });
    url = client.sandbox.consoleUrl;
    service = `${url}/services/${client.sandbox.credentials.serviceId}`;
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const createAlert = async () => {
    const { body } = await client.service("POST", "/stack/dashboards", dashboard);
    const { id, tiles } = body.result;
    const answer = await client.service("POST", "/stack/alerts", {
      ...{ name: "Errors", message: "Look", source: "tile", dashboardId: id, tileId: tiles[0].id },
      ...{ threshold: 5, thresholdType: "above", interval: "5m" },
      channel: { type: "webhook", webhookId: client.webhookId },
    });
    return answer.body.result as { id: string; dashboard: string; tileId: string };
  };

  it("is there only where it is asked for", async () => {
    const without = await createSandbox();
    expect(without.consoleUrl).to.equal("");
    await without.close();
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it("serves its page under a policy that lets no script in but its own", async () => {
    for (const [path, type] of [
      ["/", "text/html; charset=utf-8"],
      ["/app.js", "text/javascript; charset=utf-8"],
      ["/app.css", "text/css; charset=utf-8"],
      ["/icon.svg", "image/svg+xml"],
    ] as const) {
      const { status, type: found, headers } = await send("GET", url + path);
      expect({ path, status, found }).to.deep.equal({ path, status: 200, found: type });
      expect(headers.get("content-security-policy"))
        .to.include("default-src 'none'")
        .and.include("script-src 'self';")
        .and.include("frame-ancestors 'none'")
        .and.not.include("unsafe");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
    }
    expect((await send("GET", `${url}/nothing`)).status).to.equal(404);
  });

  for (const host of [
    "attacker.example",
    "attacker.example:80",
    "127.0.0.1.attacker.example",
    "localhost.example",
  ]) {
    it(`refuses a request to the host ${host}`, async () => {
      for (const path of ["/", "/events", "/app.js"]) {
        expect(await sendTo(url, { host }, "GET", path)).to.equal(403);
      }
      expect(await sendTo(url, { host, ...own }, "DELETE", "/keys/x")).to.equal(403);
    });
  }

  it("answers to localhost as well", async () => {
    expect(await sendTo(url, { host: `localhost:${new URL(url).port}` })).to.equal(200);
  });

  for (const origin of ["https://attacker.example", "http://127.0.0.1:1", "http://localhost", "null"]) {
    it(`refuses a request of a page of ${origin}`, async () => {
      for (const [method, path] of [
        ["GET", "/events"],
        ["GET", "/"],
        ["PATCH", "/keys/x"],
        ["OPTIONS", "/keys/x"],
      ] as const) {
        const answer = await send(method, url + path, undefined, { origin, ...own });
        expect(answer.status).to.equal(403);
        expect(answer.headers.get("access-control-allow-origin")).to.equal(null);
      }
    });
  }

  it("refuses a change without the header that only its own page can send, and takes it with that and its origin", async () => {
    const [key] = client.sandbox.store.keys.values();
    const body = { state: "disabled" };
    const answer = await send("PATCH", `${url}/keys/${key?.id}`, body, { origin: url });
    expect(answer).to.deep.include({
      status: 403,
      body: { error: "a change needs the header x-sandbox-console" },
    });
    expect(key?.state).to.equal("enabled");
    expect((await send("PATCH", `${url}/keys/${key?.id}`, body, { origin: url, ...own })).status).to.equal(
      200,
    );
    expect(key?.state).to.equal("disabled");
  });

  it("shows everything without a secret, and answers none", async () => {
    const { keySecret, accessToken, keyId } = client.sandbox.credentials;
    const created = await client.organizationRequest("POST", "/keys", { name: "ci", roles: ["admin"] });
    await createAlert();
    const { store } = client.sandbox;
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
    const events = await listen(url);
    const answers = [JSON.stringify(await events.view()), JSON.stringify(await events.requests())];
    events.leave();
    const key = { name: "by hand", roles: ["admin"] };
    for (const [method, path, body] of [
      ["POST", `${url}/keys`, key],
      ["GET", `${url}/keys`, undefined],
      ["GET", `${url}/keys/${record?.id}`, undefined],
      ["GET", service, undefined],
      ["PATCH", `${service}/replicaScaling`, { numReplicas: 4 }],
    ] as const) {
      const answer = await send(method, path, body, own);
      expect(answer.status, `${method} ${path}`).to.equal(200);
      expect(answer.text).to.equal("{}");
    }
    expect(answers[0]).to.include("orders-stream").and.include("Overview").and.include("on-call");
    // The id of a key stands in the journal, as a user name does.
    expect(answers[1]).to.include("/stack/alerts");
    for (const secret of secrets) {
      expect(secret).to.be.a("string").with.length.above(8);
      for (const answer of answers) expect(answer).to.not.include(secret);
    }
  });

  it("tells an open page of each change and each request, and leaves its own out of the journal", async () => {
    const events = await listen(url);
    expect(events.response.headers.get("content-type")).to.equal("text/event-stream");
    expect((await events.view()).services[0]?.numReplicas).to.equal(3);
    expect(await events.requests()).to.deep.equal({ afresh: true, requests: [] });
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    expect((await events.view()).services[0]?.numReplicas).to.equal(5);
    const { afresh, requests } = await events.requests();
    expect(afresh).to.equal(false);
    expect(requests).to.have.length(1);
    expect(requests[0]).to.deep.include({ number: 1, method: "PATCH", status: 200, api: "management" });
    expect(JSON.parse(requests[0]?.body ?? "")).to.deep.equal({ numReplicas: 5 });
    await send("PATCH", `${service}/replicaScaling`, { numReplicas: 6 }, own);
    expect((await events.view()).services[0]?.numReplicas).to.equal(6);
    expect(client.sandbox.requests).to.have.length(1);
    // A change in the store that nobody has asked for is seen within a second.
    for (const one of client.sandbox.store.services.values()) one.numReplicas = 7;
    expect((await events.view()).services[0]?.numReplicas).to.equal(7);
    await client.sandbox.reset();
    expect(await events.requests()).to.deep.equal({ afresh: true, requests: [] });
    events.leave();
  });

  it("goes on where a page was when it connects again, and sends the newest 200 requests at most", async () => {
    for (let number = 0; number < 210; number += 1) await client.observability("GET", "/alerts");
    const events = await listen(url);
    const { requests } = await events.requests();
    expect(requests.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 200 }, (_, index) => index + 11),
    );
    events.leave();
    await client.observability("GET", "/dashboards");
    const again = await listen(url, { "last-event-id": "210" });
    expect((await again.requests()).requests.map(({ number }) => number)).to.deep.equal([211]);
    again.leave();
    const restarted = await listen(url, { "last-event-id": "9999" });
    expect((await restarted.requests()).afresh).to.equal(true);
    restarted.leave();
  });

  it("keeps nothing for a page that does not read, and sends it the newest when it does", async () => {
    const megabytes = 2_000_000;
    const { body } = await client.service("POST", "/stack/dashboards", {
      ...dashboard,
      name: "x".repeat(megabytes),
    });
    const record = client.sandbox.store.dashboards.get(body.result.id);
    const quick = await listen(url);
    await quick.view();
    const slow = http.get(`${url}/events`);
    const [response] = (await once(slow, "response")) as [http.IncomingMessage];
    const changes = 15;
    for (let change = 1; change <= changes; change += 1) {
      if (record) record.tags = [`change ${change}`];
      await client.observability("GET", "/alerts");
      // What this page has was sent to the other one, too.
      while ((await quick.view()).dashboards[0]?.tags[0] !== `change ${change}`);
    }
    quick.leave();
    let received = 0;
    let tail = "";
    for await (const chunk of response) {
      received += chunk.length;
      tail = tail.slice(-100) + chunk;
      if (tail.includes(`"change ${changes}"`)) break;
    }
    slow.destroy();
    expect(received).to.be.below((changes / 2) * megabytes);
  });

  it("changes alerts, dashboards, keys, scaling and the query endpoint by the rules of the API", async () => {
    const { id, dashboard: dashboardId, tileId } = await createAlert();
    const { store } = client.sandbox;
    const alert = { name: "Errors", message: null, threshold: 9 };
    expect((await send("PUT", `${service}/alerts/${id}`, alert, own)).status).to.equal(200);
    expect(store.alerts.get(id)).to.deep.include({ ...alert, thresholdType: "above", tileId });
    const tiles = store.dashboards.get(dashboardId)?.tiles.slice(1);
    const body = { name: "Overview", tiles };
    expect((await send("PUT", `${service}/dashboards/${dashboardId}`, body, own)).status).to.equal(200);
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
      expect(await send("PATCH", service + path, change, own)).to.deep.include({
        status: 400,
        body: { error },
      });
    }
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: "https://a.example" };
    expect((await send("POST", `${service}/queryEndpoint`, endpoint, own)).status).to.equal(200);
    expect([...store.queryEndpoints.values()][0]).to.deep.include(endpoint);
    const elsewhere = `${url}/services/00000000-0000-0000-0000-000000000000/alerts/${id}`;
    expect((await send("DELETE", elsewhere, undefined, own)).status).to.equal(404);
  });

  it("answers the sample data of a tile over a whole range, or in buckets", async () => {
    const [source] = client.sandbox.store.sources.values();
    const series = [{ sourceId: source?.id, aggFn: "count", where: "", groupBy: [] }];
    const startTime = Date.UTC(2026, 0, 15);
    const range = { startTime, endTime: startTime + 3_600_000 };
    const whole = await send("POST", `${service}/series`, { series, ...range }, own);
    expect(whole.body.points).to.have.length(1);
    const parts = await send("POST", `${service}/series`, { series, ...range, bucketLength: 300_000 }, own);
    expect(parts.body.points).to.have.length(12);
    const sum = parts.body.points.reduce(
      (total: number, { values }: { values: number[] }) => total + (values[0] ?? 0),
      0,
    );
    expect(sum).to.equal(whole.body.points[0].values[0]);
    const unknown = await send(
      "POST",
      `${service}/series`,
      { series: [{ ...series[0], where: "a:b" }], ...range },
      own,
    );
    expect(unknown).to.deep.include({
      status: 200,
      body: {
        problem:
          "series.0.where: the sandbox has no column a; columns of a log source: ServiceName, SeverityText",
      },
    });
  });

  it("answers the quantile that a tile names, and refuses a filter in SQL", async () => {
    const [source] = client.sandbox.store.sources.values();
    const startTime = Date.UTC(2026, 0, 15);
    const ask = async (series: object) => {
      const one = { sourceId: source?.id, aggFn: "quantile", where: "", groupBy: [], ...series };
      const body = { series: [one], startTime, endTime: startTime + 3_600_000 };
      const answer = await send("POST", `${service}/series`, body, own);
      expect(answer.status).to.equal(200);
      return answer.body.problem ?? answer.body.points[0].values[0];
    };
    expect(await ask({ level: 0.95 }))
      .to.equal(await ask({ aggFn: "p95" }))
      .and.to.not.equal(await ask({}));
    expect(await ask({ whereLanguage: "sql" })).to.equal(await ask({}));
    expect(await ask({ whereLanguage: "lucene", where: "ServiceName:api" })).to.be.a("number");
    expect(await ask({ whereLanguage: "sql", where: "ServiceName = 'api'" })).to.equal(
      "series.0.whereLanguage: the sandbox reads no SQL, but conditions column:value",
    );
  });

  it("closes with the sandbox, also while a page is open", async () => {
    const other = await createSandbox({ consolePort: 0 });
    const events = await listen(other.consoleUrl);
    const ended = (async () => {
      for (;;) await events.view();
    })().catch((error) => error);
    await other.close();
    expect(await ended).to.be.an("error");
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
