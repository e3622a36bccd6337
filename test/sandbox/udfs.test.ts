import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { zipOf } from "../archives";
import { judge } from "../productJudge";
import { Client, unknownUuid, useSandbox } from "./requests";

const { serviceId } = seededCredentials;

const code = zipOf({ "main.py": "import sys\n" });
const settings = {
  ...{ runtime: "python3.11", type: "executable", returnType: "String" },
  arguments: [{ name: "input", type: "String" }],
};

describe("User-defined functions in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const organization = (method: string, path: string, body?: object) =>
    client.organization(method, path, body);
  const begin = async () => (await organization("POST", "/udfUploads/url")).payload;
  const put = (uploadUrl: string, archive: Buffer, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(uploadUrl);
    const type = { "content-type": "application/zip" };
    return client.ask("management", "PUT", pathname + search, archive.toString("latin1"), {
      ...type,
      ...headers,
    });
  };
  const uploaded = async (archive = code) => {
    const { uploadId, uploadUrl } = await begin();
    await put(uploadUrl, archive);
    return uploadId as string;
  };
  const create = async (functionName: string, changed: object = {}, archive = code) =>
    organization("POST", "/udfs", {
      ...{ ...settings, functionName, uploadId: await uploaded(archive) },
      ...changed,
    });
  const built = async (functionName: string) => {
    await create(functionName);
    client.sandbox.pass(60_000);
  };
  const get = async (functionName: string) => (await organization("GET", `/udfs/${functionName}`)).payload;
  const attachment = (functionName: string) => `/udfs/${functionName}/attachments/${serviceId}`;

  it("POST /udfs answers with the documented defaults while the version is built", async () => {
    const made = await create("echo");
    expect(made.status, made.text).to.equal(201);
    expect(made.payload).to.include({
      ...{ functionName: "echo", version: 1, status: "building", error: null, format: "TabSeparated" },
      ...{ commandReadTimeout: 10_000, maxCommandExecutionTime: 10, poolSize: null, sandboxVersion: "v2" },
    });
    expect(judge.answerFailure("management", "createUdf", made.payload)).to.equal(undefined);
    client.sandbox.pass(60_000);
    expect(await get("echo")).to.include({ status: "ready", version: 1 });
    expect((await organization("GET", "/udfs")).payload[0]).to.include({ functionName: "echo" });
  });

  it("a pool has three commands unless the body says otherwise, and a native function the basic sandbox", async () => {
    const pool = await create("pooled", {
      type: "executable_pool",
      runtime: "native",
      sandboxType: "netenable",
    });
    expect(pool.payload).to.include({ poolSize: 3, sandboxType: "basic", sandboxVersion: "v1" });
    expect((await create("single", { poolSize: 2 })).status).to.equal(400);
  });

  it("POST /udfs refuses a name that is taken, built in or no word", async () => {
    await built("echo");
    expect((await create("echo")).status).to.equal(409);
    expect((await create("sum")).reason).to.match(/built-in/);
    expect((await create("my-echo")).status).to.equal(400);
    expect((await create("Echo")).status).to.equal(201);
  });

  it("an upload can be filled only by its address and without a key, and used once within an hour", async () => {
    const { uploadId, uploadUrl } = await begin();
    const publish = (functionName: string, id: string) =>
      organization("POST", "/udfs", { ...settings, functionName, uploadId: id });
    expect((await publish("empty", uploadId)).reason).to.match(/Nothing was uploaded/);
    expect((await put(uploadUrl, code, { authorization: "Basic YTpi" })).status).to.equal(400);
    expect((await put(uploadUrl.replace(/signature=.*/, "signature=guess"), code)).status).to.equal(403);
    expect((await put(uploadUrl, code)).status).to.equal(200);
    expect((await publish("one", uploadId)).status).to.equal(201);
    expect((await publish("two", uploadId)).status).to.equal(409);
    expect((await publish("two", unknownUuid)).status).to.equal(400);
    const late = await uploaded();
    client.sandbox.pass(3_600_000);
    expect((await publish("late", late)).status).to.equal(410);
  });

  it("a build fails without main.py, and says so in the version that is shown", async () => {
    await create("echo", {}, zipOf({ "src/main.py": "" }));
    client.sandbox.pass(60_000);
    expect(await get("echo")).to.include({
      ...{ status: "error", error: "main.py is missing at the root of the archive" },
    });
    await create("native", { runtime: "native" }, zipOf({ run: "" }));
    client.sandbox.pass(60_000);
    expect(await get("native")).to.include({ status: "ready" });
  });

  it("a new version takes all members anew, and waits for the end of the build before it", async () => {
    await create("echo", { format: "CSV" });
    const path = "/udfs/echo/versions";
    const next = async (changed: object = {}) =>
      organization("POST", path, { ...settings, uploadId: await uploaded(), ...changed });
    expect((await next()).status).to.equal(409);
    client.sandbox.pass(60_000);
    expect((await next()).payload).to.include({ version: 2, format: "TabSeparated", status: "building" });
    const { payload: versions } = await organization("GET", path);
    expect(versions.map(({ version }: { version: number }) => version)).to.deep.equal([2, 1]);
    expect((await organization("DELETE", `${path}/3`)).status).to.equal(404);
    expect((await organization("DELETE", `${path}/1`)).status).to.equal(200);
    expect((await organization("DELETE", `${path}/2`)).status).to.equal(409);
  });

  it("a service takes the newest built version, one at a time, and takes a while for it", async () => {
    await built("echo");
    const made = await organization("PUT", attachment("echo"), {});
    expect(made.payload).to.deep.equal({
      ...{ functionName: "echo", serviceId, version: 1, status: "provisioning" },
    });
    expect(judge.answerFailure("management", "putUdfAttachment", made.payload)).to.equal(undefined);
    expect((await organization("PUT", attachment("echo"), { version: 1 })).status).to.equal(409);
    client.sandbox.pass(60_000);
    expect((await organization("GET", attachment("echo"))).payload.status).to.equal("deployed");
    expect((await organization("GET", "/udfs/echo/attachments")).payload).to.have.length(1);
    expect((await organization("PUT", attachment("echo"), { version: 2 })).status).to.equal(404);
    expect((await organization("DELETE", attachment("echo"))).status).to.equal(200);
    expect((await organization("GET", attachment("echo"))).payload.status).to.equal("deprovisioning");
    client.sandbox.pass(60_000);
    expect((await organization("GET", attachment("echo"))).status).to.equal(404);
  });

  it("no service takes a version that is not built, and no idle service takes any", async () => {
    await create("echo");
    expect((await organization("PUT", attachment("echo"), {})).status).to.equal(409);
    client.sandbox.pass(60_000);
    Object.assign(client.sandbox.store.services.get(serviceId) ?? {}, { state: "idle" });
    expect((await organization("PUT", attachment("echo"), {})).status).to.equal(424);
  });

  it("DELETE /udfs/:name takes the function off all services, but not while it is built", async () => {
    await create("echo");
    expect((await organization("DELETE", "/udfs/echo")).status).to.equal(409);
    client.sandbox.pass(60_000);
    await organization("PUT", attachment("echo"), {});
    expect((await organization("DELETE", "/udfs/echo")).status).to.equal(200);
    expect(client.sandbox.store.udfAttachments.size).to.equal(0);
    expect((await organization("GET", "/udfs/echo")).status).to.equal(404);
  });

  it("the server itself takes the bytes of an archive at the address that it gives", async () => {
    const server = await Client.start({ dialect: "clickhouse" });
    const { sandbox } = server;
    try {
      const { payload } = await server.organization("POST", "/udfUploads/url");
      const bytes = Buffer.from([0x50, 0x4b, 0x00, 0xff, 0xfe, 0x80]);
      const headers = { "content-type": "application/zip" };
      const answer = await fetch(payload.uploadUrl, { method: "PUT", headers, body: new Uint8Array(bytes) });
      expect(answer.status).to.equal(200);
      const stored = sandbox.store.organization.udfUploads?.[payload.uploadId]?.archive;
      expect(stored).to.equal(bytes.toString("base64"));
    } finally {
      await sandbox.close();
    }
  });
});
