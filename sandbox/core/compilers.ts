import type { TSchema } from "@sinclair/typebox";
import Ajv, { type ValidateFunction } from "ajv";

const dateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/i;

/** Make the checks of bodies and answers: one kind drops the members that a schema does not have, the other refuses them. */
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
    // A server that answers a few requests gains nothing from faster checks.
    code: { optimize: false },
  });
  // Compiling takes most of a start: all servers of this process share the checks, by their schemas as JSON.
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
