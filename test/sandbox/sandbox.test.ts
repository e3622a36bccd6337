import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { createSandbox, type Sandbox, type SandboxOptions, seededCredentials } from "../../sandbox/index";
import { apis, basic, Client, dashboard } from "./requests";

const { keySecret, accessToken } = seededCredentials;

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.fail("the promise was not rejected"),
    (error: Error) => error,
  );

describe("The server of a sandbox", () => {
  let folder: string;
  let stateFile: string;
  const open: Client<Sandbox>[] = [];
  const start = async (options?: SandboxOptions) => {
    const client = await Client.start(options);
    open.push(client);
    return client;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    stateFile = join(folder, "state.json");
  });
  afterEach(async () => {
    await Promise.allSettled(open.splice(0).map(({ sandbox }) => sandbox.close()));
    await rm(folder, { recursive: true, force: true });
  });

  for (const api of apis)
    it(`an unknown route of the ${api} API is answered with 404 and an HTML page`, async () => {
      const client = await start();
      for (const [method, path, body] of [
        ["GET", "/v1/nothing", undefined],
        ["POST", "/api/v9/alerts", "{"],
      ] as const) {
        const answer = await client.ask(api, method, `${path}?x=1`, body);
        expect(answer).to.include({ status: 404, type: "text/html; charset=utf-8" });
        expect(answer.text).to.include(`<pre>Cannot ${method} ${path}</pre>`);
      }
    });

  it("a documented operation that the sandbox lacks is refused in the format of its API", async () => {
    const client = Client.inProcess({ dialect: "clickhouse" });
    const metrics = await client.service("GET", "/prometheus");
    expect(metrics).to.include({
      status: 501,
      reason: "NOT_IMPLEMENTED: the sandbox lacks this operation",
    });
    expect(metrics.body).to.have.all.keys("status", "error", "requestId");
    const path = `/services/${seededCredentials.serviceId}/prometheus`;
    expect(await client.organization("GET", path, undefined, "")).to.include({ status: 401 });
    expect(await client.observability("POST", "/search", {})).to.deep.include({
      status: 501,
      body: { message: "the sandbox lacks this operation" },
    });
    const undocumented = await client.service("POST", "/snapshots");
    expect(undocumented).to.include({ status: 404, type: "text/html; charset=utf-8" });
    expect(await Client.inProcess().service("GET", "/backups")).to.include({ status: 404 });
  });

  it("the sandbox refuses a body that is not JSON with 415, and a body that is too large with 413", async () => {
    const client = await start();
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "text/plain" };
    const text = await client.ask("observability", "POST", "/api/v2/dashboards", "name=x", headers);
    expect(text.status).to.equal(415);
    const large = await client.observability("POST", "/dashboards", `"${"x".repeat(33 * 1024 * 1024)}"`);
    expect(large).to.include({ status: 413, text: "" });
  });

  /** Starts a sandbox whose management API an API key has asked as often as the limit allows. */
  const atLimit = async () => {
    const client = await start({ rateLimit: { management: { requests: 2, seconds: 10 } } });
    const list = (authorization?: string) => client.organization("GET", "/keys", undefined, authorization);
    const made = (await client.organization("POST", "/keys", { roles: ["admin"] })).payload;
    expect((await list()).status).to.equal(200);
    return { client, list, made };
  };

  it("the management API says when it allows the next request of an API key at its limit", async () => {
    const { list } = await atLimit();
    const limited = await list();
    expect(limited.status).to.equal(429);
    expect(limited.reason).to.match(/^TOO_MANY_REQUESTS: /);
    expect(Number(limited.headers.get("x-ratelimit-reset"))).to.be.within(0.001, 10);
  });

  it("the limit of the management API counts only requests of one API key to this API", async () => {
    const { client, list, made } = await atLimit();
    expect((await list()).status).to.equal(429);
    expect((await list(basic(made.keyId, made.keySecret))).status).to.equal(200);
    expect((await client.observability("GET", "/alerts")).status).to.equal(200);
  });

  it("a reset of the sandbox allows an API key at its limit new requests", async () => {
    const { client, list } = await atLimit();
    expect((await list()).status).to.equal(429);
    await client.sandbox.reset();
    expect((await list()).status).to.equal(200);
  });

  it("the sandbox limits requests to the observability API with status 429, an HTML page and Retry-After", async () => {
    const client = Client.inProcess({ rateLimit: { observability: { requests: 1, seconds: 0.2 } } });
    const get = () => client.observability("GET", "/alerts");
    expect((await get()).status).to.equal(200);
    const limited = await get();
    expect(limited).to.include({ status: 429, type: "text/html; charset=utf-8" });
    expect(limited.headers.get("retry-after")).to.equal("1");
    client.sandbox.pass(200);
    expect((await get()).status).to.equal(200);
  });

  for (const api of apis)
    it(`a sandbox with the option apis serves only the ${api} API`, async () => {
      const client = await start({ apis: api });
      const { baseUrl, obsBaseUrl } = client.sandbox;
      expect(api === "management" ? obsBaseUrl : baseUrl).to.equal("");
      expect((await client.stack(api, "GET", "/alerts")).status).to.equal(200);
    });

  it("closing a sandbox ends kept connections and requests under way, and can be repeated", async () => {
    const { sandbox } = await start();
    const socket = connect(Number(new URL(sandbox.baseUrl).port), "127.0.0.1");
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

  it("a program ends by itself after it has closed its sandbox", async () => {
    const program = `
      require("tsx/cjs");
      const { createSandbox } = require("./sandbox/index");
      createSandbox({ stateFile: process.argv[1] }).then(async (sandbox) => {
        await (await fetch(sandbox.baseUrl + "/v1/nothing")).text();
        await sandbox.close();
        console.log("closed");
      });`;
    const cwd = join(__dirname, "../..");
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["-e", program, stateFile], { cwd, timeout: 15_000 });
    expect(stdout).to.equal("closed\n");
  });

  it("the sandbox keeps its objects in a state file over a restart, without any key's secret", async () => {
    const first = await start({ stateFile });
    const made = (await first.organization("POST", "/keys", { roles: ["admin"] })).payload;
    const created = (await first.observability("POST", "/dashboards", dashboard)).payload;
    await first.service("PATCH", "/scaling", { numReplicas: 7 });
    await first.sandbox.close();
    const text = await readFile(stateFile, "utf8");
    for (const secret of [made.keySecret, keySecret, accessToken]) expect(text).to.not.include(secret);
    if (process.platform !== "win32") expect((await stat(stateFile)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.deep.equal(["state.json"]);

    const second = await start({ stateFile });
    const signed = basic(made.keyId, made.keySecret);
    expect((await second.organization("GET", `/keys/${made.key.id}`, undefined, signed)).status).to.equal(
      200,
    );
    expect((await second.observability("GET", "/dashboards")).payload).to.deep.equal([created]);
    expect((await second.service("GET", "")).payload.numReplicas).to.equal(7);
    await second.sandbox.reset();
    await second.sandbox.close();
    const third = await start({ stateFile });
    expect((await third.observability("GET", "/dashboards")).payload).to.deep.equal([]);
  });

  it("the sandbox writes its state file soon after a change", async () => {
    const client = await start({ stateFile });
    const { id } = (await client.observability("POST", "/dashboards", dashboard)).payload;
    while (!(await readFile(stateFile, "utf8")).includes(id))
      await new Promise((resolve) => setImmediate(resolve));
  });

  it("closing a sandbox fails if the last changes could not be written to the state file", async () => {
    const client = await start({ stateFile });
    await rm(folder, { recursive: true });
    expect((await client.organization("GET", "/keys")).status).to.equal(200);
    expect((await failure(client.sandbox.close())).message).to.match(/^cannot write the state file /);
    expect((await failure(fetch(client.sandbox.baseUrl))).message).to.equal("fetch failed");
  });

  for (const [text, reason] of [
    ["{", "is not JSON"],
    ['{"services":[]}', "is not the state of a sandbox"],
    ["null", "is not the state of a sandbox"],
  ] as const)
    it(`the sandbox refuses a state file that contains ${text}, and does not change the file`, async () => {
      await writeFile(stateFile, text);
      const { message } = await failure(start({ stateFile }));
      expect(message).to.include(stateFile).and.include(reason);
      expect(await readFile(stateFile, "utf8")).to.equal(text);
    });

  it("the error about a port in use begins with the option that set the port, such as obsPort", async () => {
    const port = Number(new URL((await start()).sandbox.baseUrl).port);
    expect((await failure(start({ port }))).message).to.equal(`port ${port} is in use by another program`);
    expect((await failure(start({ obsPort: port }))).message).to.match(/^obsPort /);
  });

  for (const [options, message] of [
    [{ port: 70000 }, /^port must be an integer from 0 to 65535/],
    [{ obsPort: 1.5 }, /^obsPort must be/],
    [{ consolePort: -1 }, /^consolePort must be an integer from 0 to 65535/],
    [{ port: 4000, obsPort: 4000 }, /^port, obsPort and consolePort must differ/],
    [{ port: 4000, consolePort: 4000 }, /^port, obsPort and consolePort must differ/],
    [{ stateFile: "" }, /^stateFile must be/],
    [{ rewrites: ["none"] }, /^rewrites must be among defaults, /],
    [{ rateLimit: { management: { requests: 0, seconds: 10 } } }, /^rateLimit\.management: /],
    [{ apis: "none" }, /^apis must be one of /],
    [{ dialect: "hyperdx" }, /^dialect must be one of /],
  ] as const)
    it(`createSandbox refuses the options ${JSON.stringify(options)}`, async () => {
      const error = await failure(createSandbox(options as unknown as SandboxOptions));
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.match(message);
    });
});
