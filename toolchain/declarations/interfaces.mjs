import ts from "typescript";
import { isNamed, isOwn } from "../symbols.mjs";

/** @typedef {import("./names.mjs").Names} Names */
/** @typedef {import("./names.mjs").Exported} Exported */

/**
 * Finds the interface that equals a type without a name: the types of schemas have no names, but the published declarations
 * need them.
 */
export class Interfaces {
  /**
   * The exported interfaces by the texts of their bodies, by which an equal type is found.
   * @type {Map<string, Set<ts.Symbol>> | undefined}
   */
  #byBody;

  /**
   * Prepares the search for interfaces among the exports of a module.
   * @param {Names} names
   * @param {(type: ts.Type) => string} bodyOf returns the body of an object type in which no inner type has a name
   */
  constructor(names, bodyOf) {
    this.names = names;
    this.bodyOf = bodyOf;
    // Types that the module does not export. The published declarations also use their names for equal types without a name.
    this.others = names.exported.flatMap(({ symbol }) => plainFormsOf(names, symbol));
  }

  /** Returns the name of the interface that equals a type without a name. @param {ts.Type} type */
  nameOf(type) {
    const { checker } = this.names;
    if (!this.#byBody) {
      this.#byBody = new Map();
      for (const { symbol } of [...this.names.exported, ...this.others]) {
        const declared = checker.getDeclaredTypeOfSymbol(symbol);
        if (symbol.flags & ts.SymbolFlags.Class || !isObject(declared)) continue;
        const body = this.bodyOf(declared);
        this.#byBody.set(body, new Set([...(this.#byBody.get(body) ?? []), symbol]));
      }
    }
    const symbols = [...(this.#byBody.get(this.bodyOf(type)) ?? [])];
    const extending = symbols.find((symbol) => basesOf(checker, symbol).includes(type));
    const symbol = extending ?? (symbols.length === 1 ? symbols[0] : undefined);
    return symbol && this.names.nameOf(symbol);
  }
}

/**
 * Finds the type behind exported arguments, such as `NumberFormat` behind `NumberFormatArgs`: schemas contain the former
 * without its name.
 * @param {Names} names
 * @param {ts.Symbol} symbol
 * @returns {Exported[]}
 */
function plainFormsOf({ checker, program }, symbol) {
  return basesOf(checker, symbol).flatMap(({ aliasTypeArguments = [] }) =>
    aliasTypeArguments.flatMap(({ symbol }) =>
      isNamed(symbol) && isOwn(program, symbol) ? [{ name: symbol.name, symbol }] : [],
    ),
  );
}

/** Whether a type is an object with properties. @param {ts.Type} type */
export function isObject(type) {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !isBranded(type);
}

/**
 * Whether a type is a primitive with a property that only distinguishes it from other types (a branded type).
 * @param {ts.Type} type
 */
function isBranded(type) {
  return type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
}

/**
 * Lists the types that an interface extends.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @returns {ts.Type[]}
 */
function basesOf(checker, symbol) {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return type.isClassOrInterface() && !type.isClass() ? checker.getBaseTypes(type) : [];
}
