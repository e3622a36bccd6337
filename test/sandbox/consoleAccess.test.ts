import { once } from "node:events";
import http from "node:http";
import { expect } from "chai";
import { own, useConsole } from "./consoleClient";
import { send } from "./requests";

/** A request whose Host is not that of the address. */
async function sendTo(url: string, headers: Record<string, string>, method = "GET", path = "/") {
  const request = http.request(new URL(path, url), { method, headers });
  request.end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("sandbox: access to the console", () => {
  const tested = useConsole();

  it("serves its page under a policy that lets no script in but its own", async () => {
    for (const [path, type] of [
      ["/", "text/html; charset=utf-8"],
      ["/app.js", "text/javascript; charset=utf-8"],
      ["/app.css", "text/css; charset=utf-8"],
      ["/icon.svg", "image/svg+xml"],
    ] as const) {
      const { status, type: found, headers } = await send("GET", tested.url + path);
      expect({ path, status, found }).to.deep.equal({ path, status: 200, found: type });
      expect(headers.get("content-security-policy"))
        .to.include("default-src 'none'")
        .and.include("script-src 'self';")
        .and.include("frame-ancestors 'none'")
        .and.not.include("unsafe");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
    }
    expect((await send("GET", `${tested.url}/nothing`)).status).to.equal(404);
  });

  for (const host of [
    "attacker.example",
    "attacker.example:80",
    "127.0.0.1.attacker.example",
    "localhost.example",
  ]) {
    it(`refuses a request to the host ${host}`, async () => {
      for (const path of ["/", "/events", "/app.js"]) {
        expect(await sendTo(tested.url, { host }, "GET", path)).to.equal(403);
      }
      expect(await sendTo(tested.url, { host, ...own }, "DELETE", "/keys/x")).to.equal(403);
    });
  }

  it("answers to localhost as well", async () => {
    expect(await sendTo(tested.url, { host: `localhost:${new URL(tested.url).port}` })).to.equal(200);
  });

  for (const origin of ["https://attacker.example", "http://127.0.0.1:1", "http://localhost", "null"]) {
    it(`refuses a request of a page of ${origin}`, async () => {
      for (const [method, path] of [
        ["GET", "/events"],
        ["GET", "/"],
        ["PATCH", "/keys/x"],
        ["OPTIONS", "/keys/x"],
      ] as const) {
        const answer = await send(method, tested.url + path, undefined, { origin, ...own });
        expect(answer.status).to.equal(403);
        expect(answer.headers.get("access-control-allow-origin")).to.equal(null);
      }
    });
  }

  it("refuses a change without the header that only its own page can send, and takes it with that and its origin", async () => {
    const [key] = tested.client.sandbox.store.keys.values();
    const body = { state: "disabled" };
    const answer = await send("PATCH", `${tested.url}/keys/${key?.id}`, body, { origin: tested.url });
    expect(answer).to.deep.include({
      status: 403,
      body: { error: "a change requires the header x-sandbox-console" },
    });
    expect(key?.state).to.equal("enabled");
    expect(
      (await send("PATCH", `${tested.url}/keys/${key?.id}`, body, { origin: tested.url, ...own })).status,
    ).to.equal(200);
    expect(key?.state).to.equal("disabled");
  });
});
