import {
  kafkaSchema,
  kinesisSchema,
  objectStorageSchema,
  pubsubSchema,
} from "../resources/pipe/streamSources";
import { opened } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import type { ResultOf } from "./definition";
import { nullable } from "./nullable";

const kafka = kafkaSchema.properties;
const objectStorage = objectStorageSchema.properties;
const kinesis = kinesisSchema.properties;
const pubsub = pubsubSchema.properties;

/** Identifier of the cloud role that the pipe assumes to read the source. */
const iamRole = nullable(Type.String());

export const kafkaSourceSchema = Type.Object({
  /** Kind of broker. */
  type: Type.Optional(opened(kafka.type)),
  /** Format of the messages that the pipe reads. */
  format: Type.Optional(opened(kafka.format)),
  /** Addresses of the Kafka brokers, separated by commas. */
  brokers: Type.Optional(Type.String()),
  /** Kafka topics that the pipe reads, separated by commas. */
  topics: Type.Optional(Type.String()),
  /** Kafka consumer group as which the pipe reads. */
  consumerGroup: nullable(Type.String()),
  /** How the pipe authenticates to the Kafka brokers. */
  authentication: Type.Optional(opened(kafka.authentication)),
  /** Identifier of the cloud role that the pipe assumes to reach the brokers. */
  iamRole,
  /** Position in the topic at which the pipe starts to read. */
  offset: nullable(
    Type.Object({
      /** Whether the pipe starts to read at the beginning of the topic, at its end or at a time. */
      strategy: Type.Optional(opened(kafka.offset.properties.strategy)),
      /** Date and time at which the pipe starts to read, without zone, to the minute, such as `2026-01-31T12:00`. */
      timestamp: nullable(Type.String()),
    }),
  ),
  /** Registry of the schemas of the pipe's messages. */
  schemaRegistry: nullable(
    Type.Object({
      /** Address of the schema registry. */
      url: Type.Optional(Type.String()),
      /** How the pipe authenticates to the schema registry. */
      authentication: Type.Optional(opened(kafka.schemaRegistry.properties.authentication)),
      /** Certificate of the authority that signed the certificate of the schema registry. */
      caCertificate: nullable(Type.String()),
    }),
  ),
  /** Certificate of the authority that signed the brokers' certificates. */
  caCertificate: nullable(Type.String()),
  /** Ids of the reverse private endpoints through which the pipe reaches the brokers. */
  reversePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Whether the pipe inserts each record exactly once. */
  exactlyOnce: nullable(Type.Boolean()),
});

/** A Kafka broker as the source of a pipe. */
export interface KafkaSource extends ResultOf<typeof kafkaSourceSchema> {}

export const objectStorageSourceSchema = Type.Object({
  /** Kind of the object storage. */
  type: Type.Optional(opened(objectStorage.type)),
  /** Format of the objects that the pipe loads. */
  format: Type.Optional(opened(objectStorage.format)),
  /** Address of the objects that the pipe loads; may hold wildcards. */
  url: Type.Optional(Type.String()),
  /** Text that separates the fields in a line of the objects that the pipe loads. */
  delimiter: nullable(Type.String()),
  /** How the objects that the pipe loads are compressed, such as `gzip`. */
  compression: nullable(opened(objectStorage.compression)),
  /** Whether the pipe loads new objects as they come. */
  isContinuous: nullable(Type.Boolean()),
  /** Queue that announces new objects to the pipe. */
  queueUrl: nullable(Type.String()),
  /** Whether the pipe loads only objects that the queue announces. */
  skipInitialLoad: nullable(Type.Boolean()),
  /** Key of the last object that the pipe's initial load leaves out. */
  startAfter: nullable(Type.String()),
  /** How the pipe authenticates to the object storage. */
  authentication: nullable(opened(objectStorage.authentication)),
  /** Identifier of the cloud role that the pipe assumes to read the objects. */
  iamRole,
  /** Connection string of the object storage. Secret; present only with `includeSecrets: true`. */
  connectionString: nullable(Type.String()),
  /** Path of the objects that the pipe loads; may hold wildcards. */
  path: nullable(Type.String()),
  /** Azure container of the objects that the pipe loads, if these are in Azure. */
  azureContainerName: nullable(Type.String()),
});

/** Object storage. */
export interface ObjectStorageSource extends ResultOf<typeof objectStorageSourceSchema> {}

export const kinesisSourceSchema = Type.Object({
  /** Format of the records that the pipe reads from the stream. */
  format: Type.Optional(opened(kinesis.format)),
  /** Name of the Kinesis stream. */
  streamName: Type.Optional(Type.String()),
  /** Region of the Kinesis stream. */
  region: Type.Optional(Type.String()),
  /** Whether the pipe has read throughput of its own on the stream. */
  useEnhancedFanOut: nullable(Type.Boolean()),
  /** Position in the stream at which the pipe starts to read: the oldest record, the newest one or `timestamp`. */
  iteratorType: Type.Optional(opened(kinesis.iteratorType)),
  /** Time at which the pipe starts to read the stream, in seconds since 1970. */
  timestamp: nullable(Type.Number()),
  /** How the pipe authenticates to the Kinesis stream. */
  authentication: Type.Optional(opened(kinesis.authentication)),
  /** Identifier of the cloud role that the pipe assumes to read the stream. */
  iamRole,
});

/** A Kinesis stream as the source of a pipe. */
export interface KinesisSource extends ResultOf<typeof kinesisSourceSchema> {}

export const pubsubSourceSchema = Type.Object({
  /** Format of the topic's messages. */
  format: Type.Optional(opened(pubsub.format)),
  /** Google Cloud project that owns the topic. */
  projectId: Type.Optional(Type.String()),
  /** Name of the Pub/Sub topic. */
  topic: Type.Optional(Type.String()),
  /** How the pipe authenticates to Google Cloud Pub/Sub. */
  authentication: Type.Optional(opened(pubsub.authentication)),
  /** Position in the topic at which the pipe starts to read: the newest message, the oldest one or `seekTimestamp`. */
  seekType: Type.Optional(opened(pubsub.seekType)),
  /** Date and time (ISO 8601) at which the pipe starts to read the topic. */
  seekTimestamp: nullable(Type.String()),
  /** Expression that selects messages of the topic. */
  filter: nullable(Type.String()),
  /** Whether the pipe reads messages with the same key in order. */
  enableOrdering: nullable(Type.Boolean()),
  /** Seconds that the pipe has to acknowledge a message, 10 to 600. */
  ackDeadline: nullable(Type.Number()),
});

/** A topic of Google Cloud Pub/Sub as the source of a pipe. */
export interface PubsubSource extends ResultOf<typeof pubsubSourceSchema> {}
