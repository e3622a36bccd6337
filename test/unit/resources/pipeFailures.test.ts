import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { kafka } from "./pipe.example";
import { login, stream, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;
const scaling = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 };

describe("Updates of a pipe that fail", () => {
  const { service, open, stored, make, update, isDone } = usePipes();

  for (const lost of ["updatePipe", "putPipeSettings", "updatePipeScaling", "updatePipeState"])
    it(`after an update of a pipe in which ${lost} was refused, the next update sends only what is missing`, async () => {
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

  it("after a failed update that had sent a pipe's new credentials, the next update sends the declared ones again", async () => {
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
    const kept = (failure as unknown as { state: PropertyMap }).state;
    expect(failure.message).to.match(/is still Running after 1 min/);
    expect(trackingOf(kept).awaiting).to.equal("update");
    service.gateway = undefined;
    const updated = await update(id, kept, next);
    expect(updated.status).to.equal("Stopped");
    expect(trackingOf(updated).awaiting).to.equal(undefined);
  });
});
