import { randomUUID } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { IncompleteList } from "../../../provider/api/errors";
import type { Operation } from "../../../provider/api/operation";
import { operations } from "../../../provider/api/operations";
import { wholeList } from "../../../provider/api/pages";
import { observe } from "../../../provider/lifecycle/observe";
import { Unseen } from "../../../provider/lifecycle/state";
import { alertResource } from "../../../provider/resources/alert/alert";
import { sessionFor } from "../lifecycle/note";
import { failureOfType } from "./failure";
import { type Answer, clientOf, place, refused, useServer } from "./server";

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `a${from + index}` }));

const page = (from: number, to: number, total: number, limit = 1000) => ({
  body: { data: entries(from, to), meta: { total, limit, offset: from } },
});
const counted = (data: object[], meta: object) => ({ body: { data, meta } });

/** Answers of an API that make a complete list, with the paths of the expected requests. */
const complete: readonly (readonly [
  what: string,
  answers: readonly Answer[],
  expected: object[],
  range?: string[],
])[] = [
  ["is one request if the server counts no more than it sent", [page(0, 3, 3)], entries(0, 3)],
  [
    "is read to its end if the server counts more",
    [page(0, 4, 10, 4), page(4, 8, 10, 4), page(8, 10, 10, 4)],
    entries(0, 10),
    ["?limit=4&offset=4", "?limit=4&offset=8"],
  ],
  ...[99, 101, 1001].map(
    (length) =>
      [
        `of ${length} entries without a total is complete`,
        [{ body: { data: entries(0, length) } }],
        entries(0, length),
      ] as const,
  ),
];

const data = entries(0, 3);

/** Answers of an API that have three entries of a list, and say in some form that more entries follow. */
const further: { readonly [sign: string]: Answer } = {
  totalCount: { body: { data, totalCount: 4 } },
  "next in links": { body: { data, links: { next: "/api/v2/alerts?page=2" } } },
  hasMore: { body: { data, hasMore: true } },
  Link: { headers: { Link: '</api/v2/alerts?page=2>; rel="next"' }, body: { data } },
};

const changed = "the list changed while its pages were read";
type Pages = readonly [ReturnType<typeof counted>, ...Answer[]];
/** Answers of an API that do not make a complete list, with the reason in the expected error. */
const failing: { readonly [what: string]: readonly [Pages, reason: string] } = {
  "ends before it is complete": [
    [page(0, 2, 4), counted([], { total: 4 })],
    "the server sent 2 of 4 entries",
  ],
  "shows an object again in place of another one": [
    [page(0, 2, 4), page(1, 3, 4), page(4, 4, 4)],
    "the server sent 3 of 4 entries",
  ],
  "grows while it is read": [[page(0, 2, 4), page(2, 4, 5)], changed],
  "is refused from the second page on": [
    [page(0, 2, 4), { status: 400, body: { message: "limit" } }],
    "the server sent 2 of 4 entries: limit",
  ],
};

/** Makes one page of a list from the management API, with the cursor of the next page. */
const behind = (from: number, to: number, nextCursor: string | null, totalCount?: number) => ({
  body: { status: 200, requestId: "r", result: entries(from, to), limit: 100, nextCursor, totalCount },
});

describe("Lists whose pages have cursors", () => {
  const server = useServer();
  const list = () => clientOf(server.current, { maxRetries: 0 }).client.call("listQueryApiEndpoints", place);
  const asked = () => server.current.requests.map(({ path }) => path.split("?")[1]);

  it("a list with cursors is read to its end, and contains an object that moves between pages only once", async () => {
    server.current.answer(behind(0, 100, "a b&"), behind(99, 150, "c"), behind(150, 151, null, 151));
    expect(await list()).to.deep.equal(entries(0, 151));
    expect(asked()).to.deep.equal(["limit=100", "limit=100&cursor=a+b%26", "limit=100&cursor=c"]);
  });

  it("a list with cursors contains each backup of a Postgres service, which has a key in place of an id", async () => {
    const backups = [{ key: "backup 1" }, { key: "backup 2" }];
    server.current.answer({ body: { ...behind(0, 0, null, 2).body, result: backups } });
    const { client } = clientOf(server.current, { maxRetries: 0 });
    const listed = await client.call("listPostgresBackups", { ...place, id: "p1" });
    expect(listed.map(({ key }) => key)).to.deep.equal(["backup 1", "backup 2"]);
  });

  it("the operation of each list whose objects have no id names the member that tells them apart", () => {
    const lists = Object.entries<Operation>(operations).filter(([name]) => name.startsWith("list"));
    const unclear = lists.filter(
      ([, { response, idIs }]) => response?.items && idIs === undefined && !response.items.properties?.id,
    );
    expect(unclear.map(([name]) => name)).to.deep.equal([]);
  });

  for (const end of [null, ""])
    it(`a list with cursors is complete if the cursor is ${JSON.stringify(end)}, whatever its number of entries`, async () => {
      server.current.answer(behind(0, 100, end));
      expect(await list()).to.have.length(100);
    });

  it("a list with cursors contains each limit of the organization, which has no id", async () => {
    const quotas = ["services", "keys"].map((quotaCode) => ({ quotaCode, value: 20 }));
    server.current.answer({ body: { status: 200, requestId: "r", result: quotas, nextCursor: null } });
    const { client } = clientOf(server.current, { dialect: "clickhouse" });
    expect(await client.call("getQuotas", place)).to.deep.equal(quotas);
  });

  it("a list with cursors is complete if its last page has a count and no cursor", async () => {
    const { nextCursor: _, ...last } = behind(100, 150, null, 150).body;
    server.current.answer(behind(0, 100, "a", 150), { body: last });
    expect(await list()).to.deep.equal(entries(0, 150));
  });

  const lost = { status: 400, body: { status: 400, error: "BAD_REQUEST: cursor", requestId: "r" } };
  for (const [what, answers, reason] of [
    ["answers the first page again", [behind(0, 2, "a"), behind(0, 2, "b")], "its cursors lead to no others"],
    [
      "answers the same cursor again",
      [behind(0, 2, "a"), behind(2, 4, "a")],
      "its cursors lead to no others",
    ],
    ["refuses the cursor", [behind(0, 2, "a"), lost], "says that more follow: BAD_REQUEST: cursor"],
    ["counts more than it sends", [behind(0, 2, "a", 5), behind(2, 4, null, 5)], "of 5"],
  ] as const)
    it(`a list with cursors is incomplete if the server ${what}`, async () => {
      server.current.answer(...answers);
      const error = await failureOfType(list(), IncompleteList);
      expect(error.message).to.match(new RegExp(`^the server sent [24] entries, (and )?${reason}`));
      expect(error.entries).to.deep.include.members(entries(0, 2));
    });
});

describe("Lists without an end", () => {
  const site = { operation: "listWebhooks", method: "GET", path: "/webhooks" } as const;
  const page = (number: number, further: object) => ({
    entries: entries(2 * number, 2 * number + 2),
    ...further,
  });

  for (const [kind, further] of [
    ["cursors", () => ({ cursor: randomUUID() })],
    ["counts", () => ({ total: 1e12 })],
    ["offsets", () => ({ doubt: { reason: "it has 2 entries", isGuess: true } })],
  ] as const)
    it(`the client ends a list of endless ${kind} with an error after 1,000 pages`, async () => {
      let pages = 0;
      const ask = async () => ({ page: page(++pages, further()) });
      const error = await failureOfType(wholeList(site, page(0, further()), ask, "offsets"), IncompleteList);
      expect(error.message).to.include("no end after 1000 pages");
      expect(pages).to.be.below(1001);
      expect(error.entries).to.have.length(2000);
    });
});

describe("Lists whose pages have no total", () => {
  const server = useServer();
  const list = () => clientOf(server.current, { maxRetries: 0 }).client.call("listWebhooks", place);
  const part = (from: number, to: number) => ({
    body: { status: 200, requestId: "r", result: entries(from, to) },
  });
  const asked = () => server.current.requests.map(({ path }) => path.split("?")[1]);

  it("a list of 1,200 objects is read beyond its first full page", async () => {
    server.current.answer(part(0, 1000), part(1000, 1200));
    expect(await list()).to.deep.equal(entries(0, 1200));
    expect(asked()).to.deep.equal([undefined, "limit=1000&offset=1000"]);
  });

  it("a list with exactly one full page is complete if the next page is empty", async () => {
    server.current.answer(part(0, 1000), part(0, 0));
    expect(await list()).to.deep.equal(entries(0, 1000));
  });

  it("a list from the API contains an object once even if it moves to the next page during the read", async () => {
    server.current.answer(part(0, 1000), part(999, 1100));
    expect(await list()).to.deep.equal(entries(0, 1100));
  });

  it("a list from the API is whole if its first object moves to its end during the read", async () => {
    const end = part(1001, 1100);
    server.current.answer(part(0, 1000), {
      body: { ...end.body, result: [...end.body.result, { id: "a0" }] },
    });
    expect(await list()).to.deep.equal([...entries(0, 1000), ...entries(1001, 1100)]);
  });

  it("a list from the API is complete if a server ignores offsets and answers the whole list twice", async () => {
    server.current.answer(part(0, 1000), part(0, 1001));
    expect(await list()).to.deep.equal(entries(0, 1001));
  });
});

describe("The pages of a list", () => {
  const server = useServer();
  const settings = { observabilityVia: "observability", maxRetries: 0 } as const;
  const listAlerts = () => clientOf(server.current, settings).client.call("listAlerts", {});
  const paths = () => server.current.requests.map(({ path }) => path);
  const path = "/api/v2/alerts";

  for (const [what, answers, expected, ranges = []] of complete)
    it(`the client reads all entries of a list of the observability API: the list ${what}`, async () => {
      server.current.answer(...answers);
      expect(await listAlerts()).to.deep.equal(expected);
      expect(paths()).to.deep.equal(["", ...ranges].map((range) => path + range));
    });

  it("a list from the API contains every object once, whatever the lengths of its pages", () =>
    fc.assert(
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
          expect(await listAlerts()).to.deep.equal(entries(0, total));
          expect(paths()).to.have.length(answers.length);
        },
      ),
      { numRuns: 50 },
    ));

  for (const [what, [answers, reason]] of Object.entries(failing))
    it(`a list from the API is incomplete if it ${what}, and the error has the received entries`, async () => {
      server.current.answer(...answers);
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect([error.isGuess, error.reason]).to.deep.equal([false, reason]);
      expect(error.entries).to.deep.include.members(answers[0].body.data);
    });

  for (const [sign, answer] of Object.entries(further))
    it(`a list from the API is incomplete if only ${sign} in the answer tells that more follows`, async () => {
      server.current.answer(answer);
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect([error.isGuess, error.entries]).to.deep.equal([false, data]);
      expect(error.reason).to.match(/^the server sent 3 (of 4 entries|entries and says that more follow)$/);
      expect(paths()).to.have.length(1);
    });

  for (const length of [100, 500, 1000])
    it(`a list of ${length} entries without a total is incomplete, since it may have further pages`, async () => {
      server.current.answer({ body: { data: entries(0, length) } });
      const error = await failureOfType(listAlerts(), IncompleteList);
      expect(error.isGuess).to.equal(true);
      expect(error.message).to.include(`exactly ${length} entries and does not say how many there are`);
    });

  it("a list that has no pages by the document is whole, whatever its length", async () => {
    const { session, warnings } = sessionFor({ dialect: "clickhouse" }, server.current.url);
    const whole = { body: { status: 200, requestId: "5b1f", result: entries(0, 100) } };
    server.current.answer(whole, whole, whole);
    for (const name of ["listServices", "listDashboards"] as const)
      expect(await session.lists.read(name, place, { asOf: "now" })).to.have.length(100);
    await failureOfType(session.lists.read("listAlerts", place, { asOf: "now" }), IncompleteList);
    expect(warnings).to.deep.equal([]);
  });

  it("several reads of a list with exactly 100 entries warn only once that more objects may exist", async () => {
    const { session, warnings } = sessionFor({ observabilityVia: "observability" }, server.current.url);
    const whole = { body: { data: entries(0, 100) } };
    server.current.answer(whole, whole);
    for (let count = 0; count < 2; count++)
      expect(await session.lists.read("listAlerts", {})).to.have.length(100);
    const listed = { ...alertResource, completenessField: undefined };
    expect(await observe(listed, "a7", { session, scope: {} })).to.deep.equal({ id: "a7" });
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(
      /^more objects may exist than the service has listed: the server sent exactly 100 entries .* \(listAlerts: /,
    );
    expect(paths()).to.have.length(2);
  });

  it("an object stays in the state while its list is incomplete, even if the API calls it missing", async () => {
    const { session } = sessionFor({ maxRetries: 0 }, server.current.url);
    const part = { body: { status: 200, requestId: "5b1f", result: entries(0, 100) } };
    server.current.answer(part, part, refused(404, "NOT_FOUND: alert not found"));
    const found = await observe(alertResource, "gone", { session, scope: place });
    expect(found).to.be.instanceOf(Unseen).with.property("reason").that.is.instanceOf(IncompleteList);
  });
});
