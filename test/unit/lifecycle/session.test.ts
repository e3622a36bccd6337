import { expect } from "chai";
import { FailedService, IncompleteList, SettingsError } from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
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

const [none, first, second] = [[], [{ id: "first" }], [{ id: "second" }]].map((list) => enveloped(list)) as [
  Answer,
  Answer,
  Answer,
];
const silent = { warn: () => undefined, info: () => undefined };

describe("Lists that many read", () => {
  const server = useServer();
  let session: Session;
  beforeEach(() => {
    ({ session } = sessionFor({ maxRetries: 0 }, server.current.url));
  });
  const list = () => session.list("listAlerts", { ...place });
  const fresh = () => session.freshList("listAlerts", { ...place });
  const times = <Result>(count: number, act: () => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, act));
  const expectRequests = (count: number) => expect(server.current.requests).to.have.length(count);

  it("a failed list fails once for all readers, without another request", async () => {
    server.current.answer(refused(500, "INTERNAL: oops"));
    const failing = () => failureOfType(list(), FailedService);
    await times(2, failing);
    await failing();
    expectRequests(1);
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
    it(`${isStale ? "fetches a list again" : "keeps a list"} after ${name}, however that ends`, async () => {
      server.current.answer(first, answer, second);
      await list();
      await session.call(name, { ...place, id: "x" }, {}).catch(() => {});
      expect(await list()).to.deep.equal([{ id: isStale ? "second" : "first" }]);
      expectRequests(isStale ? 3 : 2);
    });

  it("keeps no list that was on its way during a write", async () => {
    let deleting: Promise<unknown> | undefined;
    server.current.answer(
      (_request, response) => {
        deleting = session
          .call("deleteAlert", { ...place, id: "old" })
          .then(() => response.end(JSON.stringify({ status: 200, requestId: "r", result: [{ id: "old" }] })));
      },
      enveloped(),
      none,
    );
    expect(await list()).to.deep.equal([{ id: "old" }]);
    await deleting;
    expect(await list()).to.deep.equal([]);
  });

  it("a fresh list begins after the request for it, and one under way serves no later reader", async () => {
    let later: Promise<unknown>[] = [];
    server.current.answer((_request, response) => {
      later = Array.from({ length: 50 }, fresh);
      response.end(JSON.stringify({ status: 200, requestId: "r", result: [{ id: "early" }] }));
    }, second);
    expect(await fresh()).to.deep.equal([{ id: "early" }]);
    for (const each of await Promise.all(later)) expect(each).to.deep.equal([{ id: "second" }]);
    expectRequests(2);
  });

  it("asks for a fresh list again after a failure, and for another collection", async () => {
    server.current.answer(refused(500, "INTERNAL: oops"), enveloped([{ id: "A" }]), second);
    await failureOfType(fresh(), FailedService);
    expect(await session.findFresh("listAlerts", place, "a")).to.deep.equal({ id: "A" });
    expect(await session.freshList("listDashboards", place)).to.deep.equal([{ id: "second" }]);
    expectRequests(3);
  });
});

describe("Lists with the length of a page and no total", () => {
  const server = useServer();
  useVirtualTime();
  const page = Array.from({ length: 100 }, (_, index) => ({ id: `a${index}` }));
  let lengths: number[];

  /** A write is answered after the first list; with `isOpen` never. */
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
    for (const list of ["wholeList", "freshList"] as const)
      it(`${list} reads a list of a page's length again while ${write} is under way, which changes it`, async () => {
        lengths = [100, 99];
        const session = serve();
        const writing = session.call(write, { ...place, id: "a" }, {});
        expect(await session[list]("listAlerts", place)).to.have.length(99);
        await writing;
        expect(gets()).to.have.length(2);
      });

  it("a list of a page's length is incomplete at once while only an update is under way", async () => {
    lengths = [];
    const session = serve();
    const writing = session.call("updateScaling", place, {});
    await failureOfType(session.freshList("listAlerts", place), IncompleteList);
    await writing;
    expect(gets()).to.have.length(1);
  });

  it("a list of a page's length is incomplete after three looks half a second apart", async () => {
    lengths = [];
    const session = serve(true);
    void session.call("deleteAlert", { ...place, id: "a" }).catch(() => {});
    const begun = Date.now();
    await failureOfType(session.freshList("listAlerts", place), IncompleteList);
    expect(Date.now() - begun).to.be.within(1000, 1100);
    expect(gets()).to.have.length(3);
  });
});

describe("Sessions", () => {
  const server = useServer();
  useVirtualTime();

  it("tells the user once of a long wait of its client", async () => {
    server.current.answer(refused(429, "slow down", { "Retry-After": "7" }), none);
    const { session, notices, warnings } = sessionFor({}, server.current.url);
    expect(await session.call("listKeys", place)).to.deep.equal([]);
    expect(notices).to.have.length(1);
    expect(notices[0]).to.match(/^waiting 7 s for the service/);
    expect(warnings).to.deep.equal([]);
  });

  it("reads the settings once, when the first one is needed", () => {
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

  it("a session prefers the place that the inputs name, and needs no setting for it", () => {
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
