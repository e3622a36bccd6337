import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { expect } from "chai";
import { PossiblyCreated } from "../../../provider/api/errors";
import type { TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { failureOfType } from "../api/failure";
import { enveloped, refused, reset } from "../api/server";
import {
  alert,
  type Course,
  dashboard,
  inQuestion,
  key,
  tile,
  turnedInto,
  unseen,
  useCollection,
} from "./collectionServer";

describe("the creation of an object beside others who create at the same time", () => {
  const service = useCollection();
  const { create, ids, methods, server, sessionOf } = service;

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
      expect(message.split("\n")[1]).to.equal(inQuestion(isSame ? "new1, theirs" : "new1"));
      expect(ids()).to.deep.equal(["old", "new1", "theirs"]);
    });
  }

  for (const [what, course] of [
    [
      "theirs where nothing was created",
      { carriedOut: false, meanwhile: () => void theirs({ threshold: 6 }) },
    ],
    [
      "its own that the service has changed",
      { meanwhile: () => void Object.assign(service.objects[1] ?? {}, { id: "theirs", name: "slow" }) },
    ],
  ] as [string, Course][])
    it(`names, and takes not, the only new object: ${what}`, async () => {
      service.courses = [{ ...course, answer: reset }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(unseen() + turnedInto("theirs"));
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

  describe("where no list could be read", () => {
    const createAfter = (answered: Data, content: Data = dashboard) => {
      server.current.answer(refused(500, "INTERNAL"));
      service.courses = [{ carriedOut: false, answer: enveloped({ ...content, ...answered }) }];
      return create(sessionOf({ maxRetries: 0 }).session, "Dashboard");
    };
    const seconds = () => Math.floor(Date.now() / 1000).toString(16);

    for (const [what, id] of [
      ["is old by its id", "5e0be100a1b2c3d4e5f60718"],
      ["has an id that tells no time", "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c"],
      ["has an id from the future", "832e1f5cc1c154b3439e0194"],
    ])
      it(`refuses an answer about a dashboard of other content that ${what}`, async () => {
        const { message } = await failureOfType(createAfter({ id, name: "Theirs" }), PossiblyCreated);
        expect(message).to.match(new RegExp(`^the answer is about ${id}, which already existed`));
      });

    it("takes an answer of other content that is new by its id, and one of the same content", async () => {
      const id = `${seconds()}a1b2c3d4e5f60718`;
      expect((await createAfter({ id, name: "Trimmed" })).id).to.equal(id);
      const old = "5e0be100a1b2c3d4e5f60718";
      expect((await createAfter({ id: old })).id).to.equal(old);
    });

    it("takes a receipt, which has no content", async () => {
      const id = "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c";
      expect((await createAfter({ id }, {})).id).to.equal(id);
    });
  });

  describe("where the last list is older than the attempt by more than a second", () => {
    /** A session whose list of what there was before is from some time ago. */
    async function afterAWhile(type: TypeName = "Alert", milliseconds = 60_000) {
      const { session } = sessionOf();
      await create(session, type, { name: "first" });
      service.time.pass(milliseconds);
      return session;
    }

    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

    for (const seconds of [30, 2, 1, 0]) {
      it(`names the same alert of another stack made ${seconds} s before its own attempt failed`, async () => {
        service.createdAt = () => at(0);
        const session = await afterAWhile();
        theirs({ createdAt: at(-seconds) });
        service.courses = [{ carriedOut: false, answer: reset }];
        const { message } = await failureOfType(create(session), PossiblyCreated);
        expect(message.split("\n")[1]).to.equal(inQuestion("theirs"));
        expect(methods()).to.deep.equal(["GET", "POST", "POST", "GET"]);
      });
    }

    it("names its own object too, since nothing tells that it is", async () => {
      const session = await afterAWhile("Dashboard", 1001);
      service.courses = [{ answer: reset }];
      const { message } = await failureOfType(create(session, "Dashboard"), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(inQuestion("new2", "dashboards"));
    });

    it("takes its own object where that second is not over", async () => {
      const session = await afterAWhile("Dashboard", 1000);
      service.courses = [{ answer: reset }];
      expect((await create(session, "Dashboard")).id).to.equal("new2");
    });

    it("lists before each further attempt once one has failed, and takes its own object again", async () => {
      const session = await afterAWhile();
      service.courses = [{ carriedOut: false, answer: reset }];
      await create(session);
      const before = methods().length;
      for (const name of ["second", "third"]) {
        service.time.pass(2000);
        service.courses = [{ answer: reset }];
        await create(session, "Alert", { name });
      }
      expect(methods().slice(before).join()).to.equal("GET,POST,GET,GET,POST,GET");
    });

    it("needs no such list within a second", async () => {
      const { session } = sessionOf();
      service.courses = [{ answer: reset }];
      await create(session);
      await create(session, "Alert", { name: "second" });
      expect(methods().join()).to.equal("GET,POST,GET,POST");
    });

    it("goes on where that list cannot be read, and names what an attempt has created after all", async () => {
      const session = await afterAWhile();
      service.courses = [{ carriedOut: false, answer: reset }];
      await create(session);
      service.time.pass(2000);
      server.current.answer(refused(403, "no"));
      service.courses = [{ answer: reset }];
      const { message } = await failureOfType(create(session, "Alert", { name: "B" }), PossiblyCreated);
      expect(message).to.match(/adopt it with adoptId or delete it: new4$/);
    });

    it("counts a list from its request, however late it arrives", async () => {
      service.objects = [];
      server.current.answer((_request, response) => {
        service.time.pass(1500);
        response.end(JSON.stringify({ status: 200, requestId: "r1", result: [] }));
        theirs();
      });
      service.courses = [{ carriedOut: false, answer: reset }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(inQuestion("theirs"));
    });

    it("repeats what was not created beside another creation that is left in doubt", async () => {
      const session = await afterAWhile();
      const meanwhile = async () => void (await once(service.lists, "list"));
      service.courses = [{ answer: reset }, { carriedOut: false, answer: reset, meanwhile }];
      const [first, second] = await Promise.allSettled([
        create(session),
        create(session, "Alert", { name: "B" }),
      ]);
      expect(first).to.have.property("reason").that.is.instanceOf(PossiblyCreated);
      expect(second).to.have.property("status", "fulfilled");
      expect(ids()).to.deep.equal(["old", "new1", "new2", "new4"]);
    });

    it("lists again right before each repetition, by the look after the failure", async () => {
      const { session } = sessionOf({ maxRetries: 2 });
      const course = { carriedOut: false, answer: reset };
      service.courses = [course, { ...course, meanwhile: () => void theirs() }];
      // Theirs was created during the second attempt, which is the window.
      expect((await create(session)).id).to.equal("theirs");
    });
  });

  describe("where a fresh list lags", () => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    /** An id as MongoDB makes them: the seconds of the service's clock, then anything. */
    const objectId = (seconds: number) =>
      Math.floor(Date.parse(at(seconds)) / 1000).toString(16) + randomBytes(8).toString("hex");

    for (const [what, theirObject, isTaken] of [
      ["says that it is older", () => ({ id: "theirs", createdAt: at(-4) }), false],
      ["says so by its id", () => ({ id: objectId(-4) }), false],
      ["may be older by the seconds that clocks differ alone", () => ({ id: objectId(-1) }), true],
      ["says that it is newer", () => ({ id: "theirs", createdAt: at(90) }), true],
      ["has an id that holds no time", () => ({ id: "0".repeat(24) }), true],
    ] as const) {
      it(`${isTaken ? "takes" : "names"} the same that ${what}`, async () => {
        service.objects = [];
        const same = { ...alert, ...theirObject() };
        service.courses = [
          { carriedOut: false, answer: reset, meanwhile: () => void service.objects.push(same) },
        ];
        const created = create(sessionOf().session);
        if (isTaken) expect((await created).id).to.equal(same.id);
        else
          expect((await failureOfType(created, PossiblyCreated)).message).to.match(
            new RegExp(`delete it: ${same.id}$`),
          );
      });
    }
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
    expect(message.split("\n")[1]).to.equal(
      inQuestion("new1, theirs", "API keys", "delete it, since its keySecret is lost"),
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
      // In other words the same, and answered long after the first has looked.
      {
        async meanwhile() {
          await once(service.lists, "list");
          await new Promise((resolve) => setTimeout(resolve, 1000));
        },
      },
    ];
    const { session } = sessionOf();
    const roles = ["admin", "developer"];
    const [first, second] = await Promise.all([
      create(session, "ApiKey", { roles }),
      create(session, "ApiKey", { roles: [...roles].reverse() }),
    ]);
    expect([first?.id, second?.id]).to.deep.equal(["new3", "new2"]);
    expect(ids()).to.deep.equal(["new2", "new3"]);
    expect(methods()).to.deep.equal(["GET", "POST", "POST", "GET", "GET", "POST"]);
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

  it("looks again while another creation is under way and the list has the length of a page", async () => {
    service.objects = Array.from({ length: 99 }, (_, index) => ({
      id: `old${index}`,
      ...alert,
      name: "Old",
    }));
    const other = { id: "other", ...alert, name: "Other" };
    const meanwhile = async () => {
      await once(service.lists, "list");
      service.objects.push(other);
    };
    service.courses = [{ answer: reset }, { carriedOut: false, answer: enveloped(other), meanwhile }];
    const { session } = sessionOf();
    const [first] = await Promise.all([create(session), create(session, "Alert", { name: "Other" })]);
    expect(first?.id).to.equal("new1");
    expect(methods()).to.deep.equal(["GET", "POST", "POST", "GET", "GET"]);
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
