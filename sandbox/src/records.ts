/** What the sandbox stores: the objects of the API, and a few members that no answer shows. */

/** The organization to which every service and key of the sandbox belongs. */
export interface Organization {
  id: string;
  name: string;
  /** Paid organizations may raise maxTotalMemoryGb to 1068 GB, others to 360 GB. */
  paid: boolean;
}

/** An address or CIDR block that may connect. */
export interface IpAccess {
  source: string;
  description?: string;
}

/** A service, exactly as answers show it. */
export interface Service {
  id: string;
  name: string;
  engineVersion: string;
  endpoints: { protocol: string; host: string; port: number; username: string }[];
  minTotalMemoryGb: number;
  maxTotalMemoryGb: number;
  minReplicaMemoryGb: number;
  maxReplicaMemoryGb: number;
  numReplicas: number;
  idleScaling: boolean;
  idleTimeoutMinutes: number;
  ipAccessList: IpAccess[];
  createdAt: string;
  encryptionKey: string;
  encryptionAssumedRoleIdentifier: string;
  iamRole: string;
  privateEndpointIds: string[];
  availablePrivateEndpointIds: string[];
  dataWarehouseId: string;
  /** True for the first service of its warehouse, which needs at least 2 replicas. */
  isPrimary: boolean;
  isReadonly: boolean;
  byocId: string;
  hasTransparentDataEncryption: boolean;
  transparentDataEncryptionKeyId: string;
  encryptionRoleId: string;
}

export type KeyState = "enabled" | "disabled";
export type KeyRole = "admin" | "developer" | "query_endpoints";

/** An API key. Its id and secret are stored only as SHA-256 hashes (hex), which answers omit. */
export interface ApiKey {
  id: string;
  name: string;
  state: KeyState;
  roles: KeyRole[];
  keySuffix: string;
  createdAt: string;
  /** Absent: never expires. */
  expireAt?: string;
  /** Absent: never used. */
  usedAt?: string;
  /** Absent: every address may use the key. Empty: none may. */
  ipAccessList?: IpAccess[];
  keyIdHash: string;
  keySecretHash: string;
}

export type QueryEndpointRole = "sql_console_read_only" | "sql_console_admin";

/** The query endpoint of a service. */
export interface QueryEndpoint {
  id: string;
  serviceId: string;
  roles: QueryEndpointRole[];
  /** UUIDs of keys. */
  openApiKeys: string[];
  /** Comma-separated domains. */
  allowedOrigins: string;
}

/** Settings of a pipe: a flat map. */
export type PipeSettings = Record<string, number | boolean>;

export interface KafkaSource {
  brokers: string;
  topics: string;
  consumerGroup: string;
  iamRole: string;
  offset: { timestamp: string };
  schemaRegistry: { url: string; caCertificate: string };
  caCertificate: string;
  reversePrivateEndpointIds: string[];
}

export interface ObjectStorageSource {
  url: string;
  delimiter: string;
  compression: string;
  isContinuous: boolean;
  queueUrl: string;
  iamRole: string;
  /** Contains a secret. */
  connectionString: string;
  path: string;
  azureContainerName: string;
}

export interface KinesisSource {
  streamName: string;
  region: string;
  useEnhancedFanOut: boolean;
  timestamp: number;
  iamRole: string;
}

export interface PostgresSource {
  host: string;
  port: number;
  database: string;
  settings: {
    syncIntervalSeconds: number;
    pullBatchSize: number;
    publicationName: string;
    replicationSlotName: string;
    allowNullableColumns: boolean;
    initialLoadParallelism: number;
    snapshotNumRowsPerPartition: number;
    snapshotNumberOfParallelTables: number;
    enableFailoverSlots: boolean;
  };
  tableMappings: {
    sourceSchemaName: string;
    sourceTable: string;
    targetTable: string;
    excludedColumns: string[];
    useCustomSortingKey: boolean;
    sortingKeys: string[];
  }[];
}

/** A pipe, exactly as answers show it. */
export interface Pipe {
  id: string;
  serviceId: string;
  name: string;
  state: string;
  scaling: { replicas: number; concurrency: number; replicaCpuMillicores: number; replicaMemoryGb: number };
  source: {
    kafka?: KafkaSource;
    objectStorage?: ObjectStorageSource;
    kinesis?: KinesisSource;
    postgres?: PostgresSource;
  };
  destination: {
    database: string;
    table: string;
    managedTable: boolean;
    tableDefinition: {
      engine: { versionColumnId: string; columnIds: string[] };
      sortingKey: string[];
      partitionBy: string;
      primaryKey: string;
    };
    columns: { name: string; type: string }[];
  };
  fieldMappings: { sourceField: string; destinationField: string }[];
  settings: PipeSettings;
  createdAt: string;
  updatedAt: string;
}

/** A reverse private endpoint, exactly as answers show it. */
export interface ReversePrivateEndpoint {
  id: string;
  serviceId: string;
  description: string;
  type: string;
  vpcEndpointServiceName?: string;
  vpcResourceConfigurationId?: string;
  vpcResourceShareArn?: string;
  mskClusterArn?: string;
  mskAuthentication?: string;
  endpointId: string;
  dnsNames: string[];
  privateDnsNames: string[];
  status: string;
}

/** A series of a tile. The members from `sourceId` on are the product's own. */
export interface TileSeries {
  type: string;
  dataSource?: string;
  aggFn?: string;
  where?: string;
  groupBy?: string[];
  sourceId?: string;
  field?: string;
  whereLanguage?: "lucene" | "sql";
  /** The quantile, 0 to 1. */
  level?: number;
  alias?: string;
  metricName?: string;
  metricDataType?: string;
}

export interface Tile {
  id: string;
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  asRatio?: boolean;
  /** A tile has either series or `config`. */
  series?: TileSeries[];
  /** In newer servers takes the place of `series` and `asRatio`. Kept as sent. */
  config?: Record<string, unknown>;
}

/** A dashboard of a service; answers omit `serviceId`. */
export interface Dashboard {
  id: string;
  serviceId: string;
  name: string;
  tiles: Tile[];
  tags: string[];
}

/** What an alert can watch. */
export type AlertSource = "tile" | "search";

/** Where an alert sends its notifications. */
export interface AlertChannel {
  type: string;
  webhookId: string;
}

/** An alert of a service; answers omit `serviceId`. */
export interface Alert {
  id: string;
  serviceId: string;
  name: string | null;
  message: string | null;
  threshold: number;
  interval: string;
  thresholdType: string;
  /** Upper bound of a range. */
  thresholdMax?: number;
  source: AlertSource;
  state: string;
  /** The first of `channels`. */
  channel: AlertChannel;
  channels?: AlertChannel[];
  team: string;
  tileId?: string;
  /** The id of the dashboard; `dashboardId` in requests. */
  dashboard?: string;
  /** The id of the saved search; `savedSearchId` in requests. */
  savedSearch?: string;
  groupBy?: string;
  createdAt: string;
  updatedAt: string;
}

/** A data source of a service; answers omit `serviceId`. */
export interface Source {
  id: string;
  serviceId: string;
  name: string;
  kind: "log" | "trace" | "metric";
  connection: string;
  from: { databaseName: string; tableName: string };
  timestampValueExpression: string;
}

/** A webhook of a service; answers omit `serviceId`. */
export interface Webhook {
  id: string;
  serviceId: string;
  name: string;
  service: string;
  url: string;
  description: string;
  createdAt: string;
  updatedAt: string;
}

/** A bearer token of the observability API for one service, stored as a SHA-256 hash (hex). */
export interface AccessToken {
  id: string;
  serviceId: string;
  tokenHash: string;
}
