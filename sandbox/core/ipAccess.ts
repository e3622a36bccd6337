import ipaddr from "ipaddr.js";

/** An element of an API key's IP access list: an address or CIDR block from which requests are allowed. */
export interface IpAccess {
  source: string;
  description?: string;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Parses an element of an IP access list as a CIDR block, where an address is a block of one address; undefined if it is
 * invalid.
 */
function toRange(source: string): Range | undefined {
  if (ipaddr.isValidCIDR(source)) return ipaddr.parseCIDR(source);
  if (!ipaddr.isValid(source)) return undefined;
  const address = ipaddr.parse(source);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

export function isIpSource(source: string): boolean {
  return toRange(source) !== undefined;
}

/** Whether an IP access list of an API key allows an address. An empty list allows none. */
export function allowsAddress(list: IpAccess[], address: string): boolean {
  const caller = ipaddr.process(address);
  return list.some(({ source }) => {
    const range = toRange(source);
    return range !== undefined && range[0].kind() === caller.kind() && caller.match(range);
  });
}
