import { udfResource } from "../../resources/udf/udf";
import type { udfInputs, udfOutputs } from "../../resources/udf/udfInputs";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Udf}. */
export interface UdfArgs extends InputsOf<typeof udfInputs> {}

export interface Udf extends OutputsOf<typeof udfInputs, typeof udfOutputs> {}

/**
 * A user-defined function of a ClickHouse Cloud organization, which queries call once a {@link UdfAttachment} attaches it to
 * their service: a beta feature, which the product may still change. Its `id` is its name. Needs `dialect: clickhouse`.
 *
 * The code is a folder, a file or a ZIP archive on the machine that runs Pulumi. Its hash decides: other code, like another value
 * of any input but the name, publishes a new version, and the update waits for its build. If the build fails, the update fails with
 * what the build has written, services keep the version that they run, and the next `pulumi up` publishes again. A version that
 * somebody else has published is drift of `sourceHash`, and an update says so before it publishes the next.
 *
 * Another name replaces the function. Destroying it deletes all versions; it is refused while a service has the function attached.
 * @example
 * ```typescript
 * const domain = new pipestack.Udf("domain_of", {
 *   sourcePath: "functions/domain_of",
 *   runtime: "python3.11",
 *   type: "executable_pool",
 *   arguments: [{ name: "url", type: "String" }],
 *   returnType: "String",
 * });
 * new pipestack.UdfAttachment("domain-of", { functionName: domain.id, version: domain.version });
 * ```
 */
export class Udf extends managedResource<UdfArgs>(udfResource) {}
