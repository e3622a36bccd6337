import { expect } from "chai";
import { type RequestMoment, type Sandbox, seededCredentials } from "../../sandbox/index";
import { basic, Client } from "./requests";

const { organizationId, keyId, keySecret } = seededCredentials;

describe("Functions that watch a sandbox's requests", () => {
  let client: Client<Sandbox>;
  before(async () => {
    client = await Client.start();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const body = { name: "watched", roles: ["developer"] };
  const createKey = () => client.organization("POST", "/keys", body);
  const made = () => client.sandbox.store.keys.size - 1;

  it("a function that watches requests is called at each stage of a request until it is removed", async () => {
    const told: [RequestMoment["stage"], number][] = [];
    const path = `/v1/organizations/${organizationId}/keys`;
    await new Promise<void>((resolve) => {
      const stop = client.sandbox.watch(({ stage, socket, ...moment }) => {
        expect(moment).to.deep.equal({ api: "management", method: "POST", path });
        told.push([stage, made()]);
        if (stage !== "answered") return;
        stop();
        resolve();
      });
      void createKey();
    });
    await createKey();
    expect(told).to.deep.equal([
      ["received", 0],
      ["carriedOut", 1],
      ["answered", 1],
    ]);
  });

  it("a request is not carried out if its client leaves while a function that watches the request holds it", async () => {
    const leaving = new AbortController();
    let stop = () => {};
    const gone = new Promise<void>((resolve) => {
      stop = client.sandbox.watch(async ({ socket }) => {
        const closed = new Promise((close) => socket.once("close", close));
        leaving.abort();
        await closed;
        resolve();
      });
    });
    const headers = { authorization: basic(keyId, keySecret), "content-type": "application/json" };
    const url = `${client.sandbox.baseUrl}/v1/organizations/${organizationId}/keys`;
    const request = { method: "POST", headers, body: JSON.stringify(body), signal: leaving.signal };
    const error = await fetch(url, request).catch((reason: Error) => reason);
    expect(error).to.have.property("name", "AbortError");
    await gone;
    stop();
    await createKey();
    expect([made(), client.sandbox.requests.length]).to.deep.equal([1, 1]);
  });
});
