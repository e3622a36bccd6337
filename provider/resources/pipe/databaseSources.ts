import { oneOf } from "../../values/schema";
import { type TProperties, Type } from "../../values/schemaBuilders";
import { flag, iamRole, inPlace, text } from "./streamSources";

const count = { minimum: 1 } as const;

const rounds = {
  /** Seconds between two rounds of replication. Updated in place. */
  syncIntervalSeconds: Type.Optional(Type.Integer({ ...count, ...inPlace })),
  /** Number of rows that are fetched at once. Updated in place. */
  pullBatchSize: Type.Optional(Type.Integer({ ...count, ...inPlace })),
  /** `cdc`: a first load, then every change; `snapshot`: only the first load; `cdc_only`: only the changes. */
  replicationMode: oneOf(["cdc", "snapshot", "cdc_only"]),
};

const firstLoad = {
  /** Number of workers that load a table in the first load. */
  initialLoadParallelism: Type.Optional(Type.Integer(count)),
  /** Number of rows in one part of the first load, at least 1000. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Integer({ minimum: 1000 })),
  /** Number of tables that are loaded at once in the first load. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Integer(count)),
};

const deletions = {
  /** Whether rows that are deleted in the source are deleted in the destination. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
};

const nullables = {
  /** Whether columns may be nullable in the destination: for all tables, and for ever. */
  allowNullableColumns: Type.Optional(Type.Boolean()),
};

const tls = {
  /** Host name that the certificate of the server is for. Updated in place. */
  tlsHost: Type.Optional(Type.String({ ...text, ...inPlace })),
  /** Certificate (PEM) of the authority that signed that of the server. Updated in place. */
  caCertificate: Type.Optional(Type.String({ ...text, ...inPlace })),
  /** Whether the connection is not encrypted. The service's default is false. Updated in place. */
  disableTls: Type.Optional(Type.Boolean(flag)),
  /** Whether the certificate of the server is not verified. The service's default is false. Updated in place. */
  skipCertVerification: Type.Optional(Type.Boolean(flag)),
};

const address = {
  /** Host of the database server; one behind a reverse private endpoint by a name of that. Updated in place. */
  host: Type.String({ ...text, ...inPlace }),
  /** Port of the database server. Updated in place. */
  port: Type.Integer({ minimum: 1, maximum: 65535, ...inPlace }),
};

const target = {
  /** Name of the table in the destination: no other mapping has it. */
  targetTable: Type.String(text),
  /** Engine of the table in the destination. The service's default is `ReplacingMergeTree`. */
  tableEngine: Type.Optional(oneOf(["MergeTree", "ReplacingMergeTree", "Null"])),
};

const chosenColumns = {
  /** Columns that are left out. */
  excludedColumns: Type.Optional(Type.Array(Type.String(text), { comparison: "set", uniqueItems: true })),
  /** Columns that the destination is sorted by. */
  sortingKeys: Type.Optional(Type.Array(Type.String(text), { uniqueItems: true })),
};

const columns = {
  ...chosenColumns,
  /** Whether `sortingKeys` are used instead of the primary key of the source. */
  useCustomSortingKey: Type.Optional(Type.Boolean()),
};

const partitionBy = {
  /** Expression that the destination is partitioned by. */
  partitionByExpr: Type.Optional(Type.String(text)),
};

const partition = {
  /** Column by which the first load is divided. */
  partitionKey: Type.Optional(Type.String(text)),
  ...partitionBy,
};

const table = {
  /** Schema of the table in the source, or its database. */
  sourceSchemaName: Type.String(text),
  /** Name of the table in the source. */
  sourceTable: Type.String(text),
};

/** The mappings of a database: at least one, in any order. */
const mappings = <Members extends TProperties>(members: Members, options: object = inPlace) =>
  Type.Array(Type.Object(members, { additionalProperties: false }), {
    comparison: "set",
    minItems: 1,
    ...options,
  });

export const postgresSchema = Type.Object(
  {
    /** Kind of database. The service's default is `postgres`. */
    type: Type.Optional(
      oneOf([
        ...(["postgres", "supabase", "neon", "alloydb", "planetscale", "rdspostgres"] as const),
        ...(["aurorapostgres", "cloudsqlpostgres", "azurepostgres", "crunchybridge", "tigerdata"] as const),
      ]),
    ),
    ...address,
    /** Name of the database. Updated in place. */
    database: Type.String({ ...text, ...inPlace }),
    /**
     * How the pipe authenticates: `basic`, the service's default, takes `credentials` of a `username` and a `password`, `IAM_ROLE` an
     * `iamRole`.
     */
    authentication: Type.Optional(oneOf(["basic", "IAM_ROLE", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"])),
    /** ARN of the role that the pipe assumes, with the authentication `IAM_ROLE`. */
    iamRole: Type.Optional(Type.String(text)),
    ...tls,
    /** How the database is replicated. */
    settings: Type.Object(
      {
        ...rounds,
        /** Publication that the pipe reads. Default: the pipe makes one. */
        publicationName: Type.Optional(Type.String(text)),
        /** Replication slot that the pipe reads through, with the mode `cdc_only`. Default: the pipe makes one. */
        replicationSlotName: Type.Optional(Type.String(text)),
        ...nullables,
        ...firstLoad,
        /** Whether the replication slot survives a failover of the database. */
        enableFailoverSlots: Type.Optional(Type.Boolean()),
        ...deletions,
      },
      { additionalProperties: false },
    ),
    /** The tables: all of them, in any order. A change adds and removes mappings while the pipe is paused. */
    tableMappings: mappings({ ...table, ...target, ...columns, ...partition }),
  },
  { additionalProperties: false, replaces: true },
);

export const mysqlSchema = Type.Object(
  {
    /** Kind of database. The service's default is `mysql`. */
    type: Type.Optional(
      oneOf(["mysql", "rdsmysql", "auroramysql", "cloudsqlmysql", "mariadb", "rdsmariadb"]),
    ),
    ...address,
    /**
     * How the pipe authenticates: `basic`, the service's default, takes `credentials` of a `username` and a `password`, `IAM_ROLE` an
     * `iamRole`. Updated in place.
     */
    authentication: Type.Optional(oneOf(["basic", "IAM_ROLE", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"], inPlace)),
    ...iamRole,
    /** Id of the pipe among the replicas of the server, 1 to 4294967295. Updated in place. */
    serverId: Type.Optional(Type.Integer({ minimum: 1, maximum: 4294967295, ...inPlace })),
    ...tls,
    /** How the database is replicated. */
    settings: Type.Object(
      {
        ...rounds,
        /** How the pipe follows the database: by transaction ids or by the position in a file of its log. MariaDB has `GTID` alone. */
        replicationMechanism: Type.Optional(oneOf(["GTID", "FILE_POS"])),
        /** Whether the connection is compressed. Updated in place. */
        useCompression: Type.Optional(Type.Boolean(flag)),
        ...nullables,
        ...firstLoad,
        ...deletions,
      },
      { additionalProperties: false },
    ),
    /** The tables: all of them, in any order. A change adds and removes mappings while the pipe is paused. */
    tableMappings: mappings({ ...table, ...target, ...columns, ...partition }),
  },
  { additionalProperties: false, replaces: true },
);

export const mongodbSchema = Type.Object(
  {
    /** Address of the database without a user: `credentials` have the `username` and the `password`. Updated in place. */
    uri: Type.String({
      pattern: "^[Mm][Oo][Nn][Gg][Oo][Dd][Bb](\\+[Ss][Rr][Vv])?://[^\\s@]+$",
      rule: "an address that begins with mongodb:// or mongodb+srv://, without a user or a password, which belong into credentials",
      ...inPlace,
    }),
    /** The member of a replica set to read from. Updated in place. */
    readPreference: oneOf(
      ["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"],
      inPlace,
    ),
    ...tls,
    /** How the database is replicated. */
    settings: Type.Object(
      {
        ...rounds,
        ...firstLoad,
        ...deletions,
        /** Whether documents are stored as JSON instead of text. */
        useJsonNativeFormat: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    /** The collections: all of them, in any order. A change adds and removes mappings while the pipe is paused. */
    tableMappings: mappings({
      /** Database of the collection in the source. */
      sourceDatabaseName: Type.String(text),
      /** Name of the collection in the source. */
      sourceCollection: Type.String(text),
      ...target,
      /** Whether, and how, documents become columns. */
      structuredIngestion: Type.Optional(
        Type.Object(
          {
            /** Whether documents become columns. */
            enabled: Type.Boolean(),
            /** The columns. */
            columns: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    /** Name of the column. */
                    name: Type.String(text),
                    /** Type of the column. */
                    type: Type.String(text),
                  },
                  { additionalProperties: false },
                ),
              ),
            ),
            /** Whether values are dropped that no column can hold. The service's default is false. */
            dropUnexpectedValues: Type.Optional(Type.Boolean()),
            ...chosenColumns,
            ...partitionBy,
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  { additionalProperties: false, replaces: true },
);

export const bigquerySchema = Type.Object(
  {
    /** How the pipe authenticates: `SERVICE_ACCOUNT` takes `credentials` of a `serviceAccountKey`, the other a `projectId`. */
    authentication: oneOf(["SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"]),
    /** Project of the dataset. */
    projectId: Type.Optional(Type.String(text)),
    /** Path in a bucket of yours by which the first load is handed over, such as `gs://staging/history`. */
    snapshotStagingPath: Type.String(text),
    /** How the dataset is replicated. */
    settings: Type.Object(
      {
        /** `snapshot`: only the first load; `cdc`: every change, too. */
        replicationMode: Type.String(text),
        /** How changes are found: `query_based` or `events_based`. */
        replicationMethod: Type.Optional(Type.String(text)),
        /** Times of the rounds, as a cron expression; in place of `syncIntervalSeconds`. */
        syncCron: Type.Optional(Type.String(text)),
        /** Seconds between two rounds. */
        syncIntervalSeconds: Type.Optional(Type.Integer(count)),
        /** Seconds by which a round stays behind. */
        syncDelaySeconds: Type.Optional(Type.Integer({ minimum: 0 })),
        /** Seconds of changes that one query fetches. */
        pullWindowSizeSeconds: Type.Optional(Type.Integer(count)),
        /** Number of tables that a round fetches at once. */
        queryCdcPullSyncParallelism: Type.Optional(Type.Integer(count)),
        ...nullables,
        /** Number of workers that load a table in the first load. */
        initialLoadParallelism: Type.Optional(Type.Number({ isWhole: true })),
        /** Number of rows in one part of the first load. */
        snapshotNumRowsPerPartition: Type.Optional(Type.Number({ isWhole: true })),
        /** Number of tables that are loaded at once in the first load. */
        snapshotNumberOfParallelTables: Type.Optional(Type.Number({ isWhole: true })),
      },
      { additionalProperties: false },
    ),
    /** The tables: all of them, in any order. */
    tableMappings: mappings(
      {
        /** Dataset of the table. */
        sourceDatasetName: Type.String(text),
        /** Name of the table. */
        sourceTable: Type.String(text),
        ...target,
        ...columns,
        /** Function that answers the changes of the table. */
        eventsFunction: Type.Optional(Type.String(text)),
        /** Column by which a query finds what has changed. */
        queryCdcWatermarkColumn: Type.Optional(Type.String(text)),
      },
      {},
    ),
  },
  { additionalProperties: false, replaces: true },
);
