import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const checkout = join(__dirname, "..", "..", "..");

/**
 * How often each part of the provider's code runs, by file, function and offset, such as `provider/values/pairing.ts
 * pairEntries 1024`.
 */
export type Operations = ReadonlyMap<string, number>;

/**
 * The array methods whose compared elements count as operations, since JavaScript's engine runs them without the profiler's
 * notice.
 */
const searches = ["includes", "indexOf", "lastIndexOf"] as const;

/** Counts the operations of one step of a test: how often each part of the code in provider/ and drawing/ runs. */
export async function operationsOf(step: () => unknown): Promise<Operations> {
  const inspector = new Session();
  inspector.connect();
  const counts = new Map<string, number>();
  const restore = countSearches((place, passed) => counts.set(place, (counts.get(place) ?? 0) + passed));
  // The profiler does not count calls of functions in optimized code, so the test switches optimization off.
  for (const compiler of compilers) setFlagsFromString(`--no-${compiler}`);
  try {
    await inspector.post("Profiler.enable");
    await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await step();
    const { result } = await inspector.post("Profiler.takePreciseCoverage");
    for (const { url, functions } of result) {
      const file = fileOf(url);
      if (!/^(provider|drawing)\//.test(file)) continue;
      for (const { functionName, ranges } of functions)
        for (const { startOffset, count } of ranges)
          counts.set(`${file} ${functionName} ${startOffset}`, count);
    }
    return counts;
  } finally {
    restore();
    inspector.disconnect();
    for (const compiler of compilers) setFlagsFromString(`--${compiler}`);
  }
}

const compilers = ["turbofan", "maglev"] as const;

function fileOf(url: string): string {
  return relative(checkout, url.startsWith("file:") ? fileURLToPath(url) : url).replaceAll("\\", "/");
}

/**
 * The least length of an array for which a call of a method such as `includes` counts as operations. Counting a call takes a
 * stack trace, which is too slow for every short array.
 */
const shortest = 50;

function countSearches(count: (place: string, passed: number) => void): () => void {
  const prototype = Array.prototype as unknown as Record<
    (typeof searches)[number],
    (...args: unknown[]) => unknown
  >;
  const originals = searches.map((name) => [name, prototype[name]] as const);
  for (const [name, search] of originals)
    prototype[name] = function (this: unknown[], ...args) {
      const result = search.apply(this, args);
      if (this.length >= shortest) {
        const line = new Error().stack?.split("\n")[2] ?? "";
        const [, file = "", place = ""] = /(?:file:\/\/)?(\/[^)]*?\.ts):(\d+)/.exec(line) ?? [];
        const short = relative(checkout, file);
        const passed = typeof result === "number" && result >= 0 ? result + 1 : this.length;
        if (/^(provider|drawing)\//.test(short)) count(`${short} ${name} line ${place}`, passed);
      }
      return result;
    };
  return () => {
    for (const [name, search] of originals) prototype[name] = search;
  };
}

/**
 * The test judges only parts of the code with at least this number of operations. Other parts take little time, and their
 * counts vary.
 */
const fewest = 10_000;

/**
 * Lists the parts of the provider that need more than six times the operations for four times the size. Sorting grows slowly
 * enough to pass.
 */
export async function growingIn(step: (size: number) => unknown, size: number): Promise<string[]> {
  await step(8);
  const small = await operationsOf(() => step(size));
  const large = await operationsOf(() => step(4 * size));
  return [...large].flatMap(([place, count]) => {
    const before = small.get(place) ?? 0;
    return count > fewest && count > 6 * before ? [`${place}: ${before} → ${count}`] : [];
  });
}
