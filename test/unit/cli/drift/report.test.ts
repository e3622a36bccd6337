import { expect } from "chai";
import fc from "fast-check";
import type { LastChange } from "../../../../cli/drift/actors";
import type { Drift } from "../../../../cli/drift/findDrift";
import { differingLines } from "../../../../cli/drift/lines";
import { findingsMarkdown, findingsTable, type Report } from "../../../../cli/drift/report";

const drift: Drift = {
  ...{ urn: "urn:a", id: "665f", url: null, type: "Alert", name: "a", kind: "changed" },
  ...{ property: "message", label: "message", declared: "old", found: "new" },
};
const gone: Drift = {
  ...{ ...drift, urn: "urn:b", name: "b", kind: "deleted" },
  ...{ property: null, label: null, declared: null, found: null },
};
const uncompared = (name: string, reason: "new" | "notRunning") => ({
  ...{ urn: `urn:${name}`, type: "Pipe" as const, name, id: `id of ${name}`, reason },
});
const undeclared = { urn: "urn:c", type: "Service" as const, name: "lake", finding: "1 key too many" };
const change: LastChange = {
  ...{ urn: "urn:a", type: "Alert", name: "a", at: "2026-01-02T03:04:05Z" },
  ...{ actorType: "user", actor: "ada@example.com", isOwn: false, activity: "renamed", problem: null },
};
const ending = { urn: "urn:k", name: "k", id: "5f", expireAt: "2027-01-01T00:00:00Z" };

const restores = '"pulumi up --refresh" restores the declared values.';
const tooNew = "Not compared, since it is too new: Pipe p (id of p).";
const cases: readonly (readonly [what: string, report: Report, ...sentences: string[]])[] = [
  [
    "a stack without resources",
    { drift: [], resources: 0 },
    "The stack has no pipestack resources; --stack names another.",
  ],
  ["no drift", { drift: [], resources: 1 }, "No drift in 1 resource."],
  [
    "two changes of one resource",
    { drift: [drift, { ...drift, property: "threshold", label: "threshold" }], resources: 1 },
    `Drift in 1 of 1 resource. ${restores}`,
  ],
  [
    "what no program declares",
    { drift: [], resources: 2, undeclared: [undeclared] },
    ...["No drift in 2 resources.", "Service lake: 1 key too many"],
  ],
  [
    "drift beside what no program declares",
    { drift: [drift], resources: 2, undeclared: [undeclared] },
    ...[`Drift in 1 of 2 resources. ${restores}`, "Service lake: 1 key too many"],
  ],
  [
    "a resource that is too new",
    { drift: [], resources: 2, uncompared: [uncompared("p", "new")] },
    `No drift in 2 resources. ${tooNew}`,
  ],
  [
    "drift beside a resource that is too new",
    { drift: [drift], resources: 2, uncompared: [uncompared("p", "new")] },
    `Drift in 1 of 2 resources. ${restores} ${tooNew}`,
  ],
  [
    "a pipe whose service does not run",
    { drift: [], resources: 3, uncompared: [uncompared("p", "notRunning")] },
    "No drift in 2 of 3 resources. Not compared, since its service does not run: Pipe p (id of p).",
  ],
  [
    "pipes whose service does not run",
    { drift: [], resources: 3, uncompared: ["p", "q"].map((name) => uncompared(name, "notRunning")) },
    "No drift in 1 of 3 resources. Not compared, since their service does not run: Pipe p (id of p), Pipe q (id of q).",
  ],
  [
    "no key that ends soon",
    { drift: [], resources: 2, days: 14, expiring: [] },
    ...["No drift in 2 resources.", "No key ends within 14 days."],
  ],
  [
    "a problem that hides who made two changes",
    {
      ...{ drift: [drift, gone], resources: 2 },
      lastChanges: [drift, gone].map(({ urn }) => ({ ...change, urn, at: null, problem: "no permission" })),
    },
    ...["Who changed this is not known: no permission", `Drift in 2 of 2 resources. ${restores}`],
  ],
];

describe("The sentences of the drift report", () => {
  for (const [what, report, ...sentences] of cases)
    it(`the drift report tells, as a table and in Markdown, ${what}`, () => {
      const table = findingsTable(report).split("\n");
      expect(table.slice(-sentences.length)).to.deep.equal(sentences);
      if (report.drift.length === 0) expect(table).to.have.length(sentences.length);
      const lines = findingsMarkdown(report, "")
        .replaceAll(/<\/?code>/g, "")
        .split("\n");
      expect(lines).to.include.members(sentences);
      if (report.drift.length === 0) expect(lines.filter(Boolean)).to.deep.equal(sentences);
      for (const sentence of sentences) expect(lines.filter((line) => line === sentence)).to.have.length(1);
    });
});

describe("The table of the drift report", () => {
  const table = (report: Partial<Report>) =>
    findingsTable({ drift: [drift], resources: 1, ...report }).split("\n");
  const rowOf = (changed: Partial<Drift>) => table({ drift: [{ ...drift, ...changed }] })[2];

  it("the table of the drift report distinguishes texts, numbers and missing values", () => {
    expect(rowOf({ declared: "5", found: null })).to.equal('Alert a   message   "5"       (none)');
    expect(rowOf({ declared: 5, found: "[secret]" })).to.equal("Alert a   message   5         [secret]");
  });

  it("the table of the drift report names the entry of a list by its label", () => {
    const label = 'tiles["Errors"].w';
    expect(rowOf({ property: "tiles[0].w", label })).to.equal(`Alert a   ${label}  "old"     "new"`);
  });

  it("the table of the drift report shows no URL of an object's page", () => {
    expect(rowOf({ url: "https://x.example.com" })).to.equal(rowOf({}));
  });

  it("the drift report shows the changed lines of long texts with the lines around them", () => {
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    const found = [...lines.slice(0, 4), "new", ...lines.slice(5), "last"];
    const texts = { declared: lines.join("\n"), found: found.join("\n") };
    expect(table({ drift: [{ ...drift, ...texts }] }).slice(4, -2)).to.deep.equal([
      "Alert a, message:",
      ...["  …", "    line 2", "    line 3", "  - line 4", "  + new", "    line 5", "    line 6"],
      ...["    line 7", "    line 8", "  + last"],
    ]);
  });

  it("the drift report says who made which change when", () => {
    const others = [
      { ...change, name: "b", actorType: "api", actor: "deployment", isOwn: true },
      { ...change, name: "c", at: null },
      { ...change, name: "d", actor: "a\n\u001b[2J" },
    ];
    expect(table({ lastChanges: [change, ...others] }).slice(4, -2)).to.deep.equal([
      "RESOURCE  CHANGED BY                       AT                    CHANGE",
      "--------  -------------------------------  --------------------  -------",
      "Alert a   user ada@example.com             2026-01-02T03:04:05Z  renamed",
      "Alert b   the key that deploys this stack  2026-01-02T03:04:05Z  renamed",
      "Alert c   (nothing recorded in 30 days)",
      "Alert d   user a\\u000a\\u001b[2J            2026-01-02T03:04:05Z  renamed",
    ]);
  });

  it("the drift report lists expiring keys after the drift", () => {
    expect(table({ drift: [], days: 14, expiring: [ending] })).to.deep.equal([
      ...["No drift in 1 resource.", "", "KEY       ID  ENDS", "--------  --  --------------------"],
      ...["ApiKey k  5f  2027-01-01T00:00:00Z", ""],
      "1 key ends within 14 days, or has ended. Change expireAt, or let rotateAfterDays replace keys in time.",
    ]);
  });
});

describe("The drift report in Markdown", () => {
  const markdown = (entries: Drift[], code = "// code") =>
    findingsMarkdown({ drift: entries, resources: 2 }, code);

  it("the Markdown report shows the drift as a table, with the code that keeps the live values", () => {
    const url = "https://x.example.com/dashboards/a_b|c?chcServiceId=d&e";
    expect(markdown([drift, gone, { ...gone, url }]).split("\n")).to.deep.equal([
      'Drift in 2 of 2 resources. "pulumi up --refresh" restores the declared values.',
      "",
      "| RESOURCE | PROPERTY | DECLARED | FOUND |",
      "| --- | --- | --- | --- |",
      '| <code>Alert a</code> | <code>message</code> | <code>"old"</code> | <code>"new"</code> |',
      "| <code>Alert b</code> | <code>(all)</code> | <code>(exists)</code> | <code>(deleted)</code> |",
      '| <a href="https://x.example.com/dashboards/a&#95;b&#124;c?chcServiceId=d&#38;e"><code>Alert b</code></a> | <code>(all)</code> | <code>(exists)</code> | <code>(deleted)</code> |',
      ...["", "<details><summary>To keep the live values, declare:</summary>", ""],
      ...["```ts", "// code", "```", "", "</details>"],
    ]);
  });

  it("the Markdown report shows changed lines of texts as a diff", () => {
    const text = markdown([{ ...drift, declared: "a\n```\nb", found: "a\n```\nc" }]);
    expect(text).to.include("\n<code>Alert a, message</code>\n\n````diff\n  a\n  ```\n- b\n+ c\n````\n");
  });

  it("no text of the service or the program ends a cell, a tag or a block of code of the Markdown report", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("a", "|", "</code>", "`", "````", "\n", "*x*", "\\", "[b](c)", "&amp;", '"'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const report = {
          ...{ drift: [{ ...drift, name: text, label: text, declared: text, found: `${text}c` }] },
          ...{ resources: 2, undeclared: [{ ...undeclared, name: text, finding: text }], days: 14 },
          uncompared: [uncompared(text, "new")],
          lastChanges: [
            { ...change, name: text, actor: text, activity: text },
            { ...change, problem: text },
          ],
          expiring: [{ ...ending, name: text, id: text }],
        };
        const fences = /^(`{3,})(?:diff|ts)\n[\s\S]*?\n\1$/gm;
        const blocks = findingsMarkdown(report, text).match(fences) ?? [];
        expect(blocks).to.have.length(text.includes("\n") ? 2 : 1);
        const outside = findingsMarkdown(report, text).replaceAll(fences, "");
        const shown = outside.replaceAll(/<code>([^<>|`\\*_[\]\n]*)<\/code>/g, "");
        expect(shown.replaceAll(/<\/?(details|summary)>/g, "")).to.not.match(/[<>\\*_[\]]/);
        expect(shown.match(/^\|.*$/gm)).to.deep.equal([
          ...["| RESOURCE | PROPERTY | DECLARED | FOUND |", "| --- | --- | --- | --- |", "|  |  |  |  |"],
          ...["| RESOURCE | CHANGED BY | AT | CHANGE |", "| --- | --- | --- | --- |", "|  |  |  |  |"],
          ...["| KEY | ID | ENDS |", "| --- | --- | --- |", "|  |  |  |"],
        ]);
      }),
    );
  });

  it("the Markdown report counts the rows that exceed the size of a GitHub issue", () => {
    const row = { ...drift, found: "<".repeat(300) };
    const rows = Array.from({ length: 1000 }, (_, index) => ({ ...row, urn: `urn:${index}` }));
    const text = markdown(rows, "y".repeat(29_000));
    expect(text).to.have.length.within(40_000, 65_000);
    const shown = text.match(/^\| <code>/gm)?.length ?? 0;
    expect(text).to.include(`\n\n${1000 - shown} more: \`npx pipestack drift\` shows all.\n`);
    expect(text).to.match(/^Drift in 1000 of/);
  });

  it("the Markdown report of long values and long code fits into a GitHub issue", () => {
    const text = markdown([{ ...drift, found: "x".repeat(10_000) }], "y".repeat(70_000));
    expect(text).to.have.length.below(2000);
    expect(text).to.include("npx pipestack drift --as-code");
  });
});

describe("The changed lines of two texts", () => {
  /** Checks the shown lines of many pairs of texts. */
  function forTexts(check: (lines: readonly string[], before: string, after: string) => void) {
    const text = fc
      .array(fc.constantFrom("a", "b", "c"), { maxLength: 5 })
      .map((lines: readonly string[]) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differingLines(before, after).filter((line) => line !== "…");
        check(lines, before, after);
      }),
    );
  }

  it("a comparison of two texts by lines shows only lines of these texts", () => {
    forTexts((lines, before, after) => {
      const without = (mark: string) =>
        lines
          .filter((line) => !line.startsWith(mark))
          .map((line) => line.slice(2))
          .join("\n");
      expect(before.includes(without("+"))).to.equal(true);
      expect(after.includes(without("-"))).to.equal(true);
    });
  });

  it("a comparison of two texts by lines marks a change exactly if the texts differ", () => {
    forTexts((lines, before, after) => {
      expect(lines.some((line) => /^[-+]/.test(line))).to.equal(before !== after);
    });
  });

  it("the drift report shows 60 of very many changed lines and the number of the others", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
    const lines = differingLines(many("a"), many("b"));
    expect(lines).to.have.length(61);
    expect([lines[0], lines.at(-1)]).to.deep.equal(["- a 0", "… and 5940 more lines"]);
  });

  it("the drift report shortens very long changed lines", () => {
    expect(differingLines("x".repeat(500), "y")[0]).to.have.length(202);
  });
});
