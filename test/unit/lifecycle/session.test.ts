import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import {
  FailedService,
  IncompleteList,
  MalformedResponse,
  SettingsError,
} from "../../../provider/api/errors";
import { scopeOf } from "../../../provider/lifecycle/scope";
import { Session } from "../../../provider/lifecycle/session";
import { failureOf, failureOfType } from "../api/failure";
import { mockTime } from "../api/mockTime";
import { enveloped, organizationId, place, refused, serviceId, settingsFor, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";
import { sessionFor } from "./note";

const elsewhere = { organizationId, serviceId: organizationId };

describe("a list that many read", () => {
  const server = useServer();
  const sessionOfServer = () => sessionFor({ maxRetries: 0 }, server.current.url).session;

  it("is fetched once, for reads at the same time and for later ones", async () => {
    server.current.answer(enveloped([{ id: "a" }]));
    const session = sessionOfServer();
    const lists = await Promise.all(
      Array.from({ length: 50 }, () => session.list("listAlerts", { ...place })),
    );
    lists.push(await session.list("listAlerts", place));
    for (const list of lists) expect(list).to.deep.equal([{ id: "a" }]);
    expect(server.current.requests).to.have.length(1);
  });

  it("is another one for another collection and for another service", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const session = sessionOfServer();
    for (let count = 0; count < 2; count++) {
      await session.list("listAlerts", place);
      await session.list("listDashboards", place);
      await session.list("listAlerts", elsewhere);
    }
    expect(new Set(server.current.lines).size).to.equal(3);
    expect(server.current.requests).to.have.length(3);
  });

  it("fails once for all, and is not asked for again", async () => {
    server.current.answer(refused(500, "INTERNAL: oops"));
    const session = sessionOfServer();
    const failing = () => failureOfType(session.list("listAlerts", place), FailedService);
    await Promise.all([failing(), failing()]);
    await failing();
    expect(server.current.requests).to.have.length(1);
  });

  const key = { key: { id: "k" } };
  for (const [name, answer] of [
    ["createKey", enveloped(key)],
    ["updateScaling", enveloped({ id: serviceId })],
    ["updateAlert", { body: { data: { id: "x" } } }],
    ["deleteAlert", enveloped()],
  ] as const) {
    it(`is fetched again after a write: ${name}`, async () => {
      server.current.answer(enveloped([{ id: "old" }]), answer, enveloped([{ id: "new" }]));
      const session = sessionOfServer();
      await session.list("listAlerts", place);
      await session.call(name, { ...place, id: "x" }, {});
      expect(await session.list("listAlerts", place)).to.deep.equal([{ id: "new" }]);
      expect(server.current.requests).to.have.length(3);
    });
  }

  it("is fetched again after a write that failed: it may have been carried out", async () => {
    server.current.answer(enveloped([]), refused(500, "INTERNAL: oops"), enveloped([{ id: "a" }]));
    const session = sessionOfServer();
    await session.list("listAlerts", place);
    await failureOf(session.call("createAlert", place, {}));
    expect(await session.list("listAlerts", place)).to.deep.equal([{ id: "a" }]);
  });

  it("that was on its way during a write is not kept", async () => {
    let release = (): void => undefined;
    server.current.answer(
      (_request, response) => {
        release = () =>
          response.end(JSON.stringify({ status: 200, requestId: "r", result: [{ id: "old" }] }));
        deleting = session.call("deleteAlert", { ...place, id: "old" }).then(() => release());
      },
      enveloped(),
      enveloped([]),
    );
    const session = sessionOfServer();
    let deleting: Promise<void> | undefined;
    expect(await session.list("listAlerts", place)).to.deep.equal([{ id: "old" }]);
    await deleting;
    expect(await session.list("listAlerts", place)).to.deep.equal([]);
  });

  it("stays after a read", async () => {
    server.current.answer(enveloped([]), enveloped({ id: "a" }));
    const session = sessionOfServer();
    await session.list("listAlerts", place);
    await session.call("getAlert", { ...place, id: "a" });
    await session.list("listAlerts", place);
    expect(server.current.requests).to.have.length(2);
  });

  it("stays after a read by POST, of chart series", async () => {
    server.current.answer(enveloped([]), { body: { data: [] } });
    const session = sessionOfServer();
    await session.list("listAlerts", place);
    await session.call("getChartSeries", {}, {});
    await session.list("listAlerts", place);
    expect(server.current.requests).to.have.length(2);
  });
});

describe("a fresh list", () => {
  const server = useServer();
  const sessionOfServer = () => sessionFor({ maxRetries: 0 }, server.current.url).session;

  it("is one request for all who ask before it begins, whatever was listed before", async () => {
    server.current.answer(enveloped([]), enveloped([{ id: "a" }]));
    const session = sessionOfServer();
    await session.list("listAlerts", place);
    const lists = await Promise.all(
      Array.from({ length: 50 }, () => session.freshList("listAlerts", { ...place })),
    );
    for (const list of lists) expect(list).to.deep.equal([{ id: "a" }]);
    expect(server.current.requests).to.have.length(2);
  });

  it("begins after it was asked for: one that is under way serves nobody who comes later", async () => {
    const session = sessionOfServer();
    const later: Promise<unknown>[] = [];
    server.current.answer(
      (_request, response) => {
        for (let count = 0; count < 50; count++) later.push(session.freshList("listAlerts", place));
        response.end(JSON.stringify({ status: 200, requestId: "r", result: [{ id: "early" }] }));
      },
      enveloped([{ id: "late" }]),
    );
    expect(await session.freshList("listAlerts", place)).to.deep.equal([{ id: "early" }]);
    for (const list of await Promise.all(later)) expect(list).to.deep.equal([{ id: "late" }]);
    expect(server.current.requests).to.have.length(2);
  });

  it("is another one for another collection, and is asked for again after a failure", async () => {
    server.current.answer(refused(500, "INTERNAL: oops"), enveloped([{ id: "A" }]), enveloped([{ id: "d" }]));
    const session = sessionOfServer();
    await failureOfType(session.freshList("listAlerts", place), FailedService);
    expect(await session.findFresh("listAlerts", place, "a")).to.deep.equal({ id: "A" });
    expect(await session.freshList("listDashboards", place)).to.deep.equal([{ id: "d" }]);
    expect(server.current.requests).to.have.length(3);
  });
});

describe("a list with the length of a page and no total", () => {
  const server = useServer();
  useVirtualTime();
  const page = Array.from({ length: 100 }, (_, index) => ({ id: `a${index}` }));
  let lengths: number[];

  beforeEach(() => {
    let finish = () => {};
    server.current.alwaysAnswer((request, response) => {
      const answer = (result?: unknown) =>
        response.end(JSON.stringify({ status: 200, requestId: "r", result }));
      if (request.method === "DELETE") finish = () => answer();
      else if (request.method !== "GET") finish = () => answer({ id: serviceId });
      else {
        answer(page.slice(0, lengths.shift() ?? page.length));
        finish();
      }
    });
  });

  const sessionOfServer = () => sessionFor({ maxRetries: 0 }, server.current.url).session;
  const gets = () => server.current.lines.filter((line) => line.startsWith("GET"));

  for (const write of ["createAlert", "deleteAlert"] as const)
    for (const list of ["wholeList", "freshList"] as const)
      it(`is read again by ${list} while ${write} is under way, which changes it`, async () => {
        lengths = [100, 99];
        const session = sessionOfServer();
        const writing = session.call(write, { ...place, id: "a" }, {});
        expect(await session[list]("listAlerts", place)).to.have.length(99);
        await writing;
        expect(gets()).to.have.length(2);
      });

  it("is incomplete at once while only an update is under way, which does not change it", async () => {
    lengths = [];
    const session = sessionOfServer();
    const writing = session.call("updateScaling", place, {});
    await failureOfType(session.freshList("listAlerts", place), IncompleteList);
    await writing;
    expect(gets()).to.have.length(1);
  });

  it("is incomplete after three looks half a second apart", async () => {
    lengths = [];
    server.current.alwaysAnswer((request, response) => {
      if (request.method === "GET")
        response.end(JSON.stringify({ status: 200, requestId: "r", result: page }));
    });
    const session = sessionOfServer();
    void session.call("deleteAlert", { ...place, id: "a" }).catch(() => {});
    const begun = Date.now();
    await failureOfType(session.freshList("listAlerts", place), IncompleteList);
    expect(Date.now() - begun).to.be.within(1000, 1100);
    expect(gets()).to.have.length(3);
  });
});

describe("a session", () => {
  afterEach(() => mock.reset());
  const server = useServer();

  it("calls with one client, and so with one connection", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const { session } = sessionFor({}, server.current.url);
    await session.call("listKeys", place);
    await session.call("listPipes", place);
    expect(server.current.connections).to.equal(1);
  });

  it("tells the user of a long wait of its client, once", async () => {
    mockTime();
    server.current.answer(refused(429, "slow down", { "Retry-After": "7" }), enveloped([]));
    const { session, notices, warnings } = sessionFor({}, server.current.url);
    let isOver = false;
    const calling = session.call("listKeys", place).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      if (notices.length > 0) mock.timers.tick(1000);
      await setImmediate();
    }
    expect(await calling).to.deep.equal([]);
    expect(notices).to.have.length(1);
    expect(notices[0]).to.match(/^waiting 7 s for the service/);
    expect(warnings).to.deep.equal([]);
  });

  it("passes on what went wrong", async () => {
    server.current.answer(enveloped({ not: "a list" }));
    const { session } = sessionFor({}, server.current.url);
    await failureOfType(session.list("listKeys", place), MalformedResponse);
  });

  it("reads the settings when the first one is needed, and once", () => {
    let reads = 0;
    const session = new Session(
      () => {
        reads++;
        return settingsFor("http://127.0.0.1:1");
      },
      { warn: () => undefined, info: () => undefined },
    );
    expect(reads).to.equal(0);
    expect(scopeOf("service", {}, session)).to.deep.equal({ organizationId, serviceId });
    expect(reads).to.equal(1);
  });

  it("prefers the place that the inputs name, and needs no setting for it", () => {
    const { session } = sessionFor({ organizationId: undefined, serviceId: undefined });
    const inputs = { organizationId: "o", serviceId: "s" };
    expect(scopeOf("service", inputs, session)).to.deep.equal(inputs);
    expect(scopeOf("organization", inputs, session)).to.deep.equal({ organizationId: "o" });
    expect(() => scopeOf("service", { organizationId: "o" }, session)).to.throw(
      SettingsError,
      /^setting serviceId is missing/,
    );
  });

  it("fails each call with the mistake in the settings", async () => {
    const session = new Session(
      () => {
        throw new SettingsError("setting baseUrl must be an address");
      },
      { warn: () => undefined, info: () => undefined },
    );
    await failureOfType(session.call("listKeys", place), SettingsError);
    await failureOfType(session.list("listKeys", place), SettingsError);
  });

  it("warns of the same thing once", () => {
    const { session, warnings, notices } = sessionFor();
    for (let count = 0; count < 3; count++) session.warnOnce("first");
    session.warnOnce("second");
    expect(warnings).to.deep.equal(["first", "second"]);
    expect(notices).to.deep.equal([]);
  });
});
