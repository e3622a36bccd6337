import { inOrganization, scopeOf } from "../lifecycle/scope";
import { pick } from "../values/data";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";

const udfSchema = Type.Object({
  /** Name under which queries call the function. */
  functionName: Type.String(),
  /** Number of the version, for `version` of a `UdfAttachment`. */
  version: Type.Integer(),
  /** Whether the version is `ready`, still `building`, or has failed (`error`). */
  status: Type.Optional(openSetOf(["ready", "building", "error"])),
  /** What the failed build has written. */
  error: Type.Optional(Type.String()),
  /** What runs the code, such as `python3.11`. */
  runtime: Type.Optional(Type.String()),
  /** Whether a command is started for each query (`executable`), or a pool of them is kept (`executable_pool`). */
  type: Type.Optional(Type.String()),
  /** ClickHouse's type of what the function returns. */
  returnType: Type.Optional(Type.String()),
  /** Format in which the code gets its arguments and writes its results. */
  format: Type.Optional(Type.String()),
  /** When the version was published (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});

/** A version of a user-defined function of the organization. */
export interface UdfSummary extends ResultOf<typeof udfSchema> {}

// A type of its own, by which the published declarations tell these arguments from those of other functions.
const udfsArguments = inOrganization<Record<never, never>>({});

const summaryOf = (udf: object) =>
  Object.fromEntries(
    Object.entries(pick(udf as never, Object.keys(udfSchema.properties))).filter(
      ([, value]) => value !== null,
    ),
  ) as unknown as UdfSummary;

/**
 * The user-defined functions of the organization, each with its newest version (beta). Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service refuses the request, or
 * no answer arrives
 * @example
 * ```typescript
 * const udfs = pipestack.getUdfs();
 * export const failed = udfs.then((all) => all.filter(({ status }) => status === "error").map(({ error }) => error));
 * ```
 */
export const getUdfs: FunctionDefinition<typeof udfsArguments, TArray<typeof udfSchema>> = {
  name: "getUdfs",
  dialect: "clickhouse",
  arguments: udfsArguments,
  result: Type.Array(udfSchema),
  async run(args, session) {
    return (await session.lists.read("listUdfs", scopeOf("organization", args, session))).map(summaryOf);
  },
};

const versionsArguments = inOrganization({
  /** Name of the function: the `id` of a `Udf`. */
  functionName: Type.String({ minLength: 1 }),
});

/**
 * The versions of a user-defined function, the newest first, for a {@link UdfAttachment} that goes back to an older one (beta).
 * Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the organization has no such function,
 * the service refuses the request, or no answer arrives
 * @example
 * ```typescript
 * const versions = pipestack.getUdfVersions({ functionName: "domain_of" });
 * export const latest = versions.then((all) => all.find(({ status }) => status === "ready")?.version);
 * ```
 */
export const getUdfVersions: FunctionDefinition<typeof versionsArguments, TArray<typeof udfSchema>> = {
  name: "getUdfVersions",
  dialect: "clickhouse",
  arguments: versionsArguments,
  result: Type.Array(udfSchema),
  async run({ functionName: id, ...args }, session) {
    const scope = scopeOf("organization", args, session);
    const versions = (await session.call("listUdfVersions", { ...scope, id })).map(summaryOf);
    return versions.sort((one, other) => other.version - one.version);
  },
};

/** Arguments of {@link getUdfs}. */
export interface GetUdfsArgs extends Static<typeof udfsArguments> {}
/** Arguments of {@link getUdfVersions}. */
export interface GetUdfVersionsArgs extends Static<typeof versionsArguments> {}
