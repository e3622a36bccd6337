import ts from "typescript";

/**
 * Finds the exports of a module, by the symbols that declare them.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol | undefined} module
 */
export function exportsOf(checker, module) {
  return (module ? checker.getExportsOfModule(module) : []).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
}

/**
 * Finds the symbol that has the docstring of an exported name. The forms of a provider function have that of its definition,
 * from which one declaration makes both: `const [getRole, getRoleOutput] = forms(functions.getRole)`.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 */
export function documentedBy(checker, symbol) {
  const declaration = symbol.valueDeclaration;
  if (!declaration || !ts.isBindingElement(declaration)) return symbol;
  const { initializer } = declaration.parent.parent;
  const definition = initializer && ts.isCallExpression(initializer) ? initializer.arguments[0] : undefined;
  const member = definition && checker.getSymbolAtLocation(definition)?.valueDeclaration;
  const named = member && checker.getShorthandAssignmentValueSymbol(member);
  return named ? checker.getAliasedSymbol(named) : symbol;
}

/**
 * Whether this project, and not another package, declares a symbol.
 * @param {ts.Program} program
 * @param {ts.Symbol} symbol
 */
export function isOwn(program, { declarations = [] }) {
  return declarations.some((declaration) => {
    const file = declaration.getSourceFile();
    return !program.isSourceFileFromExternalLibrary(file) && !program.isSourceFileDefaultLibrary(file);
  });
}

/** Whether a type has a name: it is an interface or an alias. @param {ts.Symbol | undefined} symbol */
export function isNamed(symbol) {
  return symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
}

/** Whether a property is private by a name that begins with #. @param {ts.Symbol} member */
export function isPrivate({ escapedName }) {
  return String(escapedName).startsWith("__#");
}

/**
 * Whether a docstring marks a property as internal.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} member
 */
export function isInternal(checker, member) {
  return member.getJsDocTags(checker).some(({ name }) => name === "internal");
}

/**
 * Whether a declaration or a mapped type makes a property read-only. Only internal flags of the compiler tell this of mapped
 * types.
 * @param {ts.Symbol} member
 */
export function isReadonly(member) {
  const readonlyByMapping = 8;
  const { links } = /** @type {{ links?: { checkFlags?: number } }} */ (/** @type {unknown} */ (member));
  if (links?.checkFlags) return (links.checkFlags & readonlyByMapping) !== 0;
  const declarations = member.declarations ?? [];
  return declarations.some(
    (declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly,
  );
}
