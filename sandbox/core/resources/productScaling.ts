import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import type { Organization } from "../records";
import { closed } from "./jsonSchema";
import type { ProductMembers, Service } from "./serviceRecords";
import { stateOf } from "./serviceStates";

const memory = Type.Number({ minimum: 8, maximum: 356, multipleOf: 4 });
const replicas = Type.Integer({ minimum: 1, maximum: 50 });

/** The schemas of the properties that every scaling of a service has. */
export const replicasAndIdling = {
  numReplicas: replicas,
  idleScaling: Type.Boolean(),
  idleTimeoutMinutes: Type.Number({ minimum: 5 }),
};

const replicaMemory = { minReplicaMemoryGb: memory, maxReplicaMemoryGb: memory };

/** The schema of the body of a service's operation `replicaScaling` in the API document. */
export const ReplicaScalingBody = closed({}, { ...replicaMemory, ...replicasAndIdling });

/** The body of a service's operation `replicaScaling` in ClickHouse Cloud. */
export interface ReplicaScaling extends Partial<Static<typeof ReplicaScalingBody>> {
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
}

/**
 * Returns the changes that a request body makes to a service's scaling. A service scales vertically, with a fixed number of
 * replicas, or horizontally, between two numbers of replicas of one size.
 * @throws ApiError 400 for properties that contradict each other, or of which one requires another that is missing
 */
export function productScaling(
  service: Service,
  body: ReplicaScaling,
  organization: Organization,
): Partial<Service> {
  const { minReplicas: min, maxReplicas: max, numReplicas, autoscalingMode, ...limits } = body;
  if ((min === undefined) !== (max === undefined))
    throw badRequest("minReplicas and maxReplicas must be set together");
  if (min !== undefined && numReplicas !== undefined)
    throw badRequest("numReplicas cannot be set together with minReplicas and maxReplicas");
  if (min !== undefined && max !== undefined && min > max)
    throw badRequest("minReplicas must not be above maxReplicas");
  const before = service.autoscalingMode ?? "vertical";
  // In a service's scaling, `minReplicas` and `maxReplicas` with the same value stand for this fixed number of replicas.
  const mode = autoscalingMode ?? (min !== undefined && min === max ? "vertical" : before);
  if (mode === "vertical") {
    const count = numReplicas ?? (min === max ? min : undefined);
    if (min !== undefined && count === undefined)
      throw badRequest("minReplicas and maxReplicas must be equal in vertical mode");
    if (before === "horizontal" && count === undefined)
      throw badRequest("numReplicas is required to change to vertical mode");
    const change = { ...limits, ...(count !== undefined && { numReplicas: count }) };
    checkMemory({ ...service, ...change }, organization);
    const isSwitch = before === "horizontal";
    return { ...change, ...(isSwitch && { autoscalingMode: "vertical" }) };
  }
  if (!organization.paid) throw badRequest("the organization is not entitled to horizontal mode");
  if (numReplicas !== undefined) throw badRequest("numReplicas does not apply in horizontal mode");
  if (before === "vertical" && min === undefined)
    throw badRequest("minReplicas and maxReplicas are required to change to horizontal mode");
  const change = { ...limits, ...(min !== undefined && { minReplicas: min, maxReplicas: max }) };
  checkMemory({ ...service, ...change }, organization);
  const { minReplicaMemoryGb: least, maxReplicaMemoryGb: most } = { ...service, ...change };
  if (least !== most) throw badRequest("minReplicaMemoryGb must equal maxReplicaMemoryGb in horizontal mode");
  return { ...change, autoscalingMode: "horizontal" };
}

/**
 * Checks a service's number of replicas.
 *
 * @throws ApiError 400 if the first service of a warehouse would have too few
 */
export function checkReplicas({ isPrimary, numReplicas, minReplicas, autoscalingMode }: Service): void {
  const least = autoscalingMode === "horizontal" ? (minReplicas ?? numReplicas) : numReplicas;
  if (isPrimary && least < 2)
    throw badRequest("numReplicas must be >= 2 for the first service in a warehouse");
}

function checkMemory(service: Service, { paid }: Organization): void {
  const { minReplicaMemoryGb: min, maxReplicaMemoryGb: max } = service;
  if (min > max) throw badRequest("the minimum of the memory must not be above its maximum");
  if (max > 120 && !paid)
    throw badRequest("maxReplicaMemoryGb must be <= 120 for services that are not paid for");
}

type ProductService = Pick<Service, "engineVersion"> & Record<string, unknown>;

/** The values that services of a new sandbox have in the properties that only ClickHouse Cloud shows. */
export const ofSeeded: ProductMembers = {
  provider: "aws",
  region: "eu-central-1",
  releaseChannel: "default",
  profile: "v1-default",
  enableCoreDumps: true,
  tags: [{ key: "environment", value: "sandbox" }],
};

export const placeOf = ({ provider = ofSeeded.provider, region = ofSeeded.region }: Service) => ({
  provider,
  region,
});

/** Returns the release channel of a service, which all services of a warehouse share. */
export const channelOf = ({ releaseChannel = ofSeeded.releaseChannel }: Service) => releaseChannel;

export const tagsOf = ({ tags = ofSeeded.tags }: Service) => tags;

/** Converts a service to the form of ClickHouse Cloud's responses, which have further properties. */
export function productService(service: Service): ProductService {
  const { autoscalingMode = "vertical", minReplicas, maxReplicas, numReplicas, ...all } = service;
  const { since, steps, passwordHash, passwordDoubleSha1, ...shown } = all;
  const { backupConfiguration, upgradeWindow, databaseSettings, formerSettings, ...others } = shown;
  const { snapshotConfiguration, snapshots, replicaAwareRouting, ...members } = others;
  const isHorizontal = autoscalingMode === "horizontal";
  const { minReplicaMemoryGb, maxReplicaMemoryGb, idleScaling, idleTimeoutMinutes } = service;
  const range = isHorizontal
    ? { minReplicas: minReplicas ?? numReplicas, maxReplicas: maxReplicas ?? numReplicas }
    : { minReplicas: numReplicas, maxReplicas: numReplicas };
  return {
    ...ofSeeded,
    ...members,
    state: stateOf(service),
    autoscalingMode,
    ...(isHorizontal ? { ...range, replicaMemoryGb: maxReplicaMemoryGb } : { numReplicas }),
    currentScaling: {
      effectiveAutoscalingMode: autoscalingMode,
      effectiveMinReplicaMemoryGb: minReplicaMemoryGb,
      effectiveMaxReplicaMemoryGb: maxReplicaMemoryGb,
      effectiveMinReplicas: range.minReplicas,
      effectiveMaxReplicas: range.maxReplicas,
      effectiveIdleScaling: idleScaling,
      effectiveIdleTimeoutMinutes: idleTimeoutMinutes,
    },
  };
}
