import type { FastifySchemaValidationError, FastifyServerOptions } from "fastify";
import { badRequest } from "./apiError";
import type { Dialect } from "./vocabulary";

/** How a server validates bodies and reports what is wrong. */
export function bodyValidation(ignoreUnknownMembers: boolean, dialect: Dialect) {
  return {
    schemaErrorFormatter(errors: FastifySchemaValidationError[]) {
      // The branches of conditions and unions say what is wrong.
      const own = errors.filter(({ keyword }) => !["if", "anyOf", "oneOf"].includes(keyword));
      const all = (own.length > 0 ? own : errors).map(({ instancePath, ...error }) =>
        describe(pathOf(instancePath), { ...error, params: withWords(error.params, instancePath, own) }),
      );
      const failures = [...new Set(all)];
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
        // A server that answers a few requests gains nothing from faster checks.
        code: { optimize: false },
      },
      onCreate: compileOnce(compiled[ignoreUnknownMembers ? "dropping" : "refusing"]),
    },
  } as const;
}

type Compiler = Parameters<NonNullable<NonNullable<FastifyServerOptions["ajv"]>["onCreate"]>>[0];
type Check = ReturnType<Compiler["compile"]>;

/** The checks of all servers of this process by their schemas as JSON: to compile them takes most of a server's start. */
const compiled = { dropping: new Map<string, Check>(), refusing: new Map<string, Check>() };

function compileOnce(checks: Map<string, Check>) {
  return (compiler: Compiler): void => {
    const compile = compiler.compile.bind(compiler);
    compiler.compile = ((schema: object) => {
      const key = JSON.stringify(schema);
      const check = checks.get(key) ?? compile(schema);
      checks.set(key, check);
      return check;
    }) as Compiler["compile"];
  };
}

/** The constants of all branches of a union are the words that its member may be. */
function withWords(
  params: FastifySchemaValidationError["params"],
  path: string,
  errors: readonly FastifySchemaValidationError[],
): FastifySchemaValidationError["params"] {
  if (!("allowedValue" in params)) return params;
  const same = errors.filter(({ instancePath }) => instancePath === path);
  const words = same.flatMap(({ params: { allowedValue, allowedValues } }) =>
    allowedValue === undefined ? ((allowedValues ?? []) as unknown[]) : [allowedValue],
  );
  return { allowedValues: [...new Set(words)] } as never;
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
