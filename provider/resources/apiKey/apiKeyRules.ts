import type { Settings } from "../../api/settingsSchema";
import type { PropertyMap } from "../../values/data";
import { type Failure, notText } from "../../values/validate";
import { addressFailures } from "../access/addresses";

export function keyFailures(
  declared: PropertyMap,
  olds: PropertyMap | undefined,
  settings: Settings,
): Failure[] {
  return [
    ...roleFailures(declared, settings),
    ...(olds === undefined ? pastFailures(declared) : []),
    ...rotationFailures(declared),
    ...addressFailures(declared.ipAccessList),
  ];
}

export function pastFailures({ adoptId, expireAt }: PropertyMap): Failure[] {
  const isPast = typeof expireAt === "string" && expireAt !== "" && Date.parse(expireAt) <= Date.now();
  if (adoptId || !isPast) return [];
  return [{ path: "expireAt", message: "must be in the future", ...notText(expireAt) }];
}

function roleFailures({ roles, assignedRoleIds }: PropertyMap, { dialect }: Settings): Failure[] {
  if (roles && assignedRoleIds)
    return [{ path: "roles", message: "conflicts with assignedRoleIds; use only the latter" }];
  return roles || dialect === "clickhouse" ? [] : [{ path: "roles", message: "is required" }];
}

function rotationFailures({ rotateAfterDays, adoptId, hashData }: PropertyMap): Failure[] {
  if (rotateAfterDays === undefined) return [];
  const path = "rotateAfterDays";
  if (hashData)
    return [
      {
        path,
        message:
          "conflicts with hashData: a new key would need new hashes, so change hashData to replace the key",
      },
    ];
  return adoptId ? [{ path, message: "conflicts with adoptId; remove adoptId once the key is adopted" }] : [];
}
