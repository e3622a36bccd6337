import type { DescriptionsByPath } from "../../descriptions";
import { annotationsOf } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";

/** A type in a package schema: a primitive, a list, a map, one of several, or a reference to a named one. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

/** A property in a package schema. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly deprecationMessage?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly default?: unknown;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

/** Properties of an object in a package schema. */
export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: { readonly [name: string]: PropertySpec };
  readonly required?: readonly string[];
}

/** The values of a string in a package schema. */
interface EnumSpec {
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

const anything: TypeSpec = { $ref: "pulumi.json#/Any" };

/** What named types of a package depend on beside the schemas. */
export interface Naming {
  readonly tokenPrefix: string;
  /** Names of types and functions, from which generated code makes names of its own. */
  readonly taken: ReadonlySet<string>;
  /** Whether the known values of a string that may have others are named, too. */
  readonly namesKnownValues: boolean;
}

/**
 * The named types of a package. Every object and enumeration inside a property gets a name from its path: `tiles` of
 * `Dashboard` holds `DashboardTile`. Equal ones share the first name; another one of that name ends in `Entry`.
 */
export class SchemaTypes {
  readonly #tokens = new Map<string, string>();
  readonly #types = new Map<string, ObjectSpec | EnumSpec>();

  constructor(private readonly naming: Naming) {}

  /** All types by token. */
  get types(): { readonly [token: string]: ObjectSpec | EnumSpec } {
    return Object.fromEntries(this.#types);
  }

  /**
   * The properties of an object.
   *
   * @param owner name that its types begin with
   * @param docs descriptions by path without indices
   */
  object(schema: TSchema, owner: string, docs: DescriptionsByPath, path = ""): ObjectSpec {
    const properties = Object.entries(schema.properties as { [name: string]: TSchema }).map(
      ([name, member]) =>
        [
          name,
          this.#property(member, owner + capitalized(name), docs, path ? `${path}.${name}` : name),
        ] as const,
    );
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(schema.required?.length > 0 ? { required: schema.required } : {}),
    };
  }

  #property(schema: TSchema, name: string, docs: DescriptionsByPath, path: string): PropertySpec {
    const { description, default: byDefault, deprecated } = docs[path] ?? {};
    const { deprecated: reasons, secret } = annotationsOf(schema);
    // What only one dialect deprecates is for its own warnings.
    const deprecationMessage = deprecated ?? (typeof reasons === "string" ? reasons : undefined);
    return {
      ...this.#typeOf(schema, name, docs, path),
      ...(description
        ? { description: byDefault ? `${description} Default: ${byDefault}.` : description }
        : {}),
      ...(deprecationMessage ? { deprecationMessage } : {}),
      ...(secret ? { secret } : {}),
    };
  }

  #typeOf(schema: TSchema, name: string, docs: DescriptionsByPath, path: string): TypeSpec {
    if (schema.anyOf) return this.#union(schema.anyOf, name, docs, path);
    const { known } = annotationsOf(schema);
    if (known && this.naming.namesKnownValues)
      return { oneOf: [{ type: "string" }, this.#enumeration(known, name)] };
    // Generators make names of the values.
    if (schema.enum?.every(isNameable)) return this.#enumeration(schema.enum, name);
    switch (schema.type) {
      case "string":
      case "number":
      case "integer":
      case "boolean":
        return { type: schema.type };
      case "array":
        return { type: "array", items: this.#typeOf(schema.items ?? {}, singular(name), docs, path) };
      case "object": {
        if (schema.properties) return this.#named(schema, name, () => this.object(schema, name, docs, path));
        const [values = {}] = Object.values(schema.patternProperties ?? {}) as TSchema[];
        return { type: "object", additionalProperties: this.#typeOf(values as TSchema, name, docs, path) };
      }
      default:
        return anything;
    }
  }

  #union(branches: readonly TSchema[], name: string, docs: DescriptionsByPath, path: string): TypeSpec {
    // Every value may be null, which the protocol does not tell from none.
    const typed = branches.filter(({ type }) => type !== "null");
    const types = typed.map((branch) => this.#typeOf(branch, name + suffixOf(branch), docs, path));
    const [first = anything, ...others] = [
      ...new Map(types.map((type) => [JSON.stringify(type), type])).values(),
    ];
    return others.length === 0 ? first : { oneOf: [first, ...others] };
  }

  #enumeration(values: readonly string[], name: string): TypeSpec {
    return this.#named({ enum: values }, name, () => ({
      type: "string",
      enum: values.map((value) => ({ value })),
    }));
  }

  /** A reference to the type of that structure, which gets this name if it has none yet. */
  #named(schema: object, name: string, make: () => ObjectSpec | EnumSpec): TypeSpec {
    const key = JSON.stringify(schema);
    const known = this.#tokens.get(key);
    if (known) return { $ref: `#/types/${known}` };
    const { tokenPrefix, taken } = this.naming;
    const named = tokenPrefix + name;
    const token = this.#types.has(named) || taken.has(name) ? `${named}Entry` : named;
    if (this.#types.has(token)) throw new Error(`two types would be named ${token}`);
    this.#tokens.set(key, token);
    this.#types.set(token, { type: "object", properties: {} });
    this.#types.set(token, make());
    return { $ref: `#/types/${token}` };
  }
}

function isNameable(value: unknown): boolean {
  return typeof value === "string" && /^\w/.test(value);
}

/** What tells the branches of a union apart in their names: the constant that each has in the same member. */
function suffixOf({ properties = {} }: TSchema): string {
  const constant = Object.values(properties as { [name: string]: TSchema }).find(
    (member) => typeof member.const === "string",
  );
  return constant
    ? capitalized(constant.const.replace(/_(\w)/g, (_: string, letter: string) => letter.toUpperCase()))
    : "";
}

/** `getPipe` as `GetPipe`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function singular(name: string): string {
  if (/series$/i.test(name)) return name;
  if (/ies$/.test(name)) return name.replace(/ies$/, "y");
  if (/(ch|sh|ss|x)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}
