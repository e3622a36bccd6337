import { expect } from "chai";
import { refused, reset } from "../api/server";
import { doubtOf, oneOfAlerts, oneOfDashboards } from "./createFailures";
import { type Course, pause, place, useService } from "./scriptedService";

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe("Creates that judge listed objects by age after a lost answer", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, time, verbs } = service;
  const fails: Course = { carriedOut: false, answer: reset };

  describe("Creates that are sent more than a second after the last list request", () => {
    async function afterAWhile(type: "Alert" | "Dashboard" = "Alert", milliseconds = 60_000) {
      const { session } = open();
      await create(session, type, { name: "first" });
      time.pass(milliseconds);
      return session;
    }

    for (const seconds of [30, 2, 1, 0])
      it(`a create does not adopt an equal alert that another stack made ${seconds} seconds before its failure`, async () => {
        const session = await afterAWhile();
        const theirs = put({ createdAt: at(-seconds) });
        service.courses = [fails];
        expect((await doubtOf(create(session)))[1]).to.equal(oneOfAlerts(theirs));
        expect(verbs()).to.equal("list create create list");
      });

    it("a create does not adopt an equal alert that another stack made while its request had to wait", async () => {
      const { session } = open();
      await create(session, "Alert", { name: "first" });
      const busy = refused(429, "TOO_MANY_REQUESTS", { "Retry-After": "5" });
      const lists = [busy];
      service.gateway = (operation, carryOut) => {
        if (operation === "createAlert") return reset;
        return (operation === "listDashboards" && lists.pop()) || carryOut();
      };
      const waiting = session.lists.read("listDashboards", place, { asOf: "now" });
      await pause(100);
      const creating = doubtOf(create(session));
      await pause(1000);
      const theirs = put();
      expect((await creating)[1]).to.equal(oneOfAlerts(theirs));
      await waiting;
    });

    it("a create whose answer is lost does not adopt its object if its list is more than a second old", async () => {
      const session = await afterAWhile("Dashboard", 1001);
      service.courses = [{ answer: reset }];
      const [, left] = await doubtOf(create(session, "Dashboard"));
      const own = ids("Dashboard").slice(1);
      expect(left).to.equal(oneOfDashboards(...own));
    });

    it("after a failed request, each create first lists the objects of its type", async () => {
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
  });

  describe("the adoption of objects that a recent list did not show", () => {
    /** Makes an object id in MongoDB's form, which begins with the seconds of the service's clock. */
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
      it(`a create that fails ${isTaken ? "adopts" : "names but does not adopt"} an equal object, by its age: one that ${what}`, async () => {
        service.courses = [{ ...fails, meanwhile: () => void put(theirs()) }];
        const creating = create(open().session);
        if (isTaken) expect([(await creating).id]).to.deep.equal(ids());
        else expect((await doubtOf(creating))[1]).to.equal(oneOfAlerts(...ids()));
      });
  });

  describe("creates in a process that knows the service's clock from five objects that it created before", () => {
    /**
     * Opens a session, creates five alerts in it, and then creates `more` alerts, whose creation dates in the service are
     * `leap` seconds ahead of the real time.
     */
    async function afterFive(leap: number, more: number) {
      const { session } = open();
      const made = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, at) => create(session, "Alert", { name: `own ${at}` })),
        );
      await made(5);
      service.gateway = async (operation, carryOut) => {
        if (operation !== "createAlert") return carryOut();
        if (loses === "request") return reset;
        const answer = await carryOut();
        const createdAt = at(leap);
        Object.assign(service.stored(ids().at(-1) as string) ?? {}, { createdAt });
        if (loses === "answer" || typeof answer === "function") return reset;
        const body = String(answer.body).replace(/"createdAt":"[^"]*"/, `"createdAt":"${createdAt}"`);
        return { ...answer, body };
      };
      await made(more);
      time.pass(30_000);
      return session;
    }
    let loses: "request" | "answer" | undefined;
    beforeEach(() => {
      loses = undefined;
    });

    it("a create recognizes its object by the creation time even if the service's clock is wrong", async () => {
      const session = await afterFive(5 * 3600, 5);
      loses = "answer";
      expect((await create(session)).id).to.equal(ids().at(-1));
      expect(ids()).to.have.length(11);
    });

    it("a create names but does not adopt an equal older object if the service's clock has changed", async () => {
      const session = await afterFive(60, 1);
      const theirs = put({ createdAt: at(60) });
      time.pass(20_000);
      loses = "request";
      expect((await doubtOf(create(session)))[1]).to.equal(oneOfAlerts(theirs));
    });
  });
});
