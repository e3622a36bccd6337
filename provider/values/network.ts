import { isIP } from "node:net";

const widths: { readonly [version: number]: number } = { 4: 32, 6: 128 };

/**
 * One common text for all forms of an IP address or CIDR range that mean the same network: a single address is a range of one,
 * bits of the host do not count, and IPv6 addresses may be shortened and in any case. Another text stays as it is.
 */
export function networkOf(source: string): string {
  const [address = "", prefix, ...further] = source.trim().split("/");
  const version = isIP(address);
  const width = widths[version];
  if (width === undefined || further.length > 0 || !/^\d+$/.test(prefix ?? "0") || address.includes("%"))
    return source;
  const length = Number(prefix ?? width);
  if (length > width) return source;
  const hostBits = BigInt(width - length);
  const network = (BigInt(`0x${hexOf(address, version)}`) >> hostBits) << hostBits;
  return `IPv${version} ${network.toString(16)}/${length}`;
}

/** Whether an IP address or CIDR range contains all addresses. */
export function isEverywhere(source: string): boolean {
  return /^IPv\d 0\/0$/.test(networkOf(source));
}

/** The hexadecimal digits of an IP address. */
function hexOf(address: string, version: number): string {
  const hex = (group: string, base: number, digits: number) =>
    Number.parseInt(group, base).toString(16).padStart(digits, "0");
  if (version === 4)
    return address
      .split(".")
      .map((group) => hex(group, 10, 2))
      .join("");
  // The parser of addresses in URLs writes an IPv4 address at the end of an IPv6 address in hexadecimal groups.
  const { hostname } = new URL(`http://[${address}]`);
  const written = hostname.match(/[0-9a-f]+/g)?.length ?? 0;
  const zeros = `:${"0:".repeat(8 - written)}`;
  const groups = hostname.replace("::", zeros).match(/[0-9a-f]+/g) ?? [];
  return groups.map((group) => hex(group, 16, 4)).join("");
}
