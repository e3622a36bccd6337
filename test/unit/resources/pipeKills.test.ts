import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { Pipe } from "../../../sandbox/index";
import { reset } from "../api/server";
import { place } from "../lifecycle/scriptedService";
import { kafka, pipeExample, postgres } from "./pipe.example";
import { table, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;
const [program] = pipeExample.programs({} as never);

/** Updates of pipes that together send every request of an update, with the expected requests in order. */
const updates: {
  readonly [title: string]: {
    before: PropertyMap;
    after: PropertyMap;
    requests: readonly string[];
    status?: string;
  };
} = {
  "a stream": {
    before: { ...place, ...program },
    after: {
      ...{ ...place, ...program, name: "purchases", state: "stopped", settings: { engine_max_threads: 4 } },
      scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
      source: { kafka: { ...kafka, caCertificate: "-----BEGIN CERTIFICATE-----" } },
      credentials: { username: "reader", password: "the next password" },
    },
    requests: ["updatePipe", "putPipeSettings", "updatePipeScaling", "updatePipeState"],
  },
  "a failed stream": {
    before: { ...place, ...program },
    after: { ...place, ...program, credentials: { username: "reader", password: "the next password" } },
    status: "Failed",
    requests: ["updatePipeState", "updatePipe", "updatePipeState"],
  },
  "a database": {
    before: replica([table("orders"), table("refunds")], {}),
    after: replica([table("orders", { excludedColumns: ["card"] }), table("visits")], {
      ...{ port: 5433, credentials: { username: "reader", password: "the next password" } },
      resyncTrigger: "1",
    }),
    requests: [
      ...["updatePipe", "updatePipeState", "updatePipe", "updatePipeState", "updatePipe"],
      "updatePipeState",
    ],
  },
};

function replica(
  tableMappings: object[],
  { port = 5432, credentials = program.credentials, ...further }: PropertyMap,
): PropertyMap {
  return {
    ...{ ...place, name: "replica", credentials, destination: { database: "default" }, ...further },
    source: { postgres: { ...postgres, port, tableMappings } },
  };
}

const writes = /^(update|put|create|delete)/;

describe("Pipes after killed creates and updates", () => {
  const { service, model, open } = usePipes();
  const created = () => [...model.store.pipes.values()].slice(8) as Pipe[];
  const sent = () =>
    model.journal.entries
      .map(({ operation }) => operation ?? "")
      .filter((operation) => writes.test(operation));

  /** Simulates a provider process that is killed at its nth write: no later request arrives, and the process gets no answer. */
  function endAt(nth: number, isCarriedOut: boolean): void {
    let seen = 0;
    service.gateway = async (operation, carryOut) => {
      if (writes.test(operation)) seen++;
      if (seen < nth || (seen === nth && isCarriedOut && writes.test(operation) && !isOver)) {
        if (seen === nth) isOver = true;
        const answer = await carryOut();
        return seen < nth ? answer : reset;
      }
      return reset;
    };
    let isOver = false;
  }

  for (const [title, { before, after, requests, status }] of Object.entries(updates)) {
    it(`an update of a pipe from ${title} sends its requests one after the other`, async () => {
      const { id, state } = await resource.create(before, open().session);
      service.time.pass(100_000);
      if (status !== undefined) Object.assign(created()[0] ?? {}, { state: status });
      model.journal.entries.splice(0);
      await resource.update(id, state, after, open().session);
      expect(sent()).to.deep.equal(requests);
    });

    for (const [at, name] of requests.entries())
      for (const isCarriedOut of [false, true])
        it(`an update of a pipe from ${title} that is killed at its request ${at + 1}, ${name}, ${isCarriedOut ? "after" : "before"} the request is carried out, is completed by the next update`, async () => {
          const { id, state } = await resource.create(before, open().session);
          service.time.pass(100_000);
          if (status !== undefined) Object.assign(created()[0] ?? {}, { state: status });
          endAt(at + 1, isCarriedOut);
          await resource.update(id, state, after, open().session).catch(() => undefined);
          service.gateway = undefined;
          service.time.pass(100_000);
          // A killed process returns no Pulumi state, so the next update begins with the state from before.
          const updated = await resource.update(id, state, after, open().session);
          service.time.pass(100_000);
          expect(await resource.diff(id, updated, after, open().session)).to.deep.equal([]);
          const read = (await resource.read(id, updated, open().session)) as {
            inputs: PropertyMap;
            state: PropertyMap;
          };
          expect(read.inputs).to.deep.equal(after);
          expect(created()).to.have.length(1);
          expect(created()[0]?.state).to.equal(after.state === "stopped" ? "Stopped" : "Running");
          expect(JSON.stringify(created()[0]?.credentials)).to.include("the next password");
          const { credentials: _, ...plain } = updated;
          expect(JSON.stringify(plain)).to.not.include("the next password");
        });
  }

  for (const isCarriedOut of [false, true])
    it(`a pipe whose create was killed ${isCarriedOut ? "after" : "before"} the request was carried out exists exactly once after the next update`, async () => {
      const inputs: PropertyMap = { ...place, ...program };
      endAt(1, isCarriedOut);
      await resource.create(inputs, open().session).catch(() => undefined);
      service.gateway = undefined;
      service.time.pass(100_000);
      const next = await resource.create(inputs, open().session).catch((error: Error) => error.message);
      expect(created()).to.have.length(1);
      const [{ id } = { id: "" }] = created();
      if (!isCarriedOut) return expect(next).to.have.property("id", id);
      expect(next).to.include(`pipe ${id} is also named "orders"`).and.include("adoptId");
      const { credentials: _, ...withoutCredentials } = inputs;
      const taken = await resource.create({ ...withoutCredentials, adoptId: id }, open().session);
      expect([taken.id, taken.failure]).to.deep.equal([id, undefined]);
      expect(JSON.stringify(created()[0]?.credentials)).to.include("a password of the reader");
    });
});
