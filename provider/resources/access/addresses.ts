import { isIP } from "node:net";
import { type Failure, notText } from "../../values/validate";

export const addressOrRange = "an IP address or a CIDR range, such as 203.0.113.0/24";

/** The failures for entries of an `ipAccessList` whose `source` is neither an address nor a range. */
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
