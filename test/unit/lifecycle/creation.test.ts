import { expect } from "chai";
import {
  FailedService,
  ForeignRefusal,
  LostAnswer,
  MissingRoute,
  PossiblyCreated,
  RefusedRequest,
} from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, refused, reset } from "../api/server";
import { alert, type Course, declared, inQuestion, key, unseen, useCollection } from "./collectionServer";

describe("the creation of an object", () => {
  const service = useCollection();
  const { create, ids, methods, server, sessionOf } = service;

  it("looks at what is there before the first one, then sends one request each", async () => {
    const { session } = sessionOf();
    const [first, second] = await Promise.all([create(session), create(session)]);
    expect([first?.id, second?.id]).to.have.members(["new1", "new2"]);
    expect(methods()).to.deep.equal(["GET", "POST", "POST"]);
  });

  const lost: [string, Course][] = [
    ["a connection that broke", { answer: reset }],
    ["a failure of the service", { answer: refused(500, "INTERNAL: oops") }],
    ["a failure of a gateway", { answer: { status: 502, body: "<html>Bad Gateway</html>" } }],
    ["no answer in time", { answer: "silence" }],
    ["an empty answer", { answer: { body: "" } }],
    ["an answer without a result", { answer: { body: {} } }],
    ["an answer without an id", { answer: enveloped({ name: "Slow" }) }],
    ["an answer about an object that was there before", { answer: enveloped({ id: "old" }) }],
  ];
  for (const [what, course] of lost) {
    for (const type of ["Alert", "Dashboard"] as const) {
      it(`finds the ${type} again after ${what}, and says so`, async () => {
        service.courses = [course];
        const { session, notices } = sessionOf();
        const { id, state } = await create(session, type);
        expect(id).to.equal("new1");
        expect(state).to.include({ name: declared[type]?.name });
        expect(ids()).to.deep.equal(["old", "new1"]);
        expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
        expect(notices).to.deep.equal([
          `${type.toLowerCase()} new1 was created although the answer was lost; it is now in the state`,
        ]);
      });
    }

    it(`names the key whose secret is lost by ${what}, and deletes none`, async () => {
      service.objects = [{ id: "old", ...key }];
      service.courses = [course];
      const { session } = sessionOf();
      const { message } = await failureOfType(create(session, "ApiKey"), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(
        inQuestion("new1", "API keys", "delete it, since its keySecret is lost"),
      );
      expect(ids()).to.deep.equal(["old", "new1"]);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("keeps a key that was made from hashes, since no secret is lost", async () => {
    service.courses = [{ answer: reset }];
    const hashData = { keyIdHash: "aaaa", keyIdSuffix: "bbbb", keySecretHash: "cccc" };
    const { id } = await create(sessionOf().session, "ApiKey", { hashData });
    expect(id).to.equal("new1");
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("takes an answer about what this run has created before for a lost one", async () => {
    const { session } = sessionOf();
    const { id } = await create(session);
    service.courses = [{ answer: enveloped({ id, ...alert, name: "Other" }) }];
    expect((await create(session, "Alert", { name: "Other" })).id).to.equal("new2");
    expect(methods()).to.deep.equal(["GET", "POST", "POST", "GET"]);
  });

  it("takes an answer without the secret of a key for a lost one", async () => {
    service.courses = [{ answer: enveloped({ key: { id: "new1" }, keyId: "id" }) }];
    const { message } = await failureOfType(create(sessionOf().session, "ApiKey"), PossiblyCreated);
    expect(message).to.match(
      /^the answer has no keySecret .*\nThe request may have been carried out\. .*: new1$/,
    );
  });

  for (const [what, answer] of lost.map(([title, course]) => [title, course.answer] as const)) {
    if (answer === "silence") continue;
    it(`is repeated after ${what} if nothing was created`, async () => {
      service.courses = [{ carriedOut: false, answer }];
      expect((await create(sessionOf().session)).id).to.equal("new2");
      expect(ids()).to.deep.equal(["old", "new2"]);
      expect(methods()).to.deep.equal(["GET", "POST", "GET", "POST"]);
    });
  }

  for (const status of [504, 522, 524]) {
    it(`is not repeated after status ${status}: a gateway gave up waiting, and it may yet be carried out`, async () => {
      service.courses = [{ carriedOut: false, answer: { status, body: "<html>timeout</html>" } }];
      await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("may have been carried out where its repetition is refused, for instance since the name is taken", async () => {
    const taken = refused(400, "BAD_REQUEST: the name is taken");
    service.courses = [
      { carriedOut: false, answer: reset },
      { carriedOut: false, answer: taken },
    ];
    const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
    expect(message.split("\n")[1]).to.equal(unseen());
  });

  it("may have been carried out where a gateway refuses it and the list lacks what this run has created", async () => {
    const { session } = sessionOf();
    await create(session);
    service.objects = [];
    service.courses = [{ carriedOut: false, answer: { status: 404, body: "<html>Not Found</html>" } }];
    const { message } = await failureOfType(create(session), PossiblyCreated);
    expect(message.split("\n")[1]).to.equal(unseen());
  });

  it("is not repeated after no answer in time: it may yet be carried out", async () => {
    service.courses = [{ carriedOut: false, answer: "silence" }];
    const { session } = sessionOf();
    const error = await failureOfType(create(session), PossiblyCreated);
    expect(error.message.split("\n")).to.deep.equal([
      `no answer within 10 s (createAlert: POST ${server.current.lines[1]?.split(" ")[1]})`,
      unseen(),
    ]);
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("is repeated as often as the settings say", async () => {
    service.courses = Array.from({ length: 9 }, () => ({ carriedOut: false, answer: refused(503, "busy") }));
    await failureOfType(create(sessionOf({ maxRetries: 2 }).session), FailedService);
    expect(methods().filter((method) => method === "POST")).to.have.length(3);
  });

  it("waits longer before each look, up to 8 s", async () => {
    service.courses = Array.from({ length: 7 }, () => ({ carriedOut: false, answer: reset }));
    await failureOfType(create(sessionOf({ maxRetries: 6 }).session), LostAnswer);
    const looks = service.server.current.gaps.filter((gap) => gap > 0);
    expect(looks).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  for (const [what, answer, type] of [
    ["refused", refused(400, "BAD_REQUEST: no"), RefusedRequest],
    ["of a service that does not exist", refused(404, "NOT_FOUND: no service"), RefusedRequest],
  ] as const) {
    it(`has surely created nothing if the request is ${what}`, async () => {
      service.courses = [{ carriedOut: false, answer }];
      await failureOfType(create(sessionOf().session), type);
      expect(methods()).to.deep.equal(["GET", "POST"]);
    });
  }

  const foreign: [string, Answer, Parameters<typeof failureOfType>[1]][] = [
    ["a redirect after the request", { status: 303, headers: { Location: "/done" } }, ForeignRefusal],
    ["a firewall", { status: 403, body: "<html>Request blocked</html>" }, ForeignRefusal],
    ["a page that is not found", { status: 404, body: "<html>Cannot POST</html>" }, MissingRoute],
    ["a proxy's conflict", { status: 409, body: "conflict" }, ForeignRefusal],
    ["a proxy's 425", { status: 425, body: "" }, ForeignRefusal],
    [
      "JSON of a framework",
      { status: 400, body: { status: 400, error: "Bad Request", path: "/" } },
      ForeignRefusal,
    ],
  ];
  for (const [what, answer, type] of foreign) {
    it(`that was carried out is found although ${what} refuses it`, async () => {
      service.courses = [{ answer }];
      expect((await create(sessionOf().session)).id).to.equal("new1");
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });

    it(`that was not carried out is not repeated after ${what}`, async () => {
      service.courses = [{ carriedOut: false, answer }];
      await failureOfType(create(sessionOf().session), type);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("may yet be carried out after a proxy's 408", async () => {
    service.courses = [{ carriedOut: false, answer: { status: 408, body: "" } }];
    await failureOfType(create(sessionOf().session), PossiblyCreated);
  });

  const limited = { status: 429, headers: { "Retry-After": "0.1" }, body: "<html>Slow down</html>" };

  it("is looked for after a 429 that is not the API's own, and repeated only if it was not carried out", async () => {
    service.courses = [{ answer: limited }];
    expect((await create(sessionOf().session)).id).to.equal("new1");
    service.courses = [{ carriedOut: false, answer: limited }];
    expect((await create(sessionOf().session)).id).to.equal("new3");
    expect(ids()).to.deep.equal(["old", "new1", "new3"]);
    const asked = methods().join();
    expect(asked).to.equal("GET,POST,GET,GET,POST,GET,POST");
  });

  it("is repeated at once after the API's own 429", async () => {
    const own = refused(429, "TOO_MANY_REQUESTS: slow down", { "Retry-After": "0.1" });
    service.courses = [{ carriedOut: false, answer: own }];
    expect((await create(sessionOf().session)).id).to.equal("new2");
    expect(methods()).to.deep.equal(["GET", "POST", "POST"]);
  });

  it("ends with the refusal itself where the same wall stood before every request", async () => {
    server.current.alwaysAnswer({ status: 404, body: "<html>Cannot GET</html>" });
    await failureOfType(create(sessionOf().session), MissingRoute);
    expect(methods()).to.deep.equal(["GET", "POST"]);
  });

  it("looks at the collection of its own type", async () => {
    const { session } = sessionOf();
    await Promise.all([create(session), create(session, "Dashboard")]);
    const lists = server.current.lines.filter((line) => line.startsWith("GET"));
    expect(lists.map((line) => line.split("/").at(-1))).to.have.members(["alerts", "dashboards"]);
  });

  describe("where there is no telling", () => {
    const blocked = { status: 403, body: "<html>Request blocked</html>" };
    for (const [what, list, answer] of [
      ["no list can be read before", refused(403, "no"), reset],
      ["the API refuses the list before, and a firewall the request", refused(403, "no"), blocked],
      ["two walls refuse the list before and the request", { status: 404, body: "" }, blocked],
    ] as [string, Answer, Answer][])
      it(`says what may be left where ${what}`, async () => {
        server.current.answer(list);
        service.courses = [{ answer }];
        const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
        expect(message.split("\n")[1]).to.equal(unseen());
        expect(methods()).to.deep.equal(["GET", "POST"]);
      });

    for (const [what, carriedOut, left] of [
      ["names what it has created", true, inQuestion("new1")],
      ["says what may be left", false, unseen()],
    ] as const)
      it(`${what} where a list has the length of a page`, async () => {
        const old = (_: unknown, index: number) => ({ id: `old${index}`, ...alert, name: "Old" });
        service.objects = Array.from({ length: carriedOut ? 99 : 100 }, old);
        service.courses = [{ carriedOut, answer: reset }];
        const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
        expect(message.split("\n")[1]).to.equal(left);
        expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
      });

    it("says what may be left where the list fails afterwards", async () => {
      service.courses = [{ answer: reset, meanwhile: () => server.current.alwaysAnswer(refused(403, "no")) }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(unseen());
    });
  });
});
