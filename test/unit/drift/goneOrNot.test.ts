import { expect } from "chai";
import { operationOn } from "../../../provider/api/operations";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { type Answer, ScriptedServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { furnish } from "../faults/furnish";
import { Service } from "../faults/service";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

const requestId = "4bd8e2a4-33a0-4a4e-9a0b-6f0b3c1d2e4f";
const other = { id: "00000000-0000-4000-8000-000000000000", name: "another", threshold: 1, tiles: [] };

const text = (status: number, body: string, type = "text/plain"): Answer => ({
  ...{ status, body },
  headers: { "content-type": type },
});
const json = (status: number, body: unknown) => text(status, JSON.stringify(body), "application/json");
const error = (status: number, message: string) => json(status, { status, error: message, requestId });
const result = (value: unknown) => json(200, { status: 200, requestId, result: value });
const data = (value: unknown) => json(200, { data: value });

/** Answers that may be taken for a word of the API about an object; the matrix of faults has all others. */
const answers: { readonly [name: string]: Answer } = {
  "404 in the API's JSON": error(404, "NOT_FOUND: no such object"),
  "404 of another thing in the API's JSON": error(404, "NOT_FOUND: organization not found"),
  "404 of a gateway, as JSON": json(404, { message: "no Route matched with those values" }),
  "404 of a gateway, as HTML": text(404, "<html><body>Cannot GET /v1</body></html>", "text/html"),
  "404 as text": text(404, "Not Found"),
  "404 without a body": text(404, ""),
  "400 Invalid id": error(400, "BAD_REQUEST: Invalid alert id"),
  "405": text(405, "<h1>Method Not Allowed</h1>", "text/html"),
  "an empty list": result([]),
  "a list without the object": result([other]),
  "a list of text": result(["a", "b"]),
  "an object with another id": result(other),
};

const listed = typeNames.filter((type) => examples[type].creatable);
/** No request shows one of them by itself. */
const listedAlone = listed.filter((type) => resources[type].operations.get === undefined);
/** Only the observability API has them, and so the last word. */
const onServer = listed.filter(
  (type) => operationOn("both", resources[type].operations.create).api === "observability",
);
/** Lists that lack an object, where nothing but lists shows it. */
const lacking = ["an empty list", "a list without the object"];
/** Some routes call the id of a missing object invalid. */
const ownWords = ["404 in the API's JSON", "400 Invalid id"];

/** Which answers mean that there is no such route: nothing is known then. The envelope of the other API is a gateway's. */
const isRouteless = (name: string, type: TypeName) =>
  /^405$|^404 (of a gateway|as text|without)/.test(name) ||
  (onServer.includes(type) && name.startsWith("404"));

describe("Gone or kept", () => {
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

  /** Reads may lack for a while what is new, so it is not. */
  async function applied(type: TypeName): Promise<Declared> {
    const service = new Service(sandbox, {});
    furnish(service);
    const declared = new Declared(type, examples[type].programs(service)[0]);
    await declared.up(sessionOf(sandbox).session);
    time.pass(180_000);
    return declared;
  }
  const throughServer = (changed: Record<string, string> = {}) => {
    const { credentials } = sandbox;
    return sessionOf({ baseUrl: server.url, obsBaseUrl: server.url, credentials }, changed).session;
  };
  const outcomeOf = (step: Promise<unknown>) => step.catch((failure: Error) => failure);

  /** Reads an object that is answered so, and expects it gone or kept. */
  async function expectRead(type: TypeName, name: string, isGone: boolean): Promise<void> {
    const declared = await applied(type);
    const state = structuredClone(declared.state);
    const outcome = await outcomeOf(declared.refresh(throughServer()));
    if (isGone) expect(outcome).to.equal("gone");
    else if (isRouteless(name, type)) expect(outcome).to.equal("unseen");
    else expect(outcome).to.be.instanceOf(Error);
    expect(declared.state).to.deep.equal(state);
    expect(server.requests.map(({ method }) => method).join()).to.match(/^GET(,GET){0,3}$/);
  }

  for (const type of typeNames)
    for (const [name, answer] of Object.entries(answers)) {
      const isGone = listedAlone.includes(type) && lacking.includes(name);
      it(`a read ${isGone ? "finds the object gone" : "keeps the object"} when every answer is ${name}: ${type}`, async () => {
        server.alwaysAnswer(answer);
        await expectRead(type, name, isGone);
      });
    }

  for (const type of listed)
    for (const [name, answer] of Object.entries(answers)) {
      const words = listedAlone.includes(type) ? lacking : onServer.includes(type) ? [] : ownWords;
      const isGone = words.includes(name);
      it(`a read ${isGone ? "finds the object gone" : "keeps the object"} when the list lacks it and the next answer is ${name}: ${type}`, async () => {
        server.answer(onServer.includes(type) ? data([]) : result([]));
        server.alwaysAnswer(answer);
        if (onServer.includes(type) && name === "404 as text") return expectRead(type, "own words", true);
        await expectRead(type, name, isGone);
      });
    }

  for (const type of onServer)
    it(`an object is gone when the list lacks it and the server calls its id invalid: ${type}`, async () => {
      server.answer(data([]), json(400, { message: "Invalid id" }));
      await expectRead(type, "own words", true);
    });

  for (const type of typeNames.filter((one) => resources[one].operations.delete))
    for (const [name, answer] of Object.entries(answers)) {
      // The receipt of a delete has no result to look at.
      if (/list|another id/.test(name)) continue;
      it(`an object stays in the state when its deletion and all reads are answered by ${name}: ${type}`, async () => {
        const declared = await applied(type);
        server.alwaysAnswer(answer);
        expect(await outcomeOf(declared.delete(throughServer()))).to.be.instanceOf(Error);
      });
    }

  const noKey = { keyId: "", keySecret: "", organizationId: "", serviceId: "" };
  for (const type of typeNames.filter((one) => resources[one].scope === "observability"))
    for (const [name, answer] of Object.entries(answers).filter(([one]) => one.startsWith("404")))
      it(`an observability server keeps the object when every answer is ${name}: ${type}`, async () => {
        const declared = await applied(type);
        server.alwaysAnswer(answer);
        expect(await outcomeOf(declared.refresh(throughServer(noKey)))).to.equal("unseen");
        expect(await outcomeOf(declared.delete(throughServer(noKey)))).to.be.instanceOf(Error);
      });
});
