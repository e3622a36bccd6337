import type { AnySchemaObject, SchemaValidateFunction, ValidateFunction } from "ajv";

const validators = new WeakMap<AnySchemaObject, ValidateFunction>();

/**
 * The validator of a schema. What its objects contain is compiled when a value has it: compiling all that a dashboard may have
 * takes more than twice the time that the tiles of most dashboards need.
 */
export function validatorOf(schema: AnySchemaObject): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const made = ajv().compile(withLateParts(schema));
  validators.set(schema, made);
  return made;
}

let instance: import("ajv").default | undefined;

/** The JSON Schema validator ajv is loaded when needed: that takes tens of milliseconds, and many programs validate nothing. */
function ajv(): import("ajv").default {
  if (instance) return instance;
  const { default: Ajv } = require("ajv") as typeof import("ajv");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  // A process checks only a handful of objects, so quickly compiled validators are worth more than fast ones.
  const compilation = { meta: false, validateSchema: false, code: { optimize: false }, strictNumbers: true };
  instance = new Ajv({ allErrors: true, verbose: true, strict: false, ...compilation });
  addFormats.call(undefined, instance);
  instance.addKeyword({ keyword: late, errors: "full", validate: validateLate });
  return instance;
}

/** The keyword of a part of a schema that is compiled when a value has this part. */
const late = "compiledLate";

function withLateParts(schema: AnySchemaObject): AnySchemaObject {
  const { properties, items } = schema;
  const members = Object.entries<AnySchemaObject>(properties ?? {});
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members.map(([name, of]) => [name, latePart(of)])) }),
    ...(items && { items: latePart(items) }),
  };
}

function latePart(schema: AnySchemaObject): AnySchemaObject {
  return schema.properties ? { [late]: schema } : withLateParts(schema);
}

const validateLate: SchemaValidateFunction = (schema, data, _parent, place) => {
  const validator = validatorOf(schema);
  if (validator(data)) return true;
  validateLate.errors = validator.errors?.map((error) => ({
    ...error,
    instancePath: `${place?.instancePath}${error.instancePath}`,
  }));
  return false;
};
