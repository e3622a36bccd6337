import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { inService } from "../../lifecycle/scope";
import type { PropertyMap } from "../../values/data";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";
import { isBehindAnother } from "../serviceState/warehouse";

/** The values of `backupPeriodInHours` that may be combined with `backupStartTime`. */
const startedPeriods = [24, 48];

/**
 * Inputs of how a service is backed up.
 * @see "Update service backup configuration" in the documents of ClickHouse Cloud
 */
export const backupConfigurationInputs = inService({
  /**
   * Hours between two backups; 24 or 48 if the service has a start time, from `backupStartTime` or from somebody else. A
   * program that drops the property resets it to the service's default, 24.
   */
  backupPeriodInHours: Type.Optional(Type.Integer({ minimum: 1, reset: null })),
  /**
   * Hours for which a backup is kept, a multiple of 24 from 24 to 1080. A program that drops the property resets it to the
   * service's default.
   */
  backupRetentionPeriodInHours: Type.Optional(
    Type.Integer({ minimum: 24, maximum: 1080, multipleOf: 24, reset: null }),
  ),
  /**
   * Hour (UTC) at which backups begin, such as `03:00`. Default: any hour. Without `backupPeriodInHours`, there are then 24
   * hours between two backups.
   */
  backupStartTime: Type.Optional(
    Type.String({
      pattern: "^([01]\\d|2[0-3]):00$",
      rule: "an hour in UTC, such as 03:00",
      reset: null,
    }),
  ),
  /**
   * What destroying the resource does: `keep` (default) leaves the service's backups as they are configured, `restore` puts
   * back the values from before the resource was created.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const backupConfigurationOutputs = Type.Object({});

const members = ["backupPeriodInHours", "backupRetentionPeriodInHours", "backupStartTime"];

export const backupConfigurationResource: Resource = resourceOf({
  type: "BackupConfiguration",
  noun: "backup configuration",
  inputs: backupConfigurationInputs,
  outputs: backupConfigurationOutputs,
  scope: "service",
  dialect: "clickhouse",
  operations: {
    create: "updateBackupConfiguration",
    get: "getBackupConfiguration",
    update: "updateBackupConfiguration",
  },

  failures,

  // A service that is not the primary one of its warehouse shows a backup configuration that it cannot change, so there is nothing to
  // import.
  async look(look, usual) {
    const isImported = look.moment === "read" && members.every((name) => look.state[name] === undefined);
    return isImported && (await isBehindAnother(look.id, look.context)) ? "gone" : usual(look);
  },
});

function failures(declared: PropertyMap): Failure[] {
  if (members.every((name) => declared[name] === undefined))
    return [{ path: "", message: `declare at least one of ${members.join(", ")}` }];
  const { backupPeriodInHours: period, backupStartTime } = declared;
  const isRefused =
    typeof backupStartTime === "string" && typeof period === "number" && !startedPeriods.includes(period);
  return isRefused
    ? [{ path: "backupPeriodInHours", message: "must be 24 or 48 if backupStartTime is declared" }]
    : [];
}
