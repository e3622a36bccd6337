import { shown } from "./figures";
import type { Contender, LifecycleResult, OperationName } from "./lifecycle";
import type { LoadingResult } from "./loading";
import type { LatencyResult, LimitResult } from "./network";
import type { Results } from "./results";
import { type WorkName, works } from "./work";

/** A goal and the figure that was reached. */
export interface Goal {
  goal: string;
  reached: string;
  met: boolean;
}

/** The goals of the parts that were measured. */
export function goalsOf({ lifecycle, loading, latency, limit }: Results): Goal[] {
  return [
    ...(lifecycle ? lifecycleGoals(lifecycle) : []),
    ...(lifecycle ? pluginGoals(lifecycle) : []),
    ...(lifecycle ? stateGoals(lifecycle) : []),
    ...(loading ? loadingGoals(loading) : []),
    ...(lifecycle ? growthGoals(lifecycle) : []),
    ...(latency ? latencyGoals(latency) : []),
    ...(limit ? limitGoals(limit) : []),
  ];
}

function atMost(goal: string, figure: number | undefined, most: number, unit = ""): Goal[] {
  return figure === undefined ? [] : [{ goal, reached: shown(figure, unit), met: figure <= most }];
}

const alertsIn = (size: number) => `${size} ${size === 1 ? "alert" : "alerts"}`;

/** The sizes of the stacks of a kind that are compared with `floor`, the smallest first. */
function sizesOf(lifecycle: LifecycleResult[], work: WorkName): number[] {
  const ofKind = lifecycle.filter((result) => result.work === work && result.contender === "floor");
  return ofKind.map(({ size }) => size).sort((left, right) => left - right);
}

function resultOf(
  lifecycle: LifecycleResult[],
  work: WorkName,
  size: number | undefined,
  contender: Contender,
): LifecycleResult | undefined {
  return lifecycle.find(
    (result) => result.work === work && result.size === size && result.contender === contender,
  );
}

/** What a stack of the dynamic host costs at most, as a multiple of `floor`; in a small one the start of processes counts. */
const dynamicShare = { fromAlerts: 300, any: 1, refresh: 1.05, refreshOfMixed: 1.2 };

function lifecycleGoals(lifecycle: LifecycleResult[]): Goal[] {
  const large = sizesOf(lifecycle, "alerts").filter((size) => size >= dynamicShare.fromAlerts);
  const ofAlerts = large.flatMap((size) => {
    const own = resultOf(lifecycle, "alerts", size, "pipestack");
    return (Object.keys(own?.operations ?? {}) as OperationName[]).flatMap((operation) => {
      const most = operation === "refresh" ? dynamicShare.refresh : dynamicShare.any;
      const title = `${operation} of ${alertsIn(size)}: at most ${most.toFixed(2)} times \`floor\``;
      return atMost(title, own?.ratios.floor?.[operation], most);
    });
  });
  return [
    ...ofAlerts,
    ...handwrittenGoals(lifecycle),
    ...requestGoals(lifecycle),
    ...memoryGoals(lifecycle, large.at(-1)),
  ];
}

function handwrittenGoals(lifecycle: LifecycleResult[]): Goal[] {
  const size = lifecycle.find(({ contender }) => contender === "handwrittenEach")?.size;
  const own = resultOf(lifecycle, "alerts", size, "pipestack");
  return (["preview", "up", "no-op up", "destroy"] as const).flatMap((operation) =>
    atMost(
      `${operation} of ${size} alerts: at most half of \`handwrittenEach\``,
      own?.ratios.handwrittenEach?.[operation],
      0.5,
    ),
  );
}

/** One list of each kind serves all reads and looks; a query endpoint has no list. */
function requestGoals(lifecycle: LifecycleResult[]): Goal[] {
  const size = sizesOf(lifecycle, "alerts").at(-1);
  const alerts = resultOf(lifecycle, "alerts", size, "pipestack")?.operations;
  const total = sizesOf(lifecycle, "mixed").at(-1);
  const mixed = resultOf(lifecycle, "mixed", total, "pipestack");
  const services = mixed ? works.mixed(mixed.size).services : 0;
  return [
    ...atMost(`refresh of ${size} alerts: one request`, alerts?.refresh?.requests, 1),
    ...atMost(
      `up after a change of ${size} alerts: one request more than alerts`,
      alerts?.["up after a change"]?.requests,
      (size ?? 0) + 1,
    ),
    // The API document has no list of services: the first scaling asks for one in vain.
    ...atMost(
      `refresh of ${total} resources of all types: 4 lists, and one request for each query endpoint and scaling`,
      mixed?.operations.refresh?.requests,
      4 + 2 * services,
    ),
    ...atMost(
      `refresh of ${total} resources of all types: at most ${dynamicShare.refreshOfMixed} times \`floor\``,
      mixed?.ratios.floor?.refresh,
      dynamicShare.refreshOfMixed,
    ),
  ];
}

function memoryGoals(lifecycle: LifecycleResult[], size: number | undefined): Goal[] {
  const [floor, own] = (["floor", "pipestack"] as const).map((contender) =>
    peakOf(resultOf(lifecycle, "alerts", size, contender)),
  );
  if (floor === undefined || own === undefined) return [];
  const title = `Memory of the host with ${size} alerts: at most 60 MB more than \`floor\``;
  return atMost(title, own - floor, 60, "MB");
}

/** The peak memory of the host of a stack. */
function peakOf(result: LifecycleResult | undefined): number | undefined {
  return (
    result && Math.max(...Object.values(result.operations).map(({ hostMegabytes = 0 }) => hostMegabytes))
  );
}

/** How much of the time of `floor`, a dynamic provider that does nothing, the plugin takes at most, by number of alerts. */
const pluginShares: { readonly [size: number]: { readonly [Name in OperationName]?: number } } = {
  1: { up: 0.8, refresh: 0.65, destroy: 0.6 },
  1000: { preview: 0.9, up: 0.95, "no-op up": 0.9, refresh: 0.9 },
};

function pluginGoals(lifecycle: LifecycleResult[]): Goal[] {
  const shares = Object.entries(pluginShares).flatMap(([size, ofSize]) => {
    const plugin = resultOf(lifecycle, "alerts", Number(size), "plugin");
    return (Object.entries(ofSize) as [OperationName, number][]).flatMap(([operation, share]) =>
      atMost(
        `${operation} of ${alertsIn(Number(size))} on the plugin: at most ${share} times \`floor\``,
        plugin?.ratios.floor?.[operation],
        share,
      ),
    );
  });
  const memory = (["alerts", "mixed"] as const).flatMap((work) => {
    const size = sizesOf(lifecycle, work).at(-1);
    const [plugin, dynamic] = (["plugin", "pipestack"] as const).map((contender) =>
      peakOf(resultOf(lifecycle, work, size, contender)),
    );
    const stack = work === "alerts" ? `${size} alerts` : `${size} resources of all types`;
    const title = `Memory of the plugin with ${stack}: at most that of the dynamic host, ${shown(dynamic, "MB")}`;
    return atMost(title, plugin, dynamic ?? 0, "MB");
  });
  return [...shares, ...memory];
}

/** The engine's own data, and what it has the dynamic host keep, are the same whatever the provider does. */
function stateGoals(lifecycle: LifecycleResult[]): Goal[] {
  return (["alerts", "mixed"] as const).flatMap((work) => {
    const state = resultOf(lifecycle, work, sizesOf(lifecycle, work).at(-1), "pipestack")?.state;
    if (!state) return [];
    const kind = work === "alerts" ? "an alert" : "a resource of any type";
    const most = `at most 1.1 times its inputs plus outputs`;
    return [
      ...atMost(
        `State of ${kind}: ${most}, with what the provider remembers`,
        state.withTracking / state.inputsAndOutputs,
        1.1,
      ),
      ...atMost(
        `State of ${kind}: ${most}, with \`__provider\`, too`,
        state.inputsAndOutputsStored / state.inputsAndOutputs,
        1.1,
      ),
    ];
  });
}

function loadingGoals({ program }: LoadingResult): Goal[] {
  const loaded = (["axios", "ajv"] as const).filter((name) => program[name]);
  return [
    ...atMost("Loading `pipestack`: at most 12 ms after `@pulumi/pulumi`", program.own, 12, "ms"),
    {
      goal: "Loading `pipestack` loads neither axios nor ajv",
      reached: loaded.join(", ") || "neither",
      met: loaded.length === 0,
    },
  ];
}

/** By CPU time, which nothing else on the machine lengthens as much as the wall time. */
function growthGoals(lifecycle: LifecycleResult[]): Goal[] {
  return (["pipestack", "plugin"] as const).flatMap((contender) => {
    // Those with checkpoints grow with the square of their size.
    const ofHost = lifecycle.filter(
      (result) => result.work === "alerts" && result.contender === contender && !result.hasCheckpoints,
    );
    const host = contender === "plugin" ? "on the plugin" : "on the dynamic host";
    return [
      ...growth(`Refresh ${host}: CPU time`, "ms", ofHost, ({ refresh }) =>
        milliseconds(refresh?.cpuSeconds),
      ),
      ...growth(`No-op up ${host}: CPU time`, "ms", ofHost, (of) => milliseconds(of["no-op up"]?.cpuSeconds)),
      ...growth(`Refresh ${host}: memory`, "KB", ofHost, ({ refresh }) =>
        refresh?.hostMegabytes === undefined ? undefined : refresh.hostMegabytes * 1024,
      ),
    ];
  });
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** An additional alert costs no more in a large stack than in a smaller one. */
function growth(
  what: string,
  unit: string,
  results: LifecycleResult[],
  figureOf: (operations: LifecycleResult["operations"]) => number | undefined,
): Goal[] {
  const [small, middle, large] = results
    .map(({ size, operations }) => ({ size, figure: figureOf(operations) }))
    .sort((left, right) => left.size - right.size);
  if (!large?.figure || !middle?.figure || !small?.figure) return [];
  const before = (middle.figure - small.figure) / (middle.size - small.size);
  const after = (large.figure - middle.figure) / (large.size - middle.size);
  return [
    {
      goal: `${what} of each additional alert stays the same up to ${large.size} alerts (within 25 %)`,
      reached: `${shown(before, unit)} up to ${middle.size}, ${shown(after, unit)} beyond`,
      met: after <= 1.25 * before,
    },
  ];
}

function latencyGoals({ size, latencyMilliseconds, results }: LatencyResult): Goal[] {
  return results
    .filter(({ parallel }) => parallel === 64)
    .flatMap(({ seconds, goalSeconds }) =>
      atMost(
        `\`up\` of ${size} alerts, ${latencyMilliseconds} ms latency, --parallel 64: at most ${shown(goalSeconds, "s")}`,
        seconds,
        goalSeconds,
        "s",
      ),
    );
}

function limitGoals({ size, scale, results }: LimitResult): Goal[] {
  const [handwritten, own] = (["handwritten", "pipestack"] as const).map((name) =>
    results.find(({ contender }) => contender === name),
  );
  if (!handwritten || !own) return [];
  return [
    {
      goal: `Refresh of ${size} alerts under the rate limit: one request, where \`handwritten\` sends at least one per alert`,
      reached: `${own.requests} and ${handwritten.requests}`,
      met: handwritten.requests >= size && own.requests === 1,
    },
    {
      goal: `Refresh of ${size} alerts under the API's own rate limit: at least 100 times faster than \`handwritten\``,
      reached: shown((handwritten.seconds * scale) / own.seconds, "times"),
      met: handwritten.seconds * scale >= 100 * own.seconds,
    },
  ];
}
