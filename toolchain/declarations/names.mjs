import ts from "typescript";
import { exportsOf, isNamed, isOwn } from "../symbols.mjs";

/** The only package that the published type declarations import. */
export const sdk = "@pulumi/pulumi";

/** @typedef {{ name: string, symbol: ts.Symbol }} Exported */

/** Knows the names by which the type declarations of a module refer to types. */
export class Names {
  /** The exported names of the module, and the names of types that their declarations need. @type {Exported[]} */
  exported;
  /** The names of exported types and of the types of Pulumi's SDK, by their symbols. @type {Map<ts.Symbol, string>} */
  #names;

  /**
   * Reads the exports of a module.
   * @param {ts.Program} program
   * @param {ts.SourceFile} source
   */
  constructor(program, source) {
    const checker = program.getTypeChecker();
    this.program = program;
    this.checker = checker;
    this.exported = exportsOf(checker, checker.getSymbolAtLocation(source));
    this.#names = new Map([
      ...namesIn(checker, sdkModule(program, checker), "pulumi."),
      ...this.exported.map(({ name, symbol }) => /** @type {const} */ ([symbol, name])),
    ]);
  }

  /**
   * Whether a type has a name that declarations can use: the module whose declarations are made exports it, or Pulumi's SDK
   * does.
   * @param {ts.Symbol | undefined} symbol
   */
  has(symbol) {
    return symbol !== undefined && this.#names.has(symbol);
  }

  /**
   * Returns the name of a class, or of a type of Pulumi's SDK. The published declarations always refer to these types by name,
   * and never by their structure.
   * @param {ts.Symbol} symbol
   */
  alwaysNamed(symbol) {
    const name = this.#names.get(symbol);
    return name?.startsWith("pulumi.") || symbol.flags & ts.SymbolFlags.Class ? name : undefined;
  }

  /**
   * Returns the name of a type. If the project has a name for it, the published declarations get a declaration of the type.
   * @param {ts.Symbol} symbol
   */
  nameOf(symbol) {
    const name = this.#names.get(symbol);
    if (name || !isNamed(symbol) || !isOwn(this.program, symbol)) return name;
    if (this.exported.some((other) => other.name === symbol.name))
      throw new Error(`two types have the name ${symbol.name}`);
    this.#names.set(symbol, symbol.name);
    this.exported.push({ name: symbol.name, symbol });
    return symbol.name;
  }

  /**
   * Returns the name of the class of Pulumi's SDK that a class extends, directly or not.
   * @param {ts.Type} type
   * @returns {string | undefined}
   */
  sdkBase(type) {
    for (const base of type.getBaseTypes() ?? []) {
      const name = this.#names.get(base.symbol);
      const found = name?.startsWith("pulumi.") ? name : this.sdkBase(base);
      if (found) return found;
    }
    return undefined;
  }
}

/**
 * Finds the module of Pulumi's SDK that the project uses.
 * @param {ts.Program} program
 * @param {ts.TypeChecker} checker
 */
function sdkModule(program, checker) {
  const file = program.getSourceFiles().find(({ fileName }) => fileName.endsWith(`${sdk}/index.d.ts`));
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`the project does not use ${sdk}`);
  return module;
}

/**
 * Lists the names of all exports of a module and its namespaces, by their symbols.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} module
 * @param {string} prefix
 * @returns {[ts.Symbol, string][]}
 */
function namesIn(checker, module, prefix) {
  const exported = exportsOf(checker, module).map(({ name, symbol }) => ({
    symbol,
    name: `${prefix}${name}`,
  }));
  // Pulumi's SDK exports some types both directly and in a namespace. The shorter name, without the namespace, is used.
  const nested = exported.flatMap(({ symbol, name }) =>
    symbol.flags & ts.SymbolFlags.Module && prefix === "pulumi." ? namesIn(checker, symbol, `${name}.`) : [],
  );
  const types = exported.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Type);
  return [...nested, ...types.map(({ symbol, name }) => /** @type {[ts.Symbol, string]} */ ([symbol, name]))];
}
