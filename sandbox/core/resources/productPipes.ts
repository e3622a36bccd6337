import { type Pipe, seededPipe } from "./pipeRecords";

const snapshot = { snapshotNumRowsPerPartition: 100_000, snapshotNumberOfParallelTables: 2 };
const sync = { syncIntervalSeconds: 60, pullBatchSize: 100_000 };
// Texts that are not set are missing: of databases the document has no null.
const tls = { disableTls: false, skipCertVerification: false };
const columns = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };
const engine = { tableEngine: "ReplacingMergeTree" };

const productSources: readonly [id: string, name: string, source: Pipe["source"]][] = [
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

/** A pipe of every kind of source that only the product has. */
export const productPipes: Pipe[] = productSources.map(([id, name, source]) =>
  seededPipe(id, name, "Running", source),
);

/** The product's own members of the kinds of source that the API document has, too. */
const furtherMembers: Record<string, object> = {
  kafka: { type: "msk", format: "JSONEachRow", authentication: "IAM_ROLE", exactlyOnce: null },
  objectStorage: {
    type: "azureblobstorage",
    format: "CSV",
    authentication: "CONNECTION_STRING",
    skipInitialLoad: null,
    startAfter: null,
  },
  kinesis: { format: "JSONEachRow", iteratorType: "AT_TIMESTAMP", authentication: "IAM_ROLE" },
  postgres: { type: "postgres", ...tls, authentication: "basic" },
};

/** The source of a pipe as the product answers it: one member of eight is an object, the others are null. */
export function productSource(source: Pipe["source"]): object {
  const kinds = ["kafka", "objectStorage", "kinesis", "postgres", "mysql", "mongodb", "bigquery", "pubsub"];
  return Object.fromEntries(
    kinds.map((kind) => {
      const members = source[kind as keyof Pipe["source"]];
      return [kind, members ? { ...furtherMembers[kind], ...members } : null];
    }),
  );
}
