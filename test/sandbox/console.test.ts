import { expect } from "chai";
import { Model } from "../../sandbox/core/model";
import { seededCredentials } from "../../sandbox/index";
import { consoleHeader, listen, useConsole } from "./consoleClient";
import { basic, createTileAlert, send } from "./requests";

const { organizationId, keyId, keySecret, accessToken } = seededCredentials;

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
