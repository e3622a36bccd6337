/** A pipe: it loads data from one source into a table of a service, continuously or once (API document: "Pipe"). */
export interface Pipe {
  /** Id of the pipe (uuid). */
  readonly id: string;
  /** Service that the pipe loads into (uuid). */
  readonly serviceId: string;
  /** Name of the pipe. */
  readonly name: string;
  /** State of the pipe, in the service's words. */
  readonly state: string;
  /** What the pipe runs on. */
  readonly scaling?: PipeScaling;
  /** Where the data comes from: the member that is there says which kind of source it is. */
  readonly source: PipeSource;
  /** Where the data goes. */
  readonly destination: PipeDestination;
  /** Which field of the source goes to which of the destination. */
  readonly fieldMappings?: readonly { readonly sourceField: string; readonly destinationField: string }[];
  /** Settings of the pipe. */
  readonly settings?: PipeSettings;
  /** When the pipe was created. */
  readonly createdAt?: string;
  /** When the pipe was last changed. */
  readonly updatedAt?: string;
}

/** What a pipe runs on. */
export interface PipeScaling {
  /** Number of replicas. */
  readonly replicas?: number;
  /** Number of concurrent workers. */
  readonly concurrency?: number;
  /** CPU of one replica, in thousandths of a core. */
  readonly replicaCpuMillicores?: number;
  /** Memory of one replica in GB; may be a fraction. */
  readonly replicaMemoryGb?: number;
}

/** The source of a pipe, one of four kinds. */
export interface PipeSource {
  /** A message-stream broker. */
  readonly kafka?: KafkaSource;
  /** Object storage. */
  readonly objectStorage?: ObjectStorageSource;
  /** A shard-based record stream. */
  readonly kinesis?: KinesisSource;
  /** A relational database. */
  readonly postgres?: PostgresSource;
}

/** A message-stream broker. */
export interface KafkaSource {
  /** Addresses of the brokers, separated by commas. */
  readonly brokers?: string;
  /** Topics, separated by commas. */
  readonly topics?: string;
  /** Consumer group that the pipe reads as. */
  readonly consumerGroup?: string;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
  /** Where reading starts: a date and time without zone, to the minute. */
  readonly offset?: { readonly timestamp?: string };
  /** Where the schemas of the messages are. */
  readonly schemaRegistry?: { readonly url?: string; readonly caCertificate?: string };
  /** Certificate of the authority that signed the brokers' certificates. */
  readonly caCertificate?: string;
  /** Reverse private endpoints that the brokers are reached through. */
  readonly reversePrivateEndpointIds?: readonly string[];
}

/** Object storage. */
export interface ObjectStorageSource {
  /** Address of the objects; may hold wildcards. */
  readonly url?: string;
  /** What separates the fields of a line. */
  readonly delimiter?: string;
  /** How the objects are compressed, in the service's words. */
  readonly compression?: string;
  /** Whether new objects are loaded as they come. */
  readonly isContinuous?: boolean;
  /** Queue that announces new objects. */
  readonly queueUrl?: string;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
  /** Holds a secret: only there with `includeSecrets: true`. */
  readonly connectionString?: string;
  /** Path of the objects; may hold wildcards. */
  readonly path?: string;
  /** Container of the objects, where the storage has containers. */
  readonly azureContainerName?: string;
}

/** A shard-based record stream. */
export interface KinesisSource {
  /** Name of the stream. */
  readonly streamName?: string;
  /** Region of the stream. */
  readonly region?: string;
  /** Whether the pipe has read throughput of its own. */
  readonly useEnhancedFanOut?: boolean;
  /** Where reading starts, since 1970. */
  readonly timestamp?: number;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
}

/** A relational database. */
export interface PostgresSource {
  /** Host of the database server. */
  readonly host?: string;
  /** Port of the database server. */
  readonly port?: number;
  /** Name of the database. */
  readonly database?: string;
  /** How the database is replicated. */
  readonly settings?: PostgresSettings;
  /** Which table goes where. */
  readonly tableMappings?: readonly PostgresTableMapping[];
}

/** How a relational database is replicated. */
export interface PostgresSettings {
  /** Seconds between two rounds of replication. */
  readonly syncIntervalSeconds?: number;
  /** Number of rows that are fetched at once. */
  readonly pullBatchSize?: number;
  /** Publication that the pipe reads. */
  readonly publicationName?: string;
  /** Replication slot that the pipe reads through. */
  readonly replicationSlotName?: string;
  /** Whether columns may be nullable in the destination. */
  readonly allowNullableColumns?: boolean;
  /** Number of workers that load one table at first. */
  readonly initialLoadParallelism?: number;
  /** Number of rows in one part of the first load. */
  readonly snapshotNumRowsPerPartition?: number;
  /** Number of tables that are loaded at once at first. */
  readonly snapshotNumberOfParallelTables?: number;
  /** Whether the replication slot survives a failover of the database. */
  readonly enableFailoverSlots?: boolean;
}

/** Which table of a relational database goes where. */
export interface PostgresTableMapping {
  /** Schema of the table in the source. */
  readonly sourceSchemaName?: string;
  /** Name of the table in the source. */
  readonly sourceTable?: string;
  /** Name of the table in the destination. */
  readonly targetTable?: string;
  /** Columns that are left out. */
  readonly excludedColumns?: readonly string[];
  /** Whether `sortingKeys` are used instead of the primary key of the source. */
  readonly useCustomSortingKey?: boolean;
  /** Columns that the destination is sorted by. */
  readonly sortingKeys?: readonly string[];
}

/** Where a pipe loads its data into. */
export interface PipeDestination {
  /** Database of the table. */
  readonly database?: string;
  /** Name of the table. */
  readonly table?: string;
  /** Whether the pipe created the table. */
  readonly managedTable?: boolean;
  /** How the table is made, where the pipe created it. */
  readonly tableDefinition?: {
    readonly engine?: { readonly versionColumnId?: string; readonly columnIds?: readonly string[] };
    readonly sortingKey?: readonly string[];
    readonly partitionBy?: string;
    readonly primaryKey?: string;
  };
  /** Columns of the table. */
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
}

/** Settings of a pipe, by the service's own names; all numbers are whole (API document: "Pipe settings"). */
export interface PipeSettings {
  /** How long streamed records are collected before they are inserted, in milliseconds. */
  readonly streaming_max_insert_wait_ms?: number;
  /** Number of objects that are loaded at once. */
  readonly object_storage_concurrency?: number;
  /** How often new objects are looked for, in milliseconds. */
  readonly object_storage_polling_interval_ms?: number;
  /** Size of one insert in bytes, at most. */
  readonly object_storage_max_insert_bytes?: number;
  /** Number of objects in one insert, at most. */
  readonly object_storage_max_file_count?: number;
  /** Number of threads of one query, at most. */
  readonly engine_max_threads?: number;
  /** Number of threads of one insert, at most. */
  readonly engine_max_insert_threads?: number;
  /** Size of one block of an insert in bytes, at least. */
  readonly engine_min_insert_block_size_bytes?: number;
  /** Number of threads that download one object, at most. */
  readonly engine_max_download_threads?: number;
  /** How an insert from a query is spread over the servers, as the engine counts it. */
  readonly engine_parallel_distributed_insert_select?: number;
  /** Whether all servers take part in loading objects. */
  readonly object_storage_use_cluster_function?: boolean;
  /** Whether materialized views are filled in parallel. */
  readonly engine_parallel_view_processing?: boolean;
}
