import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { createSandbox, type Rewrite } from "../../sandbox/index";
import { basic, Client, dashboard, send } from "./requests";

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("the promise was not rejected");
}

describe("sandbox: errors and limits", () => {
  let client: Client;
  afterEach(() => client.sandbox.close());

  it("an unknown route is answered with 404 and a page, on both APIs", async () => {
    client = await Client.start();
    for (const url of [client.sandbox.baseUrl, client.sandbox.obsBaseUrl]) {
      for (const [method, path] of [
        ["GET", "/v1/nothing"],
        ["POST", "/api/v9/alerts"],
      ] as const) {
        const answer = await send(method, `${url}${path}?x=1`, method === "POST" ? "{" : undefined);
        expect(answer).to.include({ status: 404, type: "text/html; charset=utf-8" });
        expect(answer.text).to.include(`<pre>Cannot ${method} ${path}</pre>`);
      }
    }
  });

  it("a body that is not JSON is refused with 415, one that is too large with 413 and no body", async () => {
    client = await Client.start();
    const headers = { authorization: `Bearer ${client.sandbox.credentials.accessToken}` };
    const url = `${client.sandbox.obsBaseUrl}/api/v2/dashboards`;
    expect((await send("POST", url, "name=x", { ...headers, "content-type": "text/plain" })).status).to.equal(
      415,
    );
    const large = await send("POST", url, `"${"x".repeat(33 * 1024 * 1024)}"`, headers);
    expect(large).to.include({ status: 413, text: "" });
  });

  it("the management API answers 429 with X-RateLimit-Reset after the limit of a key", async () => {
    client = await Client.start({ rateLimit: { management: { requests: 2, seconds: 10 } } });
    const { key, keyId, keySecret } = (
      await client.organizationRequest("POST", "/keys", { roles: ["admin"] })
    ).body.result;
    expect((await client.organizationRequest("GET", `/keys/${key.id}`)).status).to.equal(200);
    const limited = await client.organizationRequest("GET", "/keys");
    expect(limited.status).to.equal(429);
    expect(limited.body.error).to.match(/^TOO_MANY_REQUESTS: /);
    expect(Number(limited.headers.get("x-ratelimit-reset"))).to.be.within(0.001, 10);
    const other = await client.organizationRequest("GET", "/keys", undefined, basic(keyId, keySecret));
    expect(other.status).to.equal(200);
    expect((await client.observability("GET", "/alerts")).status).to.equal(200);
    await client.sandbox.reset();
    expect((await client.organizationRequest("GET", "/keys")).status).to.equal(200);
  });

  it("the observability API answers 429 as a page with Retry-After, and allows requests again after that", async () => {
    client = await Client.start({ rateLimit: { observability: { requests: 1, seconds: 0.2 } } });
    const get = () => client.observability("GET", "/alerts");
    expect((await get()).status).to.equal(200);
    const limited = await get();
    expect(limited).to.include({ status: 429, type: "text/html; charset=utf-8" });
    expect(limited.headers.get("retry-after")).to.equal("1");
    let answer = limited;
    while (answer.status === 429) answer = await get();
    expect(answer.status).to.equal(200);
  });
});

describe("sandbox: start and end", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("two sandboxes have the same credentials and different ports, on 127.0.0.1", async () => {
    const [first, second] = [await createSandbox(), await createSandbox()];
    expect(first.credentials).to.deep.equal(second.credentials);
    expect(first.store.contents()).to.deep.equal(second.store.contents());
    const urls = [first.baseUrl, first.obsBaseUrl, second.baseUrl, second.obsBaseUrl];
    expect(new Set(urls).size).to.equal(4);
    for (const url of urls) expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    await Promise.all([first.close(), second.close()]);
  });

  it("the seeded key looks like a real one", async () => {
    const { credentials, close } = await createSandbox();
    expect(credentials.keyId).to.match(/^[A-Za-z0-9]{20}$/);
    expect(credentials.keySecret).to.match(/^SandboxOnly[A-Za-z0-9]{29}$/);
    expect(credentials.accessToken).to.match(/^sandbox-only-/);
    await close();
  });

  it("reset puts the store back to the seed", async () => {
    const client = await Client.start();
    const seeded = JSON.stringify(client.sandbox.store.contents());
    await client.organizationRequest("POST", "/keys", { roles: ["admin"] });
    await client.service("PATCH", "/scaling", { numReplicas: 7 });
    await client.observability("POST", "/dashboards", dashboard);
    await client.sandbox.reset();
    expect(JSON.stringify(client.sandbox.store.contents())).to.equal(seeded);
    await client.sandbox.close();
  });

  it("close ends keep-alive connections and requests under way, and may be called twice", async () => {
    const sandbox = await createSandbox();
    const { port } = new URL(sandbox.baseUrl);
    const socket = connect(Number(port), "127.0.0.1");
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    const answered = new Promise((resolve) => socket.once("data", resolve));
    socket.write("GET /v1/nothing HTTP/1.1\r\nhost: sandbox\r\n\r\n");
    await answered;
    socket.write("POST /v1/nothing HTTP/1.1\r\nhost: sandbox\r\ncontent-length: 10\r\n\r\n{");
    await sandbox.close();
    await ended;
    await sandbox.close();
    expect((await failure(fetch(sandbox.baseUrl))).message).to.equal("fetch failed");
  });

  it("a program ends by itself after close", async () => {
    const program = `
      require("tsx/cjs");
      const { createSandbox } = require("./sandbox/index");
      const url = (sandbox) => sandbox.baseUrl + "/v1/nothing";
      createSandbox({ stateFile: process.argv[1] })
        .then(async (sandbox) => {
          await (await fetch(url(sandbox))).text();
          await sandbox.close();
          console.log("closed");
        });`;
    const stateFile = join(folder, "state.json");
    const cwd = join(__dirname, "../..");
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["-e", program, stateFile], { cwd, timeout: 15_000 });
    expect(stdout).to.equal("closed\n");
  });

  it("a state file keeps the store over a restart, without the text of any key's secret", async () => {
    const stateFile = join(folder, "state.json");
    const first = await Client.start({ stateFile });
    const { key, keyId, keySecret } = (await first.organizationRequest("POST", "/keys", { roles: ["admin"] }))
      .body.result;
    const created = (await first.observability("POST", "/dashboards", dashboard)).body.data;
    await first.service("PATCH", "/scaling", { numReplicas: 7 });
    await first.sandbox.close();

    const text = await readFile(stateFile, "utf8");
    expect(text).to.not.include(keySecret).and.not.include(first.sandbox.credentials.keySecret);
    expect(text).to.not.include(first.sandbox.credentials.accessToken);
    if (process.platform !== "win32") expect((await stat(stateFile)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.deep.equal(["state.json"]);

    const second = await Client.start({ stateFile });
    const signed = await second.organizationRequest(
      "GET",
      `/keys/${key.id}`,
      undefined,
      basic(keyId, keySecret),
    );
    expect(signed.status).to.equal(200);
    expect((await second.observability("GET", "/dashboards")).body).to.deep.equal({ data: [created] });
    expect((await second.service("GET", "")).body.result.numReplicas).to.equal(7);
    await second.sandbox.reset();
    await second.sandbox.close();
    const third = await Client.start({ stateFile });
    expect((await third.observability("GET", "/dashboards")).body).to.deep.equal({ data: [] });
    await third.sandbox.close();
  });

  it("a state file is written without waiting for the end", async () => {
    const stateFile = join(folder, "state.json");
    const { sandbox, observability } = await Client.start({ stateFile }).then((client) => ({
      sandbox: client.sandbox,
      observability: client.observability.bind(client),
    }));
    const { id } = (await observability("POST", "/dashboards", dashboard)).body.data;
    while (!(await readFile(stateFile, "utf8")).includes(id))
      await new Promise((resolve) => setImmediate(resolve));
    await sandbox.close();
  });

  it("close fails when the last changes could not be written to the state file", async () => {
    const client = await Client.start({ stateFile: join(folder, "state.json") });
    await rm(folder, { recursive: true });
    expect((await client.organizationRequest("GET", "/keys")).status).to.equal(200);
    expect((await failure(client.sandbox.close())).message).to.match(/^cannot write the state file /);
    expect((await failure(fetch(client.sandbox.baseUrl))).message).to.equal("fetch failed");
  });

  for (const [what, text] of [
    ["is not JSON", "{"],
    ["is not the state of a sandbox", '{"services":[]}'],
    ["is not the state of a sandbox", "null"],
  ] as const) {
    it(`a state file that holds ${text} is refused and left as it is`, async () => {
      const stateFile = join(folder, "state.json");
      await writeFile(stateFile, text);
      const { message } = await failure(createSandbox({ stateFile }));
      expect(message).to.include(stateFile).and.include(what);
      expect(await readFile(stateFile, "utf8")).to.equal(text);
    });
  }

  it("a state file in a folder that does not exist is refused at the start", async () => {
    const stateFile = join(folder, "missing", "state.json");
    expect((await failure(createSandbox({ stateFile }))).message).to.match(/^cannot write the state file /);
  });

  it("a port that is taken is refused with the name of the option", async () => {
    const sandbox = await createSandbox();
    const port = Number(new URL(sandbox.baseUrl).port);
    expect((await failure(createSandbox({ port }))).message).to.equal(
      `port ${port} is in use by another program`,
    );
    expect((await failure(createSandbox({ obsPort: port }))).message).to.match(/^obsPort /);
    await sandbox.close();
  });

  for (const [options, message] of [
    [{ port: 70000 }, /^port must be an integer from 0 to 65535/],
    [{ obsPort: 1.5 }, /^obsPort must be/],
    [{ port: 4000, obsPort: 4000 }, /must differ/],
    [{ stateFile: "" }, /^stateFile must be/],
    [{ rewrites: ["none" as Rewrite] }, /^rewrites must be among defaults, /],
    [{ rateLimit: { management: { requests: 0, seconds: 10 } } }, /^rateLimit\.management: /],
  ] as const) {
    it(`createSandbox(${JSON.stringify(options)}) is refused`, async () => {
      const error = await failure(
        createSandbox({ ...options, rewrites: "rewrites" in options ? [...options.rewrites] : [] }),
      );
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.match(message);
    });
  }
});
