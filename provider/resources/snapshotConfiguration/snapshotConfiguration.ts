import { resourceOf } from "../../lifecycle/lifecycle";
import { inService } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";

/** The minutes for which snapshots are kept, by the minutes between two of them. The service takes no other pair. */
const timeFrames: { readonly [gap: number]: number } = { 30: 1440, 60: 2880 };

const stays = { irremovable: "the service keeps it; declare another value to change it" } as const;

/**
 * Inputs of the snapshots of a service.
 * @see "Update service snapshot configuration" in the documents of ClickHouse Cloud
 */
export const snapshotConfigurationInputs = inService({
  /** Whether the service makes snapshots. */
  enabled: Type.Boolean(),
  /** Minutes between two snapshots: 30, with a `timeFrame` of 1440, or 60, with one of 2880. Default: as it is. */
  gap: Type.Optional(Type.Integer(stays)),
  /** Minutes for which a snapshot is kept: 1440, with a `gap` of 30, or 2880, with one of 60. Default: as it is. */
  timeFrame: Type.Optional(Type.Integer(stays)),
  /**
   * What destroying the resource does: `keep` (default) leaves the service's snapshots as they are configured, `restore` puts
   * back the values from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const snapshotConfigurationOutputs = Type.Object({});

export const snapshotConfigurationResource = resourceOf({
  type: "SnapshotConfiguration",
  noun: "snapshot configuration",
  inputs: snapshotConfigurationInputs,
  outputs: snapshotConfigurationOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "updateSnapshotConfiguration",
    get: "getSnapshotConfiguration",
    update: "updateSnapshotConfiguration",
  },

  failures({ gap, timeFrame }): Failure[] {
    if ((gap === undefined) !== (timeFrame === undefined)) {
      const missing = gap === undefined ? "gap" : "timeFrame";
      return [{ path: missing, message: "is missing: gap and timeFrame go together" }];
    }
    if (typeof gap !== "number" || typeof timeFrame !== "number" || timeFrames[gap] === timeFrame) return [];
    return [{ path: "gap", message: "must be 30 with a timeFrame of 1440, or 60 with a timeFrame of 2880" }];
  },
});
