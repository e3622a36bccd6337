import { isObject } from "./json";
import { type SchemaOptions, type TObject, type TSchema, type TUnsafe, Type } from "./schemaBuilders";

/** How two values of a property are compared. Default: member by member. */
export type Comparison =
  /** An array whose order does not count. */
  | "set"
  /** A time, which may be written in several ways; null, "" and absence all mean never. */
  | "instant"
  /** Entries in a comma-separated text or an array, in any order. */
  | "commaSeparatedSet"
  /** A number, or its text. */
  | "text"
  /** A map that is compared as a whole, so that an undeclared member in the service is a difference. */
  | "whole";

/** Annotations of input schemas beyond JSON Schema. */
export interface Annotations {
  /** The description of a valid value, worded to follow "must be". */
  readonly rule?: string;
  readonly comparison?: Comparison;
  /** Whether SDKs declare the number as an integer, although the check accepts fractions, as some servers do. */
  readonly isWhole?: boolean;
  /** Known values of a text that may have others, too. */
  readonly known?: readonly string[];
  /** Whether a rule of the type refuses all but the known values of a text, with any settings: SDKs then have a closed enumeration. */
  readonly isClosed?: boolean;
  /** Whether a program may also declare the text as a file (an asset), which the hosts read. */
  readonly fromFile?: boolean;
  /**
   * Whether a change replaces the resource, since the property cannot be updated. Holds for all that is inside, save for what says
   * otherwise. Default: it can be updated.
   */
  readonly replaces?: boolean;
  /** Whether the value is secret, so that no message shows it. */
  readonly secret?: boolean;
  /** A valid placeholder to write where the secret value must not be shown. Default: an empty text. */
  readonly standIn?: unknown;
  /** The reason for a deprecation and the replacement, for all dialects or by dialect. */
  readonly deprecated?: string | { readonly neutral?: string; readonly clickhouse?: string };
  /** The only dialect whose servers have the property. */
  readonly dialect?: "clickhouse";
  /** The API whose servers silently drop the property, so that programs which use this API cannot declare it. */
  readonly droppedBy?: "observability";
  /**
   * The first version of ClickStack that has the property, such as `2.38`, or the first version for some of its values.
   */
  readonly since?: string | { readonly [value: string]: string };
  /**
   * The requests that carry the property. Default: all. A property that is `never` sent only tells the provider what to
   * do, and no answer shows it.
   */
  readonly sent?: "never" | "atCreation";
  /** The value to send when the program no longer declares the property: its default, which resets it. */
  readonly reset?: unknown;
  /** The property's default value, for properties that need no reset. */
  readonly default?: unknown;
  /** Advice for the warning about a property that the program no longer declares, and that the API cannot reset. */
  readonly irremovable?: string;
  /** Likewise, where some servers reset it, and only the answer to an update tells. */
  readonly keptBySome?: string;
  /**
   * The members that identify an object. If one of them differs from the live value, the program declares another
   * object, and no undeclared members are carried over into it. They also tell list entries apart.
   */
  readonly identity?: readonly string[];
  /**
   * Names of members of the same object. If the request has one of them, it must not have this property, so the
   * property is not carried over.
   */
  readonly notBeside?: readonly string[];
  /**
   * The answers that show the property. Default: all.
   * - `never`: no answer; the state keeps nothing of the value, not even a digest.
   * - `sometimes`: its absence from an answer is no drift.
   * - `atCreation`: only the answer to a create; later answers lack the output or show another value.
   * - `declared`: an undeclared value is made up by the service. It is never sent back, and no state has it.
   */
  readonly shown?: "never" | "sometimes" | "atCreation" | "declared";
  /**
   * Whether the service makes a new value of the secret output on request, so that the object is useful without the old
   * one.
   */
  readonly renewable?: boolean;
  /** Whether the output changes by itself, or with any update. */
  readonly volatile?: boolean;
  /** Maximum number of characters of the text, on servers whose limits are known. */
  readonly longest?: number;
  /** Maximum number of entries of the list, on servers whose limits are known. A value may be a text or a list. */
  readonly most?: number;
  /** Required members that a program may leave out, since another property can set them for all entries. */
  readonly filledIn?: readonly string[];
  /** The schemas of the kinds of objects that a union allows. Members with constants tell the kinds apart. */
  readonly kinds?: readonly TObject[];
}

export function annotationsOf(schema: TSchema): Annotations & TSchema {
  return schema as Annotations & TSchema;
}

/**
 * A text that is one of the given values. Only for values where the check refuses every other one, whatever the
 * settings; otherwise use {@link openSetOf}. SDKs declare `oneOf` as a closed enumeration, `openSetOf` as an open one.
 */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: SchemaOptions & Annotations = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
}

/** A text without blanks at its ends, since servers cut them off. */
export const withoutOuterBlanks = {
  pattern: "^\\S([^]*\\S)?$",
  rule: "a text that neither begins nor ends with a blank",
};

/** An address of a server, without user and password. */
export const serverAddress = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+([/?#]\\S*)?$",
  rule: "an address with http or https, without a user or a password",
};

/** A text with known values, which editors complete. Other values are accepted, too, at least with some settings. */
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

/**
 * A rule for `allOf`: further rules for objects in which a member has this value. Unlike the errors of a union, its
 * errors are about the kind of object that is meant.
 */
export function when(member: string, value: string, further: object): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: { required: [member], properties: { [member]: { const: value } } }, then: further };
}

/**
 * An object of one of several kinds, which are told apart by members with constants. The schema has the members of all
 * kinds. The rules of a kind apply to objects whose members have its constants; other values of these members are
 * accepted if `members` allows them.
 *
 * @param members schemas of members that differ between the kinds. Default: the schema of the last kind; for a text
 * with constants, all constants
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
    allOf: kinds.map((kind) => ({
      if: isOfKind(kind, tags),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: ownRules(kind, whole, tags),
    })),
  };
}

/** The kind of an object; undefined if the schema has no such kind. */
export function kindOf(schema: TSchema, value: { readonly [name: string]: unknown }): TObject | undefined {
  const { kinds = [] } = annotationsOf(schema);
  const tags = tagsOf(kinds);
  return kinds.find(({ properties, required = [] }) =>
    tags.every((tag) => {
      const tagSchema = properties[tag];
      if (value[tag] === undefined) return !tagSchema || !required.includes(tag);
      return tagSchema !== undefined && wordsOf(tagSchema).includes(value[tag] as string);
    }),
  );
}

/** The names of the members whose constants tell the kinds apart. */
function tagsOf(kinds: readonly TObject[]): string[] {
  const entries = kinds.flatMap(({ properties }) => Object.entries(properties));
  return [...new Set(entries.filter(([, schema]) => "const" in schema).map(([name]) => name))];
}

/** The values that the schema allows for a text. */
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

/** A schema without the rules that a more general schema already states for the same value. */
function ownRules(schema: TSchema, general: TSchema, except: readonly string[] = []): TSchema {
  const { properties = {}, items, kinds, allOf, ...rules } = schema;
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

/** The schema of an object's member, a map's value or an array's entry; an empty schema if there is none. */
export function schemaAt(schema: TSchema, key: string | number): TSchema {
  const inside = typeof key === "number" ? schema.items : schema.properties?.[key];
  const ofMap = () => Object.values(schema.patternProperties ?? {})[0];
  return (inside ?? (typeof key === "string" ? ofMap() : undefined) ?? Type.Unknown()) as TSchema;
}

/** A path as users write it: `tiles[2].series[0].type`, `tileIds["Slow queries"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The names and positions in a path, the reverse of {@link joinPath}. */
export function keysIn(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...parts].map(([, position, quoted, name = ""]) =>
    position !== undefined ? Number(position) : quoted !== undefined ? (JSON.parse(quoted) as string) : name,
  );
}

/** The part of a value whose members have accepted schemas, at any depth. */
export function partOf(schema: TSchema, value: unknown, accepts: (member: TSchema) => boolean): unknown {
  const inside = (key: string | number, member: unknown) => partOf(schemaAt(schema, key), member, accepts);
  if (Array.isArray(value)) return value.map((entry, index) => inside(index, entry));
  if (!isObject(value)) return value;
  const accepted = Object.entries(value).filter(([name]) => accepts(schemaAt(schema, name)));
  return Object.fromEntries(accepted.map(([name, member]) => [name, inside(name, member)]));
}
