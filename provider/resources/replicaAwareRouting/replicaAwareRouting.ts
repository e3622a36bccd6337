import { resourceOf } from "../../lifecycle/lifecycle";
import { inService } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";

const flag = { irremovable: "declare false to turn it off" } as const;

/**
 * Inputs of the replica-aware routing of a service.
 * @see "Update service replica-aware routing" in the documents of ClickHouse Cloud
 */
export const replicaAwareRoutingInputs = inService({
  /** Whether related requests over HTTP go to the same replica, as far as possible. Default: as it is. */
  httpEnabled: Type.Optional(Type.Boolean(flag)),
  /** Whether related connections over the native protocol go to the same replica, as far as possible. Default: as it is. */
  nativeEnabled: Type.Optional(Type.Boolean(flag)),
  /**
   * What destroying the resource does: `keep` (default) leaves the service's routing as it is, `restore` puts back the values
   * from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const replicaAwareRoutingOutputs = Type.Object({});

export const replicaAwareRoutingResource = resourceOf({
  type: "ReplicaAwareRouting",
  noun: "replica-aware routing",
  inputs: replicaAwareRoutingInputs,
  outputs: replicaAwareRoutingOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "updateReplicaAwareRouting",
    get: "getReplicaAwareRouting",
    update: "updateReplicaAwareRouting",
  },

  failures({ httpEnabled, nativeEnabled }): Failure[] {
    const isEmpty = httpEnabled === undefined && nativeEnabled === undefined;
    return isEmpty ? [{ path: "", message: "declare httpEnabled, nativeEnabled or both" }] : [];
  },
});
