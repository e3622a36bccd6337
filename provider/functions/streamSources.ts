import { openSetOf } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import type { ResultOf } from "./definition";
import { nullable } from "./nullable";

/** Identifier of the role that a pipe assumes. */
const iamRole = nullable(Type.String());

export const kafkaSourceSchema = Type.Object({
  /** Kind of broker. */
  type: Type.Optional(
    openSetOf(["kafka", "redpanda", "msk", "gcmk", "confluent", "warpstream", "azureeventhub", "dokafka"]),
  ),
  /** Format of the messages. */
  format: Type.Optional(openSetOf(["JSONEachRow", "Avro", "AvroConfluent", "Protobuf"])),
  /** Addresses of the brokers, separated by commas. */
  brokers: Type.Optional(Type.String()),
  /** Topics, separated by commas. */
  topics: Type.Optional(Type.String()),
  /** Consumer group that the pipe reads as. */
  consumerGroup: nullable(Type.String()),
  /** How the pipe authenticates to the brokers. */
  authentication: Type.Optional(
    openSetOf(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS"]),
  ),
  /** Identifier of the role that the pipe assumes. */
  iamRole,
  /** Start of reading. */
  offset: nullable(
    Type.Object({
      /** Whether reading starts at the beginning, at the end or at a time. */
      strategy: Type.Optional(openSetOf(["from_beginning", "from_latest", "from_timestamp"])),
      /** Date and time without zone, to the minute, such as `2026-01-31T12:00`. */
      timestamp: nullable(Type.String()),
    }),
  ),
  /** Registry of the schemas of the messages. */
  schemaRegistry: nullable(
    Type.Object({
      /** Address of the schema registry. */
      url: Type.Optional(Type.String()),
      /** How the pipe authenticates to the registry. */
      authentication: Type.Optional(openSetOf(["PLAIN"])),
      /** Certificate of the authority that signed the certificate of the registry. */
      caCertificate: nullable(Type.String()),
    }),
  ),
  /** Certificate of the authority that signed the brokers' certificates. */
  caCertificate: nullable(Type.String()),
  /** Reverse private endpoints that the brokers are reached through. */
  reversePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Whether each record is inserted exactly once. */
  exactlyOnce: nullable(Type.Boolean()),
});

/** A message-stream broker. */
export interface KafkaSource extends ResultOf<typeof kafkaSourceSchema> {}

export const objectStorageSourceSchema = Type.Object({
  /** Kind of storage. */
  type: Type.Optional(
    openSetOf(["s3", "gcs", "dospaces", "azureblobstorage", "cloudflarer2", "ovhobjectstorage"]),
  ),
  /** Format of the objects. */
  format: Type.Optional(
    openSetOf([
      ...(["JSONEachRow", "JSONAsObject", "CSV", "CSVWithNames"] as const),
      ...(["TabSeparated", "TabSeparatedWithNames", "Parquet", "Avro"] as const),
    ]),
  ),
  /** Address of the objects; may hold wildcards. */
  url: Type.Optional(Type.String()),
  /** The separator of fields in a line. */
  delimiter: nullable(Type.String()),
  /** How the objects are compressed, in the service's words. */
  compression: nullable(openSetOf(["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"])),
  /** Whether new objects are loaded as they come. */
  isContinuous: nullable(Type.Boolean()),
  /** Queue that announces new objects. */
  queueUrl: nullable(Type.String()),
  /** Whether only objects are loaded that the queue announces. */
  skipInitialLoad: nullable(Type.Boolean()),
  /** Key of the last object that the initial load leaves out. */
  startAfter: nullable(Type.String()),
  /** How the pipe authenticates to the storage. */
  authentication: nullable(openSetOf(["IAM_ROLE", "IAM_USER", "CONNECTION_STRING", "SERVICE_ACCOUNT"])),
  /** Identifier of the role that the pipe assumes. */
  iamRole,
  /** Secret; present only with `includeSecrets: true`. */
  connectionString: nullable(Type.String()),
  /** Path of the objects; may hold wildcards. */
  path: nullable(Type.String()),
  /** Container of the objects, where the storage has containers. */
  azureContainerName: nullable(Type.String()),
});

/** Object storage. */
export interface ObjectStorageSource extends ResultOf<typeof objectStorageSourceSchema> {}

export const kinesisSourceSchema = Type.Object({
  /** Format of the records. */
  format: Type.Optional(openSetOf(["JSONEachRow", "Avro", "AvroConfluent"])),
  /** Name of the stream. */
  streamName: Type.Optional(Type.String()),
  /** Region of the stream. */
  region: Type.Optional(Type.String()),
  /** Whether the pipe has read throughput of its own. */
  useEnhancedFanOut: nullable(Type.Boolean()),
  /** Start of reading: at the oldest record, after the newest one or at `timestamp`. */
  iteratorType: Type.Optional(openSetOf(["TRIM_HORIZON", "LATEST", "AT_TIMESTAMP"])),
  /** Start of reading, since 1970. */
  timestamp: nullable(Type.Number()),
  /** How the pipe authenticates to the stream. */
  authentication: Type.Optional(openSetOf(["IAM_ROLE", "IAM_USER"])),
  /** Identifier of the role that the pipe assumes. */
  iamRole,
});

/** A shard-based record stream. */
export interface KinesisSource extends ResultOf<typeof kinesisSourceSchema> {}

export const pubsubSourceSchema = Type.Object({
  /** Format of the messages. */
  format: Type.Optional(openSetOf(["JSONEachRow", "Avro", "Protobuf"])),
  /** Project that owns the topic. */
  projectId: Type.Optional(Type.String()),
  /** Name of the topic. */
  topic: Type.Optional(Type.String()),
  /** How the pipe authenticates. */
  authentication: Type.Optional(openSetOf(["SERVICE_ACCOUNT"])),
  /** Start of reading: at the newest message, at the oldest one or at `seekTimestamp`. */
  seekType: Type.Optional(openSetOf(["latest", "earliest", "timestamp"])),
  /** Date and time (ISO 8601) at which reading starts. */
  seekTimestamp: nullable(Type.String()),
  /** Expression that selects messages. */
  filter: nullable(Type.String()),
  /** Whether messages with the same key are read in order. */
  enableOrdering: nullable(Type.Boolean()),
  /** Seconds to acknowledge a message in, 10 to 600. */
  ackDeadline: nullable(Type.Number()),
});

/** A topic of Google Cloud Pub/Sub. */
export interface PubsubSource extends ResultOf<typeof pubsubSourceSchema> {}
