import { withWritten } from "../../lifecycle/attempts";
import { resourceOf } from "../../lifecycle/lifecycle";
import { observe } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { deleteSingleton } from "../../lifecycle/restore";
import { inService } from "../../lifecycle/scope";
import { declaredIn, sentPart } from "../../lifecycle/state";
import { type PropertyMap, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { primaryFailure, restoringMembers, scalingFailures, sharedScaling } from "../scaling/scalingRules";
import { find, scalingSteps } from "../scaling/scalingSteps";
import {
  autoscalingModes,
  idleTimeout,
  replicaMemory,
  replicas,
  serviceScalingOutputs,
} from "../scaling/serviceMembers";

const inaccurate = "it is inaccurate for services with a number of replicas other than the default";

function totalMemory(ofReplica: string) {
  const deprecated = {
    neutral: `${inaccurate}; use numReplicas instead`,
    clickhouse: `${inaccurate}; use ${ofReplica} instead`,
  };
  return { minimum: 24, maximum: 1068, multipleOf: 12, deprecated };
}

const memory = { ...replicaMemory, dialect: "clickhouse" } as const;

/**
 * Inputs of the autoscaling of a service.
 * @see "Scaling update body", "Limits" in the API document
 */
export const serviceScalingInputs = inService({
  /**
   * Number of replicas of the service, 1 to 50; the primary service of a warehouse needs at least 2. The service's default is 1
   * in the BASIC tier, 3 in the SCALE and ENTERPRISE tiers. Refused with `autoscalingMode: horizontal`.
   */
  numReplicas: Type.Optional(Type.Integer(replicas)),
  /** Whether the service may scale down to zero when it is idle. The service's default is true. */
  idleScaling: Type.Optional(Type.Boolean()),
  /** Minutes for which the service is idle before it may scale to zero; at least 5. */
  idleTimeoutMinutes: Type.Optional(Type.Integer(idleTimeout)),
  /**
   * Minimum total memory of all replicas of the service in GB: 24 to 1068, a multiple of 12. Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`, or
   *   `minReplicaMemoryGb` in the dialect `clickhouse`
   */
  minTotalMemoryGb: Type.Optional(Type.Integer(totalMemory("minReplicaMemoryGb"))),
  /**
   * Maximum total memory of all replicas of the service in GB: 24 to 1068 (360 for services that are not paid), a multiple of
   * 12. Only for production services.
   *
   * @deprecated inaccurate for services with a number of replicas other than the default; use `numReplicas`, or
   *   `maxReplicaMemoryGb` in the dialect `clickhouse`
   */
  maxTotalMemoryGb: Type.Optional(Type.Integer(totalMemory("maxReplicaMemoryGb"))),
  /**
   * Minimum memory of each replica of the service, in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. Equal
   * to `maxReplicaMemoryGb` for horizontal scaling. Needs `dialect: clickhouse`.
   */
  minReplicaMemoryGb: Type.Optional(Type.Integer(memory)),
  /**
   * Maximum memory of each replica of the service, in GB: 8 to 356 (120 for services that are not paid), a multiple of 4. Needs
   * `dialect: clickhouse`.
   */
  maxReplicaMemoryGb: Type.Optional(Type.Integer(memory)),
  /**
   * How the service scales: `vertical` has a fixed number of replicas (`numReplicas`), whose memory varies; `horizontal` has
   * replicas of a fixed memory, whose number varies from `minReplicas` to `maxReplicas`, if the organization has that feature.
   * Default: the mode stays as it is. A change needs the number of replicas in the new mode. Needs `dialect: clickhouse`.
   */
  autoscalingMode: Type.Optional(oneOf(autoscalingModes, { dialect: "clickhouse" })),
  /**
   * Minimum number of replicas of the service for horizontal scaling, 1 to 50; only with `maxReplicas`. Needs `dialect:
   * clickhouse`.
   */
  minReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /**
   * Maximum number of replicas of the service for horizontal scaling, 1 to 50; only with `minReplicas`. Needs `dialect:
   * clickhouse`.
   */
  maxReplicas: Type.Optional(Type.Integer({ ...replicas, dialect: "clickhouse" })),
  /**
   * What destroying the resource does: `keep` (default) leaves the service's scaling as it is, `restore` puts back the values
   * from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const serviceScalingResource: Resource = resourceOf({
  type: "ServiceScaling",
  noun: "scaling",
  isPartOf: ["Service"],
  inputs: serviceScalingInputs,
  outputs: serviceScalingOutputs,
  scope: "service",
  operations: { create: "updateScaling", get: "getService", update: "updateScaling" },

  failures: (declared, olds, settings) => scalingFailures(declared, olds, settings),

  // A refresh of all `ServiceScaling` resources of an organization shares one list of services. A service is read by itself if its
  // entry in the list lacks a declared property.
  look({ moment, id, state, context }) {
    if (moment !== "read") return find({ id, context });
    const names = Object.keys(sentPart(serviceScalingResource, declaredIn(serviceScalingResource, state)));
    const isDoubtful = (entry: PropertyMap) =>
      names.length === 0 || Object.keys(pick(entry, names)).length < names.length;
    return observe(serviceScalingResource, id, context, { state, isDoubtful });
  },

  steps: ({ desired, settings }) => scalingSteps(serviceScalingInputs, desired, settings),

  // `pulumi import` leaves out the deprecated total memory, which follows from the memory and number of replicas.
  declaration({ minTotalMemoryGb, maxTotalMemoryGb, ...members }) {
    const isKnown = ["numReplicas", "minReplicas", "minReplicaMemoryGb"].some((name) => name in members);
    return isKnown ? members : { minTotalMemoryGb, maxTotalMemoryGb, ...members };
  },
  calls: ["updateReplicaScaling"],

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      const { surely, perhaps } = sharedScaling.noteOther(checked.inputs.serviceId, checked.inputs, session);
      const [path] = surely;
      const message = "is declared by the Service, too; declare it in one of the two";
      return {
        ...checked,
        failures: path === undefined ? checked.failures : [...checked.failures, { path, message }],
        warnings:
          perhaps.length === 0
            ? checked.warnings
            : [
                ...checked.warnings,
                `ServiceScaling: a Service of the program declares ${perhaps.join(", ")}, too; if it is the same service, declare each member in one of the two only`,
              ],
      };
    },

    async diff(usual, id, state, inputs, session) {
      const changes = await usual(id, state, inputs, session);
      const isScaled = changes.some(({ path }) => path === "numReplicas");
      const failure = changes.some(({ replaces }) => replaces) ? undefined : primaryFailure(inputs, state);
      if (failure && isScaled)
        throw new Error(`scaling of service ${id} cannot change so: ${failure.path} ${failure.message}`);
      return changes;
    },

    update(usual, id, state, inputs, session) {
      const shown = sharedScaling.formerOf(id, inputs, session);
      return usual(id, withWritten(serviceScalingResource, state, shown), inputs, session);
    },

    async delete(_usual, id, state, session) {
      const managed = Object.keys(
        sentPart(serviceScalingResource, declaredIn(serviceScalingResource, state)),
      );
      const restored = restoringMembers(managed, sharedScaling.ownOf(id, session));
      if (restored.length === 0) return;
      await deleteSingleton(serviceScalingResource, id, state, session, (previous) =>
        pick(previous, restored),
      );
    },
  },
});
