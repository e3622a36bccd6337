import { type ApiError, mayHappenYet } from "../api/errors";
import { inService, scopeOf } from "../lifecycle/scope";
import { credentialFailures, missingCredentials } from "../resources/pipe/credentials";
import { sourceIn } from "../resources/pipe/kinds";
import { creationOf } from "../resources/pipe/pipeCreation";
import { pipeInputs } from "../resources/pipe/pipeInputs";
import { sourceFailures } from "../resources/pipe/sourceRules";
import type { Data } from "../values/data";
import { type Static, Type } from "../values/schemaBuilders";
import type { Failure } from "../values/validate";
import type { FunctionDefinition, ResultOf } from "./definition";
import { nullable } from "./nullable";
import { serviceArguments } from "./serviceArguments";

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
  const given = kinds.filter((kind) => (args.source as Data)[kind] !== undefined);
  const source = sourceIn(args);
  if (given.length !== 1 || !source)
    return [{ path: "source", message: `must have exactly one of ${kinds.join(", ")}` }];
  return [...sourceFailures(source), ...credentialFailures(args), ...missingCredentials(args)];
}

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

export const getPipesContext: FunctionDefinition<typeof serviceArguments, typeof contextSchema> = {
  name: "getPipesContext",
  dialect: "clickhouse",
  arguments: serviceArguments,
  result: contextSchema,
  run: (args, session) => session.call("getPipesContext", scopeOf("service", args, session)),
};

/** Arguments of {@link discoverPipeSchema}. */
export interface DiscoverPipeSchemaArgs extends Static<typeof discoveryArguments> {}
