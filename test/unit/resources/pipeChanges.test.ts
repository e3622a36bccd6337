import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { keysIn } from "../../../provider/values/schema";
import { type Pipe, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { useService } from "../lifecycle/service";
import { kafka, postgres } from "./pipe.example";

const { organizationId, serviceId } = seededCredentials;
const { Pipe: resource } = resources;
const place = { organizationId, serviceId };
const login = { username: "reader", password: "a password of the reader" };
const id64 = { name: "id", type: "UInt64" };
const destination = {
  ...{ database: "default", table: "orders", columns: [id64] },
  tableDefinition: { engine: { type: "MergeTree" } },
};
const field = { sourceField: "id", destinationField: "id" };
const stream = {
  ...{ ...place, name: "orders", source: { kafka }, credentials: login, destination },
  fieldMappings: [field],
};
const table = (name: string, further: object = {}) => ({
  ...{ sourceSchemaName: "public", sourceTable: name, targetTable: name },
  ...further,
});
const replicaOf = (...tableMappings: object[]) => ({
  ...{ ...place, name: "replica", source: { postgres: { ...postgres, tableMappings } }, credentials: login },
  destination: { database: "default" },
});
const replica = replicaOf(table("orders"), table("refunds"));
const pem = "-----BEGIN CERTIFICATE-----";
const off = { state: "stopped" };
const at = {
  destination: { ...destination, columns: [{ name: "at", type: "DateTime" }] },
  fieldMappings: [{ sourceField: "at", destinationField: "at" }],
};
const scaling = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 };

describe("Changes of a pipe", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 20_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = (id: string) => model.store.pipes.get(id) as Pipe;
  const make = async (inputs: Data) => {
    const { id, state, failure } = await resource.create(inputs, open().session);
    expect(failure).to.equal(undefined);
    service.time.pass(100_000);
    model.journal.entries.splice(0);
    return { id, state };
  };
  const update = (id: string, state: Data, inputs: Data, session = open().session) =>
    resource.update(id, state, inputs, session);
  const writes = () =>
    model.journal.entries
      .filter(({ method }) => method !== "GET")
      .map(({ operation, requestBody }) => [operation, requestBody] as const);
  const operations = () => writes().map(([operation]) => operation);
  const isDone = async (id: string, state: Data, inputs: Data) => {
    service.time.pass(100_000);
    expect(await resource.diff(id, state, inputs, open().session)).to.deep.equal([]);
    const read = (await resource.read(id, state, open().session)) as { inputs: Data };
    expect(read.inputs).to.deep.equal(inputs);
  };

  it("an update of a pipe sends its requests in the order that the service needs: source and columns, settings, scaling, state", async () => {
    const { id, state } = await make(stream);
    const next = {
      ...{ ...stream, name: "purchases", scaling, settings: { engine_max_threads: 4 }, state: "stopped" },
      source: { kafka: { ...kafka, iamRole: "arn:role" } },
      destination: { ...destination, columns: [id64, { name: "at", type: "DateTime" }] },
      fieldMappings: [field, { sourceField: "at", destinationField: "at" }],
    };
    const updated = await update(id, state, next);
    const [[, changed], [, settings]] = writes() as unknown as [[string, Data], [string, Data]];
    expect(operations()).to.deep.equal([
      ...["updatePipe", "putPipeSettings", "updatePipeScaling", "updatePipeState"],
    ]);
    expect(changed).to.deep.equal({
      name: "purchases",
      source: { kafka: { iamRole: "arn:role" } },
      destination: { columns: next.destination.columns },
      fieldMappings: next.fieldMappings,
    });
    expect(settings).to.include({ clickhouse_max_threads: 4, streaming_max_insert_wait_ms: 5000 });
    expect([updated.status, stored(id).state]).to.deep.equal(["Stopped", "Stopped"]);
    await isDone(id, updated, next);
  });

  for (const [what, after, change, next] of [
    ["name", "putPipeSettings", { name: "of somebody" }, {}],
    ["name", "putPipeSettings", { name: "of somebody" }, { name: "purchases" }],
    ["destination.columns", "putPipeSettings", { columns: [{ name: "key", type: "DateTime" }] }, at],
    [
      "settings.engine_max_threads",
      "updatePipeScaling",
      { settings: { engine_max_threads: 9 } },
      { scaling },
    ],
    ["scaling.replicas", "updatePipeState", { scaling: { ...scaling, replicas: 7 } }, { scaling, ...off }],
  ] as const)
    it(`an update of a pipe warns if somebody changes ${what} meanwhile, and a refresh shows that as drift: ${Object.keys(next)}`, async () => {
      const { id, state } = await make(stream);
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation !== after) return answer;
        const { columns, settings, ...others } = change as Data;
        const pipe = stored(id);
        Object.assign(pipe, others);
        Object.assign(pipe.settings, settings);
        if (columns) pipe.destination = { ...pipe.destination, columns: columns as [] };
        return answer;
      };
      const { session, warnings } = open();
      const inputs = { ...stream, settings: { engine_max_threads: 4 }, ...next };
      const updated = await update(id, state, inputs, session);
      expect(warnings.join()).to.include(`pipe ${id}: somebody else changed ${what}`);
      const read = (await resource.read(id, updated, open().session)) as { inputs: Data };
      expect(valueAt(read.inputs, keysIn(what))).to.not.deep.equal(valueAt(inputs, keysIn(what)));
    });

  for (const [now, wished, isOther] of [
    ["Stopped", "running", true],
    ["Stopped", "stopped", false],
    ["Running", "stopped", false],
  ] as const)
    it(`an update that begins to declare ${wished} for a pipe that ran and is ${now} ${isOther ? "warns of somebody else's change" : "warns of nothing"}`, async () => {
      const { id, state } = await make(stream);
      stored(id).state = now;
      const { session, warnings } = open();
      await update(id, state, { ...stream, state: wished }, session);
      const conflict = `pipe ${id}: somebody else changed state (now "stopped") since the last deployment or refresh; the update overwrites it`;
      expect(warnings).to.deep.equal(isOther ? [conflict] : []);
    });

  it("an update waits for a pipe that restarts because an earlier update was killed", async () => {
    const { id, state } = await make(stream);
    const steps = [{ state: "Failed", at: Date.now() + 60_000 }];
    Object.assign(stored(id), { state: "Provisioning", steps });
    const next = { ...stream, settings: { engine_max_threads: 4 } };
    expect((await failureOf(update(id, state, next))).message).to.match(/is Failed, .*clickpipes_log/);
  });

  it("an update of field mappings also sends the columns, and nothing else", async () => {
    const { id, state } = await make(stream);
    const next = { ...stream, fieldMappings: [{ ...field, sourceField: "key" }] };
    await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipe", { destination: { columns: [id64] }, fieldMappings: next.fieldMappings }],
    ]);
  });

  it("an update of object storage settings sends only the settings that differ", async () => {
    const source = {
      objectStorage: { type: "s3", format: "CSV", url: "https://a.example.com/*", isContinuous: true },
    };
    const { credentials: _, ...open } = { ...stream, source, settings: { engine_max_threads: 2 } };
    const { id, state } = await make(open);
    await update(id, state, { ...open, settings: { engine_max_threads: 2, object_storage_concurrency: 3 } });
    expect(writes()).to.deep.equal([["putPipeSettings", { object_storage_concurrency: 3 }]]);
  });

  it("an update of a pipe's settings keeps settings that somebody changes while the source is updated", async () => {
    const { id, state } = await make(stream);
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "updatePipe")
        stored(id).settings = { ...stored(id).settings, engine_max_insert_threads: 9 };
      return answer;
    };
    await update(id, state, { ...stream, name: "purchases", settings: { engine_max_threads: 4 } });
    expect(stored(id).settings).to.include({ engine_max_threads: 4, engine_max_insert_threads: 9 });
  });

  it("an update pauses a database pipe to add and remove tables, and leaves the pipe running", async () => {
    const { id, state } = await make(replica);
    const next = replicaOf(table("refunds"), table("visits"));
    const updated = await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipeState", { command: "stop" }],
      [
        "updatePipe",
        {
          source: {
            postgres: {
              tableMappingsToAdd: [table("visits")],
              tableMappingsToRemove: [{ ...table("orders"), tableEngine: "ReplacingMergeTree" }],
            },
          },
        },
      ],
    ]);
    service.time.pass(100_000);
    expect(stored(id).state).to.equal("Running");
    await isDone(id, updated, next);
  });

  it("an update of one table removes the table and adds it again in two requests, and pauses the pipe for each", async () => {
    const { id, state } = await make(replica);
    const next = replicaOf(table("orders", { excludedColumns: ["card"] }), table("refunds"));
    const updated = await update(id, state, next);
    expect(operations()).to.deep.equal([
      ...["updatePipeState", "updatePipe", "updatePipeState", "updatePipe"],
    ]);
    await isDone(id, updated, next);
  });

  it("an update of tables leaves the pipe paused if the program declares it stopped", async () => {
    const { id, state } = await make({ ...replica, state: "stopped" });
    const next = { ...replicaOf(table("refunds")), state: "stopped" };
    const updated = await update(id, state, next);
    service.time.pass(100_000);
    expect([updated.status, stored(id).state]).to.deep.equal(["Paused", "Paused"]);
  });

  it("the next update completes an update of tables that was killed after it paused the pipe, and the pipe runs again", async () => {
    const { id, state } = await make(replica);
    Object.assign(stored(id), { state: "Paused", steps: undefined });
    await update(id, state, replicaOf(table("refunds")));
    service.time.pass(100_000);
    expect(operations()).to.deep.equal(["updatePipe"]);
    expect(stored(id).state).to.equal("Running");
    // The update was killed after its last request, but before the pipe ran again.
    Object.assign(stored(id), { state: "Paused", steps: undefined });
    await update(id, state, replicaOf(table("refunds")));
    service.time.pass(100_000);
    expect(stored(id).state).to.equal("Running");
  });

  it("an update repairs a failed pipe: it stops, changes and starts the pipe", async () => {
    const { id, state } = await make(stream);
    Object.assign(stored(id), { state: "Failed" });
    const next = { ...stream, credentials: { ...login, password: "the right password" } };
    const updated = await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipeState", { command: "stop" }],
      ["updatePipe", { source: { kafka: { credentials: { username: "reader", password: "[redacted]" } } } }],
      ["updatePipeState", { command: "start" }],
    ]);
    expect(updated.status).to.equal("Running");
  });

  it("an update starts and stops a pipe, and a Completed pipe counts both as running and as stopped", async () => {
    const { id, state } = await make(stream);
    const stopped = await update(id, state, { ...stream, state: "stopped" });
    expect(stopped.status).to.equal("Stopped");
    const running = await update(id, stopped, { ...stream, state: "running" });
    expect(running.status).to.equal("Running");
    expect(operations()).to.deep.equal(["updatePipeState", "updatePipeState"]);
    Object.assign(stored(id), { state: "Completed" });
    const read = (await resource.read(id, running, open().session)) as { inputs: Data; state: Data };
    expect(read.inputs).to.deep.equal({ ...stream, state: "running" });
  });

  it("an update that starts a pipe succeeds if the service has started it meanwhile and refuses a second start", async () => {
    const { id, state } = await make({ ...stream, state: "stopped" });
    const answers: unknown[] = [];
    service.gateway = async (operation, carryOut) => {
      if (operation === "updatePipeState") Object.assign(stored(id), { state: "Running", steps: undefined });
      const answer = await carryOut();
      if (operation === "updatePipeState") answers.push(answer);
      return answer;
    };
    const updated = await update(id, state, { ...stream, state: "running" });
    expect(JSON.stringify(answers)).to.include("already running");
    expect([updated.status, stored(id).state]).to.deep.equal(["Running", "Running"]);
  });

  it("a pipe that somebody has stopped shows drift, and an update starts it again if the program declares it running", async () => {
    const running = { ...stream, state: "running" };
    const { id, state } = await make(running);
    Object.assign(stored(id), { state: "Stopped" });
    const read = (await resource.read(id, state, open().session)) as { inputs: Data; state: Data };
    expect(read.inputs.state).to.equal("stopped");
    const updated = await update(id, read.state, running);
    expect(updated.status).to.equal("Running");
  });

  it("a change of resyncTrigger reloads the tables once, after all other changes", async () => {
    const { id, state } = await make({ ...replica, resyncTrigger: "1" });
    const next = {
      ...replica,
      resyncTrigger: "2",
      source: {
        postgres: { ...postgres, ...{ port: 5433 }, tableMappings: replica.source.postgres.tableMappings },
      },
    };
    const updated = await update(id, state, next);
    expect(operations()).to.deep.equal(["updatePipe", "updatePipeState"]);
    expect(writes().at(-1)).to.deep.equal(["updatePipeState", { command: "resync" }]);
    await isDone(id, updated, next);
  });

  it("a change of a create-only property replaces the pipe, and after an import a warning says that the declared value is assumed", async () => {
    const { id, state } = await make({ ...stream, destination: { ...destination, roles: ["loader"] } });
    const other = { ...stream, destination: { ...destination, roles: ["other"] } };
    const changes = await resource.diff(id, state, other, open().session);
    expect(changes.map(({ replaces }) => replaces)).to.deep.equal([true]);
    const { state: plain, id: imported } = await make({ ...stream, name: "imported" });
    const named = { ...other, name: "imported" };
    expect(
      (await resource.diff(imported, plain, named, open().session)).map(({ replaces }) => replaces),
    ).to.deep.equal([false]);
    const { session, warnings } = open();
    const updated = await update(imported, plain, named, session);
    expect(writes()).to.deep.equal([]);
    expect(warnings.join()).to.match(/assumed to have been created with the declared destination\.roles/);
    expect(await resource.diff(imported, updated, named, open().session)).to.deep.equal([]);
  });

  it("an update of the size of a pipe's replicas ends once the service shows the replicas again, so a refresh shows no drift", async () => {
    const { id, state } = await make({ ...stream, scaling });
    const next = { ...stream, scaling: { ...scaling, replicaCpuMillicores: 500, replicaMemoryGb: 2 } };
    const updated = await update(id, state, next);
    expect(writes()).to.deep.equal([
      ["updatePipeScaling", { replicaCpuMillicores: 500, replicaMemoryGb: 2 }],
    ]);
    const read = (await resource.read(id, updated, open().session)) as { inputs: Data };
    expect(read.inputs).to.deep.equal(next);
    expect(stored(id).scaledUntil).to.be.at.most(Date.now());
  });

  it("a refresh shows only the new size of the replicas while somebody else's scaling of a pipe is under way", async () => {
    const { id, state } = await make({ ...stream, scaling });
    Object.assign(stored(id), {
      scaling: { ...stored(id).scaling, replicaCpuMillicores: 500, replicaMemoryGb: 2 },
      scaledUntil: Date.now() + 60_000,
    });
    const read = (await resource.read(id, state, open().session)) as { inputs: Data };
    expect(read.inputs.scaling).to.deep.equal({ replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 2 });
  });

  it("a change of a source that is Completed replaces the pipe, and a change of its credentials is not sent", async () => {
    const source = {
      objectStorage: {
        type: "s3",
        format: "CSV",
        url: "https://a.example.com/*",
        authentication: "IAM_USER",
      },
    };
    const once = { ...stream, source, credentials: { accessKeyId: "AKIAREADER", secretKey: "a secret" } };
    const { id, state } = await make(once);
    expect(state.status).to.equal("Completed");
    const later = { ...once, source: { objectStorage: { ...source.objectStorage, startAfter: "b" } } };
    expect(
      (await resource.diff(id, state, later, open().session)).map(({ replaces }) => replaces),
    ).to.deep.equal([true]);
    const columns = { ...once, destination: { ...destination, columns: [{ name: "id", type: "String" }] } };
    expect(
      (await resource.diff(id, state, columns, open().session)).map(({ replaces }) => replaces),
    ).to.deep.equal([true]);
    await update(id, state, columns);
    expect(writes()).to.deep.equal([]);
    const { session, warnings } = open();
    await update(
      id,
      state,
      { ...once, credentials: { ...once.credentials, secretKey: "another secret" } },
      session,
    );
    expect(writes()).to.deep.equal([]);
    expect(warnings.join()).to.match(/is Completed, and takes no change of its source/);
  });

  it("an update warns that the pipe keeps properties of its source or settings that leave the program", async () => {
    const settings = { engine_max_threads: 4, streaming_max_insert_wait_ms: 1000 };
    const { iamRole, ...without } = { ...kafka, iamRole: "arn:role", caCertificate: pem };
    const { id, state } = await make({ ...stream, source: { kafka: { ...without, iamRole } }, settings });
    const { engine_max_threads: _, ...left } = settings;
    const next = { ...stream, source: { kafka: without }, settings: left };
    const { session, warnings } = open();
    const updated = await update(id, state, next, session);
    expect(warnings).to.deep.equal([
      `pipe ${id} keeps its source.kafka.iamRole, which the API cannot remove; declare another value to change it`,
      `pipe ${id} keeps its settings.engine_max_threads, which the API cannot remove; declare another value to change it`,
    ]);
    expect(writes()).to.deep.equal([]);
    expect(stored(id).settings).to.include(settings);
    await isDone(id, updated, next);
  });

  for (const lost of ["updatePipe", "putPipeSettings", "updatePipeScaling", "updatePipeState"])
    it(`an update whose ${lost} is refused is completed by the next update, which sends only what is missing`, async () => {
      const { id, state } = await make(stream);
      const next = {
        ...{ ...stream, scaling, settings: { engine_max_threads: 4 }, state: "stopped" },
        source: { kafka: { ...kafka, caCertificate: "-----BEGIN CERTIFICATE-----" } },
        credentials: { ...login, password: "the next password" },
      };
      service.gateway = async (operation, carryOut) =>
        operation === lost ? { status: 400, body: { error: "BAD_REQUEST: not now" } } : carryOut();
      const failure = await failureOf(update(id, state, next));
      expect(failure.message).to.match(/not now|BAD_REQUEST/);
      expect(failure.message).to.not.include("the next password");
      service.gateway = undefined;
      const updated = await update(id, state, next);
      await isDone(id, updated, next);
      expect(JSON.stringify(stored(id).credentials)).to.include("the next password");
    });

  it("an update that fails after it has sent credentials makes the next update send its own credentials, even the former ones", async () => {
    const { id, state } = await make(stream);
    service.gateway = async (operation, carryOut) => (operation === "putPipeSettings" ? reset : carryOut());
    const next = { ...stream, credentials: { ...login, password: "the next password" } };
    const failure = await failureOf(update(id, state, { ...next, settings: { engine_max_threads: 4 } }));
    service.gateway = undefined;
    service.time.pass(100_000);
    const { state: incomplete } = failure as UpdatedIncompletely;
    expect(trackingOf(incomplete).awaiting).to.equal("update");
    expect(await resource.diff(id, incomplete, stream, open().session)).to.not.deep.equal([]);
    await update(id, incomplete, stream);
    expect(stored(id).credentials).to.deep.equal({ credentials: login });
  });

  it("an update of a pipe whose answer is lost is sent once more, with the same result", async () => {
    const { id, state } = await make(stream);
    let isLost = false;
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation !== "updatePipe" || isLost) return answer;
      isLost = true;
      return reset;
    };
    const next = { ...stream, name: "purchases" };
    const updated = await update(id, state, next);
    await isDone(id, updated, next);
  });

  it("an update of a pipe that does not end in time is recorded, and the next update continues to wait", async () => {
    const { id, state } = await make({ ...stream, waitMinutes: 1 });
    const next = { ...stream, waitMinutes: 1, state: "stopped" };
    service.gateway = async (operation, carryOut) =>
      operation === "updatePipeState" ? { status: 200, body: { result: {} } } : carryOut();
    const failure = await failureOf(update(id, state, next));
    const kept = (failure as unknown as { state: Data }).state;
    expect(failure.message).to.match(/is still Running after 1 min/);
    expect(trackingOf(kept).awaiting).to.equal("update");
    service.gateway = undefined;
    const updated = await update(id, kept, next);
    expect(updated.status).to.equal("Stopped");
    expect(trackingOf(updated).awaiting).to.equal(undefined);
  });
});
