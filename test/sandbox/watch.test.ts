import { expect } from "chai";
import type { RequestMoment, Sandbox } from "../../sandbox/index";
import { Client } from "./requests";

describe("those who watch a sandbox", () => {
  let client: Client<Sandbox>;

  before(async () => {
    client = await Client.start();
  });
  after(() => client.sandbox.close());

  const createKey = () =>
    client.organizationRequest("POST", "/keys", { name: "watched", roles: ["developer"] });

  it("are told when a request was received, was carried out and was answered, until they have enough", async () => {
    const { keys } = client.sandbox.store;
    const before = keys.size;
    const told: [RequestMoment["stage"], number][] = [];
    let answered: (value?: unknown) => void = () => {};
    const end = new Promise((resolve) => {
      answered = resolve;
    });
    const stop = client.sandbox.watch(({ stage, api, method, path }) => {
      expect([api, method]).to.deep.equal(["management", "POST"]);
      expect(path).to.match(/^\/v1\/organizations\/[^/]+\/keys$/);
      told.push([stage, keys.size - before]);
      if (stage === "answered") answered();
    });
    await createKey();
    await end;
    expect(told).to.deep.equal([
      ["received", 0],
      ["carriedOut", 1],
      ["answered", 1],
    ]);
    stop();
    await createKey();
    expect(told).to.have.length(3);
  });

  it("hold the request up until they are done", async () => {
    let isDone = false;
    const stop = client.sandbox.watch(async ({ stage }) => {
      if (stage !== "carriedOut") return;
      await new Promise((resolve) => setImmediate(resolve));
      isDone = true;
    });
    await createKey();
    expect(isDone).to.equal(true);
    stop();
  });

  it("keep a request from being carried out by waiting until its client has gone", async () => {
    const { keys } = client.sandbox.store;
    const before = [keys.size, client.sandbox.requests.length];
    const leaving = new AbortController();
    let gone: (value?: unknown) => void = () => {};
    const end = new Promise((resolve) => {
      gone = resolve;
    });
    const stop = client.sandbox.watch(async ({ socket }) => {
      const closed = new Promise((resolve) => socket.once("close", resolve));
      leaving.abort();
      await closed;
      gone();
    });
    const { authorization, organization } = client;
    const request = fetch(`${organization}/keys`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ name: "watched", roles: ["developer"] }),
      signal: leaving.signal,
    });
    await request.then(
      () => expect.fail("the request was answered"),
      (error: Error) => expect(error.name).to.equal("AbortError"),
    );
    await end;
    stop();
    await createKey();
    expect([keys.size, client.sandbox.requests.length]).to.deep.equal(before.map((count) => count + 1));
  });
});
