import { type ApiError, mayHappenYet } from "../api/errors";
import { inService, scopeOf } from "../lifecycle/scope";
import { credentialFailures, missingCredentials } from "../resources/pipe/credentials";
import { sourceIn } from "../resources/pipe/kinds";
import { creationOf } from "../resources/pipe/pipeCreation";
import { pipeInputs } from "../resources/pipe/pipeInputs";
import { sourceFailures } from "../resources/pipe/sourceRules";
import type { PropertyMap } from "../values/data";
import { type Static, Type } from "../values/schemaBuilders";
import type { Failure } from "../values/validate";
import { nullable } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { serviceArguments } from "./listing";

const { source, destination, fieldMappings, credentials, schemaRegistryCredentials } = pipeInputs.properties;

const { postgres, mysql, mongodb, bigquery, ...streams } = source.properties;

const discoveryArguments = inService({
  /** Source of the data: exactly one property, as in the `source` of a `Pipe`. Databases, which have tables, are left out. */
  source: Type.Object(streams, { additionalProperties: false }),
  /** Credentials of the source that its `authentication` takes. No message repeats them. */
  credentials,
  /** Credentials of the schema registry in `kafka.schemaRegistry`. No message repeats them. */
  schemaRegistryCredentials,
});

const discoveredSchema = Type.Object({
  /** A column for each field of the source, with the type that the service infers, for `destination.columns` of a `Pipe`. */
  columns: Type.Array(destination.properties.columns.items),
  /** The destination column of each field, for `fieldMappings` of a `Pipe`. */
  fieldMappings: Type.Array(fieldMappings.items),
  /** The fields that the service found in the source, each with its type and whether a record may lack it. */
  fields: Type.Array(
    Type.Object({
      /** Name of the field in the source. */
      name: Type.String(),
      /** Column type that the service infers for the field. */
      type: Type.String(),
      /** Whether the source may leave out the field in a record. */
      optional: nullable(Type.Boolean()),
    }),
  ),
});

/** The schema that a service has found in a source, as arguments of a `Pipe`. */
export interface DiscoveredPipeSchema extends ResultOf<typeof discoveredSchema> {}

/** The kinds of pipe sources whose schema the service can discover. */
const kinds = Object.keys(streams);

function failures(args: Static<typeof discoveryArguments>): Failure[] {
  const given = kinds.filter((kind) => (args.source as PropertyMap)[kind] !== undefined);
  const source = sourceIn(args);
  if (given.length !== 1 || !source)
    return [{ path: "source", message: `must have exactly one of ${kinds.join(", ")}` }];
  return [...sourceFailures(source), ...credentialFailures(args), ...missingCredentials(args)];
}

/**
 * The schema of a broker, a stream or objects, as a service of ClickHouse Cloud infers it: columns and mappings for a {@link
 * Pipe}, whose `source` and `credentials` it takes. Makes no pipe. The service reads the source at each preview and each
 * update, and has to run for that: functions never wake a service. An output
 * of it is no secret although the credentials are, since it does not show them. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service cannot read the source
 * (in its words) or does not run, or no answer arrives in time
 * @example
 * ```typescript
 * const schema = pipestack.discoverPipeSchema({
 *   source: { objectStorage: { type: "s3", format: "Parquet", url: "https://files.s3.amazonaws.com/*.parquet" } },
 * });
 * export const columns = schema.then(({ columns }) => columns.map(({ name, type }) => `${name} ${type}`));
 * ```
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
export const discoverPipeSchema: FunctionDefinition<typeof discoveryArguments, typeof discoveredSchema> = {
  name: "discoverPipeSchema",
  dialect: "clickhouse",
  arguments: discoveryArguments,
  result: discoveredSchema,
  showsNoArguments: true,
  failures,
  async run({ organizationId, serviceId, ...asked }, session) {
    const { source } = creationOf(asked);
    const scope = scopeOf("service", { organizationId, serviceId }, session);
    const answer = await session.call("discoverPipeSchema", scope, { source }).catch((error: ApiError) => {
      if (!mayHappenYet(error)) throw error;
      throw new Error(
        `${error.message}; the service looks at the source for longer than a request lasts: try again, or declare columns and fieldMappings yourself`,
      );
    });
    // The service's answer has in `meta` arbitrary texts about the pipe's source. The API document does not name them, so they
    // are left out.
    const fields = answer.fields as DiscoveredPipeSchema["fields"];
    return {
      columns: fields.map(({ name, type }) => ({ name, type })),
      fieldMappings: fields.map(({ name }) => ({ sourceField: name, destinationField: name })),
      fields: fields.map(({ name, type, optional }) => ({
        name,
        type,
        ...(optional !== undefined && { optional }),
      })),
    };
  },
};

const contextSchema = Type.Object({
  /** How the pipes sign in to Google Cloud without a key: the authentication `SERVICE_ACCOUNT_WORKLOAD_IDENTITY`. */
  gcpWorkloadIdentity: Type.Optional(
    Type.Object({
      /** Whether the pipes of the service can sign in by workload identity: a private preview of ClickHouse Cloud. */
      supported: Type.Optional(Type.Boolean()),
      /** Whether workload identity is set up for the service. */
      ready: nullable(Type.Boolean()),
      /** The Google Cloud service account as which the pipes sign in: grant it access to the source. */
      principal: nullable(Type.String()),
    }),
  ),
});

/** Which features the pipes of a service have, and the accounts with which they sign in. */
export interface PipesContext extends ResultOf<typeof contextSchema> {}

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
export const getPipesContext: FunctionDefinition<typeof serviceArguments, typeof contextSchema> = {
  name: "getPipesContext",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: contextSchema,
  run: (args, session) => session.call("getPipesContext", scopeOf("service", args, session)),
};

/** Arguments of {@link discoverPipeSchema}. */
export interface DiscoverPipeSchemaArgs extends Static<typeof discoveryArguments> {}
