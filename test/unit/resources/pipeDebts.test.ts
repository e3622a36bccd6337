import { expect } from "chai";
import { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { type Answer, refused, reset } from "../api/server";
import { kafka, postgres } from "./pipe.example";
import { replicaOf, stream, table, usePipes } from "./pipeSteps";

const { Pipe: resource } = resources;
const certified = {
  ...stream,
  source: { kafka: { ...kafka, caCertificate: "-----BEGIN CERTIFICATE-----" } },
};

describe("What an update of a pipe owes after a failure", () => {
  const { service, open, stored, make, update, operations } = usePipes();
  const read = async (id: string, state: PropertyMap) =>
    (await resource.read(id, state, open().session)) as { inputs: PropertyMap; state: PropertyMap };
  /** Answers the nth request of an operation, counted from 1, in place of the service. */
  const answerAt = (operation: string, nth: number, answer: Answer, isCarriedOut = false) => {
    let count = 0;
    service.gateway = async (asked, carryOut) => {
      if (asked !== operation || ++count !== nth) return carryOut();
      if (isCarriedOut) await carryOut();
      return answer;
    };
  };
  const incompleteOf = async (updating: Promise<PropertyMap>, message = /not now/): Promise<PropertyMap> => {
    const failure: unknown = await failureOf(updating);
    expect(failure).to.be.instanceOf(UpdatedIncompletely).with.property("message").that.matches(message);
    return (failure as UpdatedIncompletely).state;
  };

  it("a failed pipe that an adoption stopped before its change was refused runs after the next update", async () => {
    const { id } = await make(stream);
    Object.assign(stored(id), { state: "Degraded" });
    answerAt("updatePipe", 1, refused(400, "BAD_REQUEST: not now"));
    const inputs = { ...certified, adoptId: id, waitMinutes: 1 };
    const adopted = await resource.create(inputs, open().session);
    service.gateway = undefined;
    expect(adopted.failure?.message).to.include("not now");
    const updated = await update(id, adopted.state, inputs);
    expect(updated.status).to.equal("Running");
  });

  it("a pipe that was stopped for its repair by a killed update runs after the next one, which says so", async () => {
    const { id, state } = await make(stream);
    for (const [status, goal] of [
      ["Failed", "Running"],
      ["Degraded", "Running"],
      ["Stopped", "Stopped"],
    ]) {
      Object.assign(stored(id), { state: "Stopped", steps: undefined });
      const { session, warnings } = open();
      const updated = await update(id, { ...state, status }, certified, session);
      expect(updated.status).to.equal(goal);
      expect(warnings.join()).to.match(
        goal === "Running" ? /has stopped it.*it runs again/ : /stays so; declare state: "running"/,
      );
    }
  });

  it("an update of a database pipe that fails while tables change has the pipe run again in the next one", async () => {
    const { id, state } = await make(replicaOf(table("orders"), table("refunds")));
    answerAt("updatePipe", 1, refused(400, "BAD_REQUEST: not now"));
    const incomplete = await incompleteOf(update(id, state, replicaOf(table("orders"))));
    service.gateway = undefined;
    expect(stored(id).state).to.equal("Paused");
    const { state: known } = await read(id, incomplete);
    const updated = await update(id, known, replicaOf(table("orders"), table("refunds")));
    expect(updated.status).to.equal("Running");
  });

  describe("Requests for pipes that must not be carried out twice", () => {
    const replica = { ...replicaOf(table("orders"), table("refunds")), resyncTrigger: "1" };
    const again = { ...replica, resyncTrigger: "2" };
    const resyncs = () => operations().filter((operation) => operation === "updatePipeState").length;

    it("a resync whose answer is lost gives a warning instead of a second request", async () => {
      const { id, state } = await make(replica);
      let count = 0;
      service.gateway = (operation, carryOut) => {
        if (operation !== "updatePipeState") return carryOut();
        count++;
        return reset;
      };
      const { session, warnings } = open();
      const updated = await update(id, state, again, session);
      expect(count).to.equal(1);
      expect(warnings.join()).to.match(
        /The resync is not sent again; change resyncTrigger once more to send it/,
      );
      expect(await resource.diff(id, updated, again, open().session)).to.deep.equal([]);
    });

    for (const status of ["Resync", "Snapshot"])
      it(`an update says that it does not send a resync to a pipe that shows ${status}`, async () => {
        const { id, state } = await make(replica);
        Object.assign(stored(id), {
          ...{ state: status, steps: [{ state: "Running", at: Date.now() + 20_000 }] },
        });
        const { session, warnings } = open();
        await update(id, state, again, session);
        expect(resyncs()).to.equal(0);
        expect(warnings.join()).to.match(/loads its tables anew already.*change resyncTrigger once more/);
      });

    it("a change of tables whose answer is lost counts as done if the pipe shows it", async () => {
      const { id, state } = await make(replica);
      answerAt("updatePipe", 1, reset, true);
      const next = {
        ...replica,
        source: { postgres: { ...postgres, tableMappings: [table("orders"), table("visits")] } },
      };
      const updated = await update(id, state, next);
      expect(operations()).to.deep.equal(["updatePipeState", "updatePipe"]);
      expect(await resource.diff(id, updated, next, open().session)).to.deep.equal([]);
    });
  });
});
