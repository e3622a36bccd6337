import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axios, { type InternalAxiosRequestConfig } from "axios";
import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import type { Session } from "../../../provider/lifecycle/session";
import { type State, trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import { archiveAt } from "../../../provider/resources/udf/archive";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { seededCredentials, type Udf } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { useService } from "../lifecycle/scriptedService";
import { addUdf } from "./udf.example";

const { organizationId, serviceId } = seededCredentials;
const { Udf: resource } = resources;

describe("User-defined functions", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const { model, count } = service;
  const open = (settings = {}) => service.open({ dialect: "clickhouse", ...settings });
  const stored = (name = "echo") => model.store.udfs.get(name) as Udf;

  let folder: string;
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const program = (changed: PropertyMap = {}) => ({
    ...{ organizationId, functionName: "echo", sourcePath: folder, runtime: "python3.11" },
    ...{ type: "executable", arguments: [{ name: "line", type: "String" }], returnType: "String" },
    ...changed,
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "udf-"));
    put("main.py", "print(1)\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const checked = async (
    inputs: PropertyMap = program(),
    olds: PropertyMap = {},
    session = open().session,
  ) => {
    const result = await resource.check(olds, inputs, session);
    expect(result.failures).to.deep.equal([]);
    return result.inputs;
  };
  const create = async (changed: PropertyMap = {}, session: Session = open().session) =>
    resource.create(await checked(program(changed)), session);
  const update = async (state: State, changed: PropertyMap = {}, session: Session = open().session) =>
    resource.update("echo", state, await checked(program(changed), state), session);
  const refusals = async (inputs: PropertyMap, olds: PropertyMap = {}) =>
    (await resource.check(olds, inputs, open().session)).failures.map(
      ({ path, message }) => `${path} ${message}`,
    );
  const changesOf = async (state: State, changed: PropertyMap = {}) =>
    (await resource.diff("echo", state, await checked(program(changed), state), open().session)).map(
      ({ path }) => path,
    );

  it("a create waits until the version of the uploaded code is built", async () => {
    const { session, notices } = open();
    const { id, state, failure } = await create({}, session);
    expect(failure).to.equal(undefined);
    expect(id).to.equal("echo");
    expect(state).to.include({ version: 1, status: "ready", sandboxVersion: "v2" });
    expect(notices).to.include("version 1 of UDF echo is building");
    expect(stored()).to.include({ status: "ready", format: "TabSeparated" });
    expect(await changesOf(state)).to.deep.equal([]);
  });

  it("a create makes a function of a name that a function of another organization has", async () => {
    const { session } = open();
    const other = { ...program(), organizationId: serviceId };
    await resource.diff("echo", other, other, session);
    const { id, state, failure } = await create({}, session);
    expect(failure).to.equal(undefined);
    expect([id, state.version]).to.deep.equal(["echo", 1]);
  });

  it("an upload gives away neither the key of the service nor its own address", async () => {
    const seen: InternalAxiosRequestConfig[] = [];
    const { adapter } = axios.defaults;
    axios.defaults.adapter = async (config) => {
      if (config.method === "PUT") seen.push(config);
      return (adapter as (config: unknown) => never)(config);
    };
    service.gateway = async (operation, carryOut, path) =>
      path.includes("udfUploads/") && operation === "none" ? { status: 403, body: "no" } : carryOut();
    const failure = await failureOf(create());
    axios.defaults.adapter = adapter;
    expect(seen).to.have.length(1);
    expect(seen[0]?.headers.Authorization).to.equal(undefined);
    expect(failure.message).to.match(/^the upload to management\.localhost failed \(status 403\)$/);
    expect(model.store.udfs.size).to.equal(0);
  });

  it("nothing is uploaded to an address without TLS, which no message shows", async () => {
    const address = "http://store.example.com/a-secret-path";
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation !== "createUdfUpload" || typeof answer === "function") return answer;
      const text = JSON.stringify(JSON.parse(String(answer.body)), (name, value) =>
        name === "uploadUrl" ? address : value,
      );
      return { ...answer, body: text };
    };
    const { message } = await failureOf(create());
    expect(message).to.equal(
      "the service gave an address at store.example.com without TLS for the upload; nothing was sent",
    );
    expect(model.store.udfs.size).to.equal(0);
  });

  it("an upload that the store does not answer is repeated", async () => {
    let uploads = 0;
    service.gateway = async (operation, carryOut) =>
      operation === "none" && uploads++ === 0 ? reset : carryOut();
    expect((await create()).state.status).to.equal("ready");
    expect(uploads).to.equal(2);
  });

  it("an update of the code publishes the next version", async () => {
    const { state } = await create();
    put("main.py", "print(2)\n");
    expect(await changesOf(state)).to.deep.equal(["sourceHash"]);
    const next = await update(state);
    expect(next).to.include({ version: 2, status: "ready" });
    expect(stored().older.map(({ version }) => version)).to.deep.equal([1]);
    expect(await changesOf(next)).to.deep.equal([]);
  });

  it("a preview knows the version unless the update publishes another one", async () => {
    const { state } = await create();
    const planned = async (changed: PropertyMap = {}) =>
      resource.plan(state, await checked(program(changed), state), open().session).version;
    expect(await planned()).to.equal(1);
    expect(await planned({ waitMinutes: 5 })).to.equal(1);
    expect(await planned({ returnType: "UInt64" })).to.equal(unknown);
    put("main.py", "print(2)\n");
    expect(await planned()).to.equal(unknown);
  });

  it("a change of what no version has, such as the path, publishes none", async () => {
    const { state } = await create();
    const other = join(folder, "main.py");
    expect(await changesOf(state, { waitMinutes: 5 })).to.deep.equal(["waitMinutes"]);
    expect(await changesOf(state, { sourcePath: other })).to.deep.equal(["sourcePath"]);
    const next = await update(state, { waitMinutes: 5, sourcePath: other });
    expect(next).to.include({ version: 1, status: "ready", sourcePath: other });
    expect(count("createUdfVersion")).to.equal(0);
  });

  it("only a declaration that goes away has its default in the next version", async () => {
    const { state } = await create({ format: "CSV", type: "executable_pool", poolSize: 5 });
    stored().deterministic = true;
    const next = await update(state, { type: "executable" });
    expect(stored()).to.include({ version: 2, format: "TabSeparated", poolSize: null, deterministic: true });
    expect(await changesOf(next, { type: "executable" })).to.deep.equal([]);
  });

  it("an update keeps a function without a time limit as long as the program declares none", async () => {
    const { state } = await create();
    stored().maxCommandExecutionTime = null;
    put("main.py", "print(2)\n");
    const next = await update(state);
    expect(stored()).to.include({ version: 2, maxCommandExecutionTime: null });
    const limited = await update(next, { maxCommandExecutionTime: 20 });
    expect(stored()).to.include({ version: 3, maxCommandExecutionTime: 20 });
    await update(limited);
    expect(stored()).to.include({ version: 4, maxCommandExecutionTime: 10 });
  });

  it("a create whose build fails shows the log until the next update publishes again", async () => {
    model.store.organization.provisioning = "fails";
    const { id, state, failure } = await create();
    const log = "Step 3/7 : RUN pip install\nERROR: exit code 1";
    expect(failure?.message).to.equal(
      `the build of version 1 of UDF echo failed; services keep the version that they run. Mend the code and run pulumi up, which publishes the next version\n${log}`,
    );
    expect(state).to.include({ version: 1, status: "error" });
    expect(trackingOf(state).awaiting).to.equal("update");
    const read = await resource.read(id, state, open().session);
    expect(read).to.have.nested.property("state.error", log);
    expect(await changesOf(state)).to.deep.equal(["functionName"]);
    model.store.organization.provisioning = "works";
    const { session, warnings } = open();
    const next = await update(state, {}, session);
    expect(next).to.include({ version: 2, status: "ready" });
    expect(next.error ?? undefined).to.equal(undefined);
    expect(trackingOf(next).awaiting).to.equal(undefined);
    expect(warnings).to.deep.equal([]);
  });

  it("an update publishes again after a failed build without a warning of other people's changes", async () => {
    const { state } = await create();
    model.store.organization.provisioning = "fails";
    const failed = await failureOf(update(state, { returnType: "UInt64" }));
    expect(failed.message).to.include("the build of version 2 of UDF echo failed");
    expect(failed.message).to.include("ERROR: exit code 1");
    const { state: left } = failed as unknown as { state: State };
    expect(left).to.include({ version: 2, status: "error", returnType: "UInt64" });
    model.store.organization.provisioning = "works";
    const { session, warnings } = open();
    expect(await update(left, { returnType: "UInt64" }, session)).to.include({ version: 3, status: "ready" });
    expect(warnings).to.deep.equal([]);
  });

  it("an update goes on with a wait that took too long instead of publishing again", async () => {
    model.store.organization.provisioning = "hangs";
    const { state, failure } = await create({ waitMinutes: 2 });
    expect(failure?.message).to.match(
      /^version 1 of UDF echo is still building after 2 min, the limit of waitMinutes/,
    );
    Object.assign(stored(), { steps: [{ status: "ready", error: null, at: Date.now() + 60_000 }] });
    expect(await changesOf(state, { waitMinutes: 2 })).to.deep.equal(["functionName"]);
    expect(await update(state, { waitMinutes: 2 })).to.include({ version: 1, status: "ready" });
    expect(count("createUdfVersion")).to.equal(0);
  });

  it("an update of the code waits for the build that is under way", async () => {
    model.store.organization.provisioning = "hangs";
    const { state } = await create({ waitMinutes: 1 });
    model.store.organization.provisioning = "works";
    Object.assign(stored(), { steps: [{ status: "ready", error: null, at: Date.now() + 60_000 }] });
    put("main.py", "print(2)\n");
    expect(await update(state)).to.include({ version: 2, status: "ready" });
  });

  it("an update does not hide that somebody else has published a version", async () => {
    const { id, state } = await create();
    Object.assign(stored(), { version: 5, format: "CSV" });
    const { session, warnings } = open();
    const read = (await resource.read(id, state, session)) as { inputs: PropertyMap; state: State };
    expect(read.inputs.sourceHash).to.equal("that of version 5, published by somebody else");
    expect(await changesOf(read.state)).to.deep.equal(["sourceHash"]);
    const next = await update(state, { returnType: "UInt64" }, session);
    expect(next).to.include({ version: 6 });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/somebody else changed .*sourceHash/);
    expect((await update(read.state)).version).to.equal(7);
  });

  it("with onConflict fail an update publishes nothing over somebody else's version", async () => {
    const { state } = await create();
    stored().version = 5;
    const { session } = open({ onConflict: "fail" });
    const failed = await failureOf(update(state, { returnType: "UInt64" }, session));
    expect(failed.message).to.match(/nothing was written, since onConflict is "fail"/);
    expect(stored().version).to.equal(5);
  });

  it("a version of somebody else that overtakes the build fails the update", async () => {
    const { state } = await create();
    const failing = failureOf(update(state, { returnType: "UInt64" }));
    setTimeout(() => Object.assign(stored(), { version: 3, status: "ready", steps: undefined }), 20_000);
    expect((await failing).message).to.match(
      /^UDF echo has version 3 now, which somebody else has published while version 2 was built/,
    );
  });

  it("a version whose answer is lost is found by its number and content", async () => {
    const { state } = await create();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "createUdfVersion" ? reset : answer;
    };
    const next = await update(state, { returnType: "UInt64" });
    expect(next).to.include({ version: 2, status: "ready" });
    expect(count("createUdfVersion")).to.equal(1);
    expect(await changesOf(next, { returnType: "UInt64" })).to.deep.equal([]);
  });

  it("a name that is taken is refused before anything is uploaded", async () => {
    addUdf(model, { functionName: "echo" });
    const failed = await failureOf(create());
    expect(failed.message).to.match(/is also named "echo".*adoptId/s);
    expect(count("createUdfUpload")).to.equal(0);
  });

  describe("whose names differ in their case alone", () => {
    const both = async () => {
      const { id, state } = await create();
      addUdf(model, { functionName: "Echo", returnType: "UInt64" });
      return { id, state };
    };

    it("a create is refused if its name differs from another in its case alone", async () => {
      await both();
      const failed = await failureOf(create({ functionName: "ECHO" }));
      expect(failed.message).to.match(
        /^functionName: the organization has a UDF (E|e)cho, from which ECHO differs/,
      );
    });

    it("a function is not taken for another one whose name differs in its case alone", async () => {
      const { id, state } = await both();
      expect(await resource.read(id, state, open().session)).to.have.nested.property(
        "inputs.returnType",
        "String",
      );
      await resource.delete(id, state, open().session);
      expect([...model.store.udfs.keys()]).to.deep.equal(["Echo"]);
    });
  });

  it("an imported function needs no code until it is changed", async () => {
    addUdf(model, { functionName: "echo" });
    const read = await importObject(resource, `${organizationId}/echo`, {}, open().session);
    if (typeof read === "string") throw new Error(read);
    expect(read.inputs).to.not.have.any.keys("sourcePath", "sourceHash");
    const { sourcePath: _, ...imported } = program();
    expect(await refusals(imported, read.inputs)).to.deep.equal([]);
    expect(await resource.diff("echo", read.state, imported, open().session)).to.deep.equal([]);
    const changed = { ...imported, returnType: "UInt64" };
    const failed = await failureOf(resource.update("echo", read.state, changed, open().session));
    expect(failed.message).to.match(/^sourcePath is missing/);
    expect(await changesOf(read.state)).to.include("sourceHash");
    expect(await update(read.state)).to.include({ version: 2 });
  });

  it("the failure to delete a function names the service that runs it", async () => {
    const { id, state } = await create();
    const attachment = { id: `echo:${serviceId}`, functionName: "echo", serviceId, version: 1 };
    model.store.udfAttachments.set(attachment.id, { ...attachment, status: "deployed" });
    const failed = await failureOf(resource.delete(id, state, open().session));
    expect(failed.message).to.match(new RegExp(`^UDF echo is attached to service ${serviceId}`));
    expect(count("deleteUdf")).to.equal(0);
    model.store.udfAttachments.clear();
    await resource.delete(id, state, open().session);
    expect(model.store.udfs.size).to.equal(0);
  });

  it("a deletion waits for the build that is under way", async () => {
    model.store.organization.provisioning = "hangs";
    const { id, state } = await create({ waitMinutes: 1 });
    Object.assign(stored(), { steps: [{ status: "ready", error: null, at: Date.now() + 30_000 }] });
    await resource.delete(id, state, open().session);
    expect(model.store.udfs.size).to.equal(0);
  });

  it("the check says what is wrong with the code and the properties without a request", async () => {
    const { sourcePath: _, ...without } = program();
    expect(await refusals(without)).to.deep.equal([
      "sourcePath is missing: name the folder, the file or the ZIP with the code",
    ]);
    const [absent] = await refusals(program({ sourcePath: join(folder, "absent") }));
    expect(absent).to.match(/^sourcePath \/.*absent in \/.* cannot be read \(ENOENT\)$/);
    expect(await refusals(program({ poolSize: 3 }))).to.deep.equal([
      'poolSize goes with the type "executable_pool" alone: take it out',
    ]);
    expect(await refusals(program({ runtime: "native", sandboxType: "netenable" }))).to.deep.equal([
      "sandboxType must be basic for native code: the service gives it no other",
    ]);
    expect((await refusals(program({ functionName: "my-echo" })))[0]).to.match(
      /^functionName .*a word of letters/,
    );
    expect(service.requests).to.deep.equal([]);
  });

  it("Python without a main.py is not uploaded either where the program declares the hash", async () => {
    renameSync(join(folder, "main.py"), join(folder, "other.py"));
    const failed = await failureOf(create({ sourceHash: archiveAt(folder).hash }));
    expect(failed.message).to.match(/has no main\.py at its root, with which/);
    expect(count("createUdfUpload")).to.equal(0);
  });

  it("the hash of a path that is not known yet is not known either", async () => {
    expect((await checked(program({ sourcePath: unknown }))).sourceHash).to.equal(unknown);
  });

  it("code that does not have the declared hash is not published", async () => {
    const failed = await failureOf(create({ sourceHash: "abc=" }));
    expect(failed.message).to.match(
      /^sourcePath: the code at .* has the SHA-256 .*, and not the declared abc=/,
    );
    expect(count("createUdfUpload")).to.equal(0);
  });

  it("a replaced function goes first only where the name stays", async () => {
    const { state } = await create();
    expect(resource.isDeletedFirst?.(state, program())).to.equal(true);
    expect(resource.isDeletedFirst?.(state, program({ functionName: "other" }))).to.equal(false);
  });
});
