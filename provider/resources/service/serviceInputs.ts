import { uuid } from "../../api/settingsSchema";
import { inOrganization } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { addressOrRange } from "../apiKey/apiKeyRules";
import {
  autoscalingModes,
  idleTimeout,
  replicaMemory,
  replicas,
  serviceScalingOutputs,
} from "../serviceScaling/serviceMembers";

const atCreation = { sent: "atCreation", shown: "never" } as const;
const stays = { irremovable: "declare another value to change it" };
const oneRule = "letters, digits, '.', '_' and '-'";

/**
 * Inputs of a service.
 * @see "Create new service" and "Update service basic details" in the documents of ClickHouse Cloud
 */
export const serviceInputs = inOrganization({
  /**
   * Takes over the existing service with this id (uuid) instead of creating one; its password stays unknown. Has no effect once
   * the service is in state.
   */
  adoptId: Type.Optional(Type.String({ ...uuid, sent: "never", replaces: true })),
  /** Name of the service: 1 to 50 letters, digits and spaces. Default: the name of the resource. */
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: "^[a-zA-Z0-9 ]+$",
      rule: "letters, digits and spaces",
    }),
  ),
  /** Cloud that the service runs in. A change replaces the service, and loses its data. */
  provider: oneOf(["aws", "gcp", "azure"], { replaces: true }),
  /** Region of that cloud, such as `eu-central-1`. A change replaces the service, and loses its data. */
  region: Type.String({ minLength: 1, replaces: true }),
  /**
   * Addresses that may connect. Each entry is the program's by its `source`: entries that others have added stay. New ones are
   * added before old ones are removed. `[]` lets nobody in.
   */
  ipAccessList: Type.Array(
    Type.Object(
      {
        /** An IP address or a CIDR range. */
        source: Type.String({ minLength: 1, rule: addressOrRange }),
        /** Description of the address. */
        description: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
    { comparison: "set" },
  ),
  /**
   * `vertical` (the service's default): a fixed number of replicas, whose memory varies; `horizontal`: replicas of one size, whose
   * number varies, where the organization has that feature.
   */
  autoscalingMode: Type.Optional(oneOf(autoscalingModes, stays)),
  /** Minimum memory of a replica in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. */
  minReplicaMemoryGb: Type.Optional(Type.Integer({ ...replicaMemory, ...stays })),
  /** Maximum memory of a replica in GB, likewise; equal to the minimum for horizontal scaling. */
  maxReplicaMemoryGb: Type.Optional(Type.Integer({ ...replicaMemory, ...stays })),
  /**
   * Number of replicas, 1 to 50; the first service of a warehouse has at least 2, save for the tier BASIC. The service's default
   * is 1 in the tier BASIC, else 3. Not for horizontal scaling.
   */
  numReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Minimum number of replicas for horizontal scaling, 1 to 50; only with `maxReplicas`. */
  minReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Maximum number of replicas for horizontal scaling, 1 to 50; only with `minReplicas`. */
  maxReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Whether the service may scale down to zero when it is idle. The service's default is true. */
  idleScaling: Type.Optional(Type.Boolean(stays)),
  /** Idle minutes before the service may scale to zero; at least 5. */
  idleTimeoutMinutes: Type.Optional(Type.Integer({ ...idleTimeout, ...stays })),
  /**
   * Warehouse whose data the service shares: the output `dataWarehouseId` of its first service. Default: a warehouse of its own.
   * A change replaces the service.
   */
  dataWarehouseId: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Whether the service only reads; only with `dataWarehouseId`. A change replaces the service. */
  isReadonly: Type.Optional(Type.Boolean({ replaces: true, default: false })),
  /** Backup (uuid) that the new service is filled with. A later change has no effect. */
  backupId: Type.Optional(Type.String({ ...uuid, ...atCreation })),
  /** How a backup in a bucket of your own is encrypted, with `backupId`. A later change has no effect. */
  backupEncryptionConfig: Type.Optional(Type.Record(Type.String(), Type.Unknown(), atCreation)),
  /**
   * When the service gets new releases. All services of a warehouse share it, so declare it in the first one alone: another one
   * changes it for all, which takes the permission to manage the first. The service's default is `default`.
   */
  releaseChannel: Type.Optional(oneOf(["slow", "default", "fast"], stays)),
  /** Whether the service can be reached by the protocol of MySQL, too. The service's default is false. */
  mysqlEndpoint: Type.Optional(Type.Boolean({ irremovable: "declare false to turn it off" })),
  /** Tags of the service, at most 50. Each is the program's by its `key`: tags that others have set stay. */
  tags: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** Key of the tag: 1 to 128 letters, digits, `.`, `_` and `-`. */
          key: Type.String({ minLength: 1, maxLength: 128, pattern: "^[a-zA-Z0-9._-]+$", rule: oneRule }),
          /** Value of the tag: at most 256 of these characters. */
          value: Type.Optional(Type.String({ maxLength: 256, pattern: "^[a-zA-Z0-9._-]+$", rule: oneRule })),
        },
        { additionalProperties: false },
      ),
      { comparison: "set", maxItems: 50, reset: [] },
    ),
  ),
  /** Whether the storage is encrypted with a key of your own (tier ENTERPRISE). A change replaces the service. */
  hasTransparentDataEncryption: Type.Optional(Type.Boolean({ replaces: true, default: false })),
  /**
   * Key of that encryption, an ARN or the path of a key of GCP; with `hasTransparentDataEncryption`, once the key grants access
   * to the output `encryptionRoleId`. A change rotates it.
   */
  transparentDataEncryptionKeyId: Type.Optional(
    Type.String({ minLength: 1, irremovable: "an encrypted service keeps its key" }),
  ),
  /** Regulatory compliance of the service. A change replaces it. */
  complianceType: Type.Optional(oneOf(["hipaa", "pci"], { replaces: true })),
  /** Your own cloud account that the service runs in; needs the memory of replicas. A change replaces the service. */
  byocId: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Custom instance profile. A change replaces the service. */
  profile: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Whether core dumps are collected. The service's default is true. */
  enableCoreDumps: Type.Optional(Type.Boolean(stays)),
  /** Whether the terms of a private preview are accepted, for its first service. A later change has no effect. */
  privatePreviewTermsChecked: Type.Optional(Type.Boolean(atCreation)),
  /**
   * Password of the user `default`, kept encrypted in state. Only hashes of it are sent, and only when it changes. Default: the
   * service makes one, the output `generatedPassword`. A service of an existing warehouse has the password of its first one.
   */
  password: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      shown: "never",
      irremovable: "change passwordKeepers to have one made",
    }),
  ),
  /** Arbitrary values. Changing one sends `password` again or, without it, has the service make a new `generatedPassword`. */
  passwordKeepers: Type.Optional(Type.Record(Type.String(), Type.String(), { sent: "never" })),
  /**
   * Whether the service shall run or be stopped. One that is idle counts as running. Default: whatever it is, and a new service
   * runs.
   */
  desiredState: Type.Optional(oneOf(["running", "stopped"], { shown: "declared" })),
  /**
   * Whether the service is neither deleted nor replaced, which loses its data: true by default, until an update of its own sets it
   * to false. A service that never ran is not protected.
   */
  deletionProtection: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Minutes for which a create, a start or stop, and a deletion wait, 1 to 1440. Default: 30 for a create, 120 with `backupId`,
   * else 20. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
  /**
   * Whether a service of the same name, cloud and region that is younger than a day, and not of this program, may be another one.
   * Default: the create is refused, since an update that was killed may have left it.
   */
  allowSameName: Type.Optional(Type.Boolean({ sent: "never", default: false })),
});

const { endpoints, createdAt, encryptionRoleId, iamRole, isPrimary, state } =
  serviceScalingOutputs.properties;
const { currentScaling, scalingSchedule } = serviceScalingOutputs.properties;

/** Outputs of a service beyond its inputs. */
export const serviceOutputs = Type.Object({
  /**
   * Password that the service has made, if the program declares none; a secret. Unknown after an import, an adoption, or a create
   * whose answer was lost: change `passwordKeepers` to have a new one made.
   */
  generatedPassword: Type.Optional(Type.String({ secret: true, shown: "atCreation", renewable: true })),
  /** Version of the engine that the service runs. */
  engineVersion: Type.Optional(Type.String({ volatile: true })),
  /** Addresses of the service, by protocol. */
  endpoints,
  /** Role of the service itself, to which buckets grant access. */
  iamRole,
  /** Role to which the key of the encryption grants access. */
  encryptionRoleId,
  /** Whether it is the first service of its warehouse. */
  isPrimary,
  /** Private endpoints that may reach the service. */
  privateEndpointIds: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** Private endpoints that could be allowed. */
  availablePrivateEndpointIds: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** When the service was created (ISO 8601). */
  createdAt,
  /** State of the service, such as `running`, `idle` or `stopped`; it changes by itself and never counts as drift. */
  state,
  /** The current scaling, which a schedule can make differ from the declared one. Never counts as drift. */
  currentScaling,
  /** When the service scales otherwise. Never counts as drift. */
  scalingSchedule,
});
