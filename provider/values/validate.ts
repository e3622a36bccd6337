import type { ErrorObject } from "ajv";
import { labelOf } from "./compare";
import type { PropertyMap } from "./data";
import { nearest } from "./nearest";
import { shortened } from "./printable";
import { annotationsOf, joinPath, keysIn, oneOf, schemaAt } from "./schema";
import { type TObject, type TSchema, Type } from "./schemaBuilders";
import { containsUnknown, isUnknown, unknown } from "./unknown";
import { validatorOf } from "./validators";

/** One violation of a rule in a program's declaration or settings, for an error message. */
export interface Failure {
  /** The path of the invalid property, such as `tiles[2].w`; empty if the message is about a setting or a whole object. */
  readonly path: string;
  /**
   * The violated rule, to follow the path: "must be a whole number from 1 to 20", never with the value, which may be secret.
   */
  readonly message: string;
  /** The invalid value, and the nearest valid one. Messages append this hint unless the program keeps the property secret. */
  readonly hint?: string;
}

export function sentenceOf({ path, message, hint = "" }: Failure): string {
  return `${path} ${message}${hint}`.trim();
}

/** A failure whose message does not repeat the invalid value, which may be secret. */
export function withoutValue({ path, message }: Failure): Failure {
  return { path, message };
}

export class InvalidInputs extends Error {
  constructor(readonly failures: readonly Failure[]) {
    super(failures.map(sentenceOf).join("; "));
  }
}

/** An error that names no inputs as such, which the engine would print, and repeats no invalid values. */
export function withoutValues(error: Error): Error {
  if (!(error instanceof InvalidInputs)) return error;
  return new Error(error.failures.map(withoutValue).map(sentenceOf).join("; "));
}

const required = "is required";

/** Whether a failure says that a property is missing. */
export function isOfMissing({ message }: Failure): boolean {
  return message === required;
}

/** A copy of inputs in which the missing properties that failures name are unknown, as a preview may leave any. */
export function withUnknownMissing(inputs: PropertyMap, failures: readonly Failure[]): PropertyMap {
  return failures.reduce((filled, { path }) => withUnknownAt(filled, keysIn(path)) as PropertyMap, inputs);
}

function withUnknownAt(value: unknown, [key, ...inner]: readonly (string | number)[]): unknown {
  if (key === undefined) return unknown;
  if (Array.isArray(value))
    return value.map((entry, index) => (index === key ? withUnknownAt(entry, inner) : entry));
  const members = value as PropertyMap;
  return { ...members, [key]: withUnknownAt(members[key], inner) };
}

/** Failures whose paths name list elements by unique names instead of positions, as in `tiles["Errors"].w`. */
export function withLabels(failures: readonly Failure[], value: unknown): Failure[] {
  return failures.map((failure) => ({ ...failure, path: labelOf(value, keysIn(failure.path)) }));
}

/** The failure of a word that is not in a list of valid words. */
export function notOneOf(path: string, value: unknown, words: readonly string[]): Failure {
  return { path, message: `must be one of ${words.join(", ")}`, ...hintAbout(oneOf(words), value) };
}

/** All violations of a schema, at most one per property. Values that a preview does not know yet are accepted at any depth. */
export function validate(schema: TObject, value: unknown): Failure[] {
  const check = validatorOf(schema);
  if (check(value)) return [];
  const errors = check.errors ?? [];
  const unions = errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath);
  const failures = new Map<string, Failure>();
  for (const error of errors) {
    if (concernsUnknown(error, value) || error.keyword === "if") continue;
    // The branches of a union (`anyOf`) report errors of their own, but only the whole union's rule names the expected values.
    if (error.keyword !== "anyOf" && unions.some((union) => `${error.instancePath}/`.startsWith(`${union}/`)))
      continue;
    const failure = failureOf(error, schema, value);
    if (!failures.has(failure.path)) failures.set(failure.path, failure);
  }
  const distinct = [...failures.values()];
  const further = distinct.length - mostFailures;
  if (further <= 0) return distinct;
  return [
    ...distinct.slice(0, mostFailures),
    { path: "", message: `and ${further} more invalid ${further === 1 ? "property" : "properties"}` },
  ];
}

/** Maximum number of failures that the check of a resource reports. */
const mostFailures = 20;

function concernsUnknown({ keyword, instancePath, params }: ErrorObject, root: unknown): boolean {
  const data = keysOf(instancePath).reduce((inside, key) => (inside as PropertyMap)[key], root);
  if (isUnknown(data)) return true;
  // If a value inside a union (`anyOf`) is unknown in a preview, the branch may depend on it, so no error is reported.
  if (keyword === "anyOf") return containsUnknown(data);
  return keyword === "uniqueItems" && containsUnknown((data as unknown[])[params.i]);
}

function failureOf(error: ErrorObject, schema: TSchema, root: unknown): Failure {
  const { path, isSecret, valueSchema: object, data } = placeOf(error.instancePath, schema, root);
  switch (error.keyword) {
    case "required": {
      const name: string = error.params.missingProperty;
      // A missing required property may be misspelt. If the object accepts properties of any name, nothing else reports the
      // misspelt one.
      const keys = Object.keys(data as object).filter((key) => !(key in (object.properties ?? {})));
      const written =
        object.additionalProperties === false ? undefined : keys.find((key) => nearest(key, [name]));
      return written === undefined
        ? { path: joinPath(path, name), message: required }
        : { path: joinPath(path, written), message: `is not known; did you mean ${name}?` };
    }
    case "additionalProperties": {
      const name = error.params.additionalProperty;
      const advice = adviceFor(name, Object.keys(error.parentSchema?.properties ?? {}));
      return { path: joinPath(path, shortened(name)), message: `is not a valid property; ${advice}` };
    }
    case "uniqueItems": {
      const { i, j } = error.params;
      return {
        path,
        message: `contains a duplicate: entries ${Math.min(i, j)} and ${Math.max(i, j)} are equal`,
      };
    }
    default: {
      if (data === "") return { path, message: "must not be empty" };
      const rules = error.parentSchema as TSchema;
      return { path, message: `must be ${ruleOf(rules)}`, ...(isSecret ? {} : hintAbout(rules, data)) };
    }
  }
}

/** Finds what a JSON pointer such as `/tiles/2/w` leads to: its path `tiles[2].w`, its schema, its value, and whether it is secret. */
function placeOf(pointer: string, schema: TSchema, root: unknown) {
  let path = "";
  let inside = root;
  let valueSchema = schema;
  let isSecret = false;
  for (const name of keysOf(pointer)) {
    const key = Array.isArray(inside) ? Number(name) : name;
    path = joinPath(path, typeof key === "number" ? key : shortened(key));
    inside = (inside as Record<string, unknown>)[name];
    valueSchema = schemaAt(valueSchema, key);
    isSecret ||= annotationsOf(valueSchema).secret === true;
  }
  return { path, isSecret, valueSchema, data: inside };
}

/** The keys in a JSON pointer. */
function keysOf(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Advice for a message about an unknown name: the valid name that is most similar. */
export function adviceFor(name: string, names: readonly string[]): string {
  const suggestion = nearest(name, names);
  if (suggestion) return `did you mean ${suggestion}?`;
  return names.length > 0 ? `expected one of ${names.join(", ")}` : "there are none";
}

/** Matches invalid values that messages may repeat: longer or other texts may be secrets pasted by mistake. */
const plainText = /^[\w .:+/-]{1,24}$/;

/** The hint that shows an invalid text in quotes at the end of a message, if a message may repeat the text. */
export function notText(value: string): Pick<Failure, "hint"> {
  return hintAbout(Type.String({ pattern: "." }), value);
}

/** The hint about an invalid value: the value if it has the right type but breaks another rule, or else its type. */
function hintAbout(schema: TSchema, value: unknown): Pick<Failure, "hint"> {
  const text = shownValue(schema, value);
  const words = (schema.enum ?? []).filter((word: unknown) => typeof word === "string");
  const suggestion = typeof value === "string" ? nearest(value, words) : undefined;
  const hint = `${text ? `, not ${text}` : ""}${suggestion ? `; did you mean ${suggestion}?` : ""}`;
  return hint ? { hint } : {};
}

function shownValue(schema: TSchema, value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  const kind = typeof value === "string" ? "string" : Array.isArray(value) ? "array" : "object";
  const isNumber = schema.type === "number" || schema.type === "integer";
  const isText = isNumber ? /^-?[\d.]+$/ : schema.type === "boolean" ? /^(true|false|yes|no)$/i : undefined;
  if (typeof value === "string" && (schema.enum || schema.pattern || isText?.test(value)))
    return plainText.test(value) ? JSON.stringify(value) : undefined;
  // If a schema names no type, it is that of a union, or has a rule of its own, and may accept values of the type of the
  // invalid value, too. So the hint does not name that type.
  if (schema.type === undefined || schema.type === kind) return undefined;
  return { string: "a string", array: "a list", object: "an object" }[kind];
}

/** The description of a valid value for a message, made from its schema and worded to follow "must be". */
function ruleOf(schema: TSchema): string {
  const { rule } = annotationsOf(schema);
  if (rule) return rule;
  if (schema.enum) return `one of ${schema.enum.join(", ")}`;
  switch (schema.type) {
    case "integer":
    case "number": {
      const kind = schema.type === "integer" ? "a whole number" : "a number";
      const range =
        schema.minimum === undefined
          ? ""
          : schema.maximum === undefined
            ? ` of at least ${schema.minimum}`
            : ` from ${schema.minimum} to ${schema.maximum}`;
      return `${kind}${range}${schema.multipleOf ? `, a multiple of ${schema.multipleOf}` : ""}`;
    }
    case "string":
      return schema.minLength ? "a non-empty string" : "a string";
    case "boolean":
      return "true or false";
    case "array":
      if (schema.minItems && schema.maxItems)
        return `a list of ${schema.minItems} to ${schema.maxItems} entries`;
      return schema.minItems ? "a list with at least one entry" : "a list";
    default: {
      const needed: string[] = schema.required ?? [];
      return needed.length > 0 ? `an object with ${needed.join(", ")}` : "an object";
    }
  }
}
