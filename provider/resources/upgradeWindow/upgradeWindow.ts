import { resourceOf } from "../../lifecycle/lifecycle";
import type { Resource } from "../../lifecycle/resource";
import { inService } from "../../lifecycle/scope";
import { declaresNothing } from "../../lifecycle/state";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { isBehindAnother } from "../serviceState/warehouse";

/**
 * Inputs of the upgrade window of a service.
 * @see "Create or update the upgrade window of a service" in the documents of ClickHouse Cloud
 */
export const upgradeWindowInputs = inService({
  /** Day of the week (UTC) on which the service is upgraded: 0 is Sunday, 6 is Saturday. */
  weekday: Type.Integer({ minimum: 0, maximum: 6 }),
  /** Hour (UTC) at which the service's upgrade window begins: 0, 6, 12 or 18. It lasts six hours. */
  startHourUtc: Type.Integer({ minimum: 0, maximum: 18, multipleOf: 6 }),
  /**
   * What destroying the resource does if the service had an upgrade window before the resource: `keep` (default) leaves the
   * window as it is, `restore` puts back the former one. A window that the resource created is deleted.
   */
  onDestroy: Type.Optional(oneOf(["keep", "restore"], { sent: "never" })),
});

export const upgradeWindowOutputs = Type.Object({
  /** Length of the upgrade window in hours. */
  duration: Type.Optional(Type.Integer()),
});

export const upgradeWindowResource: Resource = resourceOf({
  type: "UpgradeWindow",
  noun: "upgrade window",
  inputs: upgradeWindowInputs,
  outputs: upgradeWindowOutputs,
  scope: "service",
  dialect: "clickhouse",
  isNoOrphan: true,
  operations: {
    create: "putUpgradeWindow",
    get: "getUpgradeWindow",
    update: "putUpgradeWindow",
    delete: "deleteUpgradeWindow",
  },

  // A service that is not the primary one of its warehouse shows the upgrade window of the primary service, and accepts none of its
  // own.
  async look(look, usual) {
    if (!(await isBehindAnother(look.id, look.context))) return usual(look);
    if (look.moment === "read" && declaresNothing(upgradeWindowResource, look.state)) return "gone";
    throw new Error(
      `service ${look.id} is not the primary one of its warehouse, and has the upgrade window of the primary one; declare the UpgradeWindow for the primary service`,
    );
  },
});
