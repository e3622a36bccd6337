import { enums } from "../../api/enums.golden";
import { uuid } from "../../api/settingsSchema";
import { adoptableByUuid, inOrganization } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { addressOrRange } from "../access/addresses";
import {
  autoscalingModes,
  idleTimeout,
  replicaMemory,
  replicas,
  serviceScalingOutputs,
} from "../scaling/serviceMembers";

const atCreation = { sent: "atCreation", shown: "never" } as const;
const stays = { irremovable: "declare another value to change it" };
const oneRule = "letters, digits, '.', '_' and '-'";

/**
 * Inputs of a service.
 * @see "Create new service" and "Update service basic details" in the documents of ClickHouse Cloud
 */
export const serviceInputs = inOrganization({
  /**
   * Adopts the existing service with this id (uuid) instead of creating one; its password stays unknown. Has no effect once the
   * service is in the Pulumi state.
   */
  adoptId: adoptableByUuid,
  /** Name of the service, 1 to 50 characters. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 50, rule: "a text of 1 to 50 characters" })),
  /** Cloud that the service runs in. A change replaces the service, and loses its data. */
  provider: oneOf(enums.cloudProvider, { replaces: true }),
  /** Region of the service's cloud, such as `eu-central-1`. A change replaces the service, and loses its data. */
  region: Type.String({ minLength: 1, replaces: true }),
  /**
   * IP addresses that may connect to the service. The program owns only the entries with its `source` values: entries that
   * others have added stay, unless `keepOtherAddresses` is false. New entries are added before old ones are removed. With `[]`,
   * the program allows no address: nobody gets into a new service, and into another one those whom others have allowed.
   */
  ipAccessList: Type.Array(
    Type.Object(
      {
        /** An IP address or a CIDR range that may connect to the service. */
        source: Type.String({ minLength: 1, rule: addressOrRange, comparison: "network" }),
        /** Description of the IP address or range that may connect. An empty one means none. */
        description: Type.Optional(Type.String({ comparison: "emptyIsNone" })),
      },
      { additionalProperties: false, identity: ["source"] },
    ),
    { comparison: "set" },
  ),
  /**
   * Whether the service keeps IP addresses that other people have added to its list. Default: true. With false the program owns
   * the whole list: other addresses are drift, and the next update removes them.
   */
  keepOtherAddresses: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * How the service scales: `vertical` (the service's default) has a fixed number of replicas, whose memory varies;
   * `horizontal` has replicas of one size, whose number varies, if the organization has that feature.
   */
  autoscalingMode: Type.Optional(oneOf(autoscalingModes, stays)),
  /** Minimum memory of each replica of the service, in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. */
  minReplicaMemoryGb: Type.Optional(Type.Integer({ ...replicaMemory, ...stays })),
  /**
   * Maximum memory of each replica of the service, in GB: 8 to 356 (120 for services that are not paid), a multiple of 4; equal
   * to the minimum for horizontal scaling.
   */
  maxReplicaMemoryGb: Type.Optional(Type.Integer({ ...replicaMemory, ...stays })),
  /**
   * Number of replicas of the service, 1 to 50; the primary service of a warehouse has at least 2, except in the tier BASIC.
   * The service's default is 1 in the tier BASIC, and otherwise 3. Refused with `autoscalingMode: horizontal`.
   */
  numReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Minimum number of replicas of the service for horizontal scaling, 1 to 50; only with `maxReplicas`. */
  minReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Maximum number of replicas of the service for horizontal scaling, 1 to 50; only with `minReplicas`. */
  maxReplicas: Type.Optional(Type.Integer({ ...replicas, ...stays })),
  /** Whether the service may scale down to zero when it is idle. The service's default is true. */
  idleScaling: Type.Optional(Type.Boolean(stays)),
  /** Minutes for which the service is idle before it may scale to zero; at least 5. */
  idleTimeoutMinutes: Type.Optional(Type.Integer({ ...idleTimeout, ...stays })),
  /**
   * Warehouse whose data the service shares: the `dataWarehouseId` of the warehouse's primary service. Default: a warehouse of
   * its own. A change replaces the service.
   */
  dataWarehouseId: Type.Optional(Type.String({ ...uuid, replaces: true })),
  /** Whether the service is read-only; only with `dataWarehouseId`. A change replaces the service. */
  isReadonly: Type.Optional(Type.Boolean({ replaces: true, default: false })),
  /** Id (uuid) of the backup with which the new service is filled. A later change has no effect. */
  backupId: Type.Optional(Type.String({ ...uuid, ...atCreation })),
  /** How the backup of `backupId` is encrypted, if it is in a bucket of your own. A later change has no effect. */
  backupEncryptionConfig: Type.Optional(Type.Record(Type.String(), Type.Unknown(), atCreation)),
  /**
   * When the service gets new releases. All services of a warehouse share the release channel, so declare it only for the
   * primary service: another service would change it for all, which needs permission to manage the primary one. The service's
   * default is `default`.
   */
  releaseChannel: Type.Optional(oneOf(enums.releaseChannel, stays)),
  /** Whether the service can also be reached by the MySQL protocol. The service's default is false. */
  mysqlEndpoint: Type.Optional(Type.Boolean({ irremovable: "declare false to turn it off" })),
  /** Tags of the service, at most 50. The program owns only the tags with its `key` values: tags that others have set stay. */
  tags: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** Key of the service's tag: 1 to 128 letters, digits, `.`, `_` and `-`. */
          key: Type.String({ minLength: 1, maxLength: 128, pattern: "^[a-zA-Z0-9._-]+$", rule: oneRule }),
          /** Value of the service's tag: at most 256 letters, digits, `.`, `_` and `-`. */
          value: Type.Optional(
            Type.String({
              maxLength: 256,
              pattern: "^[a-zA-Z0-9._-]+$",
              rule: oneRule,
              comparison: "emptyIsNone",
            }),
          ),
        },
        { additionalProperties: false, identity: ["key"] },
      ),
      { comparison: "set", maxItems: 50, reset: [], defaultTags: "pairs" },
    ),
  ),
  /** Whether the service's storage is encrypted with a key of your own (tier ENTERPRISE). A change replaces the service. */
  hasTransparentDataEncryption: Type.Optional(Type.Boolean({ replaces: true, default: false })),
  /**
   * Key that encrypts the service's storage: the ARN of an AWS key or the path of a Google Cloud key. Needs
   * `hasTransparentDataEncryption`, and a key that grants access to the output `encryptionRoleId`. A change rotates the key.
   */
  transparentDataEncryptionKeyId: Type.Optional(
    Type.String({ minLength: 1, irremovable: "an encrypted service keeps its key" }),
  ),
  /** Regulatory compliance of the service: `hipaa` or `pci`. A change replaces the service. */
  complianceType: Type.Optional(oneOf(enums.complianceType, { replaces: true })),
  /**
   * Id of your own cloud account in which the service runs; needs `minReplicaMemoryGb` and `maxReplicaMemoryGb`. A change
   * replaces the service.
   */
  byocId: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Custom instance profile of the service. A change replaces the service. */
  profile: Type.Optional(Type.String({ minLength: 1, replaces: true })),
  /** Whether core dumps of the service are collected. The service's default is true. */
  enableCoreDumps: Type.Optional(Type.Boolean(stays)),
  /** Whether you accept the terms of a private preview, for the first service in it. A later change has no effect. */
  privatePreviewTermsChecked: Type.Optional(Type.Boolean(atCreation)),
  /**
   * Password of the service's user `default`, kept encrypted in the Pulumi state. Only hashes of it are sent, and only when it
   * changes. Default: the service makes a password, which is the output `generatedPassword`. A service that joins a warehouse
   * has the password of the primary service.
   */
  password: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      shown: "never",
      irremovable: "change passwordKeepers to have one made",
    }),
  ),
  /**
   * Arbitrary values. Changing one of them sends the service's `password` again or, without it, has the service make a new
   * `generatedPassword`.
   */
  passwordKeepers: Type.Optional(Type.Record(Type.String(), Type.String(), { sent: "never" })),
  /**
   * Whether the service shall run or be stopped. An idle service counts as running. Default: an existing service stays as it
   * is, and a new service runs.
   */
  desiredState: Type.Optional(oneOf(["running", "stopped"], { shown: "declared" })),
  /**
   * Whether the provider refuses to delete or replace the service, which would lose its data. Default: true. To delete it,
   * first set false in an update of its own. A service that never ran is not protected.
   */
  deletionProtection: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Minutes to wait when the service is created, started, stopped or deleted, 1 to 1440. Default: 30 to create a service, or
   * 120 with `backupId`; 20 for everything else. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
  /**
   * Whether to create the service although another service with the same name, cloud and region exists, whatever its age.
   * Default: false, which refuses to create the service, since an update that was killed may have created the existing one. A
   * service that has failed does not count, nor one that the same update has created or deletes.
   */
  allowSameName: Type.Optional(Type.Boolean({ sent: "never", default: false })),
});

const { endpoints, createdAt, encryptionRoleId, iamRole, isPrimary, state } =
  serviceScalingOutputs.properties;
const { currentScaling, scalingSchedule } = serviceScalingOutputs.properties;

/** Outputs of a service beyond its inputs. */
export const serviceOutputs = Type.Object({
  /**
   * Password of the service's user `default` that the service has made, if the program declares none; a secret. Unknown after
   * an import, an adoption, or a creation whose answer was lost: change `passwordKeepers` to have a new one made.
   */
  generatedPassword: Type.Optional(Type.String({ secret: true, shown: "atCreation", renewable: true })),
  /** ClickHouse version that the service runs. */
  engineVersion: Type.Optional(Type.String({ volatile: true })),
  /** Addresses at which clients reach the service, by protocol. */
  endpoints,
  /** Cloud role of the service, to which you grant access to buckets. */
  iamRole,
  /** Cloud role to which the encryption key grants access, if the service's storage is encrypted with a key of your own. */
  encryptionRoleId,
  /** Whether the service is the primary one of its warehouse. */
  isPrimary,
  /**
   * IP addresses and CIDR ranges that may connect to the service and that the program does not declare. Empty if the program
   * owns the whole list (`keepOtherAddresses: false`).
   */
  otherAddresses: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** Ids of the private endpoints that may reach the service. */
  privateEndpointIds: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** Ids of the private endpoints of the organization that could be attached to the service. */
  availablePrivateEndpointIds: Type.Optional(Type.Array(Type.String(), { volatile: true })),
  /** When the service was created (ISO 8601). */
  createdAt,
  /** State of the service, such as `running`, `idle` or `stopped`; it changes by itself and never counts as drift. */
  state,
  /** The current scaling of the service, which a schedule can make differ from the declared one. It never counts as drift. */
  currentScaling,
  /** The schedule by which the service scales differently at some hours. It never counts as drift. */
  scalingSchedule,
});
