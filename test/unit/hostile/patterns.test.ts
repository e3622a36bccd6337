import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { expect } from "chai";
import ts from "typescript";

const checkout = join(__dirname, "..", "..", "..");

/** Lists every regular expression of the provider and the CLI: literals, and the patterns of schemas. */
function patterns(): { readonly place: string; readonly literal: string }[] {
  return ["provider", "cli"]
    .flatMap((folder) =>
      readdirSync(join(checkout, folder), { recursive: true, encoding: "utf8" }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => {
      const text = readFileSync(join(checkout, file), "utf8");
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
      const found: { place: string; literal: string }[] = [];
      const visit = (node: ts.Node): void => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        const literal = ts.isRegularExpressionLiteral(node) ? node.text : patternIn(node);
        if (literal) found.push({ place: `${file}:${line + 1} ${literal}`, literal });
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

const patternIn = (node: ts.Node) =>
  ts.isStringLiteral(node) && node.text.startsWith("^") ? `/${node.text}/u` : undefined;

function parse(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Texts of this length take seconds if a regular expression backtracks, and otherwise a moment. */
const repeats = 30_000;
const units = [
  ..." \n\t-/<=>,.:;&%@\"'[]{}()|_0aZ+",
  ..."é\u0301\u200d\u202e\u0080",
  ...["a,", "a ", ", ", " ,", "<a", "<!", "<script", "</", "<script>", "<style ", "-a", "a-", "1.", "0T"],
  ...["invalid ", "id ", "at ", "error: "],
];
const endings = ["", "!", "\n"];
const millisecondsAllowed = 250;

function isQuick(context: vm.Context): boolean {
  try {
    const search = "text.search(expression), text.split(expression)";
    vm.runInContext(search, context, { timeout: millisecondsAllowed });
    return true;
  } catch {
    return false;
  }
}

describe("Regular expressions of the provider", () => {
  // A line of code may contain the same regular expression twice, so duplicates are dropped.
  const all = [...new Map(patterns().map((one) => [one.place, one])).values()];

  it("the test finds the provider's regular expressions in code and in schemas", () => {
    const places = all.map(({ place }) => place).join("\n");
    expect(all.length).to.be.above(30);
    expect(places).to.include("api/serverMessage.ts").and.include("resources/queryEndpoint/queryEndpoint.ts");
  });

  for (const { place, literal } of all)
    it(`a regular expression matches any text within ${millisecondsAllowed} ms: ${place}`, () => {
      const context = vm.createContext({ expression: parse(literal), text: "" });
      for (const unit of units)
        for (const ending of endings) {
          context.text = unit.repeat(repeats) + ending;
          // Other processes may slow down one attempt to match a text, so the fastest of five attempts counts.
          const isSlow = ![1, 2, 3, 4, 5].some(() => isQuick(context));
          if (isSlow) expect.fail(`${JSON.stringify(unit)} many times, then ${JSON.stringify(ending)}`);
        }
    }).timeout(60_000);
});
