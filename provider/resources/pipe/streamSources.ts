import { enums } from "../../api/enums.golden";
import { uuid } from "../../api/settingsSchema";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

/** The schema options of a text, which must not be empty. To have no value, a program leaves the property out. */
export const text = { minLength: 1 } as const;

/**
 * The schema options of a property of a pipe's source that is updated in place; a change of other properties replaces the pipe.
 * The effect of a null in an update request is not documented, so a property that leaves the program keeps its value.
 */
export const inPlace = { replaces: false, irremovable: "declare another value to change it" } as const;

/** The schema options of a boolean property of a pipe's source that is updated in place, and that `false` turns off. */
export const flag = { ...inPlace, irremovable: "declare false to turn it off", default: false } as const;

/** The schema options of a boolean property that only a create takes, and that is false if the program leaves it out. */
export const off = { default: false } as const;

export const iamRole = {
  /** ARN of the AWS role that the pipe assumes to read its source, with the authentication `IAM_ROLE`. Updated in place. */
  iamRole: Type.Optional(Type.String({ ...text, ...inPlace })),
};

/** The SSH tunnel of a source. Answers may leave it out, and no update takes it. */
export const tunnel = {
  /**
   * Id of the `SshTunnel` through which the pipe reaches its source. Creating the pipe waits until the tunnel is `active`: that
   * its host has the tunnel's `publicKey`. Default: none.
   */
  sshKeyResourceId: Type.Optional(Type.String({ ...uuid, of: "SshTunnel", shown: "sometimes" })),
};

const protobuf = {
  /**
   * Protocol Buffers schema of the messages that the pipe reads, at most 1 MiB, with the format `Protobuf`. It is sent only
   * when the pipe is created, and no answer shows it.
   */
  protobufSchema: Type.Optional(Type.String({ ...text, maxLength: 1048576, shown: "never" })),
};

const glueRole = {
  /** ARN of the AWS role with which the pipe reads its AWS Glue schema registry. Default: the role of the pipe. */
  glueRoleArn: Type.Optional(Type.String(text)),
};

const glue = {
  /** Region of the AWS Glue schema registry. */
  glueRegion: Type.String(text),
  /** Name of the AWS Glue schema registry. */
  glueRegistryName: Type.String(text),
  ...glueRole,
};

export const kafkaSchema = Type.Object(
  {
    /** Kind of broker. */
    type: oneOf(enums.kafkaType),
    /** Format of the records that the pipe reads. */
    format: oneOf(enums.kafkaFormat),
    /** Addresses of the Kafka brokers that the pipe reads, `host:port`, separated by commas. */
    brokers: Type.String({ ...text, comparison: "commaSeparatedSet" }),
    /** Names of the Kafka topics that the pipe reads, separated by commas. */
    topics: Type.String({ ...text, comparison: "commaSeparatedSet" }),
    /** Kafka consumer group of the pipe. Default: a group that has the pipe's id in its name. */
    consumerGroup: Type.Optional(Type.String(text)),
    /**
     * How the pipe authenticates to the brokers, which determines its `credentials`: `PLAIN` and `SCRAM-…` need a `username`
     * and a `password`, or for `azureeventhub` a `connectionString`; `IAM_USER` needs an `accessKeyId` and a `secretKey`;
     * `MUTUAL_TLS` needs a `certificate` and a `privateKey`; other values need none. Default: what the `credentials` stand for,
     * `PLAIN` for a password or a connection string; without credentials none. Updated in place.
     */
    authentication: Type.Optional(oneOf(enums.kafkaAuthentication, inPlace)),
    ...iamRole,
    /** Certificate (PEM) of the authority that signed the certificates of the Kafka brokers. Updated in place. */
    caCertificate: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Ids of the reverse private endpoints through which the pipe reaches the brokers. Updated in place. */
    reversePrivateEndpointIds: Type.Optional(
      Type.Array(Type.String({ ...uuid, of: "ReversePrivateEndpoint" }), {
        comparison: "set",
        ...inPlace,
        irremovable: "declare [] to reach the brokers without any",
      }),
    ),
    ...tunnel,
    /** Where in the Kafka topics the pipe begins to read. */
    offset: Type.Optional(
      Type.Object(
        {
          /** Where the pipe begins to read: at the oldest record, at the newest one, or at `timestamp`. */
          strategy: Type.Optional(oneOf(enums.kafkaOffsetStrategy)),
          /**
           * Time of the record at which the pipe begins to read, such as `2027-01-31T08:00`; with the strategy
           * `from_timestamp`.
           */
          timestamp: Type.Optional(Type.String(text)),
        },
        { additionalProperties: false },
      ),
    ),
    /** Registry from which the pipe reads the schemas of the records. */
    schemaRegistry: Type.Optional(
      Type.Object(
        {
          /**
           * Kind of schema registry. `confluent` needs the `url`, `glue` the region and the name of the registry. Default:
           * `confluent`.
           */
          type: Type.Optional(oneOf(enums.kafkaRegistryType, { default: "confluent" })),
          /** Address of the schema registry, with https. */
          url: Type.Optional(
            Type.String({ pattern: "^https://[^\\s/?#@]+([/?#]\\S*)?$", rule: "an address with https" }),
          ),
          /** How the pipe authenticates to the schema registry, with `schemaRegistryCredentials`. Default: `PLAIN`. */
          authentication: Type.Optional(oneOf(enums.kafkaRegistryAuthentication, { default: "PLAIN" })),
          /** Certificate (PEM) of the authority that signed the certificate of the schema registry. */
          caCertificate: Type.Optional(Type.String(text)),
          /** Region of the AWS Glue schema registry. */
          glueRegion: Type.Optional(Type.String(text)),
          /** Name of the AWS Glue schema registry. */
          glueRegistryName: Type.Optional(Type.String(text)),
          ...glueRole,
        },
        { additionalProperties: false },
      ),
    ),
    /** Whether the pipe delivers each record exactly once. */
    exactlyOnce: Type.Optional(Type.Boolean(off)),
    /**
     * What the pipe does with a Kafka record without a value: `delete` deletes the row of the record's key and needs
     * `exactlyOnce`, `soft_delete` marks the row as deleted.
     */
    tombstoneMode: Type.Optional(oneOf(enums.tombstoneMode)),
    ...protobuf,
  },
  { additionalProperties: false, replaces: true },
);

export const kinesisSchema = Type.Object(
  {
    /** Format of the records that the pipe reads. */
    format: oneOf(enums.kinesisFormat),
    /** Name of the Kinesis stream that the pipe reads. */
    streamName: Type.String(text),
    /** AWS region of the Kinesis stream that the pipe reads. */
    region: Type.String(text),
    /**
     * How the pipe authenticates to Kinesis: `IAM_USER` needs `credentials` with an `accessKeyId` and a `secretKey`. Updated in
     * place.
     */
    authentication: oneOf(enums.kinesisAuthentication, inPlace),
    ...iamRole,
    /** Where in the Kinesis stream the pipe begins to read: at the oldest record, after the newest one, or at `timestamp`. */
    iteratorType: oneOf(enums.kinesisIteratorType),
    /** Time of the record at which the pipe begins to read, in seconds since 1970; with the `iteratorType` `AT_TIMESTAMP`. */
    timestamp: Type.Optional(Type.Integer()),
    /**
     * Whether the pipe uses enhanced fan-out of Kinesis, which gives it read throughput of its own. The service's default is
     * false.
     */
    useEnhancedFanOut: Type.Optional(Type.Boolean(off)),
    /** Registry from which the pipe reads the schemas of the records. */
    schemaRegistry: Type.Optional(
      Type.Object(
        {
          /** Kind of schema registry. */
          type: oneOf(enums.kinesisRegistryType),
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
    /** Kind of object storage that the pipe reads. */
    type: oneOf(enums.objectStorageType),
    /** Format of the objects that the pipe loads. */
    format: oneOf(enums.objectStorageFormat),
    /** Address of the objects that the pipe loads; may contain wildcards. */
    url: Type.Optional(Type.String(text)),
    /** Text that separates the columns in objects of the format `CSV`, such as `;`. */
    delimiter: Type.Optional(Type.String(text)),
    /** How the objects that the pipe loads are compressed. The service's default is `auto`. */
    compression: Type.Optional(oneOf(enums.objectStorageCompression, { default: "auto" })),
    /**
     * Whether the pipe continues with objects that are added later. Default: false. The pipe is `Completed` once it has loaded
     * the existing objects.
     */
    isContinuous: Type.Optional(Type.Boolean(off)),
    /** Queue that tells the pipe about new objects, with `isContinuous`, for `s3` and `gcs`. */
    queueUrl: Type.Optional(Type.String(text)),
    /**
     * How the pipe authenticates to the object storage, which determines its `credentials`: `IAM_USER` needs an `accessKeyId`
     * and a `secretKey`, `CONNECTION_STRING` a `connectionString`, `SERVICE_ACCOUNT` a `serviceAccountKey`. Default: what the
     * `credentials` stand for; without credentials none, for public objects. Updated in place, but a change to or from a service account replaces the pipe.
     */
    authentication: Type.Optional(oneOf(enums.objectStorageAuthentication, inPlace)),
    ...iamRole,
    /** Path of the objects within an Azure container; may contain wildcards. Updated in place. */
    path: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Azure container of the objects that the pipe loads, for `azureblobstorage`. Updated in place. */
    azureContainerName: Type.Optional(Type.String({ ...text, ...inPlace })),
    /** Whether the pipe loads only the objects that its queue announces, and not those that exist already. Updated in place. */
    skipInitialLoad: Type.Optional(Type.Boolean(flag)),
    /** Name of the object after which the pipe begins to load. Updated in place. */
    startAfter: Type.Optional(Type.String({ ...text, ...inPlace })),
  },
  { additionalProperties: false, replaces: true },
);

export const pubsubSchema = Type.Object(
  {
    /** Format of the messages that the pipe reads. */
    format: oneOf(enums.pubsubFormat),
    /** Google Cloud project of the Pub/Sub topic that the pipe reads. */
    projectId: Type.String(text),
    /** Name of the Pub/Sub topic that the pipe reads. */
    topic: Type.String(text),
    /**
     * How the pipe authenticates to Pub/Sub: `SERVICE_ACCOUNT` needs `credentials` with a `serviceAccountKey`. Updated in
     * place.
     */
    authentication: oneOf(enums.pubsubAuthentication, inPlace),
    /** Where in the Pub/Sub topic the pipe begins to read: at the newest message, at the oldest one, or at `seekTimestamp`. */
    seekType: oneOf(enums.pubsubSeekType),
    /** Time of the message at which the pipe begins to read (ISO 8601); with the `seekType` `timestamp`. */
    seekTimestamp: Type.Optional(Type.String({ ...text, comparison: "instant", format: "date-time" })),
    /** Pub/Sub filter expression that selects the messages for the pipe, at most 256 characters. */
    filter: Type.Optional(Type.String({ ...text, maxLength: 256 })),
    /** Whether the pipe reads Pub/Sub messages of the same ordering key in order. */
    enableOrdering: Type.Optional(Type.Boolean(off)),
    /**
     * Seconds within which the pipe acknowledges a Pub/Sub message, 10 to 600. The service's default is 60. Updated in place.
     */
    ackDeadline: Type.Optional(Type.Integer({ minimum: 10, maximum: 600, ...inPlace, default: 60 })),
  },
  { additionalProperties: false, replaces: true },
);
