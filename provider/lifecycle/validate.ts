import type { ErrorObject } from "ajv";
import { shortened } from "../api/printable";
import type { TObject, TSchema } from "../typebox";
import { nearest } from "./nearest";
import { annotationsOf, joinPath } from "./schema";
import { containsUnknown, isUnknown } from "./unknown";

/** One invalid property. The message never contains the value, which may be a secret. */
export interface Failure {
  /** Path of the property, such as `tiles[2].w`; empty where the message is about a setting. */
  readonly path: string;
  /** What is wrong, to follow the path: "must be a whole number from 1 to 20". */
  readonly message: string;
}

/**
 * All schema violations of the value, at most one for each property. What is not known yet
 * passes, at any depth.
 */
export function validate(schema: TObject, value: unknown): Failure[] {
  const check = ajv().compile(schema);
  if (check(value)) return [];
  const errors = check.errors ?? [];
  const unions = errors.filter((error) => error.keyword === "anyOf").map((error) => error.instancePath);
  const failures = new Map<string, Failure>();
  for (const error of errors) {
    if (concernsUnknown(error) || error.keyword === "if") continue;
    // Each branch of a union reports its own errors; only the union's rule tells the user what is expected.
    if (error.keyword !== "anyOf" && unions.some((union) => `${error.instancePath}/`.startsWith(`${union}/`)))
      continue;
    const failure = failureOf(error, value);
    if (!failures.has(failure.path)) failures.set(failure.path, failure);
  }
  const all = [...failures.values()];
  const further = all.length - mostFailures;
  if (further <= 0) return all;
  return [
    ...all.slice(0, mostFailures),
    { path: "", message: `and ${further} more invalid ${further === 1 ? "property" : "properties"}` },
  ];
}

/** Nobody reads more than this at once. */
const mostFailures = 20;

let instance: import("ajv").default | undefined;

/** ajv takes tens of milliseconds to load, which a program that validates nothing should not pay. */
function ajv(): import("ajv").default {
  if (instance) return instance;
  const { default: Ajv } = require("ajv") as typeof import("ajv");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  // A process checks a handful of objects: checks that compile in half the time are worth more than faster ones. Our own
  // schemas need no validation.
  const compilation = { meta: false, validateSchema: false, code: { optimize: false } };
  instance = new Ajv({ allErrors: true, verbose: true, strict: false, ...compilation });
  addFormats.call(undefined, instance);
  return instance;
}

function concernsUnknown({ keyword, data, params }: ErrorObject): boolean {
  if (isUnknown(data)) return true;
  // Which branch of a union is meant may depend on what is inside.
  if (keyword === "anyOf") return containsUnknown(data);
  return keyword === "uniqueItems" && containsUnknown((data as unknown[])[params.i]);
}

function failureOf(error: ErrorObject, root: unknown): Failure {
  const path = readablePath(error.instancePath, root);
  switch (error.keyword) {
    case "required":
      return { path: joinPath(path, error.params.missingProperty), message: "is required" };
    case "additionalProperties": {
      const name = error.params.additionalProperty;
      const known = Object.keys(error.parentSchema?.properties ?? {});
      const meant = nearest(name, known);
      const advice = meant ? `did you mean ${meant}?` : `expected one of ${known.join(", ")}`;
      return { path: joinPath(path, shortened(name)), message: `is not a valid property; ${advice}` };
    }
    case "uniqueItems": {
      const { i, j } = error.params;
      return {
        path,
        message: `contains a duplicate: entries ${Math.min(i, j)} and ${Math.max(i, j)} are equal`,
      };
    }
    default:
      return { path, message: `must be ${ruleOf(error.parentSchema as TSchema)}` };
  }
}

/** `/tiles/2/w` as `tiles[2].w`. */
function readablePath(pointer: string, root: unknown): string {
  let path = "";
  let inside = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path = joinPath(path, Array.isArray(inside) ? Number(name) : shortened(name));
    inside = (inside as Record<string, unknown>)[name];
  }
  return path;
}

/** What a valid value looks like, from the schema itself: to follow "must be". */
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
    default:
      return "an object";
  }
}
