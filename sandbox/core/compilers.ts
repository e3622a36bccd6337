import type { TSchema } from "@sinclair/typebox";
import Ajv, { type ValidateFunction } from "ajv";

const dateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/i;

/** Compile the checks of bodies and answers. One removes members that a schema lacks, the other refuses them. */
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
    // The sandbox answers only a few requests, for which optimized checks are not worth their compilation.
    code: { optimize: false },
  });
  // The compiled checks, by their schemas as JSON. All sandboxes of a process share them, since compiling takes most of
  // the time of a start.
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
