import type { TSchema } from "@sinclair/typebox";
import type { ErrorObject, ValidateFunction } from "ajv";
import { type ApiError, badRequest } from "./apiError";
import { compilers } from "./compilers";
import type { Dialect } from "./vocabulary";

/** Why a body is refused: as the API says it, and each failure. */
export interface BodyError {
  readonly refusal: ApiError;
  readonly failures: readonly ErrorObject[];
}

/** The error of a body; undefined without one. It may drop members of the body. */
export type BodyCheck = (body: unknown) => BodyError | undefined;

/** The check of a server: it drops unknown members or refuses them, and has words of its own for mistakes. */
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
  // The branches of conditions and unions name the mistake.
  const causes = errors.filter(({ keyword }) => !["if", "anyOf", "oneOf"].includes(keyword));
  const texts = (causes.length > 0 ? causes : errors).map((error) => describe(error, causes));
  const text = [...new Set(texts)].join("; ");
  if (dialect === "neutral") return badRequest(text);
  const unknown = errors.flatMap(({ params }) => params.additionalProperty ?? []);
  // The gateway of the product refuses unknown members before its server sees the body.
  if (unknown.length > 0)
    return badRequest(`request body property can't be validated: ${unknown.join(", ")}`);
  return badRequest(`Body validation failed: ${text}`);
}

function describe({ instancePath, params, message }: ErrorObject, failures: readonly ErrorObject[]): string {
  const subject = instancePath.split("/").slice(1).join(".") || "body";
  if (typeof params.additionalProperty === "string")
    return `${subject} has no member ${params.additionalProperty}`;
  if (!("allowedValue" in params || "allowedValues" in params)) return `${subject} ${message}`;
  // The constants of all branches of a union are the words that its member may be.
  const branches =
    "allowedValue" in params ? failures.filter((failure) => failure.instancePath === instancePath) : [];
  const words = [...branches, { params }].flatMap(({ params: { allowedValue, allowedValues = [] } }) =>
    allowedValue === undefined ? allowedValues : [allowedValue],
  );
  return `${subject} must be one of ${[...new Set(words)].join(", ")}`;
}
