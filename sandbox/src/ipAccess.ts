import ipaddr from "ipaddr.js";
import type { IpAccess } from "./records";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The block that an entry names (a single address is a block of one), undefined if it names none. */
function toRange(source: string): Range | undefined {
  if (ipaddr.isValidCIDR(source)) return ipaddr.parseCIDR(source);
  if (!ipaddr.isValid(source)) return undefined;
  const address = ipaddr.parse(source);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Whether an entry's source is an address or a CIDR block. */
export function isIpSource(source: string): boolean {
  return toRange(source) !== undefined;
}

/** Whether an access list lets an address in. An empty list lets nobody in. */
export function allowsAddress(list: IpAccess[], address: string): boolean {
  const caller = ipaddr.process(address);
  return list.some(({ source }) => {
    const range = toRange(source);
    return range !== undefined && range[0].kind() === caller.kind() && caller.match(range);
  });
}
