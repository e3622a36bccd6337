import { readFileSync } from "node:fs";
import { relative } from "node:path";
import ts from "typescript";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";

/**
 * The messages that users can get, whole and in parts, with their places: every text of the sources in which two words follow
 * each other, save for SQL, HTML and CSS. Values are `{…}`, alternatives `(… | …)`.
 * @param {string} folder of the sources
 * @returns {{ place: string, text: string }[]}
 */
export function messagesIn(folder) {
  return ts.sys.readDirectory(folder, [".ts"]).flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const path = relative(root, file).replaceAll("\\", "/");
    return textsIn(source).map((node) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      return { place: `${path}:${line + 1}`, text: textOf(node) };
    });
  });
}

/**
 * @param {ts.Node} node
 * @returns {ts.Expression[]}
 */
function textsIn(node) {
  if (ts.isLiteralTypeNode(node) || ts.isImportDeclaration(node)) return [];
  /** @type {ts.Expression[]} */
  const inside = [];
  const collect = (/** @type {ts.Node} */ child) => void inside.push(...textsIn(child));
  if (ts.isTemplateExpression(node))
    for (const { expression } of node.templateSpans) unwritten(expression, collect);
  else ts.forEachChild(node, collect);
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && isProse(node)
    ? [node, ...inside]
    : inside;
}

/**
 * The parts of a template that its text does not have already.
 * @param {ts.Expression} expression
 * @param {(node: ts.Node) => void} collect
 */
function unwritten(expression, collect) {
  if (!ts.isConditionalExpression(expression)) return collect(expression);
  for (const part of [expression.whenTrue, expression.whenFalse])
    if (ts.isTemplateExpression(part))
      for (const span of part.templateSpans) unwritten(span.expression, collect);
    else if (!ts.isStringLiteralLike(part)) collect(part);
}

/** @param {ts.StringLiteralLike | ts.TemplateExpression} node */
function isProse(node) {
  const parts = ts.isStringLiteralLike(node)
    ? [node.text]
    : [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  const fixed = parts.join("{}");
  const pairs = fixed.matchAll(/(?=((?<![\w{$])[a-z]{2,}|\{\})[,;:.]? \(?([a-z]{2,}|\{\}))/gi);
  const isCode = /\bSELECT\b|\bINTERVAL\b|\\b|<\w+ |[;{]\n/.test(fixed);
  return !isCode && [...pairs].some(([, first, second]) => first !== "{}" || second !== "{}");
}

/**
 * @param {ts.Expression} node
 * @returns {string}
 */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isConditionalExpression(node)) return `(${textOf(node.whenTrue)} | ${textOf(node.whenFalse)})`;
  if (!ts.isTemplateExpression(node)) return `{${node.getText().replace(/\s+/g, " ")}}`;
  return (
    node.head.text + node.templateSpans.map((span) => textOf(span.expression) + span.literal.text).join("")
  );
}

whenRunAsProgram(import.meta.url, async () => {
  for (const { place, text } of messagesIn(inCheckout("provider")))
    console.log(`${place}  ${text.replaceAll("\n", "\\n")}`);
});
