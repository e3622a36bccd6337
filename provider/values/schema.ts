import { isObject } from "./json";
import { type SchemaOptions, type TObject, type TSchema, type TUnsafe, Type } from "./schemaBuilders";

/** How to compare two values of a property. Default: member by member. */
export type Comparison =
  /** An array compared without order. */
  | "set"
  /** Two ways to write the same moment; null, "" and absence all mean never. */
  | "instant"
  /** Entries in a comma-separated string or an array, in any order. */
  | "commaSeparatedSet"
  /** A number, or the text of it. */
  | "text"
  /** A map of which no member is looked at by itself: a member that nobody declared makes it another one. */
  | "whole";

/** Annotations of input schemas beyond JSON Schema. */
export interface Annotations {
  /** The description of a valid value, to follow "must be". */
  readonly rule?: string;
  readonly comparison?: Comparison;
  /** A number that SDKs have as a whole one, although the check lets a fraction pass, as some servers do. */
  readonly isWhole?: boolean;
  /** Values of a string that may have others, too. */
  readonly known?: readonly string[];
  /** Whether a text may also be declared as a file (an asset), which the hosts read. */
  readonly fromFile?: boolean;
  /** A change cannot be made in place. */
  readonly replaces?: boolean;
  /** The value never appears in a message. */
  readonly secret?: boolean;
  /** A valid value for where a secret one must not be written. Default: an empty text. */
  readonly standIn?: unknown;
  /** The reason for a deprecation and the replacement: everywhere, or by dialect. */
  readonly deprecated?: string | { readonly neutral?: string; readonly clickhouse?: string };
  /** The only dialect that has the property. */
  readonly dialect?: "clickhouse";
  /** The API whose servers drop the property without a word; programs that use it cannot declare it. */
  readonly droppedBy?: "observability";
  /** The first version of ClickStack that has the property, such as `2.38`, or that has some of its values, by the value. */
  readonly since?: string | { readonly [value: string]: string };
  /**
   * The requests that carry the property. Default: all. `never` are settings of the provider's own acts, which no answer
   * shows either.
   */
  readonly sent?: "never" | "atCreation";
  /** Sent when the program no longer declares the property, to reset it: the value that it has by default. */
  readonly reset?: unknown;
  /** The value that it has by default, where nothing need be sent for it. */
  readonly default?: unknown;
  /** Advice for the warning when the service keeps a property that the program no longer declares. */
  readonly irremovable?: string;
  /**
   * The members that identify the object: if one differs from the live value, it is another object, and
   * nothing is carried over into it. Also tells the entries of lists apart.
   */
  readonly identity?: readonly string[];
  /** Members of the same object beside which this one must not be sent, and so is not carried over. */
  readonly notBeside?: readonly string[];
  /**
   * The answers that show the property. Default: all. `never`: nothing of it is remembered, not even a digest. `sometimes`:
   * its absence is not drift. `atCreation`: an output of the create; later answers have something else, or nothing.
   * `declared`: an undeclared value is made up by the service; it is never sent back, and no state has it.
   */
  readonly shown?: "never" | "sometimes" | "atCreation" | "declared";
  /** Whether the service makes another value of a secret output when it is asked: an object is useful without it. */
  readonly renewable?: boolean;
  /** An output that changes by itself, or with any update. */
  readonly volatile?: boolean;
  /** Maximum number of characters of a text on servers with known limits. */
  readonly longest?: number;
  /** Maximum number of entries of a list on these servers. A value may be either. */
  readonly most?: number;
  /** Required members that a program may leave out: another property may say them for all. */
  readonly filledIn?: readonly string[];
  /** The schemas of the kinds that an object may be of, which constants tell apart. */
  readonly kinds?: readonly TObject[];
}

export function annotationsOf(schema: TSchema): Annotations & TSchema {
  return schema as Annotations & TSchema;
}

/**
 * A string that is one of the given values. Only for words of which a check refuses all others before a request, with any
 * settings; else {@link openSetOf}. SDKs have the first as closed enumerations, the second as open ones.
 */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: SchemaOptions & Annotations = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
}

/** A text as servers keep it that cut off outer blanks. */
export const withoutOuterBlanks = {
  pattern: "^\\S([^]*\\S)?$",
  rule: "a text that neither begins nor ends with a blank",
};

/** An address of a server, and nothing else: neither a user nor a password. */
export const serverAddress = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@]+([/?#]\\S*)?$",
  rule: "an address with http or https, without a user or a password",
};

/** A string of which the given values are known, and others pass at least with some settings: editors complete the known ones. */
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
 * Further rules for objects in which a member has this value: a part of `allOf`. Unlike those of a union, its errors
 * are about the intended kind of object.
 */
export function when(member: string, value: string, further: object): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: { required: [member], properties: { [member]: { const: value } } }, then: further };
}

/**
 * An object of one of several kinds, told apart by members of which one kind at least has a constant. The schema has the
 * members of all kinds; a kind's own rules hold where these members say that it is meant. Other values of them pass if
 * `members` lets them.
 *
 * @param members schemas of members that differ between the kinds, for all kinds. Default: that of the last kind, and of
 *   words those of all kinds
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

/** The kind that an object is of; undefined if it is of none that the schema has. */
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

/** The members that tell kinds apart. */
function tagsOf(kinds: readonly TObject[]): string[] {
  const entries = kinds.flatMap(({ properties }) => Object.entries(properties));
  return [...new Set(entries.filter(([, schema]) => "const" in schema).map(([name]) => name))];
}

/** The words that a string may be. */
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

/** A schema without the rules that a more general one states for the same value. */
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

/** The schema of a member of an object, of a value of a map or of an entry of an array, where the schema knows one. */
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

/** The names and positions that a path goes through, as {@link joinPath} joins them. */
export function keysIn(path: string): (string | number)[] {
  const parts = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...parts].map(([, position, quoted, name = ""]) =>
    position !== undefined ? Number(position) : quoted !== undefined ? (JSON.parse(quoted) as string) : name,
  );
}

/** The members of a value, at any depth, whose schemas are accepted. */
export function partOf(schema: TSchema, value: unknown, accepts: (member: TSchema) => boolean): unknown {
  const inside = (key: string | number, member: unknown) => partOf(schemaAt(schema, key), member, accepts);
  if (Array.isArray(value)) return value.map((entry, index) => inside(index, entry));
  if (!isObject(value)) return value;
  const accepted = Object.entries(value).filter(([name]) => accepts(schemaAt(schema, name)));
  return Object.fromEntries(accepted.map(([name, member]) => [name, inside(name, member)]));
}
