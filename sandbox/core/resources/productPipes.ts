import { type Pipe, type PipeSource, seededPipe, seededPipes } from "./pipeRecords";
import { databases } from "./pipeStates";

const snapshot = { snapshotNumRowsPerPartition: 100_000, snapshotNumberOfParallelTables: 2 };
const sync = { syncIntervalSeconds: 60, pullBatchSize: 100_000 };
// If a text of a pipe's database source is not set, responses omit it, since the API document allows no null for databases.
const tls = { disableTls: false, skipCertVerification: false };
const columns = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };
const engine = { tableEngine: "ReplacingMergeTree" };
const ingestion = { columns: [], dropUnexpectedValues: false, excludedColumns: [], sortingKeys: [] };

const productSources: readonly [id: string, name: string, source: PipeSource][] = [
  [
    "2f6a9c1d-4b8e-4d07-9a35-7c0e1f2b3d41",
    "orders-replica",
    {
      mysql: {
        type: "mysql",
        host: "orders.db.example.com",
        port: 3306,
        ...tls,
        authentication: "basic",
        settings: {
          ...sync,
          ...snapshot,
          replicationMode: "cdc",
          replicationMechanism: "GTID",
          useCompression: false,
          allowNullableColumns: true,
          initialLoadParallelism: 4,
          deleteOnMerge: false,
        },
        tableMappings: [
          { sourceSchemaName: "shop", sourceTable: "orders", targetTable: "orders", ...columns, ...engine },
        ],
      },
    },
  ],
  [
    "2f6a9c1d-4b8e-4d07-9a35-7c0e1f2b3d42",
    "profiles-replica",
    {
      mongodb: {
        uri: "mongodb://profiles.db.example.com:27017",
        readPreference: "secondaryPreferred",
        ...tls,
        settings: {
          ...sync,
          ...snapshot,
          replicationMode: "cdc",
          deleteOnMerge: false,
          useJsonNativeFormat: true,
        },
        tableMappings: [
          { sourceDatabaseName: "app", sourceCollection: "profiles", targetTable: "profiles", ...engine },
        ],
      },
    },
  ],
  [
    "2f6a9c1d-4b8e-4d07-9a35-7c0e1f2b3d43",
    "history-load",
    {
      bigquery: {
        authentication: "SERVICE_ACCOUNT",
        snapshotStagingPath: "gs://staging.example.com/history",
        settings: {
          replicationMode: "snapshot",
          allowNullableColumns: true,
          initialLoadParallelism: 4,
          ...snapshot,
        },
        tableMappings: [
          {
            sourceDatasetName: "archive",
            sourceTable: "events",
            targetTable: "events",
            ...columns,
            ...engine,
          },
        ],
      },
    },
  ],
  [
    "2f6a9c1d-4b8e-4d07-9a35-7c0e1f2b3d44",
    "signups-stream",
    {
      pubsub: {
        format: "JSONEachRow",
        projectId: "sandbox-project",
        topic: "signups",
        authentication: "SERVICE_ACCOUNT",
        seekType: "latest",
        seekTimestamp: null,
        filter: null,
        enableOrdering: null,
        ackDeadline: 60,
      },
    },
  ],
];

/**
 * For the kinds of pipe sources in both dialects, the properties that only ClickHouse Cloud has, and those that it refuses beside
 * them: a container of Azure has no queue and no role.
 */
const productMembers: Record<string, object> = {
  kafka: { type: "msk", format: "JSONEachRow", authentication: "IAM_ROLE", exactlyOnce: null },
  objectStorage: {
    type: "azureblobstorage",
    format: "CSV",
    authentication: "CONNECTION_STRING",
    skipInitialLoad: null,
    startAfter: null,
    queueUrl: null,
    iamRole: null,
  },
  kinesis: { format: "JSONEachRow", iteratorType: "AT_TIMESTAMP", authentication: "IAM_ROLE" },
  postgres: { type: "postgres", ...tls, authentication: "basic" },
};

/** The pipes of a new sandbox in the dialect `clickhouse`: one for every kind of source. */
export const productPipes: Pipe[] = [
  ...seededPipes.map((pipe) => {
    const { kind, members } = sourceOf(pipe);
    return { ...pipe, source: { [kind]: { ...members, ...productMembers[kind] } } };
  }),
  ...productSources.map(([id, name, source]) => seededPipe(id, name, "Running", source)),
];

/** The kinds of pipe sources of ClickHouse Cloud, in the order of its responses. */
export const kinds = [
  ...(["kafka", "objectStorage", "kinesis", "postgres"] as const),
  ...(["mysql", "mongodb", "bigquery", "pubsub"] as const),
];

/** Returns the kind and the properties of a pipe's source: the only property of `source` that is an object. */
export function sourceOf({ source }: { readonly source: object }): { kind: string; members: SourceMembers } {
  const [found] = Object.entries(source).filter(([, members]) => typeof members === "object" && members);
  const [kind = "", members = {}] = found ?? [];
  return { kind, members };
}

export interface SourceMembers {
  readonly [name: string]: unknown;
}

/**
 * Converts the source of a pipe to the form of ClickHouse Cloud's responses: one of eight properties is an object, the others
 * are null.
 */
export function productSource(source: Pipe["source"]): object {
  return Object.fromEntries(
    kinds.map((kind) => [kind, source[kind] ? shownTunnel(kind, { ...source[kind] }) : null]),
  );
}

/** The SSH tunnel of a pipe is shown for Kafka, null included, and left out for databases: clients have to survive both. */
function shownTunnel(kind: string, { sshKeyResourceId = null, ...members }: SourceMembers): SourceMembers {
  return kind === "kafka" ? { ...members, sshKeyResourceId } : members;
}

/** The properties of a pipe's source that hold credentials. Responses omit them, except for the connection string. */
const secretMembers = ["credentials", "accessKey", "serviceAccountKey", "protobufSchema"];

/** Returns the credentials among the properties of a pipe's source, including those of its schema registry. */
export function credentialsIn({ schemaRegistry, ...members }: SourceMembers): SourceMembers {
  const registry = (schemaRegistry as SourceMembers | null | undefined)?.credentials;
  const given = secretMembers.filter((name) => (members[name] ?? undefined) !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, members[name]])),
    ...(registry !== undefined && { schemaRegistry: registry }),
  };
}

const settingsOfDatabases = (kind: string): SourceMembers => ({
  ...(kind === "bigquery" ? {} : sync),
  ...snapshot,
  initialLoadParallelism: 4,
});

/**
 * The values of a pipe's source that ClickHouse Cloud shows if the creation of the pipe did not set them. Terraform's provider
 * fails if a text or a list that it did not set comes back with a value, unless it knows that the service computes the value.
 */
const defaults: { readonly [kind: string]: (id: string) => SourceMembers } = {
  kafka: (id) => ({
    ...{ consumerGroup: `clickpipes-${id}`, iamRole: null, offset: null, schemaRegistry: null },
    ...{ caCertificate: null, exactlyOnce: null, tombstoneMode: null },
  }),
  objectStorage: () => ({
    ...{ delimiter: null, compression: null, isContinuous: false, queueUrl: null, skipInitialLoad: null },
    ...{ startAfter: null, iamRole: null, connectionString: null, path: null, azureContainerName: null },
    authentication: null,
  }),
  kinesis: () => ({ iamRole: null, timestamp: null, useEnhancedFanOut: false, schemaRegistry: null }),
  pubsub: () => ({ seekTimestamp: null, filter: null, enableOrdering: null, ackDeadline: null }),
  postgres: () => ({ type: "postgres", port: 5432, ...tls, authentication: "basic" }),
  mysql: () => ({ type: "mysql", ...tls, authentication: "basic" }),
  mongodb: () => tls,
  bigquery: () => ({ authentication: "SERVICE_ACCOUNT" }),
};

/**
 * Converts the properties of a pipe's source to the form of responses: without credentials, and with ClickHouse Cloud's
 * defaults.
 */
export function shownMembers(kind: string, members: SourceMembers, id: string): SourceMembers {
  const { schemaRegistry, settings, tableMappings, uri, ...others } = members;
  const { credentials: _, ...registry } = (schemaRegistry as SourceMembers | null | undefined) ?? {};
  const shown = Object.entries(others).filter(([name]) => !secretMembers.includes(name));
  return {
    ...defaults[kind]?.(id),
    ...Object.fromEntries(shown),
    ...(Object.keys(registry).length > 0 && { schemaRegistry: { type: "confluent", ...registry } }),
    ...(kind in databases && {
      settings: { ...settingsOfDatabases(kind), ...(settings as object | undefined) },
      tableMappings: (tableMappings as SourceMembers[]).map((mapping) => shownMapping(kind, mapping)),
    }),
    ...(typeof uri === "string" && { uri: uri.replace(/\/\/[^/@]+@/, "//[REDACTED]@") }),
  };
}

export function shownMapping(kind: string, mapping: SourceMembers): SourceMembers {
  const { structuredIngestion, ...members } = mapping;
  return {
    ...(kind === "mongodb" ? {} : columns),
    ...engine,
    ...members,
    ...(typeof structuredIngestion === "object" && {
      structuredIngestion: { ...ingestion, ...structuredIngestion },
    }),
  };
}
