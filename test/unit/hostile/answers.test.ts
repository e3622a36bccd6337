import { expect } from "chai";
import { ForeignRefusal, MalformedResponse, MissingRoute } from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import { failureOf, failureOfType } from "../api/failure";
import { clientOf, place, useServer } from "../api/server";
import { expectCleanPrototypes, inherited } from "./inherited";

const poison = `{"polluted": true, "prototype": {"polluted": true}, "__proto__": {"polluted": true}}`;
const poisoned = `{${inherited.map((name) => `"${name}": ${poison}`).join(", ")}, "id": "a"`;

/** Returns the CPU seconds of the test's process, which do not depend on other processes as elapsed time does. */
async function secondsOfWork(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

describe("Hostile answers of a server", () => {
  const server = useServer();
  const patient = () => clientOf(server.current, { maxRetries: 0, timeoutSeconds: 60 }).client;
  const read = (name: OperationName, parameters = {}) =>
    patient().call(name, { ...place, ...parameters }, {});

  it("property names in an answer cannot change object prototypes", async () => {
    for (const body of [
      `{"status": 200, "requestId": "r", "__proto__": ${poison}, "result": [${poisoned}}]}`,
      `{"__proto__": {"result": [${poisoned}}]}}`,
      `{"constructor": {"prototype": {"polluted": true}}, "result": [${poisoned}, "tiles": [${poisoned}}]}]}`,
    ]) {
      server.current.answer({ body }, { status: 400, body });
      for (let count = 0; count < 2; count++) await read("listDashboards").catch(() => undefined);
      expectCleanPrototypes();
    }
    server.current.answer({ body: `{"status": 200, "requestId": "r", "result": [${poisoned}}]}` });
    const [dashboard] = await patient().call("listDashboards", place);
    expect(Object.keys(dashboard ?? {})).to.have.members([...inherited.slice(1), "id"]);
    expect(dashboard).to.not.have.property("polluted");
  });

  for (const [what, body] of [
    ["200,000 opened lists", "[".repeat(200_000)],
    ["200,000 lists", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["200,000 objects", `${'{"result":'.repeat(200_000)}1${"}".repeat(200_000)}`],
    ["101 lists in a good answer", `{"result":${"[".repeat(100)}${"]".repeat(100)}}`],
    [
      "5000 objects in a good answer",
      `{"result":[{"id":"a","config":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}]}`,
    ],
  ] as const) {
    it(`the client refuses an answer that is nested too deeply: ${what}`, async () => {
      server.current.answer({ body }, { status: 404, body }, { status: 400, body });
      await failureOfType(read("listKeys"), MalformedResponse);
      await failureOfType(read("listKeys"), MissingRoute);
      const { message } = await failureOfType(read("listKeys"), ForeignRefusal);
      expect(message.length).to.be.below(1000);
    });
  }

  it("the client accepts an answer that is nested as deeply as the deepest tile", async () => {
    const config = `${'{"a":'.repeat(50)}1${"}".repeat(50)}`;
    server.current.answer({ body: `{"result":[{"id":"a","tiles":[{"config":${config}}]}]}` });
    expect(await read("listDashboards")).to.have.length(1);
  });

  it("the client reads an answer with 200,000 properties or entries within 3 s of CPU time", async () => {
    const members = Array.from({ length: 200_000 }, (_, index) => `"m${index}":${index}`).join(",");
    const entries = Array.from({ length: 200_000 }, () => '{"id":"a"}').join(",");
    server.current.answer({ body: `{"result":{"id":"a",${members}}}` }, { body: `{"result":[${entries}]}` });
    const work = await secondsOfWork(async () => {
      await read("getService");
      expect(await read("listKeys")).to.have.length(200_000);
    });
    expect(work).to.be.below(3);
  }).timeout(120_000);

  for (const [what, text] of [
    ["opened tags", "<a".repeat(500_000)],
    ["angle brackets", `<a>${"<".repeat(1_000_000)}`],
    ["opened scripts", "<script>".repeat(200_000)],
    ["spaces", `${" ".repeat(1_000_000)}x`],
    ["entities", "&nbsp;".repeat(200_000)],
  ] as const) {
    it(`the client shortens an error message of endless ${what} within 2 s of CPU time`, async () => {
      for (const body of [text, { error: text }, { errors: [text, [text]] }]) {
        server.current.answer({ status: 400, body });
        const work = await secondsOfWork(async () => {
          const { message } = await failureOfType(read("listKeys"), ForeignRefusal);
          expect(message.length).to.be.below(600);
        });
        expect(work).to.be.below(2);
      }
    });
  }

  it("links in an answer cannot make the provider read a file or call another host", async () => {
    const addresses = ["file:///etc/passwd", "http://169.254.169.254/latest"];
    const links = [...addresses, "../../etc/passwd", "\\\\host\\share"];
    for (const link of links) {
      const names = ["$ref", "url", "href", "next", "location", "result", "data"];
      const members = Object.fromEntries(names.map((name) => [name, link]));
      const headers = { Link: `<${link}>; rel=next`, Location: link, Refresh: `0; url=${link}` };
      server.current.answer(
        { headers, body: members },
        { status: 401, headers: { "WWW-Authenticate": `Bearer realm="${link}"` }, body: members },
        { status: 302, headers: { Location: encodeURI(link) }, body: members },
      );
      for (let count = 0; count < 3; count++) {
        const { message } = await failureOf(read("listKeys"));
        expect(message).to.not.match(/root:|ENOENT|EACCES/);
      }
    }
    expect(server.current.requests).to.have.length(links.length * 3);
  });

  for (const body of [
    '{"error": {}, "requestId": {}}',
    '{"requestId": "r"}',
    "{}",
    "[]",
    '"error"',
    "null",
    "1e999",
  ])
    it(`a 404 without the API's own message does not mean that the object is missing: ${body}`, async () => {
      server.current.answer({ status: 404, body });
      await failureOfType(read("getKey", { id: "a" }), MissingRoute);
    });
});
