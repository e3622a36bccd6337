import { expect } from "chai";
import { FailedService, SettingsError } from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import { resolveSettings } from "../../../provider/api/settings";
import { scopeOf } from "../../../provider/lifecycle/scope";
import { Session } from "../../../provider/lifecycle/session";
import { failureOfType } from "../api/failure";
import {
  type Answer,
  enveloped,
  organizationId,
  place,
  refused,
  serviceId,
  settingsFor,
  useServer,
} from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

const [, first, second] = [[], [{ id: "first" }], [{ id: "second" }]].map((list) => enveloped(list)) as [
  Answer,
  Answer,
  Answer,
];
const silent = { warn: () => undefined, info: () => undefined };

describe("List requests that many callers of a session share", () => {
  const server = useServer();
  let session: Session;
  beforeEach(() => {
    ({ session } = sessionFor({ maxRetries: 0 }, server.current.url));
  });
  const list = () => session.lists.read("listAlerts", { ...place });
  const fresh = () => session.lists.read("listAlerts", { ...place }, { asOf: "now" });
  const times = <Result>(count: number, act: () => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, act));
  const expectRequests = (count: number) => expect(server.current.requests).to.have.length(count);

  it("a failed list request fails only for the callers who wait for it", async () => {
    const before = () => session.lists.find("listAlerts", { ...place }, "second", "write");
    for (const read of [list, before]) {
      server.current.answer(refused(500, "INTERNAL: oops"), second);
      await times(2, () => failureOfType(read(), FailedService));
      await read();
    }
    expectRequests(4);
  });

  for (const [name, answer, isStale] of [
    ["createKey", enveloped({ key: { id: "k" } }), true],
    ["updateScaling", enveloped({ id: serviceId }), true],
    ["updateAlert", { body: { data: { id: "x" } } }, true],
    ["deleteAlert", enveloped(), true],
    ["createAlert", refused(500, "INTERNAL: oops"), true],
    ["getAlert", enveloped({ id: "x" }), false],
    ["getChartSeries", { body: { data: [] } }, false],
  ] as [OperationName, Answer, boolean][])
    it(`a session ${isStale ? "requests a list again" : "keeps a list"} after ${name}, whether that succeeds or fails`, async () => {
      server.current.answer(first, answer, second);
      await list();
      await session.call(name, { ...place, id: "x" }, {}).catch(() => {});
      expect(await list()).to.deep.equal([{ id: isStale ? "second" : "first" }]);
      expectRequests(isStale ? 3 : 2);
    });

  it("callers who want a fresh list never get that of a request under way, but share the request after it", async () => {
    let later: Promise<unknown>[] = [];
    server.current.answer((_request, response) => {
      later = Array.from({ length: 50 }, fresh);
      response.end(JSON.stringify({ status: 200, requestId: "r", result: [{ id: "early" }] }));
    }, second);
    expect(await fresh()).to.deep.equal([{ id: "early" }]);
    for (const each of await Promise.all(later)) expect(each).to.deep.equal([{ id: "second" }]);
    expectRequests(2);
  });
});

describe("Lists from the API with the length of a page and no total", () => {
  const server = useServer();
  useVirtualTime();
  const page = Array.from({ length: 100 }, (_, index) => ({ id: `a${index}` }));
  let lengths: number[];

  function serve(isOpen = false): Session {
    let finish = () => {};
    server.current.alwaysAnswer((request, response) => {
      const answer = (result?: unknown) =>
        response.end(JSON.stringify({ status: 200, requestId: "r", result }));
      if (request.method === "DELETE") finish = () => answer();
      else if (request.method !== "GET") finish = () => answer({ id: serviceId });
      else {
        answer(page.slice(0, lengths.shift() ?? page.length));
        if (!isOpen) finish();
      }
    });
    return sessionFor({ maxRetries: 0 }, server.current.url).session;
  }
  const gets = () => server.current.lines.filter((line) => line.startsWith("GET"));

  for (const write of ["createAlert", "deleteAlert"] as const)
    for (const asOf of ["run", "now"] as const)
      it(`while ${write} is under way, a list (asOf ${asOf}) with exactly the length of a page is requested a second time`, async () => {
        lengths = [100, 99];
        const session = serve();
        const writing = session.call(write, { ...place, id: "a" }, {});
        expect(await session.lists.read("listAlerts", place, { asOf, isWhole: true })).to.have.length(99);
        await writing;
        expect(gets()).to.have.length(2);
      });
});

describe("The settings of a session", () => {
  useVirtualTime();

  it("a session reads the settings once, when the first one is needed", () => {
    let reads = 0;
    const resolve = () => {
      reads++;
      return settingsFor("http://127.0.0.1:1");
    };
    const session = new Session(resolve, silent);
    expect(reads).to.equal(0);
    expect(scopeOf("service", {}, session)).to.deep.equal({ organizationId, serviceId });
    expect(reads).to.equal(1);
  });

  it("a session tells once what its settings assume, but not while a preview is only drawn", () => {
    const toldBy = (isOffline: boolean) => {
      const told: string[] = [];
      const log = { warn: () => undefined, info: (text: string) => told.push(text) };
      const session = new Session((tell) => resolveSettings([], tell), log, isOffline);
      expect([session.settings.dialect, session.settings.dialect]).to.deep.equal([
        "clickhouse",
        "clickhouse",
      ]);
      return told;
    };
    expect(toldBy(false)).to.have.length(1);
    expect(toldBy(true)).to.deep.equal([]);
  });

  it("a session needs settings only for the organization and service that the inputs do not name", () => {
    const { session } = sessionFor({ organizationId: undefined, serviceId: undefined });
    const inputs = { organizationId: "o", serviceId: "s" };
    expect(scopeOf("service", inputs, session)).to.deep.equal(inputs);
    expect(scopeOf("organization", inputs, session)).to.deep.equal({ organizationId: "o" });
    expect(() => scopeOf("service", { organizationId: "o" }, session)).to.throw(
      SettingsError,
      /^setting serviceId is missing/,
    );
  });
});
