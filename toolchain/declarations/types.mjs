import ts from "typescript";
import { isReadonly } from "../symbols.mjs";
import { docstring } from "./docstrings.mjs";
import { Interfaces, isObject } from "./interfaces.mjs";

/** @typedef {import("./names.mjs").Names} Names */

/** Prints types for the published declarations: by their names where they have one, otherwise by their structure. */
export class TypePrinter {
  /**
   * Finds, for a type without a name, the interface of the project that has the same properties.
   * @type {Interfaces | undefined}
   */
  #interfaces;
  /**
   * Exported union types and the texts of their alternatives, those with most alternatives first.
   * @type {[string, string[]][] | undefined}
   */
  #unions;
  /**
   * The printed bodies of object types in which no inner type has a name, since printing takes time.
   * @type {Map<ts.Type, string>}
   */
  #bodies = new Map();
  /** The unique symbols that name properties of the exported types. @type {Set<string>} */
  brands = new Set();
  /** The types whose properties are being printed, to detect a type that contains itself. @type {ts.Type[]} */
  #outer = [];

  /**
   * Makes a printer of types that knows the names of the exported types.
   * @param {Names} names
   * @param {boolean} [spellsOut] whether names are replaced by their structures, so that types with the same properties have
   * the same text
   */
  constructor(names, spellsOut = false) {
    this.names = names;
    this.checker = names.checker;
    this.spellsOut = spellsOut;
    if (spellsOut) return;
    const structures = new TypePrinter(names, true);
    this.#interfaces = new Interfaces(names, (type) => structures.body(type));
  }

  /** Prints the body of an object type. @param {ts.Type} type */
  body(type) {
    const known = this.spellsOut ? this.#bodies.get(type) : undefined;
    if (known !== undefined) return known;
    if (this.#outer.includes(type)) throw new Error("a type without a name contains itself");
    this.#outer.push(type);
    const members = type.getProperties().map((member) => this.member(member));
    const indexes = this.checker.getIndexInfosOfType(type).map(({ keyType, type: inside, isReadonly }) => {
      return `${this.#readonly(isReadonly)}[name: ${this.type(keyType)}]: ${this.type(inside)};`;
    });
    this.#outer.pop();
    const all = [...members, ...indexes];
    const text = block(this.spellsOut ? all.sort() : all);
    if (this.spellsOut) this.#bodies.set(type, text);
    return text;
  }

  /** Prints the declaration of a property or a method of a type. @param {ts.Symbol} member */
  member(member) {
    const type = this.checker.getTypeOfSymbol(member);
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const name = `${this.#memberName(member)}${isOptional ? "?" : ""}`;
    const [signature] = this.checker.getNonNullableType(type).getCallSignatures();
    if (member.flags & ts.SymbolFlags.Method && signature)
      return `${docstring(this.checker, member)}${name}${this.signature(signature)};`;
    const readonly = this.#readonly(isReadonly(member));
    return `${docstring(this.checker, member)}${readonly}${name}: ${this.type(type, isOptional)};`;
  }

  /**
   * Prints `readonly` before a property. Texts by which types are compared leave it out, since a named type with read-only
   * properties may stand for an equal type without a name at places that are only read.
   * @param {boolean} isReadonly
   */
  #readonly(isReadonly) {
    return isReadonly && !this.spellsOut ? "readonly " : "";
  }

  /** Prints the name of a property in a declaration. @param {ts.Symbol} member */
  #memberName({ name, escapedName }) {
    const [, brand] = /^__@(\w+)@\d+$/.exec(String(escapedName)) ?? [];
    if (brand) this.brands.add(brand);
    if (brand) return `[${brand}]`;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  }

  /**
   * Prints the parameters and the result of a function.
   * @param {ts.Signature} signature
   * @param {string} [instance] the class that a method returns if its type parameter is the class
   */
  signature(signature, instance) {
    const result = signature.getReturnType();
    const isOfClass = instance !== undefined && result.flags & ts.TypeFlags.TypeParameter;
    return `(${this.parameters(signature)}): ${isOfClass ? instance : this.type(result)}`;
  }

  /** Prints the parameters of a function. @param {ts.Signature} signature */
  parameters(signature) {
    return signature
      .getParameters()
      .map((parameter) => {
        const { valueDeclaration } = parameter;
        const isOptional =
          valueDeclaration !== undefined &&
          ts.isParameter(valueDeclaration) &&
          this.checker.isOptionalParameter(valueDeclaration);
        const type = this.checker.getTypeOfSymbol(parameter);
        return `${parameter.name}${isOptional ? "?" : ""}: ${this.type(type, isOptional)}`;
      })
      .join(", ");
  }

  /**
   * Prints a type at a place that uses it: by its name if it has one.
   * @param {ts.Type} type
   * @param {boolean} [isOptional] whether the property is optional, so that undefined is left out
   * @returns {string}
   */
  type(type, isOptional = false) {
    const isGeneric = type.aliasTypeArguments && !this.names.has(type.aliasSymbol);
    const alias = type.aliasSymbol && !isGeneric && this.#nameOf(type.aliasSymbol);
    if (alias) return alias + this.#typeArguments(type.aliasTypeArguments);
    return this.content(type, isOptional);
  }

  /**
   * Prints a type by its structure, even if an alias names the type.
   * @param {ts.Type} type
   * @param {boolean} [isOptional]
   * @returns {string}
   */
  content(type, isOptional = false) {
    if (type.isUnion()) return this.union(type.types, isOptional).join(" | ");
    if (type.isIntersection()) return this.#intersection(type);
    if (type.isStringLiteral() || type.isNumberLiteral()) return JSON.stringify(type.value);
    const primitives = ts.TypeFlags.Any | ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null;
    const others = ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.Boolean | ts.TypeFlags.Undefined;
    const bounds = ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Void;
    if (type.flags & (primitives | others | bounds | ts.TypeFlags.NonPrimitive))
      return this.checker.typeToString(type);
    if (!isObject(type)) throw new Error(`cannot declare the type ${this.checker.typeToString(type)}`);
    return this.#object(type);
  }

  /** Prints an object type. @param {ts.Type} type */
  #object(type) {
    const checker = this.checker;
    const name = type.symbol && this.#nameOf(type.symbol);
    const args = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    if (checker.isArrayType(type)) {
      const entry = this.type(/** @type {ts.Type} */ (args[0]));
      const readonly = this.#readonly(type.symbol.name === "ReadonlyArray");
      return `${readonly}${isCompound(entry) ? `(${entry})` : entry}[]`;
    }
    if (type.symbol?.name === "OutputInstance") return `pulumi.Output${this.#typeArguments(args)}`;
    if (name) return name + this.#typeArguments(args);
    if (type.symbol?.name === "Promise") return `Promise${this.#typeArguments(args)}`;
    const [signature] = type.getCallSignatures();
    if (signature) return `((${this.parameters(signature)}) => ${this.type(signature.getReturnType())})`;
    return this.#interfaces?.nameOf(type) ?? this.body(type);
  }

  /** Returns the name by which the published declarations refer to a type. @param {ts.Symbol} symbol */
  #nameOf(symbol) {
    return this.spellsOut ? this.names.alwaysNamed(symbol) : this.names.nameOf(symbol);
  }

  /** Prints the arguments of a generic type. @param {readonly ts.Type[] | undefined} types */
  #typeArguments(types = []) {
    return types.length > 0 ? `<${types.map((type) => this.type(type)).join(", ")}>` : "";
  }

  /**
   * Prints the alternatives of a union type. The name of an exported union replaces the alternatives that it contains, and
   * `pulumi.Input` replaces a value together with its promise and its output.
   * @param {readonly ts.Type[]} types
   * @param {boolean} [isOptional]
   * @param {string} [itself] the name of the union if this is its declaration
   * @returns {string[]}
   */
  union(types, isOptional = false, itself = "") {
    const promised = types.find(({ symbol }) => symbol?.name === "Promise");
    const [value] = promised ? this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (promised)) : [];
    if (value && types.some(({ symbol }) => symbol?.name === "OutputInstance")) {
      const inside = value.isUnion() ? value.types : [value];
      const isUndefined = (/** @type {ts.Type} */ { flags }) => (flags & ts.TypeFlags.Undefined) !== 0;
      const isBeside = !isOptional && types.some(isUndefined) && !inside.some(isUndefined);
      return [`pulumi.Input<${this.type(value)}>`, ...(isBeside ? ["undefined"] : [])];
    }
    const isBoolean = types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const texts = types.flatMap((type) => {
      if (isBoolean && type.flags & ts.TypeFlags.BooleanLiteral) return [];
      return isOptional && type.flags & ts.TypeFlags.Undefined ? [] : [this.type(type)];
    });
    if (isBoolean) texts.push("boolean");
    const last = ["(string & {})", "null", "undefined"];
    const sorted = [
      ...texts.filter((text) => !last.includes(text)),
      ...last.filter((text) => texts.includes(text)),
    ];
    return this.#withUnions([...new Set(sorted)], itself);
  }

  /**
   * Replaces alternatives of a union type by the names of exported unions that consist of them. The union named `itself` is not
   * replaced by its own name.
   * @param {string[]} texts
   * @param {string} itself
   */
  #withUnions(texts, itself) {
    if (this.spellsOut) return texts.sort();
    if (!this.#unions) {
      this.#unions = [];
      const unions = this.names.exported.flatMap(({ name, symbol }) => {
        if (!(symbol.flags & ts.SymbolFlags.TypeAlias)) return [];
        const type = this.checker.getDeclaredTypeOfSymbol(symbol);
        return type.isUnion()
          ? [/** @type {[string, string[]]} */ ([name, this.union(type.types, false, name)])]
          : [];
      });
      this.#unions = unions.sort(([, one], [, other]) => other.length - one.length);
    }
    let rest = texts;
    for (const [name, members] of this.#unions) {
      if (name === itself || !members.every((member) => rest.includes(member))) continue;
      rest = [name, ...rest.filter((text) => !members.includes(text))];
    }
    return rest;
  }

  /** Prints an intersection type. @param {ts.IntersectionType} type */
  #intersection(type) {
    const output = type.types.find(({ symbol }) => symbol?.name === "OutputInstance");
    if (output) {
      const args = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (output));
      return `pulumi.Output${this.#typeArguments(args)}`;
    }
    const isWhole = type.types.every((part) => isObject(part) && !this.names.has(part.symbol));
    const parts = () => type.types.map((part) => this.type(part)).join(" & ");
    if (!isWhole) return isObject(type) ? parts() : `(${parts()})`;
    return this.#interfaces?.nameOf(type) ?? this.body(type);
  }
}

/** Whether the printed text of a type needs parentheses inside another type. @param {string} text */
function isCompound(text) {
  const atoms = text.replace(/"[^"]*"/g, "").replace(/=>/g, " | ");
  let depth = 0;
  for (const [index, character] of [...atoms].entries()) {
    if ("<{([".includes(character)) depth += 1;
    if (">})]".includes(character)) depth -= 1;
    if (depth === 0 && "|&".includes(character) && index > 0) return true;
  }
  return text.startsWith("readonly ");
}

/** Prints a block in braces with the given declarations. @param {string[]} members */
export function block(members) {
  if (members.length === 0) return "{}";
  return `{\n${members.join("\n").replace(/^(?=.)/gm, "    ")}\n}`;
}
