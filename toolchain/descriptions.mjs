import ts from "typescript";
import { documentedBy, exportsOf, isOwn } from "./symbols.mjs";

/** @typedef {import("../provider/descriptions.js").Description} Description */
/** @typedef {import("../provider/descriptions.js").Descriptions} Descriptions */
/** @typedef {Record<string, Description>} DescriptionsByPath */

/**
 * Reads the docstrings of the resource classes, the functions and the provider class that a module exports. The search follows
 * the types of the properties, so it finds docstrings in schemas and in interfaces, in whatever file they are.
 * @param {ts.Program} program
 * @param {string} entry path of the module
 * @returns {Descriptions}
 * @throws when the module has no resource, no function or no provider class
 */
export function describe(program, entry) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  /** @type {Record<string, Descriptions["resources"][string]>} */
  const resources = {};
  /** @type {Record<string, Descriptions["functions"][string]>} */
  const functions = {};
  /** @type {DescriptionsByPath} */
  let settings = {};

  for (const { name, symbol } of exportsOf(checker, module)) {
    if (!symbol.valueDeclaration) continue;
    const type = checker.getTypeOfSymbol(symbol);
    if (symbol.flags & ts.SymbolFlags.Class) {
      const instance = checker.getDeclaredTypeOfSymbol(symbol);
      const inputs = membersOf(program, argumentsOf(checker, type.getConstructSignatures()[0]));
      if (isDerivedFrom(instance, "ProviderResource")) settings = inputs;
      else {
        const outputs = Object.entries(membersOf(program, instance)).filter(([path]) => !(path in inputs));
        resources[name] = {
          ...descriptionOf(checker, symbol),
          inputs,
          outputs: Object.fromEntries(outputs),
        };
      }
    }
    // The provider functions that return outputs have the same arguments and results as those that return promises, so the
    // descriptions of one form are enough.
    const [signature] = type.getCallSignatures();
    if (signature?.getReturnType().symbol?.name === "Promise") {
      functions[name] = {
        ...descriptionOf(checker, documentedBy(checker, symbol)),
        arguments: membersOf(program, argumentsOf(checker, signature)),
        result: membersOf(program, signature.getReturnType()),
      };
    }
  }
  for (const kind of [resources, functions, settings])
    if (Object.keys(kind).length === 0)
      throw new Error(`${entry} has to export resources, functions and a provider`);
  return { resources, functions, settings };
}

/**
 * The type of a signature's parameter `args`.
 * @param {ts.TypeChecker} checker
 * @param {ts.Signature | undefined} signature
 */
function argumentsOf(checker, signature) {
  const parameter = signature?.getParameters().find(({ name }) => name === "args");
  return parameter && checker.getTypeOfSymbol(parameter);
}

/**
 * Whether a class is derived from the class with this name.
 * @param {ts.Type} type
 * @param {string} name
 * @returns {boolean}
 */
function isDerivedFrom(type, name) {
  return (type.getBaseTypes() ?? []).some((base) => base.symbol?.name === name || isDerivedFrom(base, name));
}

/**
 * Reads the descriptions of a type's properties at every depth. Properties that other packages declare, such as the `urn` of a
 * resource, are left out.
 * @param {ts.Program} program
 * @param {ts.Type | undefined} type
 * @param {string} path the path at which the type is used
 * @param {ReadonlySet<ts.Type>} outer types that contain this type
 * @returns {DescriptionsByPath}
 */
function membersOf(program, type, path = "", outer = new Set()) {
  const checker = program.getTypeChecker();
  /** @type {DescriptionsByPath} */
  const descriptions = {};
  for (const plain of new Set(type && plainTypes(checker, type))) {
    if (outer.has(plain)) continue;
    const place = path.slice(0, -1);
    const kind = place && kindOf(checker, plain);
    const { symbol } = plain.aliasTypeArguments?.[0] ?? plain;
    const summary = kind && symbol ? descriptionOf(checker, symbol) : undefined;
    if (summary?.description) descriptions[`${place}[${kind}]`] ??= summary;
    for (const member of plain.getProperties()) {
      const name = `${path}${member.name}`;
      if (!(member.flags & ts.SymbolFlags.Property) || isInside(member) || !isOwn(program, member)) continue;
      const description = descriptionOf(checker, member);
      const inside = new Set([...outer, plain]);
      const direct = description.description === "" ? {} : { [name]: description };
      const below = membersOf(program, checker.getTypeOfSymbol(member), `${name}.`, inside);
      // If several types of a union have the same property, the first type describes it; further types only add descriptions
      // that differ.
      for (const [path, entry] of Object.entries({ ...direct, ...below })) {
        descriptions[path] ??= entry;
        if (kind && entry.description !== descriptions[path].description)
          descriptions[`${place}[${kind}]${path.slice(place.length)}`] ??= entry;
      }
    }
  }
  return descriptions;
}

/**
 * Finds the constants that distinguish an object type from the other types of its union, by the names of their properties.
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} type
 */
function kindOf(checker, type) {
  const members = type.getProperties().sort((a, b) => (a.name < b.name ? -1 : 1));
  const types = members.map((member) => checker.getTypeOfSymbol(member));
  return types.flatMap((type) => (type.isStringLiteral() ? [type.value] : [])).join();
}

/**
 * Whether no user can declare or read a property: its name is a symbol, which only distinguishes types, or it is private in its
 * class.
 * @param {ts.Symbol} member
 */
function isInside({ escapedName }) {
  return /^__[@#]/.test(String(escapedName));
}

const wrappers = ["Promise", "OutputInstance"];

/**
 * Finds the types of the values inside a type: the entries of an array or a map, and the values of a promise or an output.
 * @param {ts.TypeChecker} checker
 * @param {ts.Type} type
 * @returns {ts.Type[]}
 */
function plainTypes(checker, type) {
  if (type.isUnionOrIntersection()) return type.types.flatMap((member) => plainTypes(checker, member));
  const isWrapper = checker.isArrayType(type) || wrappers.includes(type.symbol?.name);
  const [entry] = isWrapper ? checker.getTypeArguments(/** @type {ts.TypeReference} */ (type)) : [];
  const isMap = type.getProperties().length === 0;
  const inside = entry ?? (isMap ? checker.getIndexInfoOfType(type, ts.IndexKind.String)?.type : undefined);
  return inside ? plainTypes(checker, inside) : [type];
}

/**
 * The description of a declaration from its docstring.
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} symbol
 * @returns {Description}
 */
function descriptionOf(checker, symbol) {
  const tags = symbol.getJsDocTags(checker);
  /** The texts of the tags with this name in a docstring. @param {string} name */
  const texts = (name) => tags.filter((tag) => tag.name === name).map(({ text }) => plainText(text));
  const [[byDefault], [deprecated]] = [texts("default"), texts("deprecated")];
  const [examples, throws, see] = [texts("example"), texts("throws"), texts("see")];
  return {
    description: plainText(symbol.getDocumentationComment(checker)),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples.length > 0 ? { examples } : {}),
    ...(throws.length > 0 ? { throws } : {}),
    ...(see.length > 0 ? { see } : {}),
  };
}

/**
 * Returns the text of a docstring, in which the text of each link, or else the linked name, replaces the link.
 * @param {ts.SymbolDisplayPart[] | undefined} parts
 */
function plainText(parts = []) {
  // In a link of a docstring, the compiler omits the space between a name that it knows and the text of the link, so the space
  // is added again.
  const text = parts.map(({ kind, text }) => (kind === "linkName" ? `${text} ` : text)).join("");
  return text
    .replace(/\{@link\s+([^\s|}]+)[\s|]*([^}]*)\}/g, (_, target, label) => label.trim() || target)
    .trim();
}
