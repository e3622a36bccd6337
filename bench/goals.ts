import { shown } from "./figures";
import type { Contender, LifecycleResult, OperationName } from "./lifecycle";
import type { LoadingResult } from "./loading";
import type { LatencyResult, LimitResult, ManyResult } from "./network";
import type { Results } from "./results";
import type { WorkName } from "./work";

/** One goal, and what is reached. */
export interface Goal {
  goal: string;
  reached: string;
  met: boolean;
}

/** The goals that the figures at hand say something about. */
export function goalsOf({ lifecycle, loading, latency, limit, many }: Results): Goal[] {
  return [
    ...(lifecycle ? lifecycleGoals(lifecycle) : []),
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

/** What pipestack took with the largest stack that the other contender took part with. */
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
        `Host process at ${withFloor.size} alerts: at most 60 MB more than \`floor\``,
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

function stateGoals(lifecycle: LifecycleResult[]): Goal[] {
  return (["alerts", "mixed"] as const).flatMap((work) => {
    const result = besides(lifecycle, work, "pipestack");
    if (!result) return [];
    const { resource, inputsAndOutputs, inputsAndOutputsStored } = result.state;
    const kind = work === "alerts" ? "an alert" : "a resource of any kind";
    const title = `State of ${kind}: at most 1.3 times inputs plus outputs`;
    return [
      ...atMost(`${title}, without what the engine adds`, inputsAndOutputsStored / inputsAndOutputs, 1.3),
      ...atMost(`${title}, with what the engine adds`, resource / inputsAndOutputs, 1.3),
    ];
  });
}

function loadingGoals({ program }: LoadingResult): Goal[] {
  const loaded = (["axios", "ajv"] as const).filter((name) => program[name]);
  return [
    ...atMost("Loading `pipestack`: at most 40 ms beyond `@pulumi/pulumi`", program.own, 40, "ms"),
    {
      goal: "Loading `pipestack` loads neither axios nor ajv",
      reached: loaded.join(", ") || "neither",
      met: loaded.length === 0,
    },
  ];
}

/** By CPU time, since what a small stack takes is mostly the start of the CLI. */
function manyGoals({ results }: ManyResult): Goal[] {
  return [
    ...flat(results, "takes of CPU time", "ms", ({ cpuSeconds }) => cpuSeconds && cpuSeconds * 1000),
    ...flat(
      results,
      "takes of the host's memory",
      "KB",
      ({ hostMegabytes }) => hostMegabytes && hostMegabytes * 1024,
    ),
  ];
}

/** That one more alert costs no more in a large stack than in a smaller one. */
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
      goal: `Refresh: what one more alert ${what} stays the same up to ${large.size} (within a quarter)`,
      reached: `${shown(before, unit)} up to ${middle.size}, ${shown(after, unit)} from there on`,
      met: after <= 1.25 * before,
    },
  ];
}

function latencyGoals({ size, latencyMilliseconds, results }: LatencyResult): Goal[] {
  return results
    .filter(({ parallel }) => parallel === 64)
    .flatMap(({ seconds, goalSeconds }) =>
      atMost(
        `\`up\` of ${size} alerts, ${latencyMilliseconds} ms away, --parallel 64: at most ${shown(goalSeconds, "s")}`,
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
      goal: `Refresh of ${size} alerts under the limit: one request to wait for, and not one for each alert`,
      reached: `${own.requests} and ${handwritten.requests}`,
      met: handwritten.requests >= size && own.requests === 1,
    },
    {
      goal: `Refresh of ${size} alerts under the API's own limit: at least a hundred times faster than \`handwritten\``,
      reached: shown((handwritten.seconds * scale) / own.seconds, "times"),
      met: handwritten.seconds * scale >= 100 * own.seconds,
    },
  ];
}
