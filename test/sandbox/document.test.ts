import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { aggregateFunctions, sampleContents } from "../../sandbox/core/sampleData/contents";
import { faultKindNames, faultKinds, faultSchema, operationNames } from "../../sandbox/index";

const document = readFileSync(join(__dirname, "..", "..", "docs", "sandbox.md"), "utf8");

describe("The page docs/sandbox.md", () => {
  it("docs/sandbox.md describes every kind of fault in a table", () => {
    const rows = faultKindNames.map((kind) => {
      const { description, when, parameters = [] } = faultKinds[kind];
      const names = parameters.map((name) => `\`${name}\``);
      return `| \`${kind}\` | ${description} | ${when.join(", ")} | ${names.join(", ")} |`;
    });
    expect(document).to.include(
      ["| kind | what the client sees | when | parameters |", "|---|---|---|---|", ...rows, ""].join("\n"),
    );
  });

  it("docs/sandbox.md names every property of a fault", () => {
    for (const name of Object.keys(faultSchema.properties)) expect(document).to.include(`\`${name}\``);
  });

  it("docs/sandbox.md names every operation that is no list, create, get, update or delete", () => {
    const special = operationNames.filter((name) => !/^(list|create|get|update|delete)[A-Z]/.test(name));
    for (const name of special) expect(document).to.include(`\`${name}\``);
  });

  it("docs/sandbox.md names every aggFn, column and value of the sample data, and no other column", () => {
    const text = document.slice(document.indexOf("## Sample data"), document.indexOf("## Faults"));
    for (const aggFn of aggregateFunctions) expect(text).to.include(`\`${aggFn}\``);
    const columns = Object.values(sampleContents).map((contents) => contents.columns);
    for (const values of columns.flatMap((all) => Object.values(all))) {
      expect(text).to.include(`(${Object.keys(values).join(", ")})`);
    }
    const namesIn = (cell = "") => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
    const rows = text.split("\n").filter((line) => /^\| `/.test(line));
    const documented = rows.flatMap((row) => {
      const [kinds, named, numbers] = row.split("|").slice(1).map(namesIn);
      return (kinds ?? []).map((kind) => [kind, [named, numbers]]);
    });
    expect(Object.fromEntries(documented)).to.deep.equal(
      Object.fromEntries(
        Object.entries(sampleContents).map(([kind, { columns: values, measure }]) => [
          kind,
          [Object.keys(values), [measure.column]],
        ]),
      ),
    );
  });
});
