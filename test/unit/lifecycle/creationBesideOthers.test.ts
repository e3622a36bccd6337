import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import type { Data } from "../../../provider/lifecycle/data";
import type { TypeName } from "../../../provider/resources/registry";
import { failureOfType } from "../api/failure";
import { enveloped, refused, reset } from "../api/server";
import { alert, dashboard, declared, key, tile, useCollection } from "./collectionServer";

describe("the creation of an object beside others who create at the same time", () => {
  const service = useCollection();
  const { create, ids, methods, sessionOf } = service;

  const theirs = (changed: Data = {}) => service.objects.push({ id: "theirs", ...alert, ...changed });

  for (const [what, changed] of [
    ["the same too", {}],
    ["something else", { name: "Other" }],
    ["something that differs in what was not declared", { message: "Theirs" }],
  ] as [string, Data][]) {
    it(`takes nothing where they create ${what}, and names what is in question`, async () => {
      service.courses = [{ answer: reset, meanwhile: () => void theirs(changed) }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      const isSame = Object.keys(changed).length === 0;
      expect(message.split("\n")[1]).to.equal(
        `The request may have been carried out, but somebody else is creating the same kind of object. If one of these is yours, adopt it with adoptId or delete it: new1${isSame ? ", theirs" : ""}`,
      );
      expect(ids()).to.deep.equal(["old", "new1", "theirs"]);
    });
  }

  it("takes nothing of theirs where nothing was created", async () => {
    service.courses = [{ carriedOut: false, answer: reset, meanwhile: () => void theirs({ threshold: 6 }) }];
    const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
    expect(message).to.match(/the same kind of object: look for an alert named "Slow" .*, then adopt it/);
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  for (const [what, changed, isTaken] of [
    ["is older and of other content", { threshold: 9, createdAt: "2020-01-01T00:00:00.000Z" }, false],
    ["is older by a clock alone", { createdAt: "2020-01-01T00:00:00.000Z" }, true],
    ["is of other content alone", { threshold: 9, createdAt: new Date().toISOString() }, true],
  ] as [string, Data, boolean][]) {
    it(`${isTaken ? "takes" : "refuses"} an answer about an object that no list has shown and that ${what}`, async () => {
      const answered = { ...alert, id: "theirs", ...changed };
      service.courses = [
        { carriedOut: false, answer: enveloped(answered), meanwhile: () => void theirs(changed) },
      ];
      const created = create(sessionOf().session);
      if (isTaken) expect((await created).id).to.equal("theirs");
      else
        expect((await failureOfType(created, PossiblyCreated)).message).to.match(
          /theirs, which already existed/,
        );
      expect(methods()).to.deep.equal(isTaken ? ["GET", "POST"] : ["GET", "POST", "GET"]);
    });
  }

  describe("where the last list is older than the request", () => {
    /** A session that has created two objects, and whose list of what there was before is from long ago. */
    async function afterAWhile(type: TypeName) {
      const { session } = sessionOf();
      for (const name of ["first", "second"]) await create(session, type, { name });
      service.time.pass(60_000);
      return session;
    }

    /** The service's clock is an hour ahead. */
    const at = (seconds: number) => new Date(Date.now() + 3_600_000 + seconds * 1000).toISOString();

    it("takes what says that it was created since", async () => {
      service.createdAt = () => at(0);
      const session = await afterAWhile("Alert");
      service.courses = [{ answer: reset }];
      expect((await create(session)).id).to.equal("new3");
      expect(methods()).to.deep.equal(["GET", "POST", "POST", "POST", "GET"]);
    });

    /** An id as MongoDB makes them: the seconds of the service's clock, then anything. */
    const objectId = (seconds: number) =>
      Math.floor(Date.parse(at(seconds)) / 1000).toString(16) + randomBytes(8).toString("hex");

    it("knows the clock by one object that says when it was created", async () => {
      service.createdAt = () => at(0);
      const { session } = sessionOf();
      await create(session, "Alert", { name: "first" });
      service.time.pass(60_000);
      service.courses = [{ answer: reset }];
      expect((await create(session)).id).to.equal("new2");
    });

    it("takes what says by its id that it was created since, as dashboards say it in no other way", async () => {
      service.newId = () => objectId(0);
      const session = await afterAWhile("Dashboard");
      service.courses = [{ answer: reset }];
      expect((await create(session, "Dashboard")).id).to.equal(service.objects.at(-1)?.id);
    });

    it("names what was created while the answer that tells the clock took its time", async () => {
      service.createdAt = () => at(0);
      const theirs = () => void service.objects.push({ id: "theirs", ...alert, createdAt: at(0) });
      const slowly = () => {
        theirs();
        service.time.pass(6000);
      };
      service.courses = [{ meanwhile: slowly }, { carriedOut: false, answer: reset }];
      const { session } = sessionOf();
      await create(session, "Alert", { name: "first" });
      const { message } = await failureOfType(create(session), PossiblyCreated);
      expect(message).to.match(/adopt it with adoptId or delete it: theirs$/);
    });

    it("takes nothing by an id that only looks as if it held a time", async () => {
      service.newId = () => randomBytes(12).toString("hex");
      const session = await afterAWhile("Dashboard");
      service.courses = [{ answer: reset }];
      await failureOfType(create(session, "Dashboard"), PossiblyCreated);
    });

    for (const [what, type, theirs] of [
      ["the same that says that it is older", "Alert", () => ({ id: "theirs", createdAt: at(-30) })],
      ["the same whose id says that it is older", "Dashboard", () => ({ id: objectId(-30) })],
      ["the same that does not say how old it is", "Dashboard", () => ({ id: "theirs" })],
    ] as const) {
      it(`names ${what}, and takes it not`, async () => {
        if (type === "Alert") service.createdAt = () => at(0);
        else service.newId = () => objectId(0);
        const session = await afterAWhile(type);
        const same = { ...declared[type], ...theirs() };
        service.objects.push(same);
        service.courses = [{ carriedOut: false, answer: reset }];
        const { message } = await failureOfType(create(session, type), PossiblyCreated);
        expect(message.split("\n")[1]).to.equal(
          `The request may have been carried out, or somebody else has created the same. If it is yours, adopt it with adoptId or delete it: ${same.id}`,
        );
      });
    }

    it("is not irritated by something else that says that it is older", async () => {
      service.createdAt = () => at(0);
      const session = await afterAWhile("Alert");
      theirs({ name: "Other", createdAt: at(-30) });
      service.courses = [{ answer: reset }];
      expect((await create(session)).id).to.equal("new3");
    });

    it("lists again right before each repetition, by the look after the failure", async () => {
      const { session } = sessionOf({ maxRetries: 2 });
      const course = { carriedOut: false, answer: reset };
      service.courses = [course, { ...course, meanwhile: () => void theirs() }];
      // Theirs was created during the second attempt, which is the window.
      expect((await create(session)).id).to.equal("theirs");
    });
  });

  it("names, and takes not, what they created while its own request waited for the rate limiter", async () => {
    const theirs = () => void service.objects.push({ id: "theirs", ...alert });
    service.lists.once("list", theirs);
    service.courses = [{ carriedOut: false, answer: reset }];
    const { session } = sessionOf({ requestsPerSecond: 0.1 });
    const { message } = await failureOfType(create(session), PossiblyCreated);
    expect(message).to.match(/adopt it with adoptId or delete it: theirs$/);
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("deletes no key that may be theirs", async () => {
    service.courses = [
      { answer: reset, meanwhile: () => void service.objects.push({ id: "theirs", ...key }) },
    ];
    const { message } = await failureOfType(create(sessionOf().session, "ApiKey"), PossiblyCreated);
    expect(message).to.contain(
      "If one of these is yours, delete it, since its keySecret is lost: new1, theirs",
    );
    expect(ids()).to.deep.equal(["old", "new1", "theirs"]);
  });

  it("names no more than a reader can look at", async () => {
    const many = () =>
      void service.objects.push(
        ...Array.from({ length: 70 }, (_, index) => ({ id: `their${index}`, ...alert })),
      );
    service.courses = [{ answer: reset, meanwhile: many }];
    const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
    expect(message).to.match(/adoptId or delete it: new1, their0, their1, their2, their3 and 66 more$/);
  });

  // No list can tell these two apart: docs/faults.md says so.
  it("takes the very same that somebody else created while its own request failed", async () => {
    service.courses = [{ carriedOut: false, answer: reset, meanwhile: () => void theirs() }];
    expect((await create(sessionOf().session)).id).to.equal("theirs");
  });

  for (const [what, changed] of [
    ["has been used", { usedAt: "2025-06-15T18:00:00Z" }],
    ["expires", { expireAt: "2035-01-01T00:00:00Z" }],
    ["is disabled", { state: "disabled" }],
    ["is for some addresses", { ipAccessList: [{ source: "10.0.0.0/8" }] }],
  ] as const) {
    it(`deletes no key that ${what}, which its own would not`, async () => {
      service.objects = [];
      const theirKey = () => void service.objects.push({ id: "theirs", ...key, ...changed });
      service.courses = [{ carriedOut: false, answer: reset, meanwhile: theirKey }];
      await failureOfType(create(sessionOf().session, "ApiKey"), PossiblyCreated);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("takes no dashboard with the same tiles that show something else", async () => {
    const tiles = [{ ...tile, series: [{ type: "time" }] }];
    const theirBoard = () => void service.objects.push({ id: "theirs", ...dashboard, tiles });
    service.courses = [{ carriedOut: false, answer: reset, meanwhile: theirBoard }];
    await failureOfType(create(sessionOf().session, "Dashboard"), PossiblyCreated);
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("waits for the answer to another creation of the process that may have made what it finds", async () => {
    service.objects = [];
    service.courses = [
      { carriedOut: false, answer: refused(500, "INTERNAL: oops") },
      // In other words the same, and answered after the first has looked.
      { meanwhile: async () => void (await once(service.lists, "list")) },
    ];
    const { session } = sessionOf();
    const roles = ["admin", "developer"];
    const [first, second] = await Promise.all([
      create(session, "ApiKey", { roles }),
      create(session, "ApiKey", { roles: [...roles].reverse() }),
    ]);
    expect([first?.id, second?.id]).to.deep.equal(["new3", "new2"]);
    expect(ids()).to.deep.equal(["new2", "new3"]);
    expect(methods()).not.to.include("DELETE");
  });

  it("tells apart what one program creates at the same time", async () => {
    const names = ["A", "B", "C", "A", "A"];
    service.courses = names.map((_, index) => (index % 2 ? {} : { answer: reset }));
    const { session } = sessionOf();
    const created = await Promise.all(names.map((name) => create(session, "Alert", { name })));
    expect(created.map(({ state }) => state.name)).to.deep.equal(names);
    const found = created.map(({ id }) => service.objects.find((object) => object.id === id)?.name);
    expect(found).to.deep.equal(names);
    expect(new Set(created.map(({ id }) => id)).size).to.equal(names.length);
    expect(service.objects).to.have.length(1 + names.length);
  });

  it("names, and neither takes nor repeats, what another lost request may have made in other words", async () => {
    service.courses = [{ answer: reset }, { carriedOut: false, answer: reset }];
    const { session } = sessionOf();
    const times = ["2031-05-06T07:08:00Z", "2031-05-06T07:08:00.000Z"];
    const [first] = await Promise.allSettled(
      times.map((scheduleStartAt) => create(session, "Alert", { scheduleStartAt })),
    );
    expect(first).to.have.property("reason").that.is.instanceOf(PossiblyCreated);
    expect(ids()).to.deep.equal(["old", "new1"]);
  });

  it("repeats no twin that was created, and creates each that was not", async () => {
    service.courses = [{ carriedOut: false, answer: reset }, {}, { answer: reset }];
    const { session } = sessionOf();
    const created = await Promise.all([1, 2, 3].map(() => create(session)));
    expect(created.map(({ id }) => id)).to.have.members(ids().slice(1));
    expect(service.objects).to.have.length(4);
  });
});
