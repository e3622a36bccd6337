import { once } from "node:events";
import http from "node:http";
import { expect } from "chai";
import { consoleHeader, useConsole } from "./consoleClient";
import { send } from "./requests";

async function sendTo(url: string, headers: Record<string, string>, method = "GET", path = "/") {
  const request = http.request(new URL(path, url), { method, headers });
  request.end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("HTTP access to the sandbox's console", () => {
  const tested = useConsole();

  for (const [path, type] of [
    ["/", "text/html; charset=utf-8"],
    ["/app.js", "text/javascript; charset=utf-8"],
    ["/app.css", "text/css; charset=utf-8"],
    ["/icon.svg", "image/svg+xml"],
  ] as const)
    it(`the console serves ${path} under a policy that allows only its own scripts`, async () => {
      const { headers, ...answer } = await send("GET", tested.url + path);
      expect(answer).to.include({ status: 200, type });
      expect(headers.get("content-security-policy"))
        .to.include("default-src 'none'")
        .and.include("script-src 'self';")
        .and.include("frame-ancestors 'none'")
        .and.not.include("unsafe");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
    });

  it("the console answers 404 at an address without a page", async () => {
    expect((await send("GET", `${tested.url}/nothing`)).status).to.equal(404);
  });

  const hosts = [
    "attacker.example",
    "attacker.example:80",
    "127.0.0.1.attacker.example",
    "localhost.example",
  ];
  for (const host of hosts)
    it(`the console refuses a request to the host ${host}`, async () => {
      for (const path of ["/", "/events", "/app.js"])
        expect(await sendTo(tested.url, { host }, "GET", path)).to.equal(403);
      expect(await sendTo(tested.url, { host, ...consoleHeader }, "DELETE", "/keys/x")).to.equal(403);
    });

  it("the sandbox's console accepts requests to the host localhost", async () => {
    expect(await sendTo(tested.url, { host: `localhost:${new URL(tested.url).port}` })).to.equal(200);
  });

  for (const origin of ["https://attacker.example", "http://127.0.0.1:1", "http://localhost", "null"])
    it(`the console refuses a request from a page of ${origin}`, async () => {
      for (const line of ["GET /events", "GET /", "PATCH /keys/x", "OPTIONS /keys/x"]) {
        const [method = "", path] = line.split(" ");
        const answer = await send(method, `${tested.url}${path}`, undefined, { origin, ...consoleHeader });
        expect(answer.status).to.equal(403);
        expect(answer.headers.get("access-control-allow-origin")).to.equal(null);
      }
    });

  it("the console refuses a change without the header x-sandbox-console, which only its own page can send", async () => {
    const [key] = tested.client.sandbox.store.keys.values();
    const disable = (headers: Record<string, string>) =>
      send(
        "PATCH",
        `${tested.url}/keys/${key?.id}`,
        { state: "disabled" },
        { origin: tested.url, ...headers },
      );
    const reason = "a change requires the header x-sandbox-console";
    expect(await disable({})).to.include({ status: 403, reason });
    expect(key?.state).to.equal("enabled");
    expect((await disable(consoleHeader)).status).to.equal(200);
    expect(key?.state).to.equal("disabled");
  });
});
