import { expect } from "chai";
import { isOlder } from "../../../provider/api/serverVersion";
import { checkWithServer } from "../../../provider/lifecycle/check";
import { Session } from "../../../provider/lifecycle/session";
import { savedSearchResource } from "../../../provider/resources/savedSearch/savedSearch";
import { oneOf } from "../../../provider/values/schema";
import { Type } from "../../../provider/values/schemaBuilders";
import { type Answer, reset, settingsFor, silence, useServer } from "./server";
import { inVirtualTime } from "./virtualTime";

const inputs = Type.Object({
  ...savedSearchResource.inputs.properties,
  pin: Type.Optional(Type.Array(Type.Object({ place: Type.String({ since: "2.40" }) }))),
  kind: Type.Optional(oneOf(["old", "new"], { since: { new: "2.38" } })),
});
const resource = { ...savedSearchResource, inputs };
const search = { name: "Errors", sourceId: "65f1c0a2b3d4e5f607182911", serviceId: undefined };

describe("The version of a self-hosted server", () => {
  const server = useServer();
  const sessionAt = (settings: object = {}) =>
    new Session(
      () => ({
        ...settingsFor(server.current.url),
        ...{ dialect: "clickhouse", observabilityVia: "observability", ...settings },
      }),
      { warn: () => undefined, info: () => undefined },
    );
  const health = (version: unknown, data: unknown = "OK"): Answer => ({ body: { data, version, ip: "::1" } });
  const failures = async (program: object, session = sessionAt()) =>
    (await checkWithServer(resource, {}, { ...search, ...program }, session)).failures.map(
      ({ path, message }) => `${path} ${message}`,
    );

  it("the check refuses each property and value that only a newer server supports, with its path", async () => {
    server.current.alwaysAnswer(health("2.36.1"));
    const found = await failures({ kind: "new", pin: [{ place: "top" }] });
    const needs = (version: string) =>
      `needs ClickStack ${version} or newer; the server at ${server.current.url} has 2.36.1`;
    expect(found).to.deep.equal([`kind "new" ${needs("2.38")}`, `pin[0].place ${needs("2.40")}`]);
  });

  it("a session requests the server's version once, when the program first declares a newer property", async () => {
    server.current.alwaysAnswer(health("2.46.0"));
    const session = sessionAt();
    for (const kind of [undefined, "old"]) expect(await failures({ kind }, session)).to.deep.equal([]);
    expect(server.current.lines).to.deep.equal([]);
    for (const kind of ["new", "new"]) expect(await failures({ kind }, session)).to.deep.equal([]);
    expect(server.current.lines).to.deep.equal(["GET /health"]);
  });

  it("the request for the server's version has no credentials", async () => {
    server.current.alwaysAnswer(health("2.46.0"));
    expect(await failures({ kind: "new" })).to.deep.equal([]);
    expect(server.current.onlyRequest.headers).to.not.have.property("authorization");
  });

  it("a session requests no version of ClickHouse Cloud or of a server in the neutral dialect", async () => {
    await failures({ kind: "new" }, sessionAt({ observabilityVia: "management" }));
    await failures({ kind: "new" }, sessionAt({ dialect: "neutral" }));
    expect(server.current.lines).to.deep.equal([]);
  });

  it("the check of unchanged inputs does not request the server's version again", async () => {
    const program = { ...search, kind: "new" };
    const { inputs: before } = await checkWithServer(resource, {}, program, sessionAt());
    await checkWithServer(resource, before, program, sessionAt());
    expect(server.current.lines).to.deep.equal(["GET /health"]);
  });

  const unknown: [string, Answer][] = [
    ["has another form", health("main-4f1c2ab")],
    ["is no text", health(236)],
    ["is that of a server that is not well", health("2.36.0", "FAILED")],
    ["is a redirect", { status: 302, headers: { Location: "/login" } }],
    ["is refused", { status: 401, body: "Unauthorized" }],
    ["is a broken connection", reset],
    ["does not come", silence],
  ];
  for (const [title, answer] of unknown)
    it(`the check accepts every program if the answer about the server's version ${title}, after one request`, async () => {
      server.current.alwaysAnswer(answer);
      expect(await inVirtualTime(() => failures({ kind: "new" }))).to.deep.equal([]);
      expect(server.current.lines).to.deep.equal(["GET /health"]);
    });

  it("of two server versions, the older is the one with the lower number at the first difference", () => {
    const pairs = [
      ["2.36.0", "2.38"],
      ["2.9.9", "2.10"],
      ["2.36.0", "2.36.1"],
    ] as const;
    for (const [older, newer] of pairs)
      expect([isOlder(older, newer), isOlder(newer, older)]).to.deep.equal([true, false]);
    expect(isOlder("2.38.0", "2.38")).to.equal(false);
  });
});
