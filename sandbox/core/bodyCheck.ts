import type { TSchema } from "@sinclair/typebox";
import type { ErrorObject, ValidateFunction } from "ajv";
import { type ApiError, badRequest } from "./apiError";
import { compilers } from "./compilers";
import type { Dialect } from "./vocabulary";

/** The reason why the sandbox refuses a request body: the API's message, and each violation of the schema. */
export interface BodyError {
  readonly refusal: ApiError;
  readonly failures: readonly ErrorObject[];
}

/**
 * Checks a request body, and returns the violations if there are any. The check may remove unknown properties from the body.
 */
export type BodyCheck = (body: unknown) => BodyError | undefined;

/**
 * Makes the validation of request bodies of an API. Depending on the API it removes unknown properties or refuses them, and
 * each dialect has its own messages.
 */
export function bodyCheck(schema: TSchema, dropsUnknownMembers: boolean, dialect: Dialect): BodyCheck {
  let check: ValidateFunction | undefined;
  return (body) => {
    check ??= compilers[dropsUnknownMembers ? "dropping" : "refusing"](schema);
    if (check(body ?? null)) return undefined;
    const failures = check.errors ?? [];
    return { failures, refusal: refusalOf(failures, dialect) };
  };
}

function refusalOf(errors: readonly ErrorObject[], dialect: Dialect): ApiError {
  // In the validation of a request body, the errors inside the branches of conditions and unions name the mistake, so the
  // errors of `if`, `anyOf` and `oneOf` themselves are left out.
  const causes = errors.filter(({ keyword }) => !["if", "anyOf", "oneOf"].includes(keyword));
  const texts = (causes.length > 0 ? causes : errors).map((error) => describe(error, causes));
  const text = [...new Set(texts)].join("; ");
  if (dialect === "neutral") return badRequest(text);
  const unknown = errors.flatMap(({ params }) => params.additionalProperty ?? []);
  // The gateway of ClickHouse Cloud refuses unknown properties before its server sees the request body, so these are reported
  // alone.
  if (unknown.length > 0)
    return badRequest(`request body property can't be validated: ${unknown.join(", ")}`);
  return badRequest(`Body validation failed: ${text}`);
}

function describe({ instancePath, params, message }: ErrorObject, failures: readonly ErrorObject[]): string {
  const subject = instancePath.split("/").slice(1).join(".") || "body";
  if (typeof params.additionalProperty === "string")
    return `${subject} has no member ${params.additionalProperty}`;
  if (!("allowedValue" in params || "allowedValues" in params)) return `${subject} ${message}`;
  // If a property's schema is a union, an error message lists the constants of all its branches as the valid values.
  const branches =
    "allowedValue" in params ? failures.filter((failure) => failure.instancePath === instancePath) : [];
  const words = [...branches, { params }].flatMap(({ params: { allowedValue, allowedValues = [] } }) =>
    allowedValue === undefined ? allowedValues : [allowedValue],
  );
  return `${subject} must be one of ${[...new Set(words)].join(", ")}`;
}
