import { expect } from "chai";
import fc from "fast-check";
import { IncompleteList } from "../../../provider/api/errors";
import { observe } from "../../../provider/lifecycle/observe";
import { Unseen } from "../../../provider/lifecycle/state";
import { alertResource } from "../../../provider/resources/alert/alert";
import { sessionFor } from "../lifecycle/note";
import { failureOfType } from "./failure";
import { type Answer, clientOf, place, refused, useServer } from "./server";

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `a${from + index}` }));

/** One page of a list on the observability API. */
const page = (from: number, to: number, total: number, limit = 1000): Answer => ({
  body: { data: entries(from, to), meta: { total, limit, offset: from } },
});

describe("a list", () => {
  const server = useServer();
  const listAlerts = () =>
    clientOf(server.current, { observabilityVia: "observability", maxRetries: 0 }).client.call(
      "listAlerts",
      {},
    );
  const ids = async () => (await listAlerts()).map(({ id }) => id);
  const paths = () => server.current.requests.map(({ path }) => path);

  it("of one page is handed on as it came", async () => {
    const twice = [...entries(0, 1), ...entries(0, 1)];
    server.current.answer({ body: { data: twice } }, { body: { data: twice, meta: { total: 2 } } });
    expect([await listAlerts(), await listAlerts()]).to.deep.equal([twice, twice]);
  });

  it("is empty if the server counts none", async () => {
    server.current.answer(page(0, 0, 0));
    expect(await ids()).to.deep.equal([]);
  });

  it("is one request if the server counts no more than it sent", async () => {
    server.current.answer(page(0, 3, 3));
    expect(await ids()).to.deep.equal(["a0", "a1", "a2"]);
    expect(paths()).to.deep.equal(["/api/v2/alerts"]);
  });

  it("is read to its end if the server counts more", async () => {
    server.current.answer(page(0, 4, 10, 4), page(4, 8, 10, 4), page(8, 10, 10, 4));
    expect(await ids()).to.deep.equal(entries(0, 10).map(({ id }) => id));
    expect(paths()).to.deep.equal([
      "/api/v2/alerts",
      "/api/v2/alerts?limit=4&offset=4",
      "/api/v2/alerts?limit=4&offset=8",
    ]);
  });

  it("is read to its end on the management API, too, if that counts", async () => {
    const body = (from: number, to: number) => ({
      body: { status: 200, requestId: "5b1f", result: entries(from, to), meta: { total: 3, limit: 2 } },
    });
    server.current.answer(body(0, 2), body(2, 3));
    const keys = await clientOf(server.current).client.call("listKeys", place);
    expect(keys).to.deep.equal(entries(0, 3));
  });

  it("has all objects once for any lengths of its pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 40 }),
        async (total, lengths) => {
          server.current.requests.length = 0;
          const answers = [];
          for (let from = 0, at = 0; from < total; at++) {
            const to = Math.min(total, from + (lengths[at % lengths.length] ?? 1));
            answers.push(page(from, to, total, to - from));
            from = to;
          }
          server.current.answer(...answers);
          expect(await ids()).to.deep.equal(entries(0, total).map(({ id }) => id));
          expect(paths()).to.have.length(answers.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is asked for in pages as long as the first one if the server names no limit", async () => {
    server.current.answer({ body: { data: entries(0, 2), meta: { total: 3 } } }, page(2, 3, 3));
    expect(await ids()).to.deep.equal(["a0", "a1", "a2"]);
    expect(paths().at(-1)).to.equal("/api/v2/alerts?limit=2&offset=2");
  });

  const changed = "the list changed while its pages were read";
  const counted = (data: object[], meta: object): Answer => ({ body: { data, meta } });
  const failing: [string, Answer[], string][] = [
    [
      "ends before it is complete",
      [page(0, 2, 4), counted([], { total: 4 })],
      "the server sent 2 of 4 entries",
    ],
    [
      "shows an object again in place of another one",
      [page(0, 2, 4), page(1, 3, 4), page(4, 4, 4)],
      "the server sent 3 of 4 entries",
    ],
    ["grows while it is read", [page(0, 2, 4), page(2, 4, 5)], changed],
    ["shrinks while it is read", [page(0, 2, 4), page(2, 3, 3)], changed],
    ["is no longer counted", [page(0, 2, 4), { body: { data: entries(2, 4) } }], changed],
    [
      "is refused from the second page on",
      [page(0, 2, 4), { status: 400, body: { message: "limit" } }],
      "limit",
    ],
    [
      "fails from the second page on",
      [page(0, 2, 4), { status: 502, body: "<h1>Bad Gateway</h1>" }],
      "Bad Gateway",
    ],
    ["counts entries and sends none", [page(0, 0, 4), page(0, 0, 4)], "the server sent 0 of 4 entries"],
    [
      "counts entries, and sends no limit",
      [counted([], { total: 4, limit: 0 })],
      "the server sent 0 of 4 entries",
    ],
  ];
  for (const [what, answers, reason] of failing) {
    it(`is incomplete if it ${what}, and the error has the entries that came`, async () => {
      server.current.answer(...answers);
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect(error.isGuess).to.equal(false);
      expect(error.reason).to.match(new RegExp(`^(the server sent 2 of 4 entries: )?${reason}$`));
      expect(error.entries).to.deep.include.members((answers[0] as { body: { data: object[] } }).body.data);
    });
  }

  const data = entries(0, 3);
  for (const [what, answer] of [
    ["totalCount", { body: { data, totalCount: 4 } }],
    ["totalCount in a page", { body: { data, page: { totalCount: "4" } } }],
    ["nextCursor", { body: { data, nextCursor: "abc" } }],
    ["next in links", { body: { data, links: { next: "/api/v2/alerts?page=2" } } }],
    ["hasMore", { body: { data, hasMore: true } }],
    ["Link", { headers: { Link: '</api/v2/alerts?page=2>; rel="next"' }, body: { data } }],
    ["Link without quotes", { headers: { Link: "</api/v2/alerts?page=2>; rel=next" }, body: { data } }],
    ["X-Total-Count", { headers: { "X-Total-Count": "4" }, body: { data } }],
  ] as [string, Answer][]) {
    it(`is incomplete if the answer has ${what}, which is not followed`, async () => {
      server.current.answer(answer);
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect([error.isGuess, error.entries]).to.deep.equal([false, data]);
      expect(error.reason).to.match(/^the server sent 3 (of 4 entries|entries and says that more follow)$/);
      expect(paths()).to.have.length(1);
    });
  }

  for (const body of [
    { data, totalCount: 3, nextCursor: null, hasMore: false, next: "" },
    { data, meta: { skipped: 2 } },
    { data, hasMore: "false", has_next: "" },
    { data, subtotal: 9, overnext: "a", version: 9 },
    ...["", "many", "1.5", 9.5, -1, null, true, [9], { count: 9 }].map((total) => ({
      data,
      meta: { total },
    })),
  ]) {
    it(`is complete if the answer has ${JSON.stringify({ ...body, data: undefined })}`, async () => {
      server.current.answer({ body });
      expect(await listAlerts()).to.deep.equal(data);
    });
  }

  for (const [length, isRound] of [
    [99, false],
    [100, true],
    [101, false],
    [500, true],
    [1000, true],
    [1001, false],
  ] as const) {
    it(`of ${length} entries without a total ${isRound ? "may go on" : "is complete"}`, async () => {
      server.current.answer({ body: { data: entries(0, length) } });
      if (!isRound) return expect(await listAlerts()).to.have.length(length);
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect(error.isGuess).to.equal(true);
      expect(error.message).to.include(`exactly ${length} entries and does not say how many there are`);
    });
  }

  it("of 1000 entries is complete if the server counts them", async () => {
    server.current.answer(page(0, 1000, 1000), {
      headers: { "X-Total-Count": "1000" },
      body: { data: entries(0, 1000) },
    });
    expect(await listAlerts()).to.have.length(1000);
    expect(await listAlerts()).to.have.length(1000);
  });

  it("of a round length is used with one warning, by one request", async () => {
    const { session, warnings } = sessionFor({ observabilityVia: "observability" }, server.current.url);
    server.current.answer({ body: { data: entries(0, 100) } });
    expect(await session.list("listAlerts", {})).to.have.length(100);
    expect(await session.list("listAlerts", {})).to.have.length(100);
    const listed = { ...alertResource, sureMember: undefined };
    expect(await observe(listed, "a7", { session, scope: {} })).to.deep.equal({ id: "a7" });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      /^more objects may exist: the server sent exactly 100 entries .* \(listAlerts: /,
    );
    expect(paths()).to.have.length(1);
  });

  it("that is incomplete lets no object count as gone, even if the API says so", async () => {
    const { session } = sessionFor({ maxRetries: 0 }, server.current.url);
    const part = { body: { status: 200, requestId: "5b1f", result: entries(0, 100) } };
    server.current.answer(part, refused(404, "NOT_FOUND: alert not found"));
    const found = await observe(alertResource, "gone", { session, scope: place });
    expect(found).to.be.instanceOf(Unseen).with.property("reason").that.is.instanceOf(IncompleteList);
  });
});
