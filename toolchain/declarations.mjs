import ts from "typescript";

const sdk = "@pulumi/pulumi";

/**
 * The type declarations of a module's exports, in plain TypeScript: each type is spelt out, so that they need no package except
 * `@pulumi/pulumi`, and no newer compiler than TypeScript 3.8, which Pulumi's SDK brings. The types of schemas become
 * interfaces, whose properties keep their docstrings.
 * @param {ts.Program} program
 * @param {string} entry path of the module
 * @returns {string}
 * @throws when a type cannot be spelt out
 */
export function declarationsOf(program, entry) {
  const source = program.getSourceFile(entry);
  if (!source) throw new Error(`${entry} is not a part of the project`);
  const printer = new Printer(program, source);
  const body = printer.declarations().join("\n\n");
  return [
    ...packageDocumentation(source),
    ...(body.includes("pulumi.") ? [`import * as pulumi from "${sdk}";\n`] : []),
    ...(body ? [`${body}\n`] : []),
    "export {};\n",
  ].join("\n");
}

/** The comment about the whole package at the beginning of a module. @param {ts.SourceFile} source */
function packageDocumentation(source) {
  const [comment] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const text = comment ? source.text.slice(comment.pos, comment.end) : "";
  return text.includes("@packageDocumentation") ? [text] : [];
}

/**
 * @typedef {{ name: string, symbol: ts.Symbol }} Exported
 */

class Printer {
  /** @type {ts.TypeChecker} */
  #checker;
  /** @type {ts.Program} */
  #program;
  /** The exported names of the module, and the names of types that their declarations need. @type {Exported[]} */
  #exported;
  /** Types that the module does not export, but whose names may stand for an equal type without a name. @type {Exported[]} */
  #others = [];
  /** The names of exported types and of the types of Pulumi's SDK, by their symbols. @type {Map<ts.Symbol, string>} */
  #names;
  /**
   * Exported union types and the texts of their alternatives, those with most alternatives first.
   * @type {[string, string[]][] | undefined}
   */
  #unions;
  /**
   * The exported interfaces by their structure, in which no inner type has a name.
   * @type {Map<string, Set<ts.Symbol>> | undefined}
   */
  #interfaces;
  /** Whether exported names are replaced by their structures, so that types with the same properties have the same text. */
  #spellsOut = false;
  /** The structures of types, in which no inner type has a name. @type {Map<ts.Type, string>} */
  #spelledOut = new Map();
  /** Unique symbols that name properties of the exported types. @type {Set<string>} */
  #brands = new Set();
  /** The types whose properties are being printed, to detect a type that contains itself. @type {ts.Type[]} */
  #outer = [];

  /**
   * Reads the exports of a module.
   * @param {ts.Program} program
   * @param {ts.SourceFile} source
   */
  constructor(program, source) {
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(source);
    this.#program = program;
    this.#checker = checker;
    this.#exported = (module ? checker.getExportsOfModule(module) : []).map((symbol) => ({
      name: symbol.name,
      symbol: resolved(checker, symbol),
    }));
    this.#names = new Map([
      ...namesIn(checker, sdkModule(program, checker), "pulumi."),
      ...this.#exported.map(({ name, symbol }) => /** @type {const} */ ([symbol, name])),
    ]);
  }

  /** The text of all declarations. @returns {string[]} */
  declarations() {
    this.#others = this.#exported.flatMap(({ symbol }) => this.#plainFormsOf(symbol));
    /** @type {[name: string, text: string][]} */
    const declarations = [];
    // Printing the declaration of an export appends the named types that it needs to the list of exports.
    for (const { name, symbol } of this.#exported) declarations.push([name, this.#declaration(name, symbol)]);
    // The compiler keeps the order of a union type only if it reads the union before its alternatives, and its errors are about
    // the last alternative that fits. So the declarations of unions come first.
    const isUnion = (/** @type {string} */ text) => /^export type/m.test(text);
    const sorted = declarations
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, text]) => text)
      .sort((one, other) => Number(isUnion(other)) - Number(isUnion(one)));
    return [...sorted, ...[...this.#brands].map((name) => `declare const ${name}: unique symbol;`)];
  }

  /**
   * The type behind exported arguments, such as `NumberFormat` behind `NumberFormatArgs`: schemas contain the former without
   * its name.
   * @param {ts.Symbol} symbol
   * @returns {Exported[]}
   */
  #plainFormsOf(symbol) {
    return basesOf(this.#checker, symbol).flatMap(({ aliasTypeArguments = [] }) =>
      aliasTypeArguments.flatMap(({ symbol }) =>
        isNamed(symbol) && this.#isOwn(symbol) ? [{ name: symbol.name, symbol }] : [],
      ),
    );
  }

  /**
   * The declaration of an exported name.
   * @param {string} name
   * @param {ts.Symbol} symbol
   */
  #declaration(name, symbol) {
    const { flags } = symbol;
    if (flags & ts.SymbolFlags.Class) return this.#class(name, symbol);
    if (flags & ts.SymbolFlags.Type) {
      const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
      const docs = this.#docs(symbol);
      if (type.isUnion()) {
        const members = this.#union(inOrder(this.#checker, symbol, type), false, name);
        return `${docs}export type ${name} = ${members.join(" | ")};`;
      }
      if (!isObject(type)) return `${docs}export type ${name} = ${this.#content(type)};`;
      return `${docs}export interface ${name} ${this.#body(type)}`;
    }
    const [signature, ...others] = this.#checker.getTypeOfSymbol(symbol).getCallSignatures();
    if (!signature || others.length > 0) throw new Error(`${name} is neither a type nor a function`);
    return `${this.#docs(symbol)}export declare function ${name}${this.#signature(signature)};`;
  }

  /**
   * The declaration of an exported class.
   * @param {string} name
   * @param {ts.Symbol} symbol
   */
  #class(name, symbol) {
    const checker = this.#checker;
    const instance = /** @type {ts.InterfaceType} */ (checker.getDeclaredTypeOfSymbol(symbol));
    const type = checker.getTypeOfSymbol(symbol);
    const base = sdkBase(this.#names, instance);
    if (!base) throw new Error(`${name} extends no class of ${sdk}`);
    const statics = type
      .getProperties()
      .filter((member) => member.name !== "prototype" && this.#isOwn(member) && !isInternal(checker, member))
      .map((member) => {
        const [signature] = checker.getTypeOfSymbol(member).getCallSignatures();
        if (!signature) throw new Error(`${name}.${member.name} is no method`);
        return `${this.#docs(member)}static ${member.name}${this.#signature(signature, name)};`;
      });
    const constructors = type.getConstructSignatures().map((signature) => {
      const docs = this.#docsOfConstructor(signature, symbol);
      return `${docs}constructor(${this.#parameters(signature)});`;
    });
    const own = instance.getProperties().filter((member) => this.#isOwn(member));
    const members = own.filter((member) => !isPrivate(member)).map((member) => this.#member(member));
    // A declared property with # would require users to compile for ES2015 or newer, so a private one with this name stands for
    // it.
    const brand = own.some(isPrivate) ? ['private readonly "#private";'] : [];
    const body = block([...brand, ...statics, ...constructors, ...members]);
    return `${this.#docs(symbol)}export declare class ${name} extends ${base} ${body}`;
  }

  /**
   * The exported interface that equals a type without a name: the types of schemas have no names.
   * @param {ts.Type} type
   */
  #interfaceOf(type) {
    if (this.#spellsOut) return undefined;
    this.#spellsOut = true;
    const outer = this.#outer;
    this.#outer = [];
    if (!this.#interfaces) {
      this.#interfaces = new Map();
      for (const { symbol } of [...this.#exported, ...this.#others]) {
        const declared = this.#checker.getDeclaredTypeOfSymbol(symbol);
        if (symbol.flags & ts.SymbolFlags.Class || !isObject(declared)) continue;
        const body = this.#body(declared);
        this.#interfaces.set(body, new Set([...(this.#interfaces.get(body) ?? []), symbol]));
      }
    }
    const symbols = [...(this.#interfaces.get(this.#body(type)) ?? [])];
    this.#spellsOut = false;
    this.#outer = outer;
    const extending = symbols.find((symbol) => basesOf(this.#checker, symbol).includes(type));
    const symbol = extending ?? (symbols.length === 1 ? symbols[0] : undefined);
    return symbol && this.#nameOf(symbol);
  }

  /** The body of an object type. @param {ts.Type} type */
  #body(type) {
    const known = this.#spellsOut ? this.#spelledOut.get(type) : undefined;
    if (known !== undefined) return known;
    if (this.#outer.includes(type)) throw new Error("a type without a name contains itself");
    this.#outer.push(type);
    const members = type.getProperties().map((member) => this.#member(member));
    const indexes = this.#checker.getIndexInfosOfType(type).map(({ keyType, type: inside, isReadonly }) => {
      return `${this.#readonly(isReadonly)}[name: ${this.#type(keyType)}]: ${this.#type(inside)};`;
    });
    this.#outer.pop();
    const all = [...members, ...indexes];
    const text = block(this.#spellsOut ? all.sort() : all);
    if (this.#spellsOut) this.#spelledOut.set(type, text);
    return text;
  }

  /** The declaration of a property or a method of a type. @param {ts.Symbol} member */
  #member(member) {
    const type = this.#checker.getTypeOfSymbol(member);
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const name = `${this.#memberName(member)}${isOptional ? "?" : ""}`;
    const [signature] = this.#checker.getNonNullableType(type).getCallSignatures();
    if (member.flags & ts.SymbolFlags.Method && signature)
      return `${this.#docs(member)}${name}${this.#signature(signature)};`;
    const readonly = this.#readonly(isReadonly(member));
    return `${this.#docs(member)}${readonly}${name}: ${this.#type(type, isOptional)};`;
  }

  /**
   * A named type with read-only properties may stand for an equal type without a name only at places that are only read.
   * @param {boolean} isReadonly
   */
  #readonly(isReadonly) {
    return isReadonly && !this.#spellsOut ? "readonly " : "";
  }

  /** The name of a property in a declaration. @param {ts.Symbol} member */
  #memberName({ name, escapedName }) {
    const [, brand] = /^__@(\w+)@\d+$/.exec(String(escapedName)) ?? [];
    if (brand) this.#brands.add(brand);
    if (brand) return `[${brand}]`;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  }

  /**
   * The parameters and the result of a function.
   * @param {ts.Signature} signature
   * @param {string} [instance] the class that a method returns if its type parameter is the class
   */
  #signature(signature, instance) {
    const result = signature.getReturnType();
    const isOfClass = instance !== undefined && result.flags & ts.TypeFlags.TypeParameter;
    return `(${this.#parameters(signature)}): ${isOfClass ? instance : this.#type(result)}`;
  }

  /** The parameters of a function. @param {ts.Signature} signature */
  #parameters(signature) {
    return signature
      .getParameters()
      .map((parameter) => {
        const { valueDeclaration } = parameter;
        const isOptional =
          valueDeclaration !== undefined &&
          ts.isParameter(valueDeclaration) &&
          this.#checker.isOptionalParameter(valueDeclaration);
        const type = this.#checker.getTypeOfSymbol(parameter);
        return `${parameter.name}${isOptional ? "?" : ""}: ${this.#type(type, isOptional)}`;
      })
      .join(", ");
  }

  /**
   * The text of a type at a place that uses it: its name if it has one.
   * @param {ts.Type} type
   * @param {boolean} [isOptional] whether the property is optional, so that undefined is left out
   * @returns {string}
   */
  #type(type, isOptional = false) {
    const isGeneric =
      type.aliasTypeArguments && !this.#names.has(/** @type {ts.Symbol} */ (type.aliasSymbol));
    const alias = type.aliasSymbol && !isGeneric && this.#nameOf(type.aliasSymbol);
    if (alias) return alias + this.#typeArguments(type.aliasTypeArguments);
    return this.#content(type, isOptional);
  }

  /**
   * The text of a type by its structure, even if an alias names the type.
   * @param {ts.Type} type
   * @param {boolean} [isOptional]
   * @returns {string}
   */
  #content(type, isOptional = false) {
    if (type.isUnion()) return this.#union(type.types, isOptional).join(" | ");
    if (type.isIntersection()) return this.#intersection(type);
    if (type.isStringLiteral() || type.isNumberLiteral()) return JSON.stringify(type.value);
    const primitives = ts.TypeFlags.Any | ts.TypeFlags.BooleanLiteral | ts.TypeFlags.Null;
    const others = ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.Boolean | ts.TypeFlags.Undefined;
    const bounds = ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Void;
    if (type.flags & (primitives | others | bounds | ts.TypeFlags.NonPrimitive))
      return this.#checker.typeToString(type);
    if (!isObject(type)) throw new Error(`cannot declare the type ${this.#checker.typeToString(type)}`);
    return this.#object(type);
  }

  /** The text of an object type. @param {ts.Type} type */
  #object(type) {
    const checker = this.#checker;
    const name = type.symbol && this.#nameOf(type.symbol);
    const args = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    if (checker.isArrayType(type)) {
      const entry = this.#type(/** @type {ts.Type} */ (args[0]));
      const readonly = this.#readonly(type.symbol.name === "ReadonlyArray");
      return `${readonly}${isCompound(entry) ? `(${entry})` : entry}[]`;
    }
    if (type.symbol?.name === "OutputInstance") return `pulumi.Output${this.#typeArguments(args)}`;
    if (name) return name + this.#typeArguments(args);
    if (type.symbol?.name === "Promise") return `Promise${this.#typeArguments(args)}`;
    const [signature] = type.getCallSignatures();
    if (signature) return `((${this.#parameters(signature)}) => ${this.#type(signature.getReturnType())})`;
    return this.#interfaceOf(type) ?? this.#body(type);
  }

  /** The name of a type of Pulumi's SDK, or of a type that is declared beside the exported ones. @param {ts.Symbol} symbol */
  #nameOf(symbol) {
    const name = this.#names.get(symbol);
    if (name?.startsWith("pulumi.") || symbol.flags & ts.SymbolFlags.Class) return name;
    if (this.#spellsOut) return undefined;
    if (name || !isNamed(symbol) || !this.#isOwn(symbol)) return name;
    if (this.#exported.some((other) => other.name === symbol.name))
      throw new Error(`two types have the name ${symbol.name}`);
    this.#names.set(symbol, symbol.name);
    this.#exported.push({ name: symbol.name, symbol });
    return symbol.name;
  }

  /** The arguments of a generic type. @param {readonly ts.Type[] | undefined} types */
  #typeArguments(types = []) {
    return types.length > 0 ? `<${types.map((type) => this.#type(type)).join(", ")}>` : "";
  }

  /**
   * The texts of the alternatives of a union type, with an exported union in place of its alternatives, and `Input` in place of
   * the types for which it stands.
   * @param {readonly ts.Type[]} types
   * @param {boolean} [isOptional]
   * @param {string} [itself] the name of the union if this is its declaration
   * @returns {string[]}
   */
  #union(types, isOptional = false, itself = "") {
    const promised = types.find(({ symbol }) => symbol?.name === "Promise");
    const [value] = promised
      ? this.#checker.getTypeArguments(/** @type {ts.TypeReference} */ (promised))
      : [];
    if (value && types.some(({ symbol }) => symbol?.name === "OutputInstance")) {
      const inside = value.isUnion() ? value.types : [value];
      const isUndefined = (/** @type {ts.Type} */ { flags }) => (flags & ts.TypeFlags.Undefined) !== 0;
      const isBeside = !isOptional && types.some(isUndefined) && !inside.some(isUndefined);
      return [`pulumi.Input<${this.#type(value)}>`, ...(isBeside ? ["undefined"] : [])];
    }
    const isBoolean = types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const texts = types.flatMap((type) => {
      if (isBoolean && type.flags & ts.TypeFlags.BooleanLiteral) return [];
      return isOptional && type.flags & ts.TypeFlags.Undefined ? [] : [this.#type(type)];
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
   * Replaces alternatives of a union type by the names of exported unions that consist of them.
   * @param {string[]} texts
   * @param {string} itself
   */
  #withUnions(texts, itself) {
    if (this.#spellsOut) return texts.sort();
    if (!this.#unions) {
      this.#unions = [];
      const unions = this.#exported.flatMap(({ name, symbol }) => {
        if (!(symbol.flags & ts.SymbolFlags.TypeAlias)) return [];
        const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
        return type.isUnion()
          ? [/** @type {[string, string[]]} */ ([name, this.#union(type.types, false, name)])]
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

  /** The text of an intersection type. @param {ts.IntersectionType} type */
  #intersection(type) {
    const output = type.types.find(({ symbol }) => symbol?.name === "OutputInstance");
    if (output) {
      const args = this.#checker.getTypeArguments(/** @type {ts.TypeReference} */ (output));
      return `pulumi.Output${this.#typeArguments(args)}`;
    }
    const isWhole = type.types.every((part) => isObject(part) && !this.#names.has(part.symbol));
    const parts = () => type.types.map((part) => this.#type(part)).join(" & ");
    if (!isWhole) return isObject(type) ? parts() : `(${parts()})`;
    return this.#interfaceOf(type) ?? this.#body(type);
  }

  /** The docstring of an exported name. @param {ts.Symbol} symbol */
  #docs(symbol) {
    for (const declaration of symbol.declarations ?? []) {
      const docs = docsOf(declaration);
      if (docs) return docs;
    }
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    return text ? comment(text.split("\n")) : "";
  }

  /**
   * The docstring of a constructor.
   * @param {ts.Signature} signature
   * @param {ts.Symbol} symbol
   */
  #docsOfConstructor(signature, symbol) {
    const own = signature.declaration ? docsOf(signature.declaration) : "";
    if (own) return own;
    const declaration = symbol.declarations?.find(ts.isClassDeclaration);
    const base = declaration?.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const expression = base?.types[0]?.expression;
    const [inherited] = expression
      ? this.#checker.getTypeAtLocation(expression).getConstructSignatures()
      : [];
    return inherited?.declaration ? docsOf(inherited.declaration) : "";
  }

  /** The docstring of a property. @param {ts.Symbol} member */
  #isOwn({ declarations = [] }) {
    return declarations.some((declaration) => {
      const file = declaration.getSourceFile();
      return (
        !this.#program.isSourceFileFromExternalLibrary(file) &&
        !this.#program.isSourceFileDefaultLibrary(file)
      );
    });
  }
}

/** Whether a type is an object with properties. @param {ts.Type} type */
function isObject(type) {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !isBranded(type);
}

/**
 * The alternatives of a union type in the order of its declaration: the compiler has them in another order.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @param {ts.UnionType} union
 */
function inOrder(checker, symbol, union) {
  const declaration = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  if (!declaration || !ts.isUnionTypeNode(declaration.type)) return union.types;
  return declaration.type.types.map((node) => checker.getTypeFromTypeNode(node));
}

/**
 * The types that an interface extends.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @returns {ts.Type[]}
 */
function basesOf(checker, symbol) {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return type.isClassOrInterface() && !type.isClass() ? checker.getBaseTypes(type) : [];
}

/** Whether a type has a name, being an interface or an alias. @param {ts.Symbol | undefined} symbol */
function isNamed(symbol) {
  return symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
}

/** Whether the text of a type needs parentheses inside another type. @param {string} text */
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

/** Whether a type is a primitive with a property that only distinguishes it from other types. @param {ts.Type} type */
function isBranded(type) {
  return type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
}

/** Whether a property is private by a name that begins with #. @param {ts.Symbol} member */
function isPrivate({ escapedName }) {
  return String(escapedName).startsWith("__#");
}

/**
 * Whether a docstring marks a property as internal.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} member
 */
function isInternal(checker, member) {
  return member.getJsDocTags(checker).some(({ name }) => name === "internal");
}

/**
 * Whether a declaration or a mapped type makes a property read-only. For mapped types, only internal flags of the compiler
 * tell.
 * @param {ts.Symbol} member
 */
function isReadonly(member) {
  const readonlyByMapping = 8;
  const { links } = /** @type {{ links?: { checkFlags?: number } }} */ (/** @type {unknown} */ (member));
  if (links?.checkFlags) return (links.checkFlags & readonlyByMapping) !== 0;
  const declarations = member.declarations ?? [];
  return declarations.some(
    (declaration) => ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly,
  );
}

/**
 * The symbol behind an alias.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 */
function resolved(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/**
 * The module of Pulumi's SDK that the project uses.
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
 * The names of all exports of a module and its namespaces, by their symbols.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} module
 * @param {string} prefix
 * @returns {[ts.Symbol, string][]}
 */
function namesIn(checker, module, prefix) {
  const exported = checker.getExportsOfModule(module).map((symbol) => ({
    symbol: resolved(checker, symbol),
    name: `${prefix}${symbol.name}`,
  }));
  // If the SDK's module itself also exports an export of its namespace, the shorter name is used.
  const nested = exported.flatMap(({ symbol, name }) =>
    symbol.flags & ts.SymbolFlags.Module && prefix === "pulumi." ? namesIn(checker, symbol, `${name}.`) : [],
  );
  const types = exported.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Type);
  return [...nested, ...types.map(({ symbol, name }) => /** @type {[ts.Symbol, string]} */ ([symbol, name]))];
}

/**
 * The name of the SDK's class that a class extends.
 * @param {ReadonlyMap<ts.Symbol, string>} names
 * @param {ts.Type} type
 * @returns {string | undefined}
 */
function sdkBase(names, type) {
  for (const base of type.getBaseTypes() ?? []) {
    const name = names.get(base.symbol);
    const found = name?.startsWith("pulumi.") ? name : sdkBase(names, base);
    if (found) return found;
  }
  return undefined;
}

/** The docstring of a declaration, as it is written in the source. @param {ts.Node} declaration */
function docsOf(declaration) {
  const docs = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1);
  if (!docs) return "";
  const text = docs.getText().replace(/^\/\*\*|\*\/$/g, "");
  return comment(text.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd()));
}

/** The text of a comment with these lines. @param {string[]} lines */
function comment(lines) {
  const text = lines.join("\n").trim();
  return text.includes("\n")
    ? `/**\n * ${text.replaceAll("\n", "\n * ").replace(/ +$/gm, "")}\n */\n`
    : `/** ${text} */\n`;
}

/** The text of a block in braces with the given declarations. @param {string[]} members */
function block(members) {
  if (members.length === 0) return "{}";
  return `{\n${members.join("\n").replace(/^(?=.)/gm, "    ")}\n}`;
}
