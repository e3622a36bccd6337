/**
 * A request that a server has received.
 * @typedef {{ readonly api: string, readonly method: string, readonly path: string, readonly status: number }} Call
 */

/**
 * Lines that sum up requests: how many read and how many write, then each write in its turn, and each read where it
 * came first, with how often it came. Paths begin below their organization and service.
 * @param {readonly Call[]} calls
 * @returns {string[]}
 */
export function callSummary(calls) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [index, call] of calls.entries()) {
    const line = lineOf(call);
    // Order and number of writes matter.
    const key = isRead(call) ? line : `${line}\0${index}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const reads = calls.filter(isRead).length;
  const heading = `Calls to the service: ${calls.length}`;
  return [
    calls.length === 0 ? heading : `${heading} (${reads} read, ${calls.length - reads} write)`,
    ...[...counts].map(
      ([key, count]) => `  ${key.replace(/\0.*/, "")}${count > 1 ? `  ${count} times` : ""}`,
    ),
  ];
}

/** @param {Call} call */
function isRead({ method, path }) {
  return method === "GET" || /\/(charts\/series|dashboards\/validate)$/.test(path);
}

/** @param {Call} call */
function lineOf({ api, method, path, status }) {
  const short = path
    .replace(/^\/v1\/organizations\/[^/]+(\/services\/[^/]+)?(?=\/)/, "…")
    .replace(/([0-9a-f]{6})[0-9a-f-]{18,30}/g, "$1…");
  return `${status}  ${api.padEnd(13)}  ${method.padEnd(6)}  ${short}`;
}
