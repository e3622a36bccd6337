import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { enveloped, refused, reset } from "../api/server";
import { doubtOf, oneOfAlerts, turnedInto } from "./createFailures";
import { alert, type Course, dashboard, pause, place, useService } from "./service";

const longAgo = "2020-01-01T00:00:00.000Z";

describe("Creates beside others who create at the same time", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, stored, verbs } = service;
  const session = () => open().session;
  const fails: Course = { carriedOut: false, answer: reset };
  /** It fails while somebody else creates something. */
  const failsWhile = (theirs: Data, type?: Parameters<typeof put>[1]): Course => ({
    ...fails,
    meanwhile: () => void put(theirs, type),
  });

  for (const [what, theirs] of [
    ["the same too", {}],
    ["something else", { name: "Other" }],
    ["something that differs in what was not declared", { message: "Theirs" }],
  ] as [string, Data][])
    it(`takes no object if others create ${what}, and names the candidates`, async () => {
      service.courses = [{ answer: reset, meanwhile: () => void put(theirs) }];
      const [, left] = await doubtOf(create(session()));
      const [own = "", other = ""] = ids();
      expect(left).to.equal(what === "the same too" ? oneOfAlerts(own, other) : oneOfAlerts(own));
      expect(ids()).to.have.length(2);
    });

  const rename = () => void Object.assign(stored(ids()[0] ?? ""), { name: "slow" });
  for (const [what, course] of [
    ["where it is theirs, since nothing was created", failsWhile({ threshold: 6 })],
    ["where it is its own that the service has changed", { answer: reset, meanwhile: rename }],
  ] as [string, Course][])
    it(`names, and does not take, the only new object ${what}`, async () => {
      service.courses = [course];
      expect((await doubtOf(create(session())))[1]).to.equal(turnedInto(...ids()));
      expect(verbs()).to.equal("list create list");
    });

  it("knows its own keys in a list that writes their ids in capitals", async () => {
    let creates = 0;
    service.gateway = async (operation, carryOut) => {
      if (operation === "createKey" && ++creates === 2) return refused(500, "INTERNAL");
      const answer = await carryOut();
      if (operation !== "listKeys" || typeof answer === "function") return answer;
      return { ...answer, body: String(answer.body).replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase()) };
    };
    const own = session();
    const first = await create(own, "ApiKey");
    const second = await create(own, "ApiKey", { name: "ingest" });
    expect(ids("ApiKey").slice(-2)).to.deep.equal([first.id, second.id]);
    expect(verbs()).to.equal("list create create list create");
  });

  for (const [what, changed, isTaken] of [
    ["is older and of other content", { threshold: 9, createdAt: longAgo }, false],
    ["is older by a clock alone", { createdAt: longAgo }, true],
    ["is of other content alone", { threshold: 9 }, true],
  ] as [string, Data, boolean][])
    it(`${isTaken ? "takes" : "refuses"} an answer about an object that no list has shown and that ${what}`, async () => {
      const id = service.model.ids.object(Date.now());
      const createdAt = new Date().toISOString();
      const answer = enveloped({ ...alert, createdAt, ...changed, id });
      service.courses = [{ carriedOut: false, answer, meanwhile: () => void put({ ...changed, id }) }];
      const creating = create(session());
      if (isTaken) expect((await creating).id).to.equal(id);
      else expect((await doubtOf(creating))[0]).to.include(`${id}, which already existed`);
      expect(verbs()).to.equal(changed.threshold ? "list create list" : "list create");
    });

  describe("an unreadable list", () => {
    const uuid = "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c";
    const old = "5e0be100a1b2c3d4e5f60718";
    const fresh = `${Math.floor(Date.now() / 1000).toString(16)}a1b2c3d4e5f60718`;
    const answerOf = (content: Data) => {
      service.gateway = (operation) =>
        operation.startsWith("list") ? refused(500, "INTERNAL") : enveloped(content);
      return create(open({ maxRetries: 0 }).session, "Dashboard");
    };

    for (const [what, id] of [
      ["is old by its id", old],
      ["has an id that tells no time", uuid],
      ["has an id from the future", "832e1f5cc1c154b3439e0194"],
    ] as const)
      it(`refuses an answer about a dashboard of other content that ${what}`, async () => {
        const [failure] = await doubtOf(answerOf({ ...dashboard, id, name: "Theirs" }));
        expect(failure).to.include(`the answer is about ${id}, which already existed`);
      });

    for (const [what, content] of [
      ["of other content that is new by its id", { ...dashboard, id: fresh, name: "Trimmed" }],
      ["of the same content that is old by its id", { ...dashboard, id: old }],
      ["that is a receipt, and has no content", { id: uuid }],
    ] as [string, Data][])
      it(`takes an answer ${what}`, async () => {
        expect((await answerOf(content)).id).to.equal(content.id);
      });
  });

  it("names, and does not take, a new object where a list lacks what the process has created", async () => {
    let theirs: string | undefined;
    service.gateway = async (operation, carryOut) => {
      if (operation === "listAlerts") return enveloped(theirs ? [stored(theirs)] : []);
      const answer = await carryOut();
      if (ids().length < 2) return answer;
      theirs = put();
      return reset;
    };
    const own = session();
    await create(own, "Alert", { name: "Other" });
    expect((await doubtOf(create(own)))[1]).to.equal(oneOfAlerts(theirs ?? ""));
  });

  it("names at most as many objects as a reader can look at", async () => {
    const many = () => {
      for (let count = 0; count < 70; count++) put();
    };
    service.courses = [{ answer: reset, meanwhile: many }];
    const [, left] = await doubtOf(create(session()));
    expect(left).to.equal(oneOfAlerts(...ids().slice(0, 4), `${ids()[4]} and 66 more`));
  });

  it("takes nothing that the state holds, although lists lacked it so far", async () => {
    const { session: opened } = open();
    const held = service.model.ids.object(Date.now());
    await resources.Alert.diff(held, alert, alert, opened);
    service.courses = [failsWhile({ id: held })];
    expect((await create(opened)).id).to.not.equal(held);
  });

  // No list can tell these two apart: docs/faults.md says so.
  it("takes an equal object that somebody else created while its own request failed", async () => {
    service.courses = [failsWhile({})];
    expect([(await create(session())).id]).to.deep.equal(ids());
  });

  it("takes an object once that equal creates find in the same list after their answers are lost", async () => {
    let creates = 0;
    service.gateway = async (operation, carryOut) => {
      const isLost = operation === "createAlert" && ++creates <= 2;
      const answer = isLost && creates === 1 ? reset : await carryOut();
      if (operation === "listAlerts") await pause(300);
      return isLost ? reset : answer;
    };
    const own = session();
    // While this list is under way, both creates wait for the next one.
    const other = pause(700).then(() => own.freshList("listAlerts", place));
    const made = await Promise.all([create(own), create(own)]);
    await other;
    expect(made.map(({ id }) => id)).to.have.members(ids());
    expect(verbs()).to.equal("list create create list list create");
  });

  it("takes the new object with the content that was sent, and not another that the answer is about", async () => {
    const id = service.model.ids.object(Date.now());
    const answer = enveloped({ ...alert, threshold: 9, id });
    service.courses = [{ answer }];
    expect([(await create(session())).id]).to.deep.equal(ids());
    expect(verbs()).to.equal("list create list list");
  });

  it("takes no answer about the object of another create of the process, although no list shows it yet", async () => {
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
    ["looks for it", 200],
    ["has ended in doubt", 2000],
  ] as const)
    it(`takes no answer about what another create of the process may have made, which ${when}`, async () => {
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

  it("takes an answer that the service has rewritten, although an equal create was refused meanwhile", async () => {
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

  it("looks again for the content that was sent if the list after an earlier answer lacked the object", async () => {
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

  it("takes no alert without the name that was sent, although a list may have left it out", async () => {
    service.courses = [failsWhile({ name: null })];
    const [, left] = await doubtOf(create(session()));
    expect(left).to.equal(oneOfAlerts(...ids()));
  });

  it("waits for the answer to another create of the process that may have made the found object", async () => {
    service.courses = [
      { carriedOut: false, answer: refused(500, "INTERNAL: oops") },
      // In other words the same, and answered long after the first has looked.
      { meanwhile: () => pause(1500) },
    ];
    const own = session();
    const roles = ["admin", "developer"];
    const made = await Promise.all([
      create(own, "ApiKey", { roles }),
      create(own, "ApiKey", { roles: [...roles].reverse() }),
    ]);
    expect(made.map(({ id }) => id).reverse()).to.deep.equal(ids("ApiKey").slice(1));
    expect(verbs()).to.equal("list create create list list create");
  });

  it("reads the list again while another create is under way and the list has a page's length", async () => {
    for (let count = 0; count < 99; count++) put({ name: "Old" });
    const meanwhile = async () => {
      await pause(700);
      put({ name: "Other" });
    };
    service.courses = [{ answer: reset }, { ...fails, meanwhile, answer: refused(500, "INTERNAL: oops") }];
    const own = session();
    const [first] = await Promise.all([create(own), create(own, "Alert", { name: "Other" })]);
    expect(first?.id).to.equal(ids()[99]);
    expect(verbs()).to.match(/^list create create list list/);
  });

  it("names, and neither takes nor repeats, a create that another lost request may have made", async () => {
    const times = ["2031-05-06T07:08:00Z", "2031-05-06T07:08:00.000Z"];
    service.courses = [failsWhile({ scheduleStartAt: times[0] }), fails];
    const own = session();
    const [first] = await Promise.allSettled(
      times.map((scheduleStartAt) => create(own, "Alert", { scheduleStartAt })),
    );
    expect(first).to.have.property("reason").that.is.instanceOf(PossiblyCreated);
    expect(ids()).to.have.length(1);
  });
});
