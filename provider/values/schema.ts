import { isObject } from "./json";
import {
  type Marked,
  type SchemaOptions,
  type TObject,
  type TSchema,
  type TUnsafe,
  Type,
} from "./schemaBuilders";

/** How two values of a property are compared. Default: property by property and element by element. */
export type Comparison =
  /** Compares lists whose order does not count. */
  | "set"
  /** Compares times, which may be written in several ways; null, "" and absence all mean never. */
  | "instant"
  /** Compares the elements of a comma-separated text or an array, in any order. */
  | "commaSeparatedSet"
  /** Compares numbers and their texts as texts, so that 5 equals "5". */
  | "text"
  /** Compares a map or an object as a whole, so that an undeclared member in the service is a difference. */
  | "whole"
  /** Compares IP addresses and CIDR ranges as networks, in whatever form they are written. */
  | "network"
  /** Compares ids and names that the service keeps as they are, but for their case. */
  | "id"
  /** Compares texts of which an empty one means none. */
  | "emptyIsNone";

/** Annotations of the schemas of resources beyond JSON Schema. */
export interface Annotations {
  /** The description of a valid value for error messages, worded to follow "must be". */
  readonly rule?: string;
  readonly comparison?: Comparison;
  /** Whether SDKs declare the number as an integer, although the provider's check accepts fractions, as some servers do. */
  readonly isWhole?: boolean;
  /** The values of a text property that this version lists; the property may have other values, too. */
  readonly known?: readonly string[];
  /** Whether the resource's rules refuse all values but `known`, with any settings: SDKs then have a closed enumeration. */
  readonly isClosed?: boolean;
  /** Whether a program may also declare the text as a file (a Pulumi asset), which the provider reads. */
  readonly fromFile?: boolean;
  /**
   * Whether a change replaces the resource. Applies to everything inside the property that has no annotation of its own.
   * - `true`: only a create takes the value. A declared value that the object does not have replaces it; a declaration that
   *   says what is so already, or that is taken out of the program, changes nothing.
   * - `declared`: each change of the declaration replaces the object, also its removal: the value names the object, or is
   *   there to have it replaced.
   */
  readonly replaces?: boolean | "declared";
  /**
   * Whether the property's value is secret, so that no message shows it. A member of a secret object with `false`, such as a
   * user name, is encrypted with the object, and messages may show it.
   */
  readonly secret?: boolean;
  /** A valid placeholder to write into files where the secret value must not be shown. Default: an empty text. */
  readonly standIn?: unknown;
  /** The reason for a deprecation of the property and its replacement, for all dialects of the API or by dialect. */
  readonly deprecated?: string | { readonly neutral?: string; readonly clickhouse?: string };
  /** The only dialect of the API whose servers have the property. */
  readonly dialect?: "clickhouse";
  /** The API whose servers silently drop the property, so that programs which use this API cannot declare it. */
  readonly droppedBy?: "observability";
  /** The first version of ClickStack that has the property, such as `2.38`, or the first version for some of its values. */
  readonly since?: string | { readonly [value: string]: string };
  /** The requests that carry the property, by default all. `never`: it only controls the provider, and no response has it. */
  readonly sent?: "never" | "atCreation";
  /** The value to send when the program no longer declares the property: its default, which resets it. */
  readonly reset?: unknown;
  /** The default value of a property that has no value in `reset`. An import leaves out a value that equals its default. */
  readonly default?: unknown;
  /** Advice for the warning about a property that the program no longer declares, and that the API cannot reset. */
  readonly irremovable?: string;
  /**
   * Advice for the warning about a property that the program no longer declares, if only some servers reset it. The warning is
   * given if the response to the update still shows the value.
   */
  readonly keptBySome?: string;
  /**
   * Whether the service gives each entry of the list a new id with each update, so that new ids in an answer prove that the update
   * was carried out, whatever values it shows.
   */
  readonly newIds?: true;
  /**
   * How the list has the tags of the setting `defaultTags`: as objects with `key` and `value`, as texts `key:value`, or as such texts
   * only if the program declares the list, since a list that it does not declare shows the tags of something else.
   */
  readonly defaultTags?: "pairs" | "texts" | "textsIfDeclared";
  /** The input beside which the list gets no default tags, since no update of such an object changes the list. */
  readonly noDefaultTagsBeside?: string;
  /** The kind of object whose id the text is: a resource type, or `tile`. */
  readonly of?: string;
  /** Other names that the property has in answers of some servers. */
  readonly alsoNamed?: readonly string[];
  /**
   * Properties that identify an object or list element. If one differs, the program declares another object, into which no
   * undeclared properties are carried over.
   */
  readonly identity?: readonly string[];
  /**
   * Which lists with other entries may be the service's form of a declared list without order. Default: none.
   * - `longer`: the service adds entries in answer to a write, such as permissions that follow from those sent.
   * - `any`: the service may show entries that are no longer in use.
   */
  readonly otherForms?: "longer" | "any";
  /**
   * Names of properties beside which a request must not have the annotated property. If the program declares one of them, an
   * update does not take the annotated property over from the live object.
   */
  readonly notBeside?: readonly string[];
  /**
   * The responses that contain the property. Default: all responses.
   * - `never`: no response contains it; the Pulumi state keeps nothing of the value, not even a digest.
   * - `sometimes`: its absence from a response is no drift.
   * - `atCreation`: only the response to a create contains it; later responses lack the output or contain another value.
   * - `declared`: if the program does not declare the value, the service makes one up. That value is never sent back, and no
   *   Pulumi state has it.
   */
  readonly shown?: "never" | "sometimes" | "atCreation" | "declared";
  /** Whether the service renews the secret output on request, so that the object is useful without the old value. */
  readonly renewable?: boolean;
  /** Whether the output changes by itself, or with any update, so that previews cannot know its value. */
  readonly volatile?: boolean;
  /** Maximum number of characters of the text, for servers whose limits are documented. */
  readonly longest?: number;
  /** Maximum number of elements if the value is a list, for servers whose limits are documented. */
  readonly most?: number;
  /** Required properties that a list's elements may leave out, since another property can set them for all elements. */
  readonly filledIn?: readonly string[];
  /** The object types in a union, which properties with constant values, such as `displayType`, tell apart. */
  readonly kinds?: readonly TObject[];
  /** The names of the properties whose constant values tell these types apart. */
  readonly tags?: readonly string[];
}

export function annotationsOf(schema: TSchema): Annotations & TSchema {
  return schema as Annotations & TSchema;
}

/**
 * Makes the schema of a text that is one of the given values, a closed enumeration in SDKs. Use it only where the provider
 * refuses every other value with any settings, and otherwise {@link openSetOf}, an open enumeration.
 */
export function oneOf<
  const Words extends readonly string[],
  const Options extends SchemaOptions & Annotations,
>(words: Words, options?: Options): TUnsafe<Words[number]> & Marked<Options> {
  const schema = Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
  return schema as typeof schema & Marked<Options>;
}

/** The rule for a text without spaces at its ends, since servers cut them off. */
export const withoutOuterBlanks = {
  pattern: "^\\S([^]*\\S)?$",
  rule: "a text that neither begins nor ends with a blank",
};

/** The rule for the address of a server, without user and password. */
export const serverAddress = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+([/?#]\\S*)?$",
  rule: "an address with http or https, without a user or a password",
};

/** Makes the schema of a text with listed values, which editors complete. At least some settings allow other values. */
export function openSetOf<const Words extends readonly string[]>(
  words: Words,
  options: SchemaOptions & Annotations = {},
): TUnsafe<Words[number] | (string & {})> {
  return Type.Unsafe<Words[number] | (string & {})>({
    type: "string",
    minLength: 1,
    known: words,
    ...options,
  });
}

/** Makes the schema of a text with a {@link oneOf}'s values for responses: a newer server may send further ones. */
export function opened<Word extends string>(schema: TUnsafe<Word>): TUnsafe<Word | (string & {})> {
  return openSetOf(wordsOf(schema) as Word[]);
}

/**
 * Makes a rule for a schema's `allOf` that applies to objects in which a property has the given value. A union (`anyOf`) in its
 * place would report errors about types that the program did not mean.
 */
export function when(member: string, value: string, further: object): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: { required: [member], properties: { [member]: { const: value } } }, then: further };
}

/**
 * Makes the schema of a union of object types, which properties with constant values tell apart. The schema has the properties
 * of all types. The rules of a type apply to objects with its constant values; other values of these properties are accepted if
 * `members` allows them.
 * @param members schemas of properties that differ between the types. Default: the schema of the last type; for a text with
 * constant values, all these values
 */
export function oneOfKinds<Kind>(
  kinds: readonly TObject[],
  members: { readonly [name: string]: object } = {},
  options: SchemaOptions & Annotations = {},
): TUnsafe<Kind> {
  const [first, ...furtherRequired] = kinds.map(({ required = [] }) => required);
  const schemasOf = (name: string) => kinds.flatMap(({ properties }) => properties[name] ?? []);
  const tags = tagsOf(kinds);
  const whole = Type.Unsafe<Kind>({
    type: "object",
    ...options,
    required: (first ?? []).filter((name) => furtherRequired.every((required) => required.includes(name))),
    properties: {
      ...Object.assign({}, ...kinds.map(({ properties }) => properties)),
      ...Object.fromEntries(tags.map((tag) => [tag, oneOf([...new Set(schemasOf(tag).flatMap(wordsOf))])])),
      ...members,
    },
  });
  return {
    ...whole,
    kinds,
    tags,
    allOf: kinds.map((kind) => ({
      if: isOfKind(kind, tags),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: ownRules(kind, whole, tags),
    })),
  };
}

/** Finds the object type in a union that an object belongs to; undefined if the union has no such type. */
export function kindOf(schema: TSchema, value: { readonly [name: string]: unknown }): TObject | undefined {
  const { kinds = [], tags = [] } = annotationsOf(schema);
  return kinds.find(({ properties, required = [] }) =>
    tags.every((tag) => {
      const tagSchema = properties[tag];
      if (value[tag] === undefined) return !tagSchema || !required.includes(tag);
      return tagSchema !== undefined && wordsOf(tagSchema).includes(value[tag] as string);
    }),
  );
}

function tagsOf(kinds: readonly TObject[]): string[] {
  const entries = kinds.flatMap(({ properties }) => Object.entries(properties));
  return [...new Set(entries.filter(([, schema]) => "const" in schema).map(([name]) => name))];
}

export function wordsOf(schema: TSchema): string[] {
  return schema.enum ?? [schema.const];
}

function isOfKind({ properties, required = [] }: TObject, tags: readonly string[]): object {
  return {
    required: tags.filter((tag) => required.includes(tag)),
    properties: Object.fromEntries(
      tags.map((tag) => [tag, properties[tag] ? { enum: wordsOf(properties[tag]) } : false]),
    ),
  };
}

/** The schema of one type of a union, without rules that the union's general schema already states for the value. */
function ownRules(schema: TSchema, general: TSchema, except: readonly string[] = []): TSchema {
  const { properties = {}, items, kinds, tags, allOf, ...rules } = schema;
  const specific = Object.keys(properties).filter(
    (name) =>
      !except.includes(name) &&
      JSON.stringify(properties[name]) !== JSON.stringify(general.properties?.[name]),
  );
  return {
    ...rules,
    ...(items ? { items: ownRules(items, general.items ?? {}) } : {}),
    properties: Object.fromEntries(
      specific.map((name) => [name, ownRules(properties[name], general.properties?.[name] ?? {})]),
    ),
  } as unknown as TSchema;
}

const anything: TSchema = Type.Unknown();

/** The schema of an object's property, a map's value or a list's element; an empty schema if there is none. */
export function schemaAt(schema: TSchema, key: string | number): TSchema {
  if (typeof key === "number") return (schema.items as TSchema | undefined) ?? anything;
  return schema.properties?.[key] ?? Object.values<TSchema>(schema.patternProperties ?? {})[0] ?? anything;
}

/** The schemas of the values along a path, from the outermost on. */
export function schemasAlong(schema: TSchema, keys: readonly (string | number)[]): TSchema[] {
  const along: TSchema[] = [];
  for (const key of keys) along.push(schemaAt(along.at(-1) ?? schema, key));
  return along;
}

/** Extends a path by a name or position, as users write it: `tiles[2].series[0].type`, `tileIds["Slow queries"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Splits a path of a property into its names and positions, the reverse of {@link joinPath}. */
export function keysIn(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...parts].map(([, position, quoted, name = ""]) =>
    position !== undefined ? Number(position) : quoted !== undefined ? (JSON.parse(quoted) as string) : name,
  );
}

/** A copy of a value without the properties, at any depth, whose schemas the predicate `accepts` rejects. */
export function partOf(schema: TSchema, value: unknown, accepts: (member: TSchema) => boolean): unknown {
  const inside = (key: string | number, member: unknown) => partOf(schemaAt(schema, key), member, accepts);
  if (Array.isArray(value)) return value.map((entry, index) => inside(index, entry));
  if (!isObject(value)) return value;
  const accepted = Object.entries(value).filter(([name]) => accepts(schemaAt(schema, name)));
  return Object.fromEntries(accepted.map(([name, member]) => [name, inside(name, member)]));
}
