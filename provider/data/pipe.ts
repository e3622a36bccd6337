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
  readonly kafka?: KafkaSource;
  readonly objectStorage?: ObjectStorageSource;
  readonly kinesis?: KinesisSource;
  readonly postgres?: PostgresSource;
}

/** A message-stream broker. */
export interface KafkaSource {
  /** Addresses of the brokers, separated by commas. */
  readonly brokers?: string;
  /** Topics, separated by commas. */
  readonly topics?: string;
  readonly consumerGroup?: string;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
  /** Where reading starts: a date and time without zone, to the minute. */
  readonly offset?: { readonly timestamp?: string };
  readonly schemaRegistry?: { readonly url?: string; readonly caCertificate?: string };
  readonly caCertificate?: string;
  /** Reverse private endpoints that the brokers are reached through. */
  readonly reversePrivateEndpointIds?: readonly string[];
}

/** Object storage. */
export interface ObjectStorageSource {
  /** Address of the objects; may hold wildcards. */
  readonly url?: string;
  readonly delimiter?: string;
  readonly compression?: string;
  /** Whether new objects are loaded as they come. */
  readonly isContinuous?: boolean;
  readonly queueUrl?: string;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
  /** Holds a secret: only there with `includeSecrets: true`. */
  readonly connectionString?: string;
  /** Path of the objects; may hold wildcards. */
  readonly path?: string;
  readonly azureContainerName?: string;
}

/** A shard-based record stream. */
export interface KinesisSource {
  readonly streamName?: string;
  readonly region?: string;
  readonly useEnhancedFanOut?: boolean;
  /** Where reading starts, since 1970. */
  readonly timestamp?: number;
  /** Identifier of the role that the pipe assumes. */
  readonly iamRole?: string;
}

/** A relational database. */
export interface PostgresSource {
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly settings?: PostgresSettings;
  readonly tableMappings?: readonly PostgresTableMapping[];
}

/** How a relational database is replicated. */
export interface PostgresSettings {
  readonly syncIntervalSeconds?: number;
  readonly pullBatchSize?: number;
  readonly publicationName?: string;
  readonly replicationSlotName?: string;
  readonly allowNullableColumns?: boolean;
  readonly initialLoadParallelism?: number;
  readonly snapshotNumRowsPerPartition?: number;
  readonly snapshotNumberOfParallelTables?: number;
  readonly enableFailoverSlots?: boolean;
}

/** Which table of a relational database goes where. */
export interface PostgresTableMapping {
  readonly sourceSchemaName?: string;
  readonly sourceTable?: string;
  readonly targetTable?: string;
  readonly excludedColumns?: readonly string[];
  readonly useCustomSortingKey?: boolean;
  readonly sortingKeys?: readonly string[];
}

/** Where a pipe loads its data into. */
export interface PipeDestination {
  readonly database?: string;
  readonly table?: string;
  /** Whether the pipe created the table. */
  readonly managedTable?: boolean;
  readonly tableDefinition?: {
    readonly engine?: { readonly versionColumnId?: string; readonly columnIds?: readonly string[] };
    readonly sortingKey?: readonly string[];
    readonly partitionBy?: string;
    readonly primaryKey?: string;
  };
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
}

/** Settings of a pipe, by the service's own names; all numbers are whole (API document: "Pipe settings"). */
export interface PipeSettings {
  /** In milliseconds. */
  readonly streaming_max_insert_wait_ms?: number;
  readonly object_storage_concurrency?: number;
  /** In milliseconds. */
  readonly object_storage_polling_interval_ms?: number;
  /** In bytes. */
  readonly object_storage_max_insert_bytes?: number;
  readonly object_storage_max_file_count?: number;
  readonly engine_max_threads?: number;
  readonly engine_max_insert_threads?: number;
  /** In bytes. */
  readonly engine_min_insert_block_size_bytes?: number;
  readonly engine_max_download_threads?: number;
  readonly engine_parallel_distributed_insert_select?: number;
  readonly object_storage_use_cluster_function?: boolean;
  readonly engine_parallel_view_processing?: boolean;
}
