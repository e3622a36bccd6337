import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { refused } from "../api/server";
import { stream, usePipes } from "../resources/pipeSteps";
import { useServices } from "../resources/serviceSteps";
import type { useService } from "./service";

/** Lets each read, of a list or of one object, lack what was created less than the given number of milliseconds before, from the beginning or after an operation. */
function readsLateBy(service: ReturnType<typeof useService>, milliseconds: number, after?: string): void {
  let isBegun = after === undefined;
  const isLate = ({ createdAt }: Data) => Date.now() - Date.parse(String(createdAt)) < milliseconds;
  service.gateway = async (operation, carryOut) => {
    const answer = await carryOut();
    isBegun ||= operation === after;
    if (!isBegun || !/^(list|get)(Service|Pipe)s?$/.test(operation) || typeof answer === "function")
      return answer;
    const { result, ...envelope } = JSON.parse(String(answer.body)) as { result?: Data | Data[] };
    if (Array.isArray(result))
      return {
        ...answer,
        body: JSON.stringify({ ...envelope, result: result.filter((each) => !isLate(each)) }),
      };
    const noun = operation === "getPipe" ? "pipe" : "service";
    return result && isLate(result) ? refused(404, `NOT_FOUND: ${noun} not found`) : answer;
  };
}

describe("Waits while lists show new objects late", () => {
  describe("for services", () => {
    const { service, create, open, update } = useServices();

    it("a service that lists show late is awaited, and not taken for deleted", async () => {
      readsLateBy(service, 20_000);
      const { failure, state } = await create(open().session, { desiredState: "stopped" });
      expect([failure, state.state]).to.deep.equal([undefined, "stopped"]);
    });

    it("an update that lists show late is awaited, and its service not taken for deleted", async () => {
      const { id, state } = await create(open().session);
      readsLateBy(service, 150_000);
      const updated = await update(id, state, { desiredState: "stopped" });
      expect(updated.state).to.equal("stopped");
    });
  });

  describe("for pipes", () => {
    const { service, open, update } = usePipes();

    it("a pipe that lists show late is awaited, and not taken for deleted", async () => {
      readsLateBy(service, 20_000);
      const { id, failure, state } = await resources.Pipe.create(stream, open().session);
      expect([failure, state.status]).to.deep.equal([undefined, "Running"]);
      readsLateBy(service, 170_000, "updatePipeState");
      const updated = await update(id, state, { ...stream, state: "stopped" });
      expect(updated.status).to.equal("Stopped");
    });
  });
});
