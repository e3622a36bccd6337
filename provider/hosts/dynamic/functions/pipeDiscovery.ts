import type {
  DiscoveredPipeSchema,
  DiscoverPipeSchemaArgs,
  PipesContext,
} from "../../../functions/pipeDiscovery";
import * as functions from "../../../functions/pipeDiscovery";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/** Arguments of {@link discoverPipeSchemaOutput}. */
export interface DiscoverPipeSchemaOutputArgs
  extends InputsOf<typeof functions.discoverPipeSchema.arguments> {}

/**
 * The schema of a broker, a stream or objects, as a service of ClickHouse Cloud infers it: columns and mappings for a {@link
 * Pipe}, whose `source` and `credentials` it takes. Makes no pipe. The service reads the source at each preview and each
 * update, and has to run for that: functions never wake a service. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service cannot read the source
 * (in its words) or does not run, or no answer arrives in time
 * @example
 * ```typescript
 * const schema = pipestack.discoverPipeSchema({
 *   source: { objectStorage: { type: "s3", format: "Parquet", url: "https://files.s3.amazonaws.com/*.parquet" } },
 * });
 * export const columns = schema.then(({ columns }) => columns.map(({ name, type }) => `${name} ${type}`));
 * ```
 */
export const discoverPipeSchema = plain<DiscoverPipeSchemaArgs, DiscoveredPipeSchema>(
  functions.discoverPipeSchema,
);

/**
 * Same as {@link discoverPipeSchema}, but accepts outputs and returns one. The output is no secret although the credentials
 * are, since it does not show them.
 * @example
 * ```typescript
 * const source = { kinesis: { format: "JSONEachRow", streamName: "devices", region: "eu-central-1", authentication: "IAM_USER", iteratorType: "LATEST" } } as const;
 * const config = new pulumi.Config();
 * const credentials = { accessKeyId: "AKIA…", secretKey: config.requireSecret("secretKey") };
 * const { columns, fieldMappings } = pipestack.discoverPipeSchemaOutput({ source, credentials });
 * const tableDefinition = { engine: { type: "MergeTree" }, sortingKey: ["id"] } as const;
 * new pipestack.Pipe("devices", {
 *   source,
 *   credentials,
 *   destination: { database: "default", table: "devices", columns, tableDefinition },
 *   fieldMappings,
 * });
 * ```
 */
export const discoverPipeSchemaOutput = withOutputs<DiscoverPipeSchemaOutputArgs, DiscoveredPipeSchema>(
  functions.discoverPipeSchema,
);

/**
 * What the pipes of a service of ClickHouse Cloud can do: whether they sign in to Google Cloud without a key, and as which service
 * account, which needs access to the source before a {@link Pipe} reads it. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, or the service refuses the request or does
 *   not answer
 * @example
 * ```typescript
 * export const account = pipestack.getPipesContext().then(({ gcpWorkloadIdentity }) => gcpWorkloadIdentity?.principal);
 * ```
 */
export const getPipesContext = plain<OfServiceArgs, PipesContext>(functions.getPipesContext);

/**
 * Same as {@link getPipesContext}, but accepts outputs and returns one.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const account = pipestack.getPipesContextOutput({ serviceId: reporting.id }).gcpWorkloadIdentity;
 * ```
 */
export const getPipesContextOutput = withOutputs<OfServiceOutputArgs, PipesContext>(
  functions.getPipesContext,
);
