import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { zipOf } from "../archives";
import { type Answer, Client, unknownUuid, useSandbox } from "./requests";

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
  const attachment = (functionName: string) => `/udfs/${functionName}/attachments/${serviceId}`;

  it("POST /udfs answers with the documented defaults while the version is built", async () => {
    const made = await create("echo");
    expect(made.status, made.text).to.equal(201);
    expect(made.payload).to.include({
      ...{ functionName: "echo", version: 1, status: "building", error: null, format: "TabSeparated" },
      ...{ commandReadTimeout: 10_000, maxCommandExecutionTime: 10, poolSize: null, sandboxVersion: "v2" },
    });
  });

  it("a pool has three commands unless the body says otherwise, and a native function the basic sandbox", async () => {
    const members = { type: "executable_pool", runtime: "native", sandboxType: "netenable" };
    expect((await create("pooled", members)).payload).to.include({
      poolSize: 3,
      sandboxType: "basic",
      sandboxVersion: "v1",
    });
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

  const next = async () =>
    organization("POST", "/udfs/echo/versions", { ...settings, uploadId: await uploaded() });
  const attach = (body: object = {}) => organization("PUT", attachment("echo"), body);

  const version = (number: number) => organization("DELETE", `/udfs/echo/versions/${number}`);
  const refused: readonly [what: string, isBuilt: boolean, ask: () => Promise<Answer>, status: number][] = [
    ["a name that is taken", true, () => create("echo"), 409],
    ["a name that is built in", true, () => create("sum"), 400],
    ["a version while one is built", false, next, 409],
    ["the deletion of a version that does not exist", true, () => version(3), 404],
    ["the deletion of the only version", true, () => version(1), 409],
    ["the deletion of a function while it is built", false, () => organization("DELETE", "/udfs/echo"), 409],
    ["to attach a version that is not built", false, attach, 409],
    ["to attach a version that does not exist", true, () => attach({ version: 2 }), 404],
  ];
  for (const [what, isBuilt, ask, status] of refused)
    it(`the sandbox refuses ${what}`, async () => {
      await (isBuilt ? built : create)("echo");
      expect((await ask()).status).to.equal(status);
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
