import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";

export const autoscalingModes = ["vertical", "horizontal"] as const;

/** Limits of what a scaling has, for services, their scalings and schedules. */
export const replicas = { minimum: 1, maximum: 50 };
export const replicaMemory = { minimum: 8, maximum: 356, multipleOf: 4 };
export const idleTimeout = { minimum: 5 };

const scaledTo = {
  /** Minimum memory of one replica in GB. */
  minReplicaMemoryGb: Type.Optional(Type.Integer()),
  /** Maximum memory of one replica in GB. */
  maxReplicaMemoryGb: Type.Optional(Type.Integer()),
  /** Minimum number of replicas. */
  minReplicas: Type.Optional(Type.Integer()),
  /** Maximum number of replicas. */
  maxReplicas: Type.Optional(Type.Integer()),
  /** Whether the service may scale down to zero. */
  idleScaling: Type.Optional(Type.Boolean()),
  /** Idle minutes before the service may scale down to zero. */
  idleTimeoutMinutes: Type.Optional(Type.Integer()),
};

const currentScaling = Type.Object(
  {
    /** Autoscaling mode in effect. */
    effectiveAutoscalingMode: Type.Optional(oneOf(autoscalingModes)),
    /** Minimum memory of one replica in GB, in effect. */
    effectiveMinReplicaMemoryGb: Type.Optional(Type.Integer()),
    /** Maximum memory of one replica in GB, in effect. */
    effectiveMaxReplicaMemoryGb: Type.Optional(Type.Integer()),
    /** Minimum number of replicas in effect. */
    effectiveMinReplicas: Type.Optional(Type.Integer()),
    /** Maximum number of replicas in effect. */
    effectiveMaxReplicas: Type.Optional(Type.Integer()),
    /** Whether the service may now scale down to zero. */
    effectiveIdleScaling: Type.Optional(Type.Boolean()),
    /** Idle minutes in effect. */
    effectiveIdleTimeoutMinutes: Type.Optional(Type.Integer()),
    /** Id of the schedule entry that these values come from; absent if no entry is active. */
    activeEntryId: Type.Optional(Type.String()),
  },
  { volatile: true },
);

const scalingSchedule = Type.Object(
  {
    /** The entries of the schedule. */
    entries: Type.Array(
      Type.Object({
        /** Id of the entry (uuid). */
        id: Type.String(),
        /** Name of the entry. */
        name: Type.String(),
        /** Days of the week: 0 is Sunday. */
        weekdays: Type.Array(Type.Integer()),
        /** Hour (UTC) at which the entry begins to apply. */
        startHourUtc: Type.Integer(),
        /** Hour (UTC) at which the entry ceases to apply. */
        endHourUtc: Type.Integer(),
        /** Autoscaling mode while the entry applies. */
        autoscalingMode: oneOf(autoscalingModes),
        ...scaledTo,
        /** Whether the entry applies now. */
        isActiveNow: Type.Boolean(),
      }),
    ),
    /** The scaling while no entry applies. */
    baseConfig: Type.Object({
      /** Autoscaling mode while no entry applies. */
      autoscalingMode: Type.Optional(oneOf(autoscalingModes)),
      ...scaledTo,
    }),
    /** Id of the entry that applies now, if any. */
    activeEntryId: Type.Optional(Type.String()),
  },
  { volatile: true },
);

/**
 * The further members of a service. Those from `provider` on are in the answers of ClickHouse Cloud.
 * @see "Service (result of the scaling update)" in the API document
 */
export const serviceScalingOutputs = Type.Object({
  /** Name of the service. */
  name: Type.Optional(Type.String()),
  /** Version of the engine that the service runs. */
  engineVersion: Type.Optional(Type.String()),
  /** Addresses of the service, by protocol. */
  endpoints: Type.Optional(
    Type.Array(
      Type.Object({
        /** Protocol of the address. */
        protocol: Type.String(),
        /** Host name. */
        host: Type.String(),
        /** Port. */
        port: Type.Integer(),
        /** User to connect as. */
        username: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Addresses that may reach the service. */
  ipAccessList: Type.Optional(
    Type.Array(
      Type.Object({
        /** An address or a CIDR range. */
        source: Type.String(),
        /** Description of the address. */
        description: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** When the service was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** Key that encrypts the service's storage; a secret. */
  encryptionKey: Type.Optional(Type.String({ secret: true })),
  /** Role that is assumed for encryption. */
  encryptionAssumedRoleIdentifier: Type.Optional(Type.String()),
  /** Role of the service itself. */
  iamRole: Type.Optional(Type.String()),
  /** Private endpoints that may reach the service. */
  privateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Private endpoints that could be allowed. */
  availablePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
  /** Warehouse that the service belongs to. */
  dataWarehouseId: Type.Optional(Type.String()),
  /** Whether the service is the first one of its warehouse. */
  isPrimary: Type.Optional(Type.Boolean()),
  /** Whether the service is read-only. */
  isReadonly: Type.Optional(Type.Boolean()),
  /** The user's own cloud account that the service runs in, if any. */
  byocId: Type.Optional(Type.String()),
  /** Whether transparent data encryption is on. */
  hasTransparentDataEncryption: Type.Optional(Type.Boolean()),
  /** Key of the transparent data encryption. */
  transparentDataEncryptionKeyId: Type.Optional(Type.String()),
  /** Role of the encryption. */
  encryptionRoleId: Type.Optional(Type.String()),
  /** Cloud that the service runs in: `aws`, `gcp` or `azure`. */
  provider: Type.Optional(Type.String()),
  /** Region of that cloud. */
  region: Type.Optional(Type.String()),
  /** State of the service, such as `running`, `idle` or `stopped`; it changes by itself and never counts as drift. */
  state: Type.Optional(Type.String({ volatile: true })),
  /** Tier of the service; deprecated in organizations with the tiers BASIC, SCALE and ENTERPRISE. */
  tier: Type.Optional(Type.String()),
  /** Memory of each replica in GB, where the service scales horizontally. */
  replicaMemoryGb: Type.Optional(Type.Integer({ volatile: true })),
  /** When the service gets new releases: `slow`, `default` or `fast`. */
  releaseChannel: Type.Optional(Type.String()),
  /** Custom instance profile. */
  profile: Type.Optional(Type.String()),
  /** Regulatory compliance: `hipaa` or `pci`. */
  complianceType: Type.Optional(Type.String()),
  /** Whether core dumps are collected. */
  enableCoreDumps: Type.Optional(Type.Boolean()),
  /** Tags of the service. */
  tags: Type.Optional(
    Type.Array(
      Type.Object({
        /** Key of the tag. */
        key: Type.String(),
        /** Value of the tag. */
        value: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** The current scaling, which a schedule can make differ from the declared one. Never counts as drift. */
  currentScaling: Type.Optional(currentScaling),
  /** The schedule by which the service scales differently. Never counts as drift. */
  scalingSchedule: Type.Optional(scalingSchedule),
});
