import ts from "typescript";

/** Returns the comment about the whole package at the beginning of a module. @param {ts.SourceFile} source */
export function packageDocumentation(source) {
  const [comment] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const text = comment ? source.text.slice(comment.pos, comment.end) : "";
  return text.includes("@packageDocumentation") ? [text] : [];
}

/**
 * Returns the docstring of an exported name or a property, with the line break after it; empty if there is none.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 */
export function docstring(checker, symbol) {
  for (const declaration of symbol.declarations ?? []) {
    const docs = docsOf(declaration);
    if (docs) return docs;
  }
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return text ? comment(text.split("\n")) : "";
}

/**
 * Returns the docstring of a class's constructor, or of the constructor that the class inherits.
 * @param {ts.TypeChecker} checker
 * @param {ts.Signature} signature
 * @param {ts.Symbol} symbol the symbol of the class
 */
export function constructorDocstring(checker, signature, symbol) {
  const own = signature.declaration ? docsOf(signature.declaration) : "";
  if (own) return own;
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  const base = declaration?.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const expression = base?.types[0]?.expression;
  const [inherited] = expression ? checker.getTypeAtLocation(expression).getConstructSignatures() : [];
  return inherited?.declaration ? docsOf(inherited.declaration) : "";
}

/** Puts a paragraph in front of a docstring. @param {string} paragraph @param {string} docs */
export function withFirst(paragraph, docs) {
  return docs.replace(/^\/\*\*\s+(\* )?/, `/**\n * ${paragraph}\n *\n * `);
}

/** Returns the docstring of a declaration as it is written in the source. @param {ts.Node} declaration */
function docsOf(declaration) {
  const docs = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1);
  if (!docs) return "";
  const text = docs.getText().replace(/^\/\*\*|\*\/$/g, "");
  return comment(text.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd()));
}

/** Formats the given lines as a docstring in the published declarations. @param {string[]} lines */
function comment(lines) {
  const text = lines.join("\n").trim();
  return text.includes("\n")
    ? `/**\n * ${text.replaceAll("\n", "\n * ").replace(/ +$/gm, "")}\n */\n`
    : `/** ${text} */\n`;
}
