import { isObject, parseJson } from "../values/json";
import type { Transport } from "./transport";

/** Milliseconds to wait for the server's version; without it, checks of inputs that need the version are left out. */
const longestMilliseconds = 3000;

/**
 * The ClickStack version of a self-hosted server, such as `2.46.0`. The server tells it to everybody, so the request
 * carries no credentials. Undefined unless the answer certainly comes from ClickStack itself.
 */
export async function readServerVersion(transport: Transport): Promise<string | undefined> {
  const attempt = new AbortController();
  const limit = setTimeout(() => attempt.abort(), longestMilliseconds);
  try {
    const request = { method: "GET", url: "/health", headers: {}, signal: attempt.signal };
    const health = parseJson((await transport.request(request)).data);
    if (!isObject(health) || health.data !== "OK" || typeof health.version !== "string") return undefined;
    return /^2\.\d{1,4}\.\d{1,4}$/.test(health.version) ? health.version : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(limit);
  }
}

/** Whether a version is older than another one, which may lack its last number. */
export function isOlder(version: string, reference: string): boolean {
  const [numbers, referenceNumbers] = [version, reference].map((text) => text.split(".").map(Number));
  const differing = [0, 1, 2].find((place) => (numbers?.[place] ?? 0) !== (referenceNumbers?.[place] ?? 0));
  return differing !== undefined && (numbers?.[differing] ?? 0) < (referenceNumbers?.[differing] ?? 0);
}
