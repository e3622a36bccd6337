import { enums } from "../../api/enums.golden";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

export const autoscalingModes = enums.autoscalingMode;

/** Limits of a service's scaling, which the schemas of `Service` and `ServiceScaling` check. */
export const replicas = { minimum: 1, maximum: 50 };
export const replicaMemory = { minimum: 8, maximum: 356, multipleOf: 4 };
export const idleTimeout = { minimum: 5 };

const scaledTo = {
  /** Minimum memory of each replica of the service, in GB. */
  minReplicaMemoryGb: Type.Optional(Type.Integer()),
  /** Maximum memory of each replica of the service, in GB. */
  maxReplicaMemoryGb: Type.Optional(Type.Integer()),
  /** Minimum number of replicas of the service. */
  minReplicas: Type.Optional(Type.Integer()),
  /** Maximum number of replicas of the service. */
  maxReplicas: Type.Optional(Type.Integer()),
  /** Whether the service may scale down to zero when it is idle. */
  idleScaling: Type.Optional(Type.Boolean()),
  /** Minutes for which the service is idle before it may scale down to zero. */
  idleTimeoutMinutes: Type.Optional(Type.Integer()),
};

const currentScaling = Type.Object(
  {
    /** Autoscaling mode that now applies to the service. */
    effectiveAutoscalingMode: Type.Optional(oneOf(autoscalingModes)),
    /** Minimum memory of each replica of the service, in GB, that now applies. */
    effectiveMinReplicaMemoryGb: Type.Optional(Type.Integer()),
    /** Maximum memory of each replica of the service, in GB, that now applies. */
    effectiveMaxReplicaMemoryGb: Type.Optional(Type.Integer()),
    /** Minimum number of replicas of the service that now applies. */
    effectiveMinReplicas: Type.Optional(Type.Integer()),
    /** Maximum number of replicas of the service that now applies. */
    effectiveMaxReplicas: Type.Optional(Type.Integer()),
    /** Whether the service may now scale down to zero when it is idle. */
    effectiveIdleScaling: Type.Optional(Type.Boolean()),
    /** Idle time of the service in minutes after which it may scale down to zero, as it now applies. */
    effectiveIdleTimeoutMinutes: Type.Optional(Type.Integer()),
    /** Id of the schedule entry that determines the current scaling; absent if no entry applies now. */
    activeEntryId: Type.Optional(Type.String()),
  },
  { volatile: true },
);

const scalingSchedule = Type.Object(
  {
    /** The entries of the service's scaling schedule. */
    entries: Type.Array(
      Type.Object({
        /** Id (uuid) of the schedule entry. */
        id: Type.String(),
        /** Name of the schedule entry. */
        name: Type.String(),
        /** Days of the week on which the schedule entry begins to apply: 0 is Sunday. */
        weekdays: Type.Array(Type.Integer()),
        /** Hour (UTC) at which the schedule entry begins to apply. */
        startHourUtc: Type.Integer(),
        /** Hour (UTC) at which the schedule entry ceases to apply. */
        endHourUtc: Type.Integer(),
        /** Autoscaling mode of the service while the schedule entry applies. */
        autoscalingMode: oneOf(autoscalingModes),
        ...scaledTo,
        /** Whether the schedule entry applies now. */
        isActiveNow: Type.Boolean(),
      }),
    ),
    /** The scaling of the service while no schedule entry applies. */
    baseConfig: Type.Object({
      /** Autoscaling mode of the service while no schedule entry applies. */
      autoscalingMode: Type.Optional(oneOf(autoscalingModes)),
      ...scaledTo,
    }),
    /** Id of the schedule entry that applies now, if any. */
    activeEntryId: Type.Optional(Type.String()),
  },
  { volatile: true },
);

/**
 * Further properties of a service in answers of the API. Only ClickHouse Cloud shows `provider` and the properties that are
 * declared after it.
 * @see "Service (result of the scaling update)" in the API document
 */
export const serviceScalingOutputs = Type.Object({
  /** Name of the service. */
  name: Type.Optional(Type.String()),
  /** ClickHouse version that the service runs. */
  engineVersion: Type.Optional(Type.String()),
  /** Addresses at which clients reach the service, by protocol. */
  endpoints: Type.Optional(
    Type.Array(
      Type.Object({
        /** Protocol of the service's address. */
        protocol: Type.String(),
        /** Host name. */
        host: Type.String(),
        /** Port. */
        port: Type.Integer(),
        /** Name of the user as whom clients connect to the service's address. */
        username: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** IP addresses that may connect to the service. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object({
        /** An IP address or a CIDR range that may connect to the service. */
        source: Type.String(),
        /** Description of the IP address or range that may connect. */
        description: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** When the service was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** Key that encrypts the service's storage; a secret. */
  encryptionKey: Type.Optional(Type.String({ secret: true })),
  /** Cloud role that is assumed to encrypt the service's storage. */
  encryptionAssumedRoleIdentifier: Type.Optional(Type.String()),
  /** Cloud role of the service, to which you grant access to buckets. */
  iamRole: Type.Optional(Type.String()),
  /** Ids of the private endpoints that may reach the service. */
  privateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Ids of the private endpoints of the organization that could be attached to the service. */
  availablePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Id of the warehouse that the service belongs to. */
  dataWarehouseId: Type.Optional(Type.String()),
  /** Whether the service is the primary one of its warehouse. */
  isPrimary: Type.Optional(Type.Boolean()),
  /** Whether the service is read-only. */
  isReadonly: Type.Optional(Type.Boolean()),
  /** Id of the user's own cloud account in which the service runs, if any. */
  byocId: Type.Optional(Type.String()),
  /** Whether the service's storage is encrypted with a key of the user's own. */
  hasTransparentDataEncryption: Type.Optional(Type.Boolean()),
  /** Id of the user's own key that encrypts the service's storage. */
  transparentDataEncryptionKeyId: Type.Optional(Type.String()),
  /** Id of the cloud role to which the key that encrypts the service's storage grants access. */
  encryptionRoleId: Type.Optional(Type.String()),
  /** Cloud that the service runs in: `aws`, `gcp` or `azure`. */
  provider: Type.Optional(Type.String()),
  /** Region of the cloud that the service runs in. */
  region: Type.Optional(Type.String()),
  /** State of the service, such as `running`, `idle` or `stopped`; it changes by itself and never counts as drift. */
  state: Type.Optional(Type.String({ volatile: true })),
  /** Tier of the service; deprecated in organizations with the tiers BASIC, SCALE and ENTERPRISE. */
  tier: Type.Optional(Type.String()),
  /** Memory of each replica of the service in GB, if it scales horizontally. */
  replicaMemoryGb: Type.Optional(Type.Integer({ volatile: true })),
  /** When the service gets new releases: `slow`, `default` or `fast`. */
  releaseChannel: Type.Optional(Type.String()),
  /** Custom instance profile of the service. */
  profile: Type.Optional(Type.String()),
  /** Regulatory compliance of the service: `hipaa` or `pci`. */
  complianceType: Type.Optional(Type.String()),
  /** Whether core dumps of the service are collected. */
  enableCoreDumps: Type.Optional(Type.Boolean()),
  /** Tags of the service. */
  tags: Type.Optional(
    Type.Array(
      Type.Object({
        /** Key of the tag. */
        key: Type.String(),
        /** Value of the service's tag. */
        value: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** The current scaling of the service, which a schedule can make differ from the declared one. It never counts as drift. */
  currentScaling: Type.Optional(currentScaling),
  /** The schedule by which the service scales differently at some hours. It never counts as drift. */
  scalingSchedule: Type.Optional(scalingSchedule),
});
