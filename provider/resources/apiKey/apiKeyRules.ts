import { isIP } from "node:net";
import type { Settings } from "../../api/settingsSchema";
import type { Data } from "../../values/data";
import { type Failure, notText } from "../../values/validate";

export const addressOrRange = "an IP address or a CIDR range, such as 203.0.113.0/24";

export function keyFailures(declared: Data, olds: Data | undefined, settings: Settings): Failure[] {
  return [
    ...roleFailures(declared, settings),
    ...(olds === undefined ? pastFailures(declared) : []),
    ...rotationFailures(declared),
    ...addressFailures(declared.ipAccessList),
  ];
}

export function pastFailures({ adoptId, expireAt }: Data): Failure[] {
  const isPast = typeof expireAt === "string" && expireAt !== "" && Date.parse(expireAt) <= Date.now();
  if (adoptId || !isPast) return [];
  return [{ path: "expireAt", message: "must be in the future", ...notText(expireAt) }];
}

function roleFailures({ roles, assignedRoleIds }: Data, { dialect }: Settings): Failure[] {
  if (roles && assignedRoleIds)
    return [{ path: "roles", message: "conflicts with assignedRoleIds; use only the latter" }];
  return roles || dialect === "clickhouse" ? [] : [{ path: "roles", message: "is required" }];
}

function rotationFailures({ rotateAfterDays, adoptId, hashData }: Data): Failure[] {
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

/** The failures for entries of an API key's `ipAccessList` whose `source` is neither an address nor a range. */
export function addressFailures(list: unknown): Failure[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) => {
    const source: unknown = entry?.source;
    if (typeof source !== "string" || isAddressOrRange(source)) return [];
    return [
      { path: `ipAccessList[${index}].source`, message: `must be ${addressOrRange}`, ...notText(source) },
    ];
  });
}

function isAddressOrRange(source: string): boolean {
  const [address = "", prefix, ...further] = source.split("/");
  const version = isIP(address);
  if (version === 0 || further.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
