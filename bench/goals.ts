import { shown } from "./figures";
import type { Contender, LifecycleResult, OperationName } from "./lifecycle";
import type { LoadingResult } from "./loading";
import type { LatencyResult, LimitResult, ManyResult } from "./network";
import type { Results } from "./results";
import type { WorkName } from "./work";

/** A goal and the figure that was reached. */
export interface Goal {
  goal: string;
  reached: string;
  met: boolean;
}

/** The goals of the parts that were measured. */
export function goalsOf({ lifecycle, loading, latency, limit, many }: Results): Goal[] {
  return [
    ...(lifecycle ? lifecycleGoals(lifecycle) : []),
    ...(lifecycle ? pluginGoals(lifecycle) : []),
    ...(lifecycle ? stateGoals(lifecycle) : []),
    ...(loading ? loadingGoals(loading) : []),
    ...(many ? manyGoals(many) : []),
    ...(latency ? latencyGoals(latency) : []),
    ...(limit ? limitGoals(limit) : []),
  ];
}

function atMost(goal: string, figure: number | undefined, most: number, unit = ""): Goal[] {
  return figure === undefined ? [] : [{ goal, reached: shown(figure, unit), met: figure <= most }];
}

/** The result of pipestack with the largest stack that the other contender took part with. */
function besides(
  lifecycle: LifecycleResult[],
  work: WorkName,
  other: Contender,
): LifecycleResult | undefined {
  const sizes = lifecycle
    .filter((result) => result.work === work && result.contender === other)
    .map(({ size }) => size);
  return lifecycle.find(
    (result) =>
      result.work === work && result.contender === "pipestack" && result.size === Math.max(...sizes),
  );
}

function lifecycleGoals(lifecycle: LifecycleResult[]): Goal[] {
  const withFloor = besides(lifecycle, "alerts", "floor");
  const withEach = besides(lifecycle, "alerts", "handwrittenEach");
  const floor = lifecycle.find(
    ({ contender, work, size }) => contender === "floor" && work === "alerts" && size === withFloor?.size,
  );
  const goals: Goal[] = [];
  for (const operation of Object.keys(withFloor?.operations ?? {}) as OperationName[]) {
    const isRefresh = operation.includes("refresh");
    goals.push(
      ...atMost(
        `${operation} of ${withFloor?.size} alerts: at most 1.10 times \`floor\``,
        withFloor?.ratios.floor?.[operation],
        1.1,
      ),
      ...(isRefresh
        ? atMost(
            `${operation} of ${withFloor?.size} alerts: at most 3 requests`,
            withFloor?.operations[operation].requests,
            3,
          )
        : atMost(
            `${operation} of ${withEach?.size} alerts: at most half of \`handwrittenEach\``,
            withEach?.ratios.handwrittenEach?.[operation],
            0.5,
          )),
    );
  }
  if (withFloor && floor)
    goals.push(
      ...atMost(
        `Memory of the host with ${withFloor.size} alerts: at most 60 MB more than \`floor\``,
        extraMegabytes(withFloor, floor),
        60,
        "MB",
      ),
    );
  return goals;
}

function extraMegabytes(pipestack: LifecycleResult, floor: LifecycleResult): number | undefined {
  const extras = (Object.keys(floor.operations) as OperationName[]).flatMap((name) => {
    const [mine, theirs] = [pipestack.operations[name].hostMegabytes, floor.operations[name].hostMegabytes];
    return mine === undefined || theirs === undefined ? [] : [mine - theirs];
  });
  return extras.length === 0 ? undefined : Math.max(...extras);
}

/** How much of the time of `floor`, a dynamic provider that does nothing, the plugin takes at most, by number of alerts. */
const pluginShares: { readonly [size: number]: { readonly [Name in OperationName]?: number } } = {
  1: { up: 0.8, refresh: 0.65, destroy: 0.6 },
  1000: { preview: 0.9, up: 0.95, "no-op up": 0.9, refresh: 0.9 },
};

function pluginGoals(lifecycle: LifecycleResult[]): Goal[] {
  return Object.entries(pluginShares).flatMap(([size, shares]) => {
    const ofSize = lifecycle.filter((result) => result.work === "alerts" && result.size === Number(size));
    const [plugin, dynamic] = (["plugin", "pipestack"] as const).map((name) =>
      ofSize.find(({ contender }) => contender === name),
    );
    const alerts = `${size} ${size === "1" ? "alert" : "alerts"}`;
    const memory = (result: LifecycleResult | undefined) =>
      result && Math.max(...Object.values(result.operations).map(({ hostMegabytes = 0 }) => hostMegabytes));
    return [
      ...(Object.entries(shares) as [OperationName, number][]).flatMap(([operation, share]) =>
        atMost(
          `${operation} of ${alerts} on the plugin: at most ${share} times \`floor\``,
          plugin?.ratios.floor?.[operation],
          share,
        ),
      ),
      ...atMost(
        `Memory of the plugin with ${alerts}: at most that of the dynamic host, ${shown(memory(dynamic), "MB")}`,
        memory(plugin),
        memory(dynamic) ?? 0,
        "MB",
      ),
    ];
  });
}

function stateGoals(lifecycle: LifecycleResult[]): Goal[] {
  return (["alerts", "mixed"] as const).flatMap((work) => {
    const result = besides(lifecycle, work, "pipestack");
    if (!result) return [];
    const { resource, inputsAndOutputs, inputsAndOutputsStored } = result.state;
    const kind = work === "alerts" ? "an alert" : "a resource of any type";
    const title = `State of ${kind}: at most 1.3 times its inputs plus outputs`;
    return [
      ...atMost(`${title}, excluding the engine's own data`, inputsAndOutputsStored / inputsAndOutputs, 1.3),
      ...atMost(`${title}, including it`, resource / inputsAndOutputs, 1.3),
    ];
  });
}

function loadingGoals({ program }: LoadingResult): Goal[] {
  const loaded = (["axios", "ajv"] as const).filter((name) => program[name]);
  return [
    ...atMost("Loading `pipestack`: at most 40 ms after `@pulumi/pulumi`", program.own, 40, "ms"),
    {
      goal: "Loading `pipestack` loads neither axios nor ajv",
      reached: loaded.join(", ") || "neither",
      met: loaded.length === 0,
    },
  ];
}

/** By CPU time: the wall time of a small stack is mostly the start of the CLI. */
function manyGoals({ results }: ManyResult): Goal[] {
  return [
    ...flat(results, "CPU time", "ms", ({ cpuSeconds }) => cpuSeconds && cpuSeconds * 1000),
    ...flat(
      results,
      "memory of the host",
      "KB",
      ({ hostMegabytes }) => hostMegabytes && hostMegabytes * 1024,
    ),
  ];
}

/** An additional alert costs no more in a large stack than in a smaller one. */
function flat(
  results: ManyResult["results"],
  what: string,
  unit: string,
  figureOf: (result: ManyResult["results"][number]) => number | undefined,
): Goal[] {
  const [small, middle, large] = results
    .filter(({ contender }) => contender === "pipestack")
    .sort((left, right) => left.size - right.size)
    .map((result) => ({ size: result.size, figure: figureOf(result) }));
  if (!large?.figure || !middle?.figure || !small?.figure) return [];
  const before = (middle.figure - small.figure) / (middle.size - small.size);
  const after = (large.figure - middle.figure) / (large.size - middle.size);
  return [
    {
      goal: `Refresh: ${what} of each additional alert stays the same up to ${large.size} alerts (within 25 %)`,
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
