import { expect } from "chai";
import fc from "fast-check";
import type { Drift } from "../../../../cli/drift/findDrift";
import { differingLines } from "../../../../cli/drift/lines";
import { findingsMarkdown, findingsTable } from "../../../../cli/drift/report";

const drift: Drift = {
  ...{ urn: "urn:a", id: "665f", url: null, type: "Alert", name: "a", kind: "changed" },
  ...{ property: "message", label: "message", declared: "old", found: "new" },
};
const gone: Drift = { ...drift, kind: "deleted", property: null, label: null, declared: null, found: null };

describe("The table of the drift report", () => {
  const table = (...entries: Drift[]) => findingsTable({ drift: entries, resources: 1 });

  it("the table of the drift report distinguishes a text from an equal number, and null from both", () => {
    expect(table({ ...drift, declared: "5", found: null })).to.match(/Alert a {3}message {3}"5" {7}\(none\)/);
  });

  it("the table of the drift report names the entry of a list by its label", () => {
    const text = table({ ...drift, property: "tiles[0].w", label: 'tiles["Errors"].w' });
    expect(text).to.include('tiles["Errors"].w').and.not.include("tiles[0]");
  });

  it("the drift report counts resources, not properties", () => {
    const other = { ...drift, property: "threshold", label: "threshold" };
    expect(table(drift, other)).to.include("Drift in 1 of 1 resource.");
  });

  it("the drift report shows only the changed lines of long texts, and the lines around them", () => {
    const lines = Array.from({ length: 9 }, (_, at) => `line ${at}`);
    const found = [...lines.slice(0, 4), "new", ...lines.slice(5), "last"];
    const text = table({ ...drift, declared: lines.join("\n"), found: found.join("\n") });
    expect(text.split("\n").slice(4, -2)).to.deep.equal([
      "Alert a, message:",
      ...["  …", "    line 2", "    line 3", "  - line 4", "  + new", "    line 5", "    line 6"],
      ...["    line 7", "    line 8", "  + last"],
    ]);
  });

  it("the drift report distinguishes a stack without resources from one without drift", () => {
    expect(findingsTable({ drift: [], resources: 0 })).to.equal(
      "The stack has no pipestack resources; --stack names another.",
    );
    expect(findingsTable({ drift: [], resources: 1 })).to.equal("No drift in 1 resource.");
  });
});

describe("What the program does not declare", () => {
  const undeclared = [
    {
      urn: "urn:b",
      type: "Service" as const,
      name: "a|b",
      finding: "1 address that no program declares: ::/0",
    },
  ];
  const line = "Service a|b: 1 address that no program declares: ::/0";

  it("the drift report has a line for it after the verdict, as a table and in Markdown, with and without drift", () => {
    expect(findingsTable({ drift: [], resources: 2, undeclared })).to.equal(
      `No drift in 2 resources.\n${line}`,
    );
    expect(findingsTable({ drift: [drift], resources: 2, undeclared })).to.match(
      /values\.\nService a\|b: 1 address/,
    );
    const markdown = "<code>Service a&#124;b: 1 address that no program declares: ::/0</code>";
    for (const findings of [{ drift: [] }, { drift: [drift] }])
      expect(findingsMarkdown({ ...findings, resources: 2, undeclared }, "")).to.include(`\n\n${markdown}`);
  });
});

describe("Resources that a refresh skipped", () => {
  const uncompared = [
    { urn: "urn:b", type: "Alert" as const, name: 'all["a|b"]', id: "7", reason: "new" as const },
  ];

  it("the drift report names resources that a refresh skipped, as a table and in Markdown, with and without drift", () => {
    const named = 'Not compared, since it is too new: Alert all["a|b"] (7).';
    expect(findingsTable({ drift: [], resources: 2, uncompared })).to.equal(
      `No drift in 2 resources. ${named}`,
    );
    expect(findingsTable({ drift: [drift], resources: 2, uncompared })).to.include(named);
    expect(findingsMarkdown({ drift: [], resources: 2, uncompared }, "")).to.equal(
      "No drift in 2 resources. Not compared, since it is too new: <code>Alert all&#91;&quot;a&#124;b&quot;&#93; (7)</code>.".replaceAll(
        "&quot;",
        '"',
      ),
    );
  });
});

describe("Pipes of a service that does not run", () => {
  it("the drift report names pipes that were not read, and counts what was compared", () => {
    const pipes = ["orders", "shop"].map((name) => {
      const pipe = { urn: `urn:${name}`, type: "Pipe" as const, name, id: `id of ${name}` };
      return { ...pipe, reason: "notRunning" as const };
    });
    const [orders] = pipes;
    expect(findingsTable({ drift: [], resources: 3, uncompared: orders ? [orders] : [] })).to.equal(
      "No drift in 2 of 3 resources. Not compared, since its service does not run: Pipe orders (id of orders).",
    );
    expect(findingsTable({ drift: [drift], resources: 3, uncompared: pipes })).to.include(
      "Not compared, since their service does not run: Pipe orders (id of orders), Pipe shop (id of shop).",
    );
  });
});

describe("The drift report in Markdown", () => {
  const markdown = (entries: Drift[], code = "// code") =>
    findingsMarkdown({ drift: entries, resources: 2 }, code);

  it("the Markdown report has the number of drifted resources, a table, and code that keeps the live values", () => {
    expect(markdown([drift, { ...gone, urn: "urn:b", name: "b" }]).split("\n")).to.deep.equal([
      'Drift in 2 of 2 resources. "pulumi up --refresh" restores the declared values.',
      "",
      "| RESOURCE | PROPERTY | DECLARED | FOUND |",
      "| --- | --- | --- | --- |",
      '| <code>Alert a</code> | <code>message</code> | <code>"old"</code> | <code>"new"</code> |',
      "| <code>Alert b</code> | <code>(all)</code> | <code>(exists)</code> | <code>(deleted)</code> |",
      "",
      "<details><summary>To keep the live values, declare:</summary>",
      "",
      "```ts",
      "// code",
      "```",
      "",
      "</details>",
    ]);
  });

  it("the Markdown report links each object to its page, and the table shows no URL", () => {
    const url = "https://x.example.com/dashboards/a_b|c?chcServiceId=d&e";
    const linked = { ...drift, url };
    expect(markdown([linked, gone])).to.include(
      '| <a href="https://x.example.com/dashboards/a&#95;b&#124;c?chcServiceId=d&#38;e"><code>Alert a</code></a> |',
    );
    expect(markdown([linked, gone]).match(/<a /g)).to.have.length(1);
    expect(findingsTable({ drift: [linked], resources: 1 })).to.not.include("https://");
  });

  it("the Markdown report shows changed lines of texts as a diff, and no line of them can end the code fence", () => {
    const text = markdown([{ ...drift, declared: "a\n```\nb", found: "a\n```\nc" }]);
    expect(text).to.include("\n<code>Alert a, message</code>\n\n````diff\n  a\n  ```\n- b\n+ c\n````\n");
  });

  it("the Markdown report without drift is one line", () => {
    expect(markdown([])).to.equal("No drift in 2 resources.");
  });

  it("the Markdown report escapes text that would end a cell, a tag or a block of code", () => {
    const hostile = "|</code>`*x*`\\";
    const text = markdown([{ ...drift, found: hostile }], "````");
    const [, , , , row = ""] = text.split("\n");
    expect(row.split("|")).to.have.length(6);
    expect(row).to.include("&#124;&#60;/code>".replace(">", "&#62;")).and.not.include("*x*");
    expect(text).to.include("`````ts\n````\n`````\n");
  });

  it("the Markdown report leaves out rows that exceed the size of a GitHub issue, and states their number", () => {
    const row = { ...drift, found: "<".repeat(300) };
    const rows = Array.from({ length: 1000 }, (_, index) => ({ ...row, urn: `urn:${index}` }));
    const text = markdown(rows, "y".repeat(29_000));
    expect(text).to.have.length.within(40_000, 65_000);
    const shown = text.match(/^\| <code>/gm)?.length ?? 0;
    expect(text).to.include(`\n\n${1000 - shown} more: \`npx pipestack drift\` shows all.\n`);
    expect(text).to.match(/^Drift in 1000 of/);
  });

  it("the Markdown report shortens long values, and leaves out code that exceeds the size of a GitHub issue", () => {
    const text = markdown([{ ...drift, found: "x".repeat(10_000) }], "y".repeat(70_000));
    expect(text).to.have.length.below(2000);
    expect(text).to.include("npx pipestack drift --as-code");
  });
});

describe("The changed lines of two texts", () => {
  it("a comparison of two texts by lines shows only lines of these texts, and marks a change exactly if the texts differ", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differingLines(before.join("\n"), after.join("\n")).filter((line) => line !== "…");
        const without = (mark: string) =>
          lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(2));
        const isShown = before.join("\n") !== after.join("\n");
        const within = (all: readonly string[], part: readonly string[]) =>
          all.join("\n").includes(part.join("\n"));
        expect(within(before, without("+"))).to.equal(true);
        expect(within(after, without("-"))).to.equal(true);
        expect(lines.some((line) => /^[-+]/.test(line))).to.equal(isShown);
      }),
    );
  });

  it("the drift report shortens very long changed lines, and of very many it shows 60 and the number of the others", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
    const lines = differingLines(many("a"), many("b"));
    expect(lines).to.have.length(61);
    expect([lines[0], lines.at(-1)]).to.deep.equal(["- a 0", "… and 5940 more lines"]);
    expect(differingLines("x".repeat(500), "y")[0]).to.have.length(202);
  });
});
