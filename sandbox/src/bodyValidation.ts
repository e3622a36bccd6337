import type { FastifySchemaValidationError } from "fastify";
import { badRequest } from "./apiError";
import type { Dialect } from "./vocabulary";

/** How a server validates bodies and reports what is wrong. */
export function bodyValidation(ignoreUnknownMembers: boolean, dialect: Dialect) {
  return {
    schemaErrorFormatter(errors: FastifySchemaValidationError[]) {
      // What is wrong in the branch of a condition says it all.
      const own = errors.filter(({ keyword }) => keyword !== "if");
      const failures = own.map(({ instancePath, ...error }) => describe(pathOf(instancePath), error));
      if (dialect === "neutral") return badRequest(failures.join("; "));
      const unknown = errors.flatMap(({ params }) => params.additionalProperty ?? []);
      // The gateway of the product refuses unknown members before its server sees the body.
      if (unknown.length > 0)
        return badRequest(`request body property can't be validated: ${unknown.join(", ")}`);
      return badRequest(`Body validation failed: ${failures.join("; ")}`);
    },
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        useDefaults: false,
        removeAdditional: ignoreUnknownMembers,
        allowUnionTypes: true,
        discriminator: true,
      },
    },
  } as const;
}

function pathOf(instancePath: string): string {
  const path = instancePath.split("/").slice(1).join(".");
  return path === "" ? "body" : path;
}

function describe(
  subject: string,
  { params, message }: Pick<FastifySchemaValidationError, "params" | "message">,
): string {
  const { additionalProperty, allowedValues } = params;
  if (typeof additionalProperty === "string") return `${subject} has no member ${additionalProperty}`;
  if (Array.isArray(allowedValues)) return `${subject} must be one of ${allowedValues.join(", ")}`;
  return `${subject} ${message}`;
}
