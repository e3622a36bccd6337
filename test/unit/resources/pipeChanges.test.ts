import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { valueAt } from "../../../provider/values/pairing";
import { keysIn } from "../../../provider/values/schema";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { place } from "../lifecycle/scriptedService";
import { kafka } from "./pipe.example";
import { destination, id64, stream, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;
const [field] = stream.fieldMappings;
const off = { state: "stopped" };
const at = {
  destination: { ...destination, columns: [{ name: "at", type: "DateTime" }] },
  fieldMappings: [{ sourceField: "at", destinationField: "at" }],
};
const scaling = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 };

describe("Changes of a pipe", () => {
  const { service, open, stored, make, update, writes, operations, isDone } = usePipes();

  it("an update of a pipe sends its requests in the order that the service needs", async () => {
    const { id, state } = await make(stream);
    const next = {
      ...{ ...stream, name: "purchases", scaling, settings: { engine_max_threads: 4 }, state: "stopped" },
      source: { kafka: { ...kafka, iamRole: "arn:role" } },
      destination: { ...destination, columns: [id64, { name: "at", type: "DateTime" }] },
      fieldMappings: [field, { sourceField: "at", destinationField: "at" }],
    };
    const updated = await update(id, state, next);
    const [[, changed], [, settings]] = writes() as unknown as [[string, PropertyMap], [string, PropertyMap]];
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
    it(`an update of a pipe does not hide that somebody changes ${what} meanwhile: ${Object.keys(next)}`, async () => {
      const { id, state } = await make(stream);
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation !== after) return answer;
        const { columns, settings, ...others } = change as PropertyMap;
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
      const read = (await resource.read(id, updated, open().session)) as { inputs: PropertyMap };
      expect(valueAt(read.inputs, keysIn(what))).to.not.deep.equal(valueAt(inputs, keysIn(what)));
    });

  it("an update repeats no setting from before the rate limit made it wait", async () => {
    const { id, state } = await make(stream);
    const { session } = open();
    service.requests.splice(0);
    let isFull = false;
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation !== "getPipe" || isFull) return answer;
      isFull = true;
      // The other requests leave none of the 10 in 10 seconds for the settings.
      const others = Array.from({ length: 10 - service.requests.length }, () =>
        session.call("listReversePrivateEndpoints", place),
      );
      await Promise.all(others);
      setTimeout(() => Object.assign(stored(id).settings, { engine_max_insert_threads: 9 }), 3000);
      return answer;
    };
    await update(id, state, { ...stream, settings: { engine_max_threads: 4 } }, session);
    expect(stored(id).settings).to.include({ engine_max_threads: 4, engine_max_insert_threads: 9 });
    expect(operations()).to.deep.equal(["putPipeSettings"]);
  });

  it("an update repeats no setting from before the service refused its request for a while", async () => {
    const { id, state } = await make(stream);
    let isRefused = false;
    service.gateway = (operation, carryOut) => {
      if (operation !== "putPipeSettings" || isRefused) return carryOut();
      isRefused = true;
      setTimeout(() => Object.assign(stored(id).settings, { engine_max_insert_threads: 9 }), 500);
      return refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "5" });
    };
    await update(id, state, { ...stream, settings: { engine_max_threads: 4 } });
    expect(stored(id).settings).to.include({ engine_max_threads: 4, engine_max_insert_threads: 9 });
  });

  it("an update sends settings even if the rate limit lets no request follow a look soon", async () => {
    const { id, state } = await make(stream);
    const { session } = service.open({ dialect: "clickhouse", requestsPerSecond: 0.1 });
    await update(id, state, { ...stream, settings: { engine_max_threads: 4 } }, session);
    expect(stored(id).settings).to.include({ engine_max_threads: 4 });
  });

  describe("to a property that only a create takes", () => {
    const allowed = { ...stream, allowReplacement: true };
    const withRole = (role: string) => ({ ...allowed, destination: { ...destination, roles: [role] } });

    it("an update assumes a create-only property of an adopted pipe to be as declared", async () => {
      const { id } = await make(allowed);
      const { state: adopted } = await resource.create({ ...allowed, adoptId: id }, open().session);
      const { adoptId: _, ...plain } = adopted;
      const count = writes().length;
      const named = withRole("other");
      const { session, warnings } = open();
      expect((await resource.diff(id, plain, named, session)).map(({ replaces }) => replaces)).to.deep.equal([
        false,
      ]);
      const updated = await update(id, plain, named, session);
      expect(writes().length).to.equal(count);
      expect(warnings.join()).to.match(/assumed to have been created with the declared destination\.roles/);
      expect(await resource.diff(id, updated, named, open().session)).to.deep.equal([]);
    });

    const sshKeyResourceId = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84";
    const registry = { username: "registry", password: "a password of the registry" };
    for (const [path, further] of [
      ["destination.roles", { destination: { ...destination, roles: ["loader"] } }],
      ["source.kafka.sshKeyResourceId", { source: { kafka: { ...kafka, sshKeyResourceId } } }],
      ["schemaRegistryCredentials", { schemaRegistryCredentials: registry }],
    ] as const)
      it(`a pipe that was made without ${path} is replaced where a program declares it later`, async () => {
        const { id, state } = await make(allowed);
        const updated = await update(id, state, { ...allowed, name: "purchases" });
        const read = (await resource.read(id, updated, open().session)) as { state: PropertyMap };
        const next = { ...allowed, name: "purchases", ...further };
        for (const each of [state, read.state]) {
          const { session, warnings } = open();
          const changes = await resource.diff(id, each, next, session);
          expect(changes).to.deep.include({ path, kind: "add", replaces: true });
          expect(warnings.join()).to.match(/: the change will replace pipe \S+ \(\w+\): the new pipe begins/);
          const refused = resource.diff(id, each, { ...next, allowReplacement: false }, open().session);
          expect((await failureOf(refused)).message).to.include("set allowReplacement: true");
        }
      });

    it("a pipe that was made without roles is not replaced for an empty list of them", async () => {
      const { id, state } = await make(stream);
      const empty = { ...stream, destination: { ...destination, roles: [] } };
      const { session, warnings } = open();
      const changes = await resource.diff(id, state, empty, session);
      expect(changes.map(({ replaces }) => replaces)).to.deep.equal([false]);
      const updated = await update(id, state, empty, session);
      expect([writes(), warnings]).to.deep.equal([[], []]);
      const dropped = await update(id, updated, stream);
      const withRoles = resource.diff(id, dropped, withRole("loader"), open().session);
      expect((await withRoles).some(({ replaces }) => replaces)).to.equal(true);
    });
  });

  it("while somebody else scales a pipe, a refresh shows only the new size of its replicas", async () => {
    const { id, state } = await make({ ...stream, scaling });
    Object.assign(stored(id), {
      scaling: { ...stored(id).scaling, replicaCpuMillicores: 500, replicaMemoryGb: 2 },
      scaledUntil: Date.now() + 60_000,
    });
    const read = (await resource.read(id, state, open().session)) as { inputs: PropertyMap };
    expect(read.inputs.scaling).to.deep.equal({ replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 2 });
  });

  describe("that is Completed", () => {
    const source = {
      objectStorage: {
        type: "s3",
        format: "CSV",
        url: "https://a.example.com/*",
        authentication: "IAM_USER",
      },
    };
    const once = {
      ...stream,
      allowReplacement: true,
      source,
      credentials: { accessKeyId: "AKIAREADER", secretKey: "a secret" },
    };
    const columns = { ...once, destination: { ...destination, columns: [{ name: "id", type: "String" }] } };
    const completed = async () => {
      const { id, state } = await make(once);
      expect(state.status).to.equal("Completed");
      return { id, state };
    };

    it("a change of the source or of the columns replaces a pipe that is Completed", async () => {
      const { id, state } = await completed();
      const later = { ...once, source: { objectStorage: { ...source.objectStorage, startAfter: "b" } } };
      for (const changed of [later, columns])
        expect(
          (await resource.diff(id, state, changed, open().session)).map(({ replaces }) => replaces),
        ).to.deep.equal([true]);
    });

    it("an update sends no change of a pipe that is Completed", async () => {
      const { id, state } = await completed();
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
  });
});
