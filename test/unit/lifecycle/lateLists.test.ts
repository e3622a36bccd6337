import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { refused, reset } from "../api/server";
import { stream, usePipes } from "../resources/pipeSteps";
import { useServices } from "../resources/serviceSteps";
import type { useService } from "./scriptedService";

interface Troubles {
  /** The operation from which on reads are late. Default: from the beginning. */
  readonly after?: string;
  /** The operation whose answers are lost. */
  readonly lost?: string;
}

/** Lets each read, of a list or of one object, lack what was created less than the given number of milliseconds before, from the beginning or after an operation. */
function readsLateBy(
  service: ReturnType<typeof useService>,
  milliseconds: number,
  { after, lost }: Troubles = {},
): void {
  let isBegun = after === undefined;
  const isLate = ({ createdAt }: PropertyMap) => Date.now() - Date.parse(String(createdAt)) < milliseconds;
  service.gateway = async (operation, carryOut) => {
    const answer = await carryOut();
    if (operation === lost) return reset;
    isBegun ||= operation === after;
    if (!isBegun || !/^(list|get)(Service|Pipe)s?$/.test(operation) || typeof answer === "function")
      return answer;
    const { result, ...envelope } = JSON.parse(String(answer.body)) as {
      result?: PropertyMap | PropertyMap[];
    };
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
  describe("for pipes", () => {
    const { service, open, update } = usePipes();

    it("a pipe that lists show late is awaited, and not taken for deleted", async () => {
      readsLateBy(service, 20_000);
      const { id, failure, state } = await resources.Pipe.create(stream, open().session);
      expect([failure, state.status]).to.deep.equal([undefined, "Running"]);
      readsLateBy(service, 170_000, { after: "updatePipeState" });
      const updated = await update(id, state, { ...stream, state: "stopped" });
      expect(updated.status).to.equal("Stopped");
    });
  });

  describe("for what is billed, after a lost answer to its create", () => {
    const { service, open, create, created, update } = useServices();
    const name = "lake";

    for (const [what, waitMinutes, milliseconds] of [
      ["three minutes", 30, 180_000],
      ["its waitMinutes", 1, 60_000],
    ] as const)
      it(`a create gives up to look for its service after ${what}`, async () => {
        service.gateway = (operation, carryOut) => (operation === "createService" ? reset : carryOut());
        const begun = Date.now();
        expect((await failureOf(create(open().session, { name, waitMinutes }))).message).to.match(
          /The request may have been carried out.*the next update looks for a service named "lake"/,
        );
        expect(Date.now() - begun).to.be.within(milliseconds, milliseconds + 15_000);
      });

    it("a cancellation ends the search for a service whose create lost its answer", async () => {
      const { session } = open();
      let lists = 0;
      service.gateway = (operation, carryOut) => {
        if (operation === "createService") return reset;
        // The first list is from before the create.
        if (operation === "listServices" && ++lists === 3)
          setTimeout(() => session.interruption.cancel(), 1000);
        return carryOut();
      };
      const begun = Date.now();
      expect((await failureOf(create(session, { name }))).message).to.include("may have been carried out");
      expect(Date.now() - begun).to.be.below(30_000);
    });

    it("a young namesake that lists show late is named once in each run", async () => {
      readsLateBy(service, 400_000, { lost: "createService" });
      await failureOf(create(open().session, { name }));
      const [first] = created();
      readsLateBy(service, 240_000);
      const { session, warnings } = open();
      const { id, state } = await create(session, { name });
      const told = [
        `service ${first?.id} is like service ${id}, and no resource of this program has it; it was created 6 min ago. It may be another stack's, or left by an update that was killed or lost an answer: if nobody uses it, delete it, since it is billed`,
      ];
      expect(warnings).to.deep.equal(told);
      service.gateway = undefined;
      for (const step of ["refresh", "update"]) {
        const { session: own, warnings: later } = open();
        if (step === "refresh") for (const _ of [1, 2]) await resources.Service.read(id, state, own);
        else await update(id, state, { name, tags: [{ key: "team", value: "a" }] }, own);
        expect(later).to.have.length(1);
        expect(later[0]).to.include(`service ${first?.id} is like service ${id}`);
      }
    });

    it("a namesake is not warned of if it is old, or if a resource of the program has it", async () => {
      const [one, other] = [
        await create(open().session, { name }),
        await create(open().session, { name, allowSameName: true }),
      ];
      const both = open();
      await Promise.all([one, other].map(({ id, state }) => resources.Service.read(id, state, both.session)));
      expect(both.warnings).to.deep.equal([]);
      service.time.pass(25 * 60 * 60_000);
      const { session, warnings } = open();
      await resources.Service.read(one.id, one.state, session);
      expect(warnings).to.deep.equal([]);
    });
  });
});
