import type { Description, DescriptionsByPath } from "../../descriptions";
import { type Annotations, annotationsOf, wordsOf } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { enumName, pascalCase } from "./enumNames";
import { sharedName } from "./sharedNames";

export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  /** The property whose value tells the types of a union apart. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: { readonly [word: string]: string };
  };
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly const?: string;
  readonly deprecationMessage?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly default?: unknown;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: { readonly [name: string]: PropertySpec };
  readonly required?: readonly string[];
}

interface EnumSpec {
  readonly type: "string";
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

const anyType: TypeSpec = { $ref: "pulumi.json#/Any" };

export interface Naming {
  readonly tokenPrefix: string;
  /** Names that types in the package schema must not get, since the SDKs use them for resources and for functions. */
  readonly reserved: ReadonlySet<string>;
}

/** Where a type is used: its form in the package schema depends on it. */
export interface Usage {
  /** Descriptions of properties for the package schema, by paths without indices. */
  readonly docs: DescriptionsByPath;
  /**
   * Types of unions and the known words of open enumerations are named types in properties of resources only: in arguments of
   * functions, the generated Go code would not compile; in results of functions, a word may be any text.
   */
  readonly as: "properties" | "arguments" | "answer";
}

/** Candidates for the name of a type in the package schema: the first one that is free counts. */
type Names = readonly string[];

/**
 * Collects the named types of a package. Each is named by its path: `tiles` of `Dashboard` holds `DashboardTile`. Equal types
 * share one name, which sharedNames.ts has where none of their paths fits all; a different type with a taken name gets the
 * ending `Entry`. The name of a type inside a union leaves out the
 * type of the union, unless another type of the union has a different inner type.
 */
export class SchemaTypes {
  readonly #tokens = new Map<string, string>();
  readonly #types = new Map<string, ObjectSpec | EnumSpec>();

  constructor(private readonly naming: Naming) {}

  get types(): { readonly [token: string]: ObjectSpec | EnumSpec } {
    return Object.fromEntries(this.#types);
  }

  /** Describes the properties of an object in the package schema; the names of its named types begin with `owner`. */
  object(schema: TSchema, owner: string, usage: Usage): ObjectSpec {
    return this.#object(schema, [owner], usage, "");
  }

  #object(schema: TSchema, owners: Names, usage: Usage, path: string): ObjectSpec {
    const description = describedAt(usage.docs, path)?.description;
    const { filledIn = [] } = annotationsOf(schema);
    const required = (schema.required ?? []).filter((name: string) => !filledIn.includes(name));
    const properties = Object.entries(schema.properties as { [name: string]: TSchema }).map(
      ([name, member]) =>
        [
          name,
          this.#property(
            member,
            owners.map((owner) => owner + capitalized(name)),
            usage,
            path ? `${path}.${name}` : name,
          ),
        ] as const,
    );
    return {
      type: "object",
      ...(path.endsWith("]") && description ? { description } : {}),
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #property(schema: TSchema, names: Names, usage: Usage, path: string): PropertySpec {
    const { description, default: byDefault, deprecated } = describedAt(usage.docs, path) ?? {};
    const { deprecated: reasons, secret } = annotationsOf(schema);
    // A top-level argument of a resource that is deprecated only in some dialects gets no deprecation in the schema: the SDK
    // for Python would warn always, while the provider's check warns in the right dialects.
    const deprecationMessage = deprecated ?? (path.includes(".") ? deprecationOf(reasons) : undefined);
    return {
      ...this.#typeOf(schema, names, usage, path),
      ...(typeof schema.const === "string" ? { const: schema.const } : {}),
      ...(description
        ? { description: byDefault ? `${description} Default: ${byDefault}.` : description }
        : {}),
      ...(deprecationMessage ? { deprecationMessage } : {}),
      ...(secret ? { secret } : {}),
    };
  }

  #typeOf(schema: TSchema, names: Names, usage: Usage, path: string): TypeSpec {
    if (schema.anyOf) return this.#union(schema.anyOf, names, usage, path);
    const { known, isClosed, kinds, isWhole } = annotationsOf(schema);
    if (isWhole) return { type: "integer" };
    if (usage.as === "properties" && kinds) return this.#kinds(kinds, names, usage, path);
    if (usage.as === "properties" && known) {
      const enumeration = this.#enumeration(known, names);
      return isClosed ? enumeration : { oneOf: [{ type: "string" }, enumeration] };
    }
    const isWord = schema.enum?.every((value: unknown) => typeof value === "string");
    if (usage.as !== "answer" && isWord) return this.#enumeration(schema.enum, names);
    const list = (): TypeSpec => ({
      type: "array",
      items: this.#typeOf(schema.items ?? {}, names.map(singular), usage, path),
    });
    switch (schema.type) {
      case "integer":
        // Integers in the SDKs for .NET and Java have 32 bits, too few for milliseconds since 1970, so large ones become
        // numbers.
        return { type: Math.abs(schema.minimum ?? 0) < 2 ** 31 ? "integer" : "number" };
      case "string":
      case "number":
      case "boolean":
        return { type: schema.type };
      case "array":
        return list();
      case "object": {
        if (schema.properties)
          return this.#named(schema, names, usage, () => this.#object(schema, names, usage, path));
        const [values = {}] = Object.values(schema.patternProperties ?? {}) as TSchema[];
        const inside = this.#typeOf(values as TSchema, names.map(singular), usage, path);
        return { type: "object", additionalProperties: inside };
      }
      default:
        return schema.items ? { oneOf: [list(), { type: "string" }] } : anyType;
    }
  }

  #union(branches: readonly TSchema[], names: Names, usage: Usage, path: string): TypeSpec {
    // Pulumi's protocol does not tell null from an absent value, so the package schema's type leaves null out.
    const typed = branches.filter(({ type }) => type !== "null");
    const types = typed.map((branch) => this.#typeOf(branch, names, usage, path));
    // Pulumi's SDK for Python fails at a union of a list and a text, so the package schema keeps only the list.
    const lists = types.filter(({ items }) => items);
    const [first = anyType, ...alternatives] = [
      ...new Map((lists.length > 0 ? lists : types).map((type) => [JSON.stringify(type), type])).values(),
    ];
    return alternatives.length === 0 ? first : { oneOf: [first, ...alternatives] };
  }

  #kinds(kinds: readonly TSchema[], names: Names, usage: Usage, path: string): TypeSpec {
    const types = kinds.map((kind) => {
      const constants = constantsOf(kind);
      const kindNames = names.map((name) => name + constants.map(pascalCase).join(""));
      const place = constants.length > 0 ? `${path}[${constants.join()}]` : path;
      return this.#named(kind, kindNames, usage, () =>
        this.#object(kind, [...names, ...kindNames], usage, place),
      );
    });
    const members = kinds.map(({ properties }) => properties as { [name: string]: TSchema });
    const propertyName =
      Object.keys(members[0] ?? {}).find((name) =>
        members.every((properties) => properties[name]?.const ?? properties[name]?.enum),
      ) ?? "";
    const mapping: { [word: string]: string } = {};
    for (const [index, properties] of members.entries())
      for (const word of wordsOf(properties[propertyName] as TSchema))
        mapping[word] ??= types[index]?.$ref ?? "";
    return { oneOf: types, discriminator: { propertyName, mapping } };
  }

  #enumeration(values: readonly string[], names: Names): TypeSpec {
    return this.#named({ enum: values }, names, undefined, () => ({
      type: "string",
      enum: values.map((value) => ({ name: enumName(value), value })),
    }));
  }

  /** A reference in the package schema to the named type with the given structure. A new structure gets the first free name. */
  #named(
    schema: object,
    names: Names,
    usage: Usage | undefined,
    make: () => ObjectSpec | EnumSpec,
  ): TypeSpec {
    const key = JSON.stringify([usage?.as, schema]);
    const typeToken = this.#tokens.get(key);
    if (typeToken) return { $ref: `#/types/${typeToken}` };
    const { tokenPrefix, reserved } = this.naming;
    const free = [...names, `${names[0]}Entry`]
      .map(sharedName)
      .find((name) => !this.#types.has(tokenPrefix + name) && !reserved.has(name));
    if (!free) throw new Error(`two different types in the package schema would have the name ${names[0]}`);
    const token = tokenPrefix + free;
    this.#tokens.set(key, token);
    this.#types.set(token, { type: "object", properties: {} });
    this.#types.set(token, make());
    return { $ref: `#/types/${token}` };
  }
}

/** The description of a property by its path, or else the description that all types of the unions on the path share. */
function describedAt(docs: DescriptionsByPath, path: string): Description | undefined {
  const shared = path.replace(/\[[^[\]]*\](?=.)/, "");
  return docs[path] ?? (shared === path ? undefined : describedAt(docs, shared));
}

/** The text of a property's deprecation. If it applies only in some dialects, the text names them. */
function deprecationOf(reasons: Annotations["deprecated"]): string | undefined {
  if (typeof reasons !== "object") return reasons;
  return Object.entries(reasons)
    .map(([dialect, reason]) => `with the dialect ${dialect}: ${reason}`)
    .join("; ");
}

/** The constants that tell one type of a union from the others, in the order of the names of their properties. */
function constantsOf({ properties }: TSchema): string[] {
  const members = Object.entries(properties as { [name: string]: TSchema }).sort();
  return members.map(([, member]) => member.const).filter((value) => typeof value === "string");
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function singular(name: string): string {
  if (/series$/i.test(name)) return name;
  if (/ies$/.test(name)) return name.replace(/ies$/, "y");
  if (/(ch|sh|ss|x)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}
