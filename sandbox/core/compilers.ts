import type { TSchema } from "@sinclair/typebox";
import Ajv, { type ValidateFunction } from "ajv";

const dateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/i;

/**
 * The compilers of validators for request bodies and responses. `dropping` removes properties that a schema lacks, `refusing`
 * refuses them.
 */
export const compilers = { dropping: compilerOf(true), refusing: compilerOf(false) };

function compilerOf(removeAdditional: boolean) {
  const ajv = new Ajv({
    allErrors: true,
    removeAdditional,
    strict: false,
    discriminator: true,
    addUsedSchema: false,
    formats: {
      "date-time": { validate: (text: string) => dateTime.test(text) && !Number.isNaN(Date.parse(text)) },
    },
    // A sandbox validates only a few request bodies, so optimized validators are not worth their compilation.
    code: { optimize: false },
  });
  // The compiled validators of request bodies and responses, by their JSON schemas. All sandboxes of a process share them,
  // since compiling takes most of the time in which a sandbox starts.
  const checks = new Map<string, ValidateFunction>();
  const checksBySchema = new WeakMap<TSchema, ValidateFunction>();
  return (schema: TSchema): ValidateFunction => {
    const checkOfSchema = checksBySchema.get(schema);
    if (checkOfSchema) return checkOfSchema;
    const key = JSON.stringify(schema);
    const check = checks.get(key) ?? ajv.compile(schema);
    checks.set(key, check);
    checksBySchema.set(schema, check);
    return check;
  };
}
