import type { FastifySchemaValidationError } from "fastify";
import { badRequest } from "./apiError";

/** How a server validates bodies and reports what is wrong. */
export function bodyValidation(ignoreUnknownMembers: boolean) {
  return {
    schemaErrorFormatter: (errors: FastifySchemaValidationError[]) =>
      badRequest(errors.map(describe).join("; ")),
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        useDefaults: false,
        removeAdditional: ignoreUnknownMembers,
        allowUnionTypes: true,
      },
    },
  } as const;
}

function describe(error: FastifySchemaValidationError): string {
  const path = error.instancePath.split("/").slice(1).join(".");
  const subject = path === "" ? "body" : path;
  const { additionalProperty, allowedValues } = error.params;
  if (typeof additionalProperty === "string") return `${subject} has no member ${additionalProperty}`;
  if (Array.isArray(allowedValues)) return `${subject} must be one of ${allowedValues.join(", ")}`;
  return `${subject} ${error.message}`;
}
