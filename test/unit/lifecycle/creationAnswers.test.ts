import { expect } from "chai";
import type { PropertyMap } from "../../../provider/values/data";
import { type Answer, enveloped, refused, reset } from "../api/server";
import { doubtOf } from "./createFailures";
import { alert, dashboard, pause, useService } from "./scriptedService";

const longAgo = "2020-01-01T00:00:00.000Z";
const old = "5e0be100a1b2c3d4e5f60718";

describe("Answers to creates that describe an object of other content or age", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, stored, verbs } = service;
  const session = () => open().session;

  for (const [what, changed, isTaken] of [
    ["is older and of other content", { threshold: 9, createdAt: longAgo }, false],
    ["is older by a clock alone", { createdAt: longAgo }, true],
    ["is of other content alone", { threshold: 9 }, true],
    ["is of other content, and old by its id alone", { threshold: 9, createdAt: undefined, id: old }, true],
  ] as [string, PropertyMap, boolean][])
    it(`a create ${isTaken ? "accepts" : "refuses"} an answer about an object that no list shows, by its age and content: it ${what}`, async () => {
      const id = String(changed.id ?? service.model.ids.object(Date.now()));
      const createdAt = new Date().toISOString();
      const answer = enveloped({ ...alert, createdAt, ...changed, id });
      service.courses = [{ carriedOut: false, answer, meanwhile: () => void put({ ...changed, id }) }];
      const creating = create(session());
      if (isTaken) expect((await creating).id).to.equal(id);
      else expect((await doubtOf(creating))[0]).to.include(`${id}, which already existed`);
      expect(verbs()).to.equal(changed.threshold ? "list create list" : "list create");
    });

  it("a create refuses an answer about an object that a refresh has read for another resource", async () => {
    const id = service.model.ids.object(Date.now());
    const opened = session();
    opened.run.noteRead({ type: "Alert" }, id);
    service.gateway = (operation) =>
      operation === "listAlerts" ? refused(500, "INTERNAL") : enveloped({ ...alert, id });
    expect((await doubtOf(create(opened)))[0]).to.include(`${id}, which already existed`);
  });

  const part: Answer = { body: { status: 200, requestId: "r1", result: [], totalCount: 2 } };
  for (const [where, list] of [
    ["the list cannot be read", refused(500, "INTERNAL")],
    ["a part of the list alone can be read", part],
  ] as const)
    describe(`Answers to creates while no whole list can be read: ${where}`, () => {
      const uuid = "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c";
      const fresh = `${Math.floor(Date.now() / 1000).toString(16)}a1b2c3d4e5f60718`;
      const answerOf = (content: PropertyMap) => {
        service.gateway = (operation) => (operation.startsWith("list") ? list : enveloped(content));
        return create(open({ maxRetries: 0 }).session, "Dashboard");
      };

      for (const [what, id] of [
        ["is old by its id", old],
        ["has an id that tells no time", uuid],
        ["has an id from the future", "832e1f5cc1c154b3439e0194"],
      ] as const)
        it(`without a whole list, a create refuses an answer about a dashboard of other content that ${what}`, async () => {
          const [failure] = await doubtOf(answerOf({ ...dashboard, id, name: "Theirs" }));
          expect(failure).to.include(`the answer is about ${id}, which already existed`);
        });

      for (const [what, content] of [
        ["of other content that is new by its id", { ...dashboard, id: fresh, name: "Trimmed" }],
        ["of the same content that is old by its id", { ...dashboard, id: old }],
        ["that is a receipt, and has no content", { id: uuid }],
      ] as [string, PropertyMap][])
        it(`without a whole list, a create accepts an answer about an object ${what}`, async () => {
          expect((await answerOf(content)).id).to.equal(content.id);
        });
    });

  describe("answers to creates from a service that rewrites values", () => {
    /** Lets the service change the threshold of each alert as it creates it, and calls `meanwhile` before the answer. */
    function rewriteWhile(meanwhile: () => void): void {
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation !== "createAlert") return answer;
        const rewritten = Object.assign(stored(ids().at(-1) ?? ""), { threshold: 9 });
        meanwhile();
        return enveloped(rewritten);
      };
    }

    it("on a service that rewrites values, only the first create sends a second list request", async () => {
      rewriteWhile(() => {});
      const own = session();
      const made = [await create(own), await create(own, "Alert", { name: "Second" })];
      expect(made.map(({ id }) => id)).to.deep.equal(ids());
      expect(verbs()).to.equal("list create list create");
    });

    it("a create accepts an answer with rewritten values while somebody else creates an object", async () => {
      rewriteWhile(() => void put({ name: "Other" }));
      expect((await create(session())).id).to.equal(ids()[0]);
    });
  });

  it("a create adopts the object with the sent content rather than the one that the answer describes", async () => {
    const id = service.model.ids.object(Date.now());
    const answer = enveloped({ ...alert, threshold: 9, id });
    service.courses = [{ answer }];
    expect([(await create(session())).id]).to.deep.equal(ids());
    expect(verbs()).to.equal("list create list list");
  });

  it("a create refuses an answer about an unlisted object of another create in its process", async () => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation === "listAlerts") return enveloped([]);
      await pause(100);
      return stored(ids()[0] ?? "").name === "Other" ? answer : enveloped(stored(ids()[1] ?? ""));
    };
    const own = open({ maxRetries: 0 }).session;
    const [lost, other] = await Promise.allSettled([create(own), create(own, "Alert", { name: "Other" })]);
    expect(lost).to.have.nested.property("reason.message").that.includes("which another request created");
    expect(other).to.have.nested.property("value.id", ids()[1]);
  });

  for (const [when, milliseconds] of [
    ["looks for its object", 200],
    ["has ended in doubt", 2000],
  ] as const)
    it(`a create refuses an answer about the possible object of another create that ${when}`, async () => {
      let creates = 0;
      service.gateway = async (operation, carryOut) => {
        if (operation === "listAlerts") return enveloped([]);
        const isOther = ++creates === 2;
        if (isOther) await carryOut();
        await pause(isOther ? 100 : milliseconds);
        return isOther ? reset : enveloped(stored(ids()[0] ?? ""));
      };
      const own = open({ maxRetries: 0 }).session;
      const [lost, other] = await Promise.allSettled([create(own), create(own, "Alert", { name: "Other" })]);
      expect(lost).to.have.nested.property("reason.message").that.includes("which another request created");
      expect(other).to.have.property("status", "rejected");
    });

  it("a create accepts an answer with rewritten values although an equal create was refused meanwhile", async () => {
    let creates = 0;
    service.gateway = async (operation, carryOut) => {
      if (operation === "listAlerts") return enveloped([]);
      if (++creates === 2) return pause(200).then(() => refused(403, "FORBIDDEN: the quota is used up"));
      await carryOut();
      return enveloped(Object.assign(stored(ids()[0] ?? ""), { name: "Slow" }));
    };
    const own = session();
    const [rewritten] = await Promise.allSettled([create(own, "Alert", { name: "Slow " }), create(own)]);
    expect(rewritten).to.have.nested.property("value.id", ids()[0]);
    expect(ids()).to.have.length(1);
  });

  it("a create lists again if the list after an earlier create lacked the object of that create's answer", async () => {
    let lists = 0;
    service.gateway = async (operation, carryOut) => {
      if (operation === "listAlerts" && ++lists === 2) return enveloped([]);
      const answer = await carryOut();
      const other = { ...alert, threshold: 9, id: service.model.ids.object(Date.now()) };
      return operation === "createAlert" ? enveloped(other) : answer;
    };
    const opened = session();
    await create(opened);
    const [, left] = await doubtOf(create(opened, "Alert", { name: "Second" }));
    expect(left).to.include(`is yours, adopt it with adoptId or delete it: ${ids()[1]}. Yours may be none`);
  });
});
