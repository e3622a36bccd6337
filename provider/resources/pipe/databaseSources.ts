import { enums } from "../../api/enums.golden";
import { oneOf } from "../../values/schema";
import { type TProperties, Type } from "../../values/schemaBuilders";
import { flag, iamRole, inPlace, off, text, tunnel } from "./streamSources";

const count = { minimum: 1 } as const;

const modes = enums.replicationMode;

const pace = {
  /** Seconds between two rounds in which the pipe replicates the database. Updated in place. */
  syncIntervalSeconds: Type.Optional(Type.Integer({ ...count, ...inPlace })),
  /** Number of rows that the pipe fetches from the database at once. Updated in place. */
  pullBatchSize: Type.Optional(Type.Integer({ ...count, ...inPlace })),
};

const rounds = {
  ...pace,
  /**
   * What the pipe replicates: `cdc` loads the tables and then follows every change, `snapshot` only loads them, `cdc_only` only
   * follows the changes.
   */
  replicationMode: oneOf(modes),
};

const firstLoad = {
  /** Number of workers that load a table when the pipe first loads the database. The service's default is 4. */
  initialLoadParallelism: Type.Optional(Type.Integer({ ...count, default: 4 })),
  /**
   * Number of rows in one part of a table when the pipe first loads the database, at least 1000. The service's default is
   * 100000.
   */
  snapshotNumRowsPerPartition: Type.Optional(Type.Integer({ minimum: 1000, default: 100000 })),
  /** Number of tables that the pipe loads at once when it first loads the database. The service's default is 1. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Integer({ ...count, default: 1 })),
};

const deletions = {
  /** Whether the pipe deletes rows in the destination that are deleted in the source database. */
  deleteOnMerge: Type.Optional(Type.Boolean(off)),
};

const nullables = {
  /** Whether columns in the destination may be nullable. This applies to all tables of the pipe and cannot be changed later. */
  allowNullableColumns: Type.Optional(Type.Boolean(off)),
};

const tls = {
  /** Host name for which the database server's certificate is issued. Updated in place. */
  tlsHost: Type.Optional(Type.String({ ...text, ...inPlace })),
  /** Certificate (PEM) of the authority that signed the database server's certificate. Updated in place. */
  caCertificate: Type.Optional(Type.String({ ...text, ...inPlace })),
  /**
   * Whether the pipe's connection to the database is left without encryption. The service's default is false. Updated in place.
   */
  disableTls: Type.Optional(Type.Boolean(flag)),
  /**
   * Whether the pipe accepts the database server's certificate without verification. The service's default is false. Updated in
   * place.
   */
  skipCertVerification: Type.Optional(Type.Boolean(flag)),
};

const address = {
  /**
   * Host of the database server; for a server behind a reverse private endpoint, one of the endpoint's DNS names. Updated in
   * place.
   */
  host: Type.String({ ...text, ...inPlace }),
  /** Port of the database server. Updated in place. */
  port: Type.Integer({ minimum: 1, maximum: 65535, ...inPlace }),
};

const target = {
  /** Name of the table in the destination. No two mappings of a pipe may name the same one. */
  targetTable: Type.String(text),
  /** Engine of the table in the destination. The service's default is `ReplacingMergeTree`. */
  tableEngine: Type.Optional(oneOf(enums.tableEngine, { default: "ReplacingMergeTree" })),
};

const chosenColumns = {
  /** Columns of the source table that the pipe leaves out. */
  excludedColumns: Type.Optional(
    Type.Array(Type.String(text), { comparison: "set", uniqueItems: true, default: [] }),
  ),
  /** Columns by which the table in the destination is sorted. */
  sortingKeys: Type.Optional(Type.Array(Type.String(text), { uniqueItems: true, default: [] })),
};

const columns = {
  ...chosenColumns,
  /** Whether the table in the destination is sorted by `sortingKeys` instead of the primary key of the source table. */
  useCustomSortingKey: Type.Optional(Type.Boolean(off)),
};

const partitionBy = {
  /** Expression by which the table in the destination is partitioned. */
  partitionByExpr: Type.Optional(Type.String(text)),
};

const partition = {
  /** Column by which the pipe divides the source table into parts when it first loads it. */
  partitionKey: Type.Optional(Type.String(text)),
  ...partitionBy,
};

const table = {
  /** Schema of the table in the source database, or for MySQL its database. */
  sourceSchemaName: Type.String(text),
  /** Name of the table in the source. */
  sourceTable: Type.String(text),
};

/** The table mappings of a pipe that reads a database: at least one, in any order. */
const mappings = <Members extends TProperties>(members: Members, options: object = inPlace) =>
  Type.Array(Type.Object(members, { additionalProperties: false }), {
    comparison: "set",
    minItems: 1,
    ...options,
  });

export const postgresSchema = Type.Object(
  {
    /** Kind of PostgreSQL database that the pipe reads. The service's default is `postgres`. */
    type: Type.Optional(oneOf(enums.postgresType, { default: "postgres" })),
    ...address,
    /** Name of the database that the pipe reads. Updated in place. */
    database: Type.String({ ...text, ...inPlace }),
    /**
     * How the pipe authenticates to the database: `basic`, the service's default, needs `credentials` with `username` and
     * `password`; `IAM_ROLE` needs `iamRole`.
     */
    authentication: Type.Optional(oneOf(enums.postgresAuthentication, { default: "basic" })),
    /** ARN of the AWS role that the pipe assumes to read its source, with the authentication `IAM_ROLE`. */
    iamRole: Type.Optional(Type.String(text)),
    ...tls,
    ...tunnel,
    /** How the pipe replicates the PostgreSQL database. */
    settings: Type.Optional(
      Type.Object(
        {
          ...pace,
          /**
           * What the pipe replicates: `cdc` loads the tables and then follows every change, `snapshot` only loads them,
           * `cdc_only` only follows the changes. Default: the service chooses.
           */
          replicationMode: Type.Optional(oneOf(modes)),
          /** PostgreSQL publication that the pipe reads. Default: the pipe creates one. */
          publicationName: Type.Optional(Type.String(text)),
          /**
           * PostgreSQL replication slot through which the pipe reads, with the `replicationMode` `cdc_only`. Default: the pipe
           * creates one.
           */
          replicationSlotName: Type.Optional(Type.String(text)),
          ...nullables,
          ...firstLoad,
          /** Whether the pipe's replication slot survives a failover of the database. */
          enableFailoverSlots: Type.Optional(Type.Boolean(off)),
          ...deletions,
        },
        { additionalProperties: false },
      ),
    ),
    /**
     * All tables that the pipe replicates, in any order. If the list changes, the pipe is paused while tables are added and
     * removed.
     */
    tableMappings: mappings({ ...table, ...target, ...columns, ...partition }),
  },
  { additionalProperties: false, replaces: true },
);

export const mysqlSchema = Type.Object(
  {
    /** Kind of MySQL database that the pipe reads. The service's default is `mysql`. */
    type: Type.Optional(
      oneOf(enums.mysqlType, {
        default: "mysql",
      }),
    ),
    ...address,
    /**
     * How the pipe authenticates to the database: `basic`, the service's default, needs `credentials` with `username` and
     * `password`; `IAM_ROLE` needs `iamRole`. Updated in place.
     */
    authentication: Type.Optional(oneOf(enums.mysqlAuthentication, { ...inPlace, default: "basic" })),
    ...iamRole,
    /** Id with which the pipe registers as a replica of the MySQL server, 1 to 4294967295. Updated in place. */
    serverId: Type.Optional(Type.Integer({ minimum: 1, maximum: 4294967295, ...inPlace })),
    ...tls,
    ...tunnel,
    /** How the pipe replicates the MySQL database. */
    settings: Type.Object(
      {
        ...rounds,
        /**
         * How the pipe follows the database's changes: by transaction ids (`GTID`), or by the position in a binary log file
         * (`FILE_POS`). MariaDB supports only `GTID`.
         */
        replicationMechanism: Type.Optional(oneOf(enums.mysqlReplicationMechanism)),
        /** Whether the pipe's connection to the database is compressed. Updated in place. */
        useCompression: Type.Optional(Type.Boolean(flag)),
        ...nullables,
        ...firstLoad,
        ...deletions,
      },
      { additionalProperties: false },
    ),
    /**
     * All tables that the pipe replicates, in any order. If the list changes, the pipe is paused while tables are added and
     * removed.
     */
    tableMappings: mappings({ ...table, ...target, ...columns, ...partition }),
  },
  { additionalProperties: false, replaces: true },
);

export const mongodbSchema = Type.Object(
  {
    /**
     * Address of the MongoDB database without a user: `credentials` hold the `username` and the `password`. Updated in place.
     */
    uri: Type.String({
      pattern: "^[Mm][Oo][Nn][Gg][Oo][Dd][Bb](\\+[Ss][Rr][Vv])?://[^\\s@]+$",
      rule: "an address that begins with mongodb:// or mongodb+srv://, without a user or a password, which belong into credentials",
      ...inPlace,
    }),
    /** Which members of a MongoDB replica set the pipe prefers to read from. Updated in place. */
    readPreference: oneOf(enums.mongodbReadPreference, inPlace),
    ...tls,
    ...tunnel,
    /** How the pipe replicates the MongoDB database. */
    settings: Type.Object(
      {
        ...rounds,
        ...firstLoad,
        ...deletions,
        /** Whether the destination stores MongoDB documents as JSON instead of text. */
        useJsonNativeFormat: Type.Optional(Type.Boolean(off)),
      },
      { additionalProperties: false },
    ),
    /**
     * All collections that the pipe replicates, in any order. If the list changes, the pipe is paused while collections are
     * added and removed.
     */
    tableMappings: mappings({
      /** Database of the collection in the source MongoDB server. */
      sourceDatabaseName: Type.String(text),
      /** Name of the collection in the source MongoDB database. */
      sourceCollection: Type.String(text),
      ...target,
      /** Whether and how the pipe turns the fields of MongoDB documents into columns. */
      structuredIngestion: Type.Optional(
        Type.Object(
          {
            /** Whether the pipe turns the fields of MongoDB documents into columns. */
            enabled: Type.Boolean(),
            /** The columns. */
            columns: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    /** Name of a column that holds a field of MongoDB documents. */
                    name: Type.String(text),
                    /** Type of a column that holds a field of MongoDB documents. */
                    type: Type.String(text),
                  },
                  { additionalProperties: false },
                ),
                { default: [] },
              ),
            ),
            /** Whether the pipe drops values of documents that no column can hold. The service's default is false. */
            dropUnexpectedValues: Type.Optional(Type.Boolean(off)),
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
    /**
     * How the pipe authenticates to BigQuery: `SERVICE_ACCOUNT`, the service's default, needs `credentials` with a
     * `serviceAccountKey`; `SERVICE_ACCOUNT_WORKLOAD_IDENTITY` needs a `projectId`.
     */
    authentication: Type.Optional(oneOf(enums.bigqueryAuthentication, { default: "SERVICE_ACCOUNT" })),
    /** Google Cloud project of the BigQuery dataset. */
    projectId: Type.Optional(Type.String(text)),
    /** Path in one of your buckets through which BigQuery hands over the first load, such as `gs://staging/history`. */
    snapshotStagingPath: Type.String(text),
    /** How the pipe replicates the BigQuery dataset. */
    settings: Type.Object(
      {
        /** What the pipe replicates: `snapshot` only loads the tables, `cdc` then also follows every change. */
        replicationMode: Type.String(text),
        /** How the pipe finds changes in BigQuery: `query_based` or `events_based`. */
        replicationMethod: Type.Optional(Type.String(text)),
        /** When the pipe replicates changes, as a cron expression; instead of `syncIntervalSeconds`. */
        syncCron: Type.Optional(Type.String(text)),
        /** Seconds between two rounds in which the pipe replicates changes. */
        syncIntervalSeconds: Type.Optional(Type.Integer(count)),
        /** Seconds by which the pipe stays behind the present when it replicates changes. */
        syncDelaySeconds: Type.Optional(Type.Integer({ minimum: 0 })),
        /** Length of the time window whose changes one query of the pipe fetches, in seconds. */
        pullWindowSizeSeconds: Type.Optional(Type.Integer(count)),
        /** Number of tables whose changes the pipe fetches at once. */
        queryCdcPullSyncParallelism: Type.Optional(Type.Integer(count)),
        ...nullables,
        /** Number of workers that load a table when the pipe first loads the dataset. */
        initialLoadParallelism: Type.Optional(Type.Number({ isWhole: true })),
        /** Number of rows in one part of a table when the pipe first loads the dataset. */
        snapshotNumRowsPerPartition: Type.Optional(Type.Number({ isWhole: true })),
        /** Number of tables that the pipe loads at once when it first loads the dataset. */
        snapshotNumberOfParallelTables: Type.Optional(Type.Number({ isWhole: true })),
      },
      { additionalProperties: false },
    ),
    /** All tables that the pipe replicates, in any order. */
    tableMappings: mappings(
      {
        /** BigQuery dataset of the source table. */
        sourceDatasetName: Type.String(text),
        /** Name of the source table in BigQuery. */
        sourceTable: Type.String(text),
        ...target,
        ...columns,
        /** BigQuery function that returns the changes of the source table. */
        eventsFunction: Type.Optional(Type.String(text)),
        /** Column by which the pipe's queries find the rows that have changed. */
        queryCdcWatermarkColumn: Type.Optional(Type.String(text)),
      },
      {},
    ),
  },
  { additionalProperties: false, replaces: true },
);
