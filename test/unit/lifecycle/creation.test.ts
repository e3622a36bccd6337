import { expect } from "chai";
import {
  FailedService,
  ForeignRefusal,
  LostAnswer,
  MissingRoute,
  Unreachable,
} from "../../../provider/api/errors";
import type { Session } from "../../../provider/lifecycle/session";
import { trackingOf } from "../../../provider/lifecycle/state";
import { failureOfType } from "../api/failure";
import { type Answer, enveloped, refused, reset, silence } from "../api/server";
import { doubtOf, oneOfAlerts, oneOfKeys, unseen } from "./createFailures";
import { alert, type Course, place, useService } from "./scriptedService";

describe("Creates with failures and lost answers", () => {
  const service = useService();
  const { create, ids, open, addForeign: put, verbs } = service;
  let old: string;
  beforeEach(() => {
    old = put();
  });
  const others = () => ids().filter((id) => id !== old);
  const session = () => open().session;

  it("creates list the objects of a type once, and then send one request for each object", async () => {
    const own = session();
    const made = await Promise.all([create(own), create(own), create(own, "Dashboard")]);
    expect(made.slice(0, 2).map(({ id }) => id)).to.have.members(others());
    expect(service.requests.sort().join()).to.equal(
      "createAlert,createAlert,createDashboard,listAlerts,listDashboards",
    );
  });

  const lost: [string, () => Answer][] = [
    ["a broken connection", () => reset],
    ["a failure of the service", () => refused(500, "INTERNAL: oops")],
    ["no answer in time", () => silence],
    ["an answer without an id", () => enveloped({ name: "Slow" })],
    ["an answer about an object that was there before", () => enveloped({ id: old })],
  ];
  for (const [what, answer] of lost) {
    it(`a create finds its object in the list after ${what}, with a notice`, async () => {
      service.courses = [{ answer: answer() }];
      const { session, notices } = open();
      const { id, state } = await create(session);
      expect(others()).to.deep.equal([id]);
      expect(state).to.include({ name: "Slow" });
      expect(trackingOf(state)).to.have.property("taken", true);
      expect(verbs()).to.equal("list create list");
      expect(notices).to.deep.equal([
        `alert ${id} was created although the answer was lost; it is now in the state`,
      ]);
    });

    if (answer() !== silence)
      it(`a create is repeated after ${what} if the service created nothing`, async () => {
        service.courses = [{ carriedOut: false, answer: answer() }];
        const { id, state } = await create(session());
        expect([id]).to.deep.equal(others());
        expect(trackingOf(state)).to.not.have.property("taken");
        expect(verbs()).to.equal("list create list create");
      });
  }

  it("the answer to a create of an API key counts as lost if it lacks the secret", async () => {
    service.courses = [{ answer: enveloped({ key: { id: "00000000-0000-4000-8000-000000000000" } }) }];
    const [failure, left] = await doubtOf(create(session(), "ApiKey"));
    expect(failure).to.match(/^the answer has no keySecret /);
    expect(left).to.equal(oneOfKeys(...ids("ApiKey").slice(1)));
  });

  const page = "<html>timeout</html>";
  const neverRepeated: [string, Answer][] = [
    ["status 504", { status: 504, body: page }],
    ["a proxy's 408", { status: 408 }],
    ["no answer in time", silence],
  ];
  for (const [what, answer] of neverRepeated)
    it(`a create is not repeated after ${what}, since the service may still carry it out`, async () => {
      service.courses = [{ carriedOut: false, answer }];
      const [failure, left] = await doubtOf(create(session()));
      expect(left).to.equal(unseen);
      expect(verbs()).to.equal("list create list");
      if (answer === silence) expect(failure).to.match(/^no answer within 10 s \(createAlert: POST \/v1\//);
    });

  it("a create has an unknown outcome if the service refuses its repetition", async () => {
    const taken = refused(400, "BAD_REQUEST: the name is taken");
    service.courses = [reset, taken].map((answer) => ({ carriedOut: false, answer }));
    expect((await doubtOf(create(session())))[1]).to.equal(unseen);
  });

  for (const [when, before] of [
    ["the list lacks what this run has created", async (own: Session) => create(own)],
    ["no list has shown anything that this run has created", async () => undefined],
  ] as const)
    it(`a create that a gateway refuses has an unknown outcome if its list proves nothing: ${when}`, async () => {
      const own = session();
      await before(own);
      service.model.store.alerts.clear();
      service.courses = [{ carriedOut: false, answer: { status: 404, body: "<html>Not Found</html>" } }];
      expect((await doubtOf(create(own)))[1]).to.equal(unseen);
    });

  it("a create is repeated as often as maxRetries says, after waits that double up to 8 s", async () => {
    const waits: number[] = [];
    let failedAt = 0;
    service.gateway = (operation, carryOut) => {
      if (operation === "createAlert") failedAt = Date.now();
      else if (failedAt > 0) waits.push(Date.now() - failedAt);
      return operation === "createAlert" ? reset : carryOut();
    };
    await failureOfType(create(open({ maxRetries: 6 }).session), LostAnswer);
    expect(waits).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    service.gateway = undefined;
    service.courses = Array.from({ length: 9 }, () => ({ carriedOut: false, answer: refused(503, "busy") }));
    service.requests = [];
    await failureOfType(create(open({ maxRetries: 2 }).session), FailedService);
    expect(verbs()).to.equal("list create list create list create list");
  });

  const foreign: [string, Answer, Parameters<typeof failureOfType>[1]][] = [
    ["a redirect after the request", { status: 303, headers: { Location: "/done" } }, ForeignRefusal],
    ["a page that is not found", { status: 404, body: "<html>Cannot POST</html>" }, MissingRoute],
    ["a proxy's conflict", { status: 409, body: "conflict" }, ForeignRefusal],
    ["a framework", { status: 400, body: { status: 400, error: "Bad Request", path: "/" } }, ForeignRefusal],
  ];
  for (const [what, answer, type] of foreign)
    it(`a create refused outside the API, by ${what}, learns from a list whether its object exists`, async () => {
      service.courses = [{ answer }, { carriedOut: false, answer }];
      const own = session();
      expect([(await create(own)).id]).to.deep.equal(others());
      await failureOfType(create(own), type);
      expect(verbs()).to.equal("list create list create list");
    });

  it("a create is repeated after a gateway's 429 only if the list does not show its object", async () => {
    await service.fault(
      { kind: "429-gateway", when: "after", operation: "createAlert", nth: 1 },
      { kind: "429-gateway", when: "before", operation: "createAlert", nth: 2 },
    );
    const made = [await create(session()), await create(session())];
    expect(made.map(({ id }) => id)).to.deep.equal(others());
    expect(verbs()).to.equal("list create list list create list create");
  });

  it("a create fails with the gateway's refusal if the same gateway refuses every request", async () => {
    await service.fault({ kind: "404-gateway", operation: "*" });
    await failureOfType(create(session()), MissingRoute);
    expect(verbs()).to.equal("list create");
  });

  describe("a create with an unknown outcome", () => {
    const blocked = { status: 403, body: "<html>Request blocked</html>" };
    const unlisted: [string, Answer, Answer][] = [
      ["no list can be read before", refused(403, "no"), reset],
      ["the API refuses the list before, and a firewall the request", refused(403, "no"), blocked],
      ["two walls refuse the list before and the request", { status: 404 }, blocked],
    ];
    for (const [what, list, answer] of unlisted)
      it(`a create that can read no list reports a possibly created object: ${what}`, async () => {
        service.gateway = (operation) => (operation === "listAlerts" ? list : answer);
        expect((await doubtOf(create(session())))[1]).to.equal(unseen);
        expect(verbs()).to.equal("list create");
      });

    it("a create reports a possibly created object if no list can be read afterwards", async () => {
      service.gateway = (operation, carryOut) => {
        if (operation === "createAlert") return reset;
        return service.verbs().includes("create") ? refused(403, "no") : carryOut();
      };
      expect((await doubtOf(create(session())))[1]).to.equal(unseen);
      expect(verbs()).to.equal("list create list");
    });

    it("a create reports a possibly created object if the list has the length of a page, without the object", async () => {
      for (let count = 0; count < 99; count++) put({ name: "Old" });
      service.courses = [{ carriedOut: false }];
      expect((await doubtOf(create(session())))[1]).to.equal(unseen);
      expect(verbs()).to.equal("list list create list list");
    });

    it("a create finds its object even in a list that has exactly the length of a page", async () => {
      const before = Array.from({ length: 98 }, () => put({ name: "Old" }));
      service.courses = [{ answer: reset }];
      const { id } = await create(session());
      expect(others().filter((other) => !before.includes(other))).to.deep.equal([id]);
      expect(verbs()).to.equal("list create list list");
    });
  });

  const fails: Course = { carriedOut: false, answer: { status: 502, body: "<html>Bad Gateway</html>" } };
  const said = (description: string) =>
    `a failed request may have created ${description} on service ${place.serviceId}, or may still do so; after the update, npx pipestack orphans lists it`;
  const slow = said('an alert named "Slow"');

  it("the warning about a possible second object is given once, however often the create is repeated", async () => {
    service.courses = [fails, fails, fails];
    const { session, warnings } = open({ maxRetries: 3 });
    await create(session);
    service.courses = [fails];
    await create(session, "Dashboard");
    expect(warnings).to.deep.equal([slow, said('a dashboard named "Board"')]);
  });

  it("a create is repeated again if its repetition could not reach the service", async () => {
    service.courses = [fails];
    const { session } = open({ maxRetries: 2 });
    const call = session.call.bind(session);
    let creates = 0;
    session.call = (async (name, ...rest) => {
      if (name === "createAlert" && ++creates === 2)
        throw new Unreachable(session.siteOf(name), "the service cannot be reached");
      return call(name, ...rest);
    }) as typeof session.call;
    expect([(await create(session)).id]).to.deep.equal(others());
  });
});

const objectIds = ["66f0c2d8a1b2c3d4e5f60701", "66f0c2d8a1b2c3d4e5f60718"] as const;
const uuids = ["7b0fc2d8-a1b2-43d4-85f6-0718293a4b5c", "7b0fc2d8-a1b2-43d4-85f6-0718293a4b5d"] as const;

describe("The id in the answer to a create", () => {
  const service = useService();
  const { create, open, addForeign: put, verbs } = service;

  const answered = (id: string, carriedOut = false): Course => ({
    carriedOut,
    answer: enveloped({ id, ...alert }),
  });

  // The provider must not repeat a create whose answer has an invalid id, since the first request may have created an object.
  const refusals: [string, string][] = [
    ...["../66f0c2d8a1b2c3d4e5f60718", "..", "a?b", "a\u0000", "a".repeat(201), "null"].map(
      (id): [string, string] => [id, ""],
    ),
    [uuids[0], objectIds[0]],
    [objectIds[1], uuids[0]],
  ];
  for (const [id, other] of refusals)
    it(`a create refuses the answered id ${JSON.stringify(id.slice(0, 30))} and names the possibly created object, if the list has ${other || "no object"}`, async () => {
      if (other) put({ id: other, name: "Other" });
      service.courses = [answered(id)];
      const [failure, left] = await doubtOf(create(open().session));
      expect(failure).to.match(/^the answer has the id ".+", which is no id of this service \(createAlert: /);
      expect(left).to.equal(unseen);
      expect(verbs()).to.equal("list create list");
    });

  for (const id of [objectIds[1], uuids[0], "1234", "V1StGXR8_Z5jdHi6B-myT", "alert:7~a.b=@+"])
    it(`a create accepts the answered id ${id} on a server that has no objects yet`, async () => {
      service.courses = [answered(id, true)];
      expect((await create(open().session)).id).to.equal(id);
      expect(verbs()).to.equal("list create");
    });

  it("a create refuses an answered id of another form than the ids of its earlier objects", async () => {
    const given = [objectIds[0], uuids[0]];
    service.gateway = (operation) =>
      enveloped(operation === "listAlerts" ? [] : { ...alert, id: given.shift() });
    const { session } = open();
    await create(session);
    expect((await doubtOf(create(session)))[0]).to.include(`the id "${uuids[0]}", which is no id`);
  });

  it("a create adopts no listed object whose id cannot be part of a URL path", async () => {
    const meanwhile = () => void put({ id: "../old" });
    service.courses = [{ carriedOut: false, answer: refused(500, "INTERNAL"), meanwhile }];
    expect((await doubtOf(create(open().session)))[1]).to.equal(oneOfAlerts("../old"));
  });

  it("a create accepts an answered id of any form that the ids of the type's listed objects have", async () => {
    for (const id of [objectIds[0], uuids[0], "7"]) put({ id, name: "Other" });
    for (const id of [objectIds[1], uuids[1], "8"]) {
      service.courses = [answered(id)];
      expect((await create(open().session)).id).to.equal(id);
    }
  });
});
