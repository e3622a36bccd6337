import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "chai";
import {
  FailedService,
  MissingObject,
  MissingRoute,
  PossiblyCreated,
  RefusedRequest,
} from "../../../provider/api/errors";
import type { Settings } from "../../../provider/api/settings";
import type { Data } from "../../../provider/lifecycle/data";
import * as lifecycle from "../../../provider/lifecycle/lifecycle";
import type { Session } from "../../../provider/lifecycle/session";
import { failureOf, failureOfType } from "../api/failure";
import { type Answer, enveloped, place, refused, reset, useServer } from "../api/server";
import { resources, type TypeName } from "../drift/fixture";
import { sessionFor } from "./note";

/** How the server treats one request that creates. */
interface Course {
  /** Whether it is carried out. Default: yes. */
  carriedOut?: boolean;
  /** What is answered. Default: the object. */
  answer?: Answer | "silence";
  /** What happens between the request and the answer. */
  meanwhile?(): void | Promise<void>;
}

const channel = { type: "webhook", webhookId: "w1" };
const alert = {
  name: "Slow",
  source: "search",
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  channel,
};
const tile = { name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
const dashboard = { name: "Board", tags: ["b", "a"], tiles: [tile] };
const key = { name: "reporting", roles: ["developer"] };
const declared: Partial<Record<TypeName, Data>> = { Alert: alert, Dashboard: dashboard, ApiKey: key };

describe("the creation of an object", () => {
  const server = useServer();
  let objects: Data[];
  let courses: Course[];
  let creations: number;
  let lists: EventEmitter;

  beforeEach(() => {
    [objects, courses, creations, lists] = [[{ id: "old", ...alert }], [], 0, new EventEmitter()];
    server.current.alwaysAnswer((request, response) => void respond(request, response));
  });

  /** One collection of any kind, as a server has it that carries out what the courses say. */
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method, url = "", socket } = request;
    const { body } = server.current.requests.at(-1) ?? {};
    if (method === "GET") {
      send(request, response, enveloped(objects));
      return lists.emit("list");
    }
    const id = url.slice(url.lastIndexOf("/") + 1);
    if (method === "DELETE") {
      objects = objects.filter((object) => object.id !== id);
      return send(request, response, enveloped());
    }
    const { carriedOut = true, answer, meanwhile } = courses.shift() ?? {};
    const object = { id: `new${++creations}`, ...(body as Data) };
    if (carriedOut) objects.push(object);
    await meanwhile?.();
    if (answer === "silence") return;
    const created = url.endsWith("/keys") ? { key: object, keyId: "id", keySecret: "s3cret" } : object;
    if (!socket.destroyed) send(request, response, answer ?? enveloped(created));
  }

  function send(request: IncomingMessage, response: ServerResponse, answer: Answer) {
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body ?? ""));
  }

  const sessionOf = (changed: Partial<Settings> = {}) =>
    sessionFor({ maxRetries: 1, timeoutSeconds: 10, ...changed }, server.current.url);
  /** Only those that are never answered are worth a short wait: on a busy machine others take their time. */
  const limitFor = ({ answer }: Course) => (answer === "silence" ? { timeoutSeconds: 1 } : {});
  const create = (session: Session, type: TypeName = "Alert", changed: Data = {}) =>
    lifecycle.create(
      resources[type] as unknown as lifecycle.Resource,
      { ...place, ...declared[type], ...changed },
      session,
    );
  const ids = () => objects.map(({ id }) => id);
  const methods = () => server.current.requests.map(({ method }) => method);

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
        courses = [course];
        const { session, notices } = sessionOf(limitFor(course));
        const { id, state } = await create(session, type);
        expect(id).to.equal("new1");
        expect(state).to.include({ name: declared[type]?.name });
        expect(ids()).to.deep.equal(["old", "new1"]);
        expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
        expect(notices).to.deep.equal([
          `${type.toLowerCase()} new1 was found again after the answer to its creation was lost`,
        ]);
      });
    }

    it(`deletes the key whose secret is lost by ${what}, and creates another`, async () => {
      objects = [{ id: "old", ...key }];
      courses = [course];
      const { session, notices } = sessionOf(limitFor(course));
      const { id, state } = await create(session, "ApiKey");
      expect([id, state.keySecret]).to.deep.equal(["new2", "s3cret"]);
      expect(ids()).to.deep.equal(["old", "new2"]);
      expect(methods()).to.deep.equal(["GET", "POST", "GET", "DELETE", "POST"]);
      expect(notices).to.deep.equal([
        "API key new1 was deleted again, as the answer to its creation was lost",
      ]);
    });
  }

  it("keeps a key that was made from hashes, since no secret is lost", async () => {
    courses = [{ answer: reset }];
    const hashData = { keyIdHash: "aaaa", keyIdSuffix: "bbbb", keySecretHash: "cccc" };
    const { id } = await create(sessionOf().session, "ApiKey", { hashData });
    expect(id).to.equal("new1");
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("takes an answer without the secret of a key for a lost one", async () => {
    courses = [{ answer: enveloped({ key: { id: "new1" }, keyId: "id" }) }];
    const { state } = await create(sessionOf().session, "ApiKey");
    expect([ids(), state.keySecret]).to.deep.equal([["old", "new2"], "s3cret"]);
  });

  for (const [what, answer] of lost.map(([title, course]) => [title, course.answer] as const)) {
    if (answer === "silence") continue;
    it(`is repeated after ${what} if nothing was created`, async () => {
      courses = [{ carriedOut: false, answer }];
      const { id } = await create(sessionOf().session);
      expect([id, ids()]).to.deep.equal(["new2", ["old", "new2"]]);
      // The last one is for what the first request may have made since.
      expect(methods()).to.deep.equal(["GET", "POST", "GET", "POST", "GET"]);
    });
  }

  for (const status of [504, 522, 524]) {
    it(`is not repeated after status ${status}: a gateway gave up waiting, and it may yet be carried out`, async () => {
      courses = [{ carriedOut: false, answer: { status, body: "<html>timeout</html>" } }];
      await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });
  }

  it("says so where the first request was carried out after all while it was repeated", async () => {
    const late = () => void objects.push({ id: "late", ...alert });
    courses = [{ carriedOut: false, answer: reset }, { meanwhile: late }];
    const { session, warnings } = sessionOf();
    const { id } = await create(session);
    expect([id, ids()]).to.deep.equal(["new2", ["old", "new2", "late"]]);
    expect(warnings).to.deep.equal([
      "alert new2 may have been created twice, as its first request failed: if it is nobody else's, delete late",
    ]);
  });

  it("is not repeated after no answer in time: it may yet be carried out", async () => {
    courses = [{ carriedOut: false, answer: "silence" }];
    const { session } = sessionOf({ timeoutSeconds: 1 });
    const error = await failureOfType(create(session), PossiblyCreated);
    expect(error.message.split("\n")).to.deep.equal([
      `createAlert (POST ${server.current.lines[1]?.split(" ")[1]}): no answer within 1 s`,
      `The request may still be carried out, though nothing has come of it yet: before you run the update again, look for an alert named "Slow" on service ${place.serviceId} that no program declares, and take it over with adoptId or delete it.`,
    ]);
    expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
  });

  it("is repeated as often as the settings say", async () => {
    courses = Array.from({ length: 9 }, () => ({ carriedOut: false, answer: refused(503, "busy") }));
    await failureOfType(create(sessionOf({ maxRetries: 2 }).session), FailedService);
    expect(methods().filter((method) => method === "POST")).to.have.length(3);
  });

  for (const [what, answer, type] of [
    ["refused", refused(400, "BAD_REQUEST: no"), RefusedRequest],
    ["not known to the server", { status: 404, body: "<html>Cannot POST</html>" }, MissingRoute],
    ["of a service that does not exist", refused(404, "NOT_FOUND: no service"), MissingObject],
  ] as const) {
    it(`has surely created nothing if the request is ${what}`, async () => {
      courses = [{ carriedOut: false, answer }];
      await failureOfType(create(sessionOf().session), type);
      expect(methods()).to.deep.equal(["GET", "POST"]);
    });
  }

  describe("beside others who create at the same time", () => {
    const theirs = (changed: Data = {}) => objects.push({ id: "theirs", ...alert, ...changed });

    for (const [what, changed] of [
      ["the same too", {}],
      ["something else", { name: "Other" }],
      ["something that differs in what was not declared", { message: "Theirs" }],
    ] as [string, Data][]) {
      it(`takes nothing where they create ${what}, and names what is in question`, async () => {
        courses = [{ answer: reset, meanwhile: () => void theirs(changed) }];
        const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
        const isSame = Object.keys(changed).length === 0;
        expect(message.split("\n")[1]).to.equal(
          `The request may have been carried out, but others create such objects at the same time. If one of these is not theirs, take it over with adoptId or delete it: new1${isSame ? ", theirs" : ""}`,
        );
        expect(ids()).to.deep.equal(["old", "new1", "theirs"]);
      });
    }

    it("takes nothing of theirs where nothing was created", async () => {
      courses = [{ carriedOut: false, answer: reset, meanwhile: () => void theirs({ threshold: 6 }) }];
      await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });

    it("deletes no key that may be theirs", async () => {
      courses = [{ answer: reset, meanwhile: () => void objects.push({ id: "theirs", ...key }) }];
      const { message } = await failureOfType(create(sessionOf().session, "ApiKey"), PossiblyCreated);
      expect(message).to.contain(
        "If one of these is not theirs, delete it, as its keySecret is lost: new1, theirs",
      );
      expect(ids()).to.deep.equal(["old", "new1", "theirs"]);
    });

    it("names no more than a reader can look at", async () => {
      const many = () =>
        void objects.push(...Array.from({ length: 70 }, (_, index) => ({ id: `their${index}`, ...alert })));
      courses = [{ answer: reset, meanwhile: many }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message).to.match(/adoptId or delete it: new1, their0, their1, their2, their3 and 66 more$/);
    });

    // No list can tell these two apart: docs/faults.md says so.
    it("takes the very same that somebody else created while its own request failed", async () => {
      courses = [{ carriedOut: false, answer: reset, meanwhile: () => void theirs() }];
      expect((await create(sessionOf().session)).id).to.equal("theirs");
    });

    for (const [what, changed] of [
      ["has been used", { usedAt: "2025-06-15T18:00:00Z" }],
      ["expires", { expireAt: "2035-01-01T00:00:00Z" }],
      ["is disabled", { state: "disabled" }],
      ["is for some addresses", { ipAccessList: [{ source: "10.0.0.0/8" }] }],
    ] as const) {
      it(`deletes no key that ${what}, which its own would not`, async () => {
        objects = [];
        const theirKey = () => void objects.push({ id: "theirs", ...key, ...changed });
        courses = [{ carriedOut: false, answer: reset, meanwhile: theirKey }];
        await failureOfType(create(sessionOf().session, "ApiKey"), PossiblyCreated);
        expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
      });
    }

    it("takes no dashboard with the same tiles that show something else", async () => {
      const tiles = [{ ...tile, series: [{ type: "time" }] }];
      const theirBoard = () => void objects.push({ id: "theirs", ...dashboard, tiles });
      courses = [{ carriedOut: false, answer: reset, meanwhile: theirBoard }];
      await failureOfType(create(sessionOf().session, "Dashboard"), PossiblyCreated);
      expect(methods()).to.deep.equal(["GET", "POST", "GET"]);
    });

    it("waits for the answer to another creation of the process that may have made what it finds", async () => {
      objects = [];
      courses = [
        { carriedOut: false, answer: refused(500, "INTERNAL: oops") },
        // In other words the same, and answered after the first has looked.
        { meanwhile: async () => void (await once(lists, "list")) },
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
      courses = names.map((_, index) => (index % 2 ? {} : { answer: reset }));
      const { session } = sessionOf();
      const created = await Promise.all(names.map((name) => create(session, "Alert", { name })));
      expect(created.map(({ state }) => state.name)).to.deep.equal(names);
      const found = created.map(({ id }) => objects.find((object) => object.id === id)?.name);
      expect(found).to.deep.equal(names);
      expect(new Set(created.map(({ id }) => id)).size).to.equal(names.length);
      expect(objects).to.have.length(1 + names.length);
    });

    it("repeats no twin that was created, and creates each that was not", async () => {
      courses = [{ carriedOut: false, answer: reset }, {}, { answer: reset }];
      const { session } = sessionOf();
      const created = await Promise.all([1, 2, 3].map(() => create(session)));
      expect(created.map(({ id }) => id)).to.have.members(ids().slice(1));
      expect(objects).to.have.length(4);
    });
  });

  describe("where there is no telling", () => {
    const remedy = `look for an alert named "Slow" on service ${place.serviceId} that no program declares, and take it over with adoptId or delete it.`;

    it("says what may be left where no documented operation lists the objects", async () => {
      courses = [{ answer: reset }];
      const { session } = sessionOf({ operations: "documented" });
      const { message } = await failureOfType(create(session), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(`The request may have been carried out: ${remedy}`);
      expect(methods()).to.deep.equal(["POST"]);
    });

    it("says what may be left where the list fails afterwards", async () => {
      courses = [{ answer: reset, meanwhile: () => server.current.alwaysAnswer(refused(403, "no")) }];
      const { message } = await failureOfType(create(sessionOf().session), PossiblyCreated);
      expect(message.split("\n")[1]).to.equal(
        `The request may have been carried out, and no list of all can be had: ${remedy}`,
      );
    });

    it("names the key that it could not delete again", async () => {
      courses = [{ answer: { body: "" } }];
      const { session } = sessionOf();
      server.current.alwaysAnswer((request, response) => {
        if (request.method === "DELETE") send(request, response, refused(403, "FORBIDDEN: no"));
        else void respond(request, response);
      });
      const { message } = await failureOf(create(session, "ApiKey"));
      expect(message.split("\n")[1]).to.match(
        /^The API key new1 that it created is useless and could not be deleted again: deleteKey .* FORBIDDEN: no/,
      );
    });
  });
});
