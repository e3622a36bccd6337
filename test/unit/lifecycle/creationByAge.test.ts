import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import { reset } from "../api/server";
import { doubtOf, oneOf, oneOfAlerts } from "./createFailures";
import { type Course, pause, useService } from "./service";

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe("Creates after a lost answer, by age", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, time, verbs } = service;
  const fails: Course = { carriedOut: false, answer: reset };

  describe("a last list older than the attempt by more than a second", () => {
    /** A session whose list of what there was before is from some time ago. */
    async function afterAWhile(type: "Alert" | "Dashboard" = "Alert", milliseconds = 60_000) {
      const { session } = open();
      await create(session, type, { name: "first" });
      time.pass(milliseconds);
      return session;
    }

    for (const seconds of [30, 2, 1, 0])
      it(`names an equal alert of another stack made ${seconds} s before its own attempt failed`, async () => {
        const session = await afterAWhile();
        const theirs = put({ createdAt: at(-seconds) });
        service.courses = [fails];
        expect((await doubtOf(create(session)))[1]).to.equal(oneOfAlerts(theirs));
        expect(verbs()).to.equal("list create create list");
      });

    it("names its own object, since an old list cannot tell it from another's", async () => {
      const session = await afterAWhile("Dashboard", 1001);
      service.courses = [{ answer: reset }];
      const [, left] = await doubtOf(create(session, "Dashboard"));
      const own = ids("Dashboard").slice(1);
      expect(left).to.equal(oneOf("dashboards", "adopt it with adoptId or delete it", own));
    });

    it("takes its own object while the last list is younger than a second", async () => {
      const session = await afterAWhile("Dashboard", 1000);
      service.courses = [{ answer: reset }];
      expect((await create(session, "Dashboard")).id).to.equal(ids("Dashboard")[1]);
    });

    it("lists before each further attempt once one has failed, and takes its own object again", async () => {
      const session = await afterAWhile();
      service.courses = [fails];
      await create(session);
      service.requests = [];
      for (const name of ["second", "third"]) {
        time.pass(2000);
        service.courses = [{ answer: reset }];
        await create(session, "Alert", { name });
      }
      expect(verbs()).to.equal("list create list list create list");
    });

    it("needs no further list within a second", async () => {
      const { session } = open();
      service.courses = [{ answer: reset }];
      await create(session);
      await create(session, "Alert", { name: "second" });
      expect(verbs()).to.equal("list create list create");
    });

    it("continues without that list, and names an object that an attempt has created after all", async () => {
      const session = await afterAWhile();
      service.courses = [fails];
      await create(session);
      time.pass(2000);
      await service.fault({ kind: "403", operation: "listAlerts", nth: 1 });
      service.courses = [{ answer: reset }];
      const [, left] = await doubtOf(create(session, "Alert", { name: "B" }));
      expect(left).to.equal(oneOfAlerts(ids().at(-1) ?? ""));
    });

    it("counts the age of a list from its request, however late it arrives", async () => {
      await service.fault({
        kind: "delay",
        when: "after",
        operation: "listAlerts",
        nth: 1,
        milliseconds: 1500,
      });
      service.courses = [fails];
      const creating = doubtOf(create(open().session));
      setTimeout(() => put(), 1000);
      expect((await creating)[1]).to.equal(oneOfAlerts(...ids()));
    });

    it("repeats a create that made nothing beside another create in doubt", async () => {
      const session = await afterAWhile();
      service.courses = [{ answer: reset }, { ...fails, meanwhile: () => pause(700) }];
      const [first, second] = await Promise.allSettled([
        create(session),
        create(session, "Alert", { name: "B" }),
      ]);
      expect(first).to.have.property("reason").that.is.instanceOf(PossiblyCreated);
      expect(second).to.have.property("status", "fulfilled");
      expect(ids()).to.have.length(3);
    });

    it("lists again right before each repetition, in the look after the failure", async () => {
      service.courses = [fails, { ...fails, meanwhile: () => void put() }];
      // Theirs was created during the second attempt, which is the window.
      expect([(await create(open({ maxRetries: 2 }).session)).id]).to.deep.equal(ids());
    });
  });

  describe("an object in a fresh list that lags", () => {
    /** An id as MongoDB makes them: the seconds of the service's clock, then anything. */
    const objectId = (seconds: number) => service.model.ids.object(Date.parse(at(seconds)));
    const ofNoTime = { createdAt: undefined };

    for (const [what, theirs, isTaken] of [
      ["says that it is older", () => ({ createdAt: at(-4) }), false],
      ["says so by its id", () => ({ id: objectId(-4), ...ofNoTime }), false],
      [
        "may be older by the seconds that clocks differ alone",
        () => ({ id: objectId(-1), ...ofNoTime }),
        true,
      ],
      ["says that it is newer", () => ({ createdAt: at(90) }), true],
      ["has an id that holds no time", () => ({ id: "0".repeat(24), ...ofNoTime }), true],
    ] as const)
      it(`${isTaken ? "takes" : "names"} an equal object that ${what}`, async () => {
        service.courses = [{ ...fails, meanwhile: () => void put(theirs()) }];
        const creating = create(open().session);
        if (isTaken) expect([(await creating).id]).to.deep.equal(ids());
        else expect((await doubtOf(creating))[1]).to.equal(oneOfAlerts(...ids()));
      });
  });
});
