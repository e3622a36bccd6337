import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";

const checkout = join(__dirname, "..", "..", "..");

/** The longest title of a test, in characters. Expressions inside a template do not count. */
const limit = 100;

/** The functions whose first argument is the title of a test or of a group of tests. */
const definers = ["describe", "it", "forAll", "testStack"];

/** Returns the literal text of a title, or undefined if the title is the value of a variable or of a call. */
function literalTextOf(title: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(title)) return title.text;
  if (ts.isTemplateExpression(title))
    return title.head.text + title.templateSpans.map(({ literal }) => literal.text).join("");
  if (ts.isParenthesizedExpression(title)) return literalTextOf(title.expression);
  if (!ts.isBinaryExpression(title)) return undefined;
  return (literalTextOf(title.left) ?? "") + (literalTextOf(title.right) ?? "");
}

function longTitlesIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const found: string[] = [];
  (function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      // The callee may be it.only or describe.skip.
      const { expression } = node;
      const callee = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
      const [title] = node.arguments;
      if (title && ts.isIdentifier(callee) && definers.includes(callee.text)) {
        const words = literalTextOf(title) ?? "";
        const { line } = source.getLineAndCharacterOfPosition(title.getStart(source));
        if (words.length > limit) found.push(`${file}:${line + 1}: ${words.length} characters: ${words}`);
      }
    }
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

describe("The titles of tests", () => {
  it("titles of tests have at most 100 characters", () => {
    const files = readdirSync(join(checkout, "test"), { recursive: true, encoding: "utf8" })
      .map((path) => `test/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts"));
    const found = files.flatMap((file) => longTitlesIn(file, readFileSync(join(checkout, file), "utf8")));
    expect(found).to.deep.equal([]);
  });
});
