import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

/** A text: an empty one is refused where a member may be left out. */
export const text = { minLength: 1 } as const;

/**
 * What a change of a pipe takes; a change of anything else of a source replaces the pipe. What a null does in a change is not
 * documented, so nothing is removed.
 */
export const inPlace = { replaces: false, irremovable: "declare another value to change it" } as const;

/** The same, for what is turned off by `false`. */
export const flag = { ...inPlace, irremovable: "declare false to turn it off" } as const;

export const iamRole = {
  /** ARN of the role that the pipe assumes, with the authentication `IAM_ROLE`. Updated in place. */
  iamRole: Type.Optional(Type.String({ ...text, ...inPlace })),
};

const protobuf = {
  /**
   * Schema of the messages in the language of Protocol Buffers, at most 1 MiB, with the format `Protobuf`. Only a create takes it, and
   * no answer shows it.
   */
  protobufSchema: Type.Optional(Type.String({ ...text, maxLength: 1048576 })),
};

const glueRole = {
  /** ARN of the role by which a registry of AWS Glue is read. Default: that of the pipe. */
  glueRoleArn: Type.Optional(Type.String(text)),
};

const glue = {
  /** Region of a registry of AWS Glue. */
  glueRegion: Type.String(text),
  /** Name of that registry. */
  glueRegistryName: Type.String(text),
  ...glueRole,
};

export const kafkaSchema = Type.Object(
  {
    /** Kind of broker. */
    type: oneOf(["kafka", "redpanda", "msk", "gcmk", "confluent", "warpstream", "azureeventhub", "dokafka"]),
    /** Format of the records. */
    format: oneOf(["JSONEachRow", "Avro", "AvroConfluent", "Protobuf"]),
    /** Addresses of the brokers, `host:port`, separated by commas. */
    brokers: Type.String({ ...text, comparison: "commaSeparatedSet" }),
    /** Names of the topics, separated by commas. */
    topics: Type.String({ ...text, comparison: "commaSeparatedSet" }),
    /** Consumer group. Default: one that has the id of the pipe in its name. */
    consumerGroup: Type.Optional(Type.String(text)),
    /**
     * How the pipe authenticates. Which `credentials` it takes: `PLAIN` and `SCRAM-…` a `username` and a `password`, or for
     * `azureeventhub` a `connectionString`; `IAM_USER` an `accessKeyId` and a `secretKey`; `MUTUAL_TLS` a `certificate` and a
     * `privateKey`; the others none. Updated in place.
     */
    authentication: Type.Optional(
      oneOf(
        [
          ...(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS"] as const),
          "SERVICE_ACCOUNT_WORKLOAD_IDENTITY",
        ],
        inPlace,
      ),
    ),
    ...iamRole,
    /** Certificate (PEM) of the authority that signed those of the brokers. Updated in place. */
    caCertificate: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Reverse private endpoints (ids) through which the pipe reaches the brokers. Updated in place. */
    reversePrivateEndpointIds: Type.Optional(
      Type.Array(Type.String(text), {
        comparison: "set",
        ...inPlace,
        irremovable: "declare [] to reach the brokers without any",
      }),
    ),
    /** Where the pipe begins to read. */
    offset: Type.Optional(
      Type.Object(
        {
          /** At the oldest record, at the newest one, or at `timestamp`. */
          strategy: Type.Optional(oneOf(["from_beginning", "from_latest", "from_timestamp"])),
          /** Time to begin at, such as `2027-01-31T08:00`; with the strategy `from_timestamp`. */
          timestamp: Type.Optional(Type.String(text)),
        },
        { additionalProperties: false },
      ),
    ),
    /** Registry of the schemas of the records. */
    schemaRegistry: Type.Optional(
      Type.Object(
        {
          /** `confluent` needs the `url`, `glue` the region and the name of the registry. Default: `confluent`. */
          type: Type.Optional(oneOf(["confluent", "glue"])),
          /** Address of the registry, with https. */
          url: Type.Optional(
            Type.String({ pattern: "^https://[^\\s/?#@]+([/?#]\\S*)?$", rule: "an address with https" }),
          ),
          /** How the pipe authenticates to the registry: with `schemaRegistryCredentials`. Default: `PLAIN`. */
          authentication: Type.Optional(oneOf(["PLAIN"])),
          /** Certificate (PEM) of the authority that signed that of the registry. */
          caCertificate: Type.Optional(Type.String(text)),
          /** Region of a registry of AWS Glue. */
          glueRegion: Type.Optional(Type.String(text)),
          /** Name of that registry. */
          glueRegistryName: Type.Optional(Type.String(text)),
          ...glueRole,
        },
        { additionalProperties: false },
      ),
    ),
    /** Whether each record arrives exactly once. */
    exactlyOnce: Type.Optional(Type.Boolean()),
    /** What a record without a value does: `delete`, with `exactlyOnce`, the row of its key; `soft_delete` marks it. */
    tombstoneMode: Type.Optional(oneOf(["delete", "soft_delete"])),
    ...protobuf,
  },
  { additionalProperties: false, replaces: true },
);

export const kinesisSchema = Type.Object(
  {
    /** Format of the records. */
    format: oneOf(["JSONEachRow", "Avro", "AvroConfluent", "Protobuf"]),
    /** Name of the stream. */
    streamName: Type.String(text),
    /** Region of the stream. */
    region: Type.String(text),
    /** How the pipe authenticates: `IAM_USER` takes `credentials` of an `accessKeyId` and a `secretKey`. Updated in place. */
    authentication: oneOf(["IAM_ROLE", "IAM_USER"], inPlace),
    ...iamRole,
    /** Where the pipe begins to read: at the oldest record, after the newest one, or at `timestamp`. */
    iteratorType: oneOf(["TRIM_HORIZON", "LATEST", "AT_TIMESTAMP"]),
    /** Time to begin at, in seconds since 1970; with the iterator `AT_TIMESTAMP`. */
    timestamp: Type.Optional(Type.Integer()),
    /** Whether the pipe has read throughput of its own. The service's default is false. */
    useEnhancedFanOut: Type.Optional(Type.Boolean()),
    /** Registry of the schemas of the records. */
    schemaRegistry: Type.Optional(
      Type.Object(
        {
          /** Kind of registry. */
          type: oneOf(["glue"]),
          ...glue,
        },
        { additionalProperties: false },
      ),
    ),
    ...protobuf,
  },
  { additionalProperties: false, replaces: true },
);

export const objectStorageSchema = Type.Object(
  {
    /** Kind of storage. */
    type: oneOf(["s3", "gcs", "dospaces", "azureblobstorage", "cloudflarer2", "ovhobjectstorage"]),
    /** Format of the objects. */
    format: oneOf([
      ...(["JSONEachRow", "JSONAsObject", "CSV", "CSVWithNames", "TabSeparated"] as const),
      ...(["TabSeparatedWithNames", "Parquet", "Avro"] as const),
    ]),
    /** Address of the objects; may hold wildcards. */
    url: Type.Optional(Type.String(text)),
    /** What separates the columns of `CSV`, such as `;`. */
    delimiter: Type.Optional(Type.String(text)),
    /** How the objects are compressed. The service's default is `auto`. */
    compression: Type.Optional(oneOf(["auto", "none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd"])),
    /** Whether the pipe goes on with objects that come later. Default: it is `Completed` once it has loaded those that are there. */
    isContinuous: Type.Optional(Type.Boolean()),
    /** Queue that tells of new objects, with `isContinuous`, for `s3` and `gcs`. */
    queueUrl: Type.Optional(Type.String(text)),
    /**
     * How the pipe authenticates; without it, the objects are public. Which `credentials` it takes: `IAM_USER` an `accessKeyId` and
     * a `secretKey`, `CONNECTION_STRING` a `connectionString`, `SERVICE_ACCOUNT` a `serviceAccountKey`. Updated in place, save to or
     * from a service account.
     */
    authentication: Type.Optional(
      oneOf(
        [
          ...(["IAM_ROLE", "IAM_USER", "CONNECTION_STRING", "SERVICE_ACCOUNT"] as const),
          "SERVICE_ACCOUNT_WORKLOAD_IDENTITY",
        ],
        inPlace,
      ),
    ),
    ...iamRole,
    /** Path of the objects in a container of Azure; may hold wildcards. Updated in place. */
    path: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Container of the objects, for `azureblobstorage`. Updated in place. */
    azureContainerName: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Whether the pipe loads only what the queue tells of, and not what is there. Updated in place. */
    skipInitialLoad: Type.Optional(Type.Boolean(flag)),
    /** Name of the object after which the pipe begins. Updated in place. */
    startAfter: Type.Optional(Type.String({ ...text, ...inPlace })),
  },
  { additionalProperties: false, replaces: true },
);

export const pubsubSchema = Type.Object(
  {
    /** Format of the messages. */
    format: oneOf(["JSONEachRow", "Avro", "Protobuf"]),
    /** Project of the topic. */
    projectId: Type.String(text),
    /** Name of the topic. */
    topic: Type.String(text),
    /** How the pipe authenticates: `SERVICE_ACCOUNT` takes `credentials` of a `serviceAccountKey`. Updated in place. */
    authentication: oneOf(["SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"], inPlace),
    /** Where the pipe begins to read: at the newest message, at the oldest one, or at `seekTimestamp`. */
    seekType: oneOf(["latest", "earliest", "timestamp"]),
    /** Time to begin at (ISO 8601); with the `seekType` `timestamp`. */
    seekTimestamp: Type.Optional(Type.String({ ...text, comparison: "instant", format: "date-time" })),
    /** Expression that selects messages, at most 256 characters. */
    filter: Type.Optional(Type.String({ ...text, maxLength: 256 })),
    /** Whether messages of the same key are read in order. */
    enableOrdering: Type.Optional(Type.Boolean()),
    /** Seconds in which a message is acknowledged, 10 to 600. The service's default is 60. Updated in place. */
    ackDeadline: Type.Optional(Type.Integer({ minimum: 10, maximum: 600, ...inPlace })),
  },
  { additionalProperties: false, replaces: true },
);
