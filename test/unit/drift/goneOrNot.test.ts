import { expect } from "chai";
import { operationOn } from "../../../provider/api/operations";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { type Answer, cutOff, reset, ScriptedServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

const otherId = "00000000-0000-4000-8000-000000000000";
const requestId = "4bd8e2a4-33a0-4a4e-9a0b-6f0b3c1d2e4f";

const json = (status: number, body: unknown): Answer =>
  send(status, "application/json", JSON.stringify(body));
const error = (status: number, text: string) => json(status, { status, error: text, requestId });
const result = (value: unknown) => json(200, { status: 200, requestId, result: value });

function send(status: number, type: string, body: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": type, ...headers }, body };
}

interface Case {
  readonly answer: Answer;
  /** The types of which the object is gone where everything is answered so; of all others the state is kept. */
  readonly gone?: readonly TypeName[];
}

const every = typeNames;
const listed = typeNames.filter((type) => examples[type].creatable);
/** No request shows one of them by itself. */
const listedAlone = listed.filter((type) => resources[type].operations.get === undefined);
/** Only the observability API has them, and so the last word. */
const onServer = listed.filter(
  (type) => operationOn("both", resources[type].operations.create).api === "observability",
);

const cases: { readonly [name: string]: Case } = {
  "404 in the API's JSON": { answer: error(404, "NOT_FOUND: no such object") },
  "404 of a gateway, as HTML": { answer: send(404, "text/html", "<html><body>Cannot GET /v1</body></html>") },
  "404 of another thing in the API's JSON": { answer: error(404, "NOT_FOUND: organization not found") },
  "404 of Spring WebFlux": {
    answer: json(404, {
      timestamp: "2026-01-01T00:00:00.000+00:00",
      path: "/v1/x",
      status: 404,
      error: "Not Found",
      message: null,
      requestId,
    }),
  },
  "404 of a gateway, as JSON": { answer: json(404, { message: "no Route matched with those values" }) },
  "404 as text": { answer: send(404, "text/plain", "Not Found") },
  "404 without a body": { answer: send(404, "text/plain", "") },
  "400 Invalid id": { answer: error(400, "BAD_REQUEST: Invalid alert id") },
  "401": { answer: error(401, "UNAUTHORIZED: bad credentials") },
  "401 as text": { answer: send(401, "text/plain", "Unauthorized") },
  "403": { answer: error(403, "FORBIDDEN: not for you") },
  "405": { answer: send(405, "text/html", "<h1>Method Not Allowed</h1>") },
  "429": { answer: send(429, "text/html", "Too many requests", { "retry-after": "0" }) },
  "500": { answer: error(500, "INTERNAL: oops") },
  "502 as HTML": { answer: send(502, "text/html", "<h1>Bad Gateway</h1>") },
  "an empty list": { answer: result([]), gone: listedAlone },
  "a list without the object": {
    answer: result([
      { id: otherId, name: "another", url: "https://other.example.com", threshold: 1, tiles: [] },
    ]),
    gone: listedAlone,
  },
  "a list of something else": { answer: result(["a", "b"]) },
  "HTML with status 200": { answer: send(200, "text/html", "<html><title>Sign in</title></html>") },
  "{}": { answer: json(200, {}) },
  '{"data": null}': { answer: json(200, { data: null }) },
  '{"result": null}': { answer: result(null) },
  '{"result": {}}': { answer: result({}) },
  "an object with another id": { answer: result({ id: otherId, name: "another" }) },
  null: { answer: json(200, null) },
  "a body cut short": { answer: cutOff },
  "JSON cut short": { answer: send(200, "application/json", '{"status":200,"result":[{"id":"') },
  "no answer": { answer: reset },
};

/** Which answers mean that there is no such route: nothing is known then, and a warning says so. */
const routeless = /^405$|^404 (of a gateway|of Spring|as text|without)/;

/** What becomes of a refresh that tells nothing of an object. */
function expectKept(outcome: unknown, name: string, type: TypeName): void {
  // The envelope of the other API is a gateway's.
  const isForeign = onServer.includes(type) && name.startsWith("404");
  if (isForeign || routeless.test(name)) expect(outcome).to.equal("unseen");
  else expect(outcome).to.be.instanceOf(Error);
}

describe("gone or not", () => {
  let sandbox: Sandbox;
  let server: ScriptedServer;
  const time = useVirtualTime();

  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    server = await new ScriptedServer().start();
    await sandbox.reset();
  });
  afterEach(() => server.close());
  after(() => sandbox.close());

  const methods = () => server.requests.map(({ method }) => method);

  /** Reads may lack for a while what is new, so it is not. */
  async function applied(type: TypeName): Promise<Declared> {
    const declared = await justApplied(type);
    time.pass(180_000);
    return declared;
  }

  async function justApplied(type: TypeName): Promise<Declared> {
    const service = new Service(sandbox, {});
    furnish(service);
    const declared = new Declared(type, examples[type].programs(service)[0]);
    await declared.up(sessionOf(sandbox).session);
    return declared;
  }

  const throughGateway = () =>
    sessionOf({ baseUrl: server.url, obsBaseUrl: server.url, credentials: sandbox.credentials }).session;

  for (const type of every) {
    describe(type, () => {
      for (const [name, { answer: given, gone = [] }] of Object.entries(cases)) {
        const isGone = gone.includes(type);
        it(`read answered by ${name}: ${isGone ? "gone" : "the state is kept"}`, async () => {
          const declared = await applied(type);
          const state = structuredClone(declared.state);
          server.alwaysAnswer(given);
          const outcome = await declared.refresh(throughGateway()).catch((failure: Error) => failure);
          if (isGone) expect(outcome).to.equal("gone");
          else expectKept(outcome, name, type);
          expect(declared.state).to.deep.equal(state);
          expect(methods()).to.have.lengthOf.within(1, 4);
          expect(new Set(methods())).to.deep.equal(new Set(["GET"]));
        });
      }
    });
  }

  /** Some routes call the id of a missing object invalid. */
  const ownWords = ["404 in the API's JSON", "400 Invalid id"];
  const others = Object.entries(cases).filter(([name]) => !ownWords.includes(name));

  for (const type of listedAlone) {
    for (const [name, { answer: given, gone = [] }] of Object.entries(cases)) {
      const isGone = gone.includes(type);
      it(`a ${type} that the list lacks is ${isGone ? "gone" : "kept"} where the second look at the list is answered by ${name}`, async () => {
        const declared = await applied(type);
        server.answer(result([]));
        server.alwaysAnswer(given);
        const outcome = await declared.refresh(throughGateway()).catch((failure: Error) => failure);
        if (isGone) expect(outcome).to.equal("gone");
        else expectKept(outcome, name, type);
        expect(methods()).to.deep.equal(["GET", "GET"]);
      });
    }
  }

  for (const type of onServer) {
    const words = {
      "404 as text": cases["404 as text"]?.answer as Answer,
      "400 Invalid id": json(400, { message: "Invalid id" }),
    };
    for (const [name, answer] of Object.entries(words)) {
      it(`a ${type} that the list lacks is gone where the server says so in its own words: ${name}`, async () => {
        const declared = await applied(type);
        server.answer(json(200, { data: [] }), answer);
        expect(await declared.refresh(throughGateway())).to.equal("gone");
        expect(methods()).to.deep.equal(["GET", "GET"]);
      });
    }
  }

  for (const type of listed.filter((type) => !listedAlone.includes(type) && !onServer.includes(type))) {
    for (const name of ownWords) {
      it(`a ${type} that the list lacks is gone where the API says so in its own words: ${name}`, async () => {
        const declared = await applied(type);
        server.answer(result([]), cases[name]?.answer as Answer);
        expect(await declared.refresh(throughGateway())).to.equal("gone");
        expect(methods()).to.deep.equal(["GET", "GET"]);
      });
    }

    for (const [name, { answer: given }] of others) {
      it(`a ${type} that the list lacks is kept where the look at it is answered by ${name}`, async () => {
        const declared = await applied(type);
        server.answer(result([]));
        server.alwaysAnswer(given);
        const outcome = await declared.refresh(throughGateway()).catch((failure: Error) => failure);
        expectKept(outcome, name, type);
      });
    }
  }

  for (const type of typeNames.filter((type) => type !== "ServiceScaling")) {
    for (const [name, { answer: given }] of Object.entries(cases)) {
      // The receipt of a delete has no result to look at.
      if (/list|result|another id/.test(name)) continue;
      const isReceipt = name === "{}" && onServer.includes(type);
      const isGone = isReceipt || false;
      it(`delete of a ${type} answered by ${name}: ${isGone ? "done" : "fails"}`, async () => {
        const declared = await applied(type);
        server.alwaysAnswer(given);
        const outcome = await declared.delete(throughGateway()).catch((failure: Error) => failure);
        if (isGone) expect(outcome).to.equal(undefined);
        else expect(outcome).to.be.instanceOf(Error);
      });
    }
  }

  describe("on the observability API alone", () => {
    const noKey = { keyId: "", keySecret: "", organizationId: "", serviceId: "" };
    const alone = () =>
      sessionOf({ baseUrl: server.url, obsBaseUrl: server.url, credentials: sandbox.credentials }, noKey)
        .session;
    const missing = Object.entries(cases).filter(([name]) => name.startsWith("404"));

    for (const type of typeNames.filter((type) => resources[type].scope === "observability")) {
      for (const [name, { answer: given }] of missing) {
        it(`a ${type} is kept where everything is answered by ${name}, whether it is read or deleted`, async () => {
          const declared = await applied(type);
          server.alwaysAnswer(given);
          const read = await declared.refresh(alone()).catch((failure: Error) => failure);
          expect(read).to.equal("unseen");
          const deleted = await declared.delete(alone()).catch((failure: Error) => failure);
          expect(deleted).to.be.instanceOf(Error);
        });
      }
    }
  });

  for (const [name, answer] of [
    ["400 Invalid id", error(400, "BAD_REQUEST: Invalid alert id")],
    ["204", send(204, "text/plain", "")],
    ["202", json(202, { status: 202, requestId })],
    ["a health page", json(200, { status: "UP" })],
    ["an error with status 200", json(200, { status: 500, error: "INTERNAL: oops", requestId })],
  ] as const) {
    it(`a delete answered by ${name} is looked into: done only if the object is gone`, async () => {
      const declared = await applied("Alert");
      server.answer(answer, result([]), cases["404 in the API's JSON"]?.answer as Answer);
      await declared.delete(throughGateway());
      expect(methods()).to.deep.equal(["DELETE", "GET", "GET"]);
      server.answer(answer, result([{ id: declared.id }]));
      const outcome = await declared.delete(throughGateway()).catch((failure: Error) => failure);
      expect(outcome).to.be.instanceOf(Error);
    });
  }

  it("a delete refused with 400 Invalid id fails if the list has the object", async () => {
    const declared = await applied("Alert");
    server.answer(error(400, "BAD_REQUEST: Invalid alert id"), result([{ id: declared.id, threshold: 1 }]));
    const outcome = await declared.delete(throughGateway()).catch((failure: Error) => failure);
    expect(outcome).to.be.instanceOf(Error).with.property("message").that.includes("Invalid alert id");
  });
});
