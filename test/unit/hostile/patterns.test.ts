import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import vm from "node:vm";
import { expect } from "chai";
import ts from "typescript";

const provider = join(__dirname, "..", "..", "..", "provider");

interface Pattern {
  readonly place: string;
  readonly expression: RegExp;
}

/** Every regular expression of the provider: literals, and the patterns of the schemas. */
function patterns(): Pattern[] {
  const files = readdirSync(provider, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files.flatMap((name) => {
    const path = join(provider, name);
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
    const found: Pattern[] = [];
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ place: `${relative(provider, path)}:${line + 1} ${text}`, expression: parse(text) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) return node.text;
  if (!ts.isStringLiteral(node) || !/^\^.*\$?$/.test(node.text)) return undefined;
  return `/${node.text}/u`;
}

function parse(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Long enough that a pattern that goes back over what it has read takes seconds, and one that does not a moment. */
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
    vm.runInContext("text.search(expression), text.split(expression)", context, {
      timeout: millisecondsAllowed,
    });
    return true;
  } catch {
    return false;
  }
}

describe("a regular expression of the provider", () => {
  const all = patterns();

  it("is found in code and in schemas", () => {
    expect(all.length).to.be.above(30);
    expect(all.map(({ place }) => place).join("\n"))
      .to.include("api/serverMessage.ts")
      .and.include("resources/queryEndpoint/queryEndpoint.ts");
  });

  for (const { place, expression } of all) {
    it(`reads any text within ${millisecondsAllowed} ms: ${place}`, function () {
      this.timeout(60_000);
      const context = vm.createContext({ expression, text: "" });
      for (const unit of units) {
        for (const ending of endings) {
          const text = unit.repeat(repeats) + ending;
          context.text = text;
          const slow = `${JSON.stringify(unit)} many times, then ${JSON.stringify(ending)}`;
          // Other processes may take the time of one attempt.
          expect(
            [1, 2, 3, 4, 5].some(() => isQuick(context)),
            slow,
          ).to.equal(true);
        }
      }
    });
  }
});
