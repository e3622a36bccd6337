import ts from "typescript";
import { documentedBy, isInternal, isOwn, isPrivate } from "../symbols.mjs";
import { constructorDocstring, docstring, packageDocumentation, withFirst } from "./docstrings.mjs";
import { isObject } from "./interfaces.mjs";
import { Names, sdk } from "./names.mjs";
import { block, TypePrinter } from "./types.mjs";

/**
 * Makes the type declarations of a module's exports in plain TypeScript: each type is spelt out, so that they need no package
 * except `@pulumi/pulumi`, and no newer compiler than TypeScript 3.8, which Pulumi's SDK brings. The types of schemas become
 * interfaces, whose properties keep their docstrings.
 * @param {ts.Program} program
 * @param {string} entry the path of the module
 * @returns {string}
 * @throws when a type cannot be spelt out
 */
export function declarationsOf(program, entry) {
  const source = program.getSourceFile(entry);
  if (!source) throw new Error(`${entry} is not a part of the project`);
  const body = declarations(new TypePrinter(new Names(program, source))).join("\n\n");
  return [
    ...packageDocumentation(source),
    ...(body.includes("pulumi.") ? [`import * as pulumi from "${sdk}";\n`] : []),
    ...(body ? [`${body}\n`] : []),
    "export {};\n",
  ].join("\n");
}

/** Makes the texts of all type declarations of the published package. @param {TypePrinter} types */
function declarations(types) {
  /** @type {[name: string, text: string][]} */
  const texts = [];
  // Printing a declaration appends the named types that it needs to the list of exports, so the loop prints their declarations,
  // too.
  for (const { name, symbol } of types.names.exported) texts.push([name, declaration(types, name, symbol)]);
  // The compiler keeps the order of a union type only if it reads the union before its alternatives, and its errors are about
  // the last alternative that fits. So the declarations of unions come first.
  const isUnion = (/** @type {string} */ text) => /^export type/m.test(text);
  const sorted = texts
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, text]) => text)
    .sort((one, other) => Number(isUnion(other)) - Number(isUnion(one)));
  return [...sorted, ...[...types.brands].map((name) => `declare const ${name}: unique symbol;`)];
}

/**
 * Makes the type declaration of an exported name.
 * @param {TypePrinter} types
 * @param {string} name
 * @param {ts.Symbol} symbol
 */
function declaration(types, name, symbol) {
  const { checker } = types.names;
  const { flags } = symbol;
  if (flags & ts.SymbolFlags.Class) return classDeclaration(types, name, symbol);
  if (flags & ts.SymbolFlags.Type) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const docs = docstring(checker, symbol);
    if (type.isUnion()) {
      const members = types.union(inOrder(checker, symbol, type), false, name);
      return `${docs}export type ${name} = ${members.join(" | ")};`;
    }
    if (!isObject(type)) return `${docs}export type ${name} = ${types.content(type)};`;
    return `${docs}export interface ${name} ${types.body(type)}`;
  }
  const [signature, ...others] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  if (!signature || others.length > 0) throw new Error(`${name} is neither a type nor a function`);
  const definition = documentedBy(checker, symbol);
  const docs = docstring(checker, definition);
  const form = `Same as {@link ${definition.name}}, but accepts outputs and returns an output.`;
  return `${name === `${definition.name}Output` ? withFirst(form, docs) : docs}export declare function ${name}${types.signature(signature)};`;
}

/**
 * Makes the type declaration of an exported class.
 * @param {TypePrinter} types
 * @param {string} name
 * @param {ts.Symbol} symbol
 */
function classDeclaration(types, name, symbol) {
  const { checker, program } = types.names;
  const instance = /** @type {ts.InterfaceType} */ (checker.getDeclaredTypeOfSymbol(symbol));
  const type = checker.getTypeOfSymbol(symbol);
  const base = types.names.sdkBase(instance);
  if (!base) throw new Error(`${name} extends no class of ${sdk}`);
  const statics = type
    .getProperties()
    .filter((member) => member.name !== "prototype" && isOwn(program, member) && !isInternal(checker, member))
    .map((member) => {
      const [signature] = checker.getTypeOfSymbol(member).getCallSignatures();
      if (!signature) throw new Error(`${name}.${member.name} is no method`);
      return `${docstring(checker, member)}static ${member.name}${types.signature(signature, name)};`;
    });
  const constructors = type.getConstructSignatures().map((signature) => {
    const docs = constructorDocstring(checker, signature, symbol);
    return `${docs}constructor(${types.parameters(signature)});`;
  });
  const own = instance.getProperties().filter((member) => isOwn(program, member));
  const members = own.filter((member) => !isPrivate(member)).map((member) => types.member(member));
  // A declared property whose name begins with # would require users to compile for ES2015 or newer, so a private property with
  // this name in quotes stands for it.
  const brand = own.some(isPrivate) ? ['private readonly "#private";'] : [];
  const body = block([...brand, ...statics, ...constructors, ...members]);
  return `${docstring(checker, symbol)}export declare class ${name} extends ${base} ${body}`;
}
/**
 * Lists the alternatives of a union type in the order of its declaration: the compiler has them in another order.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @param {ts.UnionType} union
 */
function inOrder(checker, symbol, union) {
  const declaration = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  if (!declaration || !ts.isUnionTypeNode(declaration.type)) return union.types;
  return declaration.type.types.map((node) => checker.getTypeFromTypeNode(node));
}
