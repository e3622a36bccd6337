import { shown } from "./figures";
import type { LatencyResult } from "./latency";
import type { Contender, LifecycleResult, OperationName } from "./lifecycle";
import type { LoadingResult } from "./loading";
import type { Results } from "./results";
import { type WorkName, works } from "./work";

/** A goal and the figure that was reached. */
export interface Goal {
  goal: string;
  reached: string;
  met: boolean;
}

/** The goals of the parts that were measured. */
export function goalsOf({ lifecycle, loading, latency }: Results): Goal[] {
  return [
    ...(lifecycle ? lifecycleGoals(lifecycle) : []),
    ...(loading ? loadingGoals(loading) : []),
    ...(latency ? latencyGoals(latency) : []),
  ];
}

function atMost(goal: string, figure: number | undefined, most: number, unit = ""): Goal[] {
  return figure === undefined ? [] : [{ goal, reached: shown(figure, unit), met: figure <= most }];
}

/** The most time that operations on a stack may take, as multiples of another contender's. */
interface Shares {
  readonly contender: Contender;
  readonly of: Contender;
  readonly work: WorkName;
  readonly size: number;
  readonly most: { readonly [Name in OperationName]?: number };
}

/** In a small stack the start of processes counts, so the dynamic host has goals for large ones alone. */
const shares: readonly Shares[] = [
  ...[300, 1000].map(
    (size): Shares => ({
      ...{ contender: "pipestack", of: "floor", work: "alerts", size },
      most: {
        ...{ preview: 1, up: 1, "no-op up": 1, "up after a change": 1 },
        ...{ refresh: 1.05, "preview --refresh": 1, destroy: 1 },
      },
    }),
  ),
  {
    ...{ contender: "pipestack", of: "handwrittenEach", work: "alerts", size: 300 },
    most: { preview: 0.5, up: 0.5, "no-op up": 0.5, destroy: 0.5 },
  },
  { contender: "pipestack", of: "floor", work: "mixed", size: 1000, most: { refresh: 1.2 } },
  {
    ...{ contender: "plugin", of: "floor", work: "alerts", size: 1 },
    most: { up: 0.8, refresh: 0.65, destroy: 0.6 },
  },
  {
    ...{ contender: "plugin", of: "floor", work: "alerts", size: 1000 },
    most: { preview: 0.9, up: 0.95, "no-op up": 0.9, refresh: 0.9 },
  },
];

function lifecycleGoals(lifecycle: LifecycleResult[]): Goal[] {
  const resultOf = (work: WorkName, size: number | undefined, contender: Contender) =>
    lifecycle.find(
      (result) => result.work === work && result.size === size && result.contender === contender,
    );
  // The largest stacks are measured without `floor`.
  const compared = lifecycle.filter(({ contender }) => contender === "floor");
  const largest = (work: WorkName) =>
    Math.max(0, ...compared.filter((result) => result.work === work).map(({ size }) => size));
  const ofTime = shares.flatMap(({ contender, of, work, size, most }) =>
    Object.entries(most).flatMap(([operation, share]) =>
      atMost(
        `${operation} of ${stackOf(work, size)}${contender === "plugin" ? " on the plugin" : ""}: at most ${share} times \`${of}\``,
        resultOf(work, size, contender)?.ratios[of]?.[operation as OperationName],
        share,
      ),
    ),
  );
  const ofStacks = (["alerts", "mixed"] as const).flatMap((work) => {
    const size = largest(work);
    const [floor, dynamic, plugin] = (["floor", "pipestack", "plugin"] as const).map((contender) =>
      resultOf(work, size, contender),
    );
    if (!dynamic) return [];
    const stack = stackOf(work, size);
    const { state, operations } = dynamic;
    const memory = peakOf(dynamic);
    // One list of each kind serves all reads; a query endpoint has none, nor, in the dialect neutral, has a scaling.
    const requests = work === "alerts" ? 1 : 4 + 2 * works.mixed(size).services;
    return [
      ...atMost(`requests of a refresh of ${stack}: ${requests}`, operations.refresh?.requests, requests),
      ...atMost(
        `memory of the host with ${stack}: at most 60 MB more than \`floor\``,
        floor && memory - peakOf(floor),
        60,
        "MB",
      ),
      ...atMost(
        `memory of the plugin with ${stack}: at most that of the host, ${shown(memory, "MB")}`,
        plugin && peakOf(plugin),
        memory,
        "MB",
      ),
      ...atMost(
        `state of one of ${stack}: at most 1.1 times its inputs plus outputs`,
        state.withTracking / state.inputsAndOutputs,
        1.1,
      ),
    ];
  });
  return [...ofTime, ...ofStacks];
}

function stackOf(work: WorkName, size: number): string {
  return `${size} ${work === "mixed" ? "resources of all types" : size === 1 ? "alert" : "alerts"}`;
}

/** The peak memory of the host of a stack. */
function peakOf({ operations }: LifecycleResult): number {
  return Math.max(...Object.values(operations).map(({ hostMegabytes = 0 }) => hostMegabytes));
}

function loadingGoals({ program }: LoadingResult): Goal[] {
  const loaded = (["axios", "ajv"] as const).filter((name) => program[name]);
  return [
    ...atMost("loading `pipestack`: at most 12 ms after `@pulumi/pulumi`", program.own, 12, "ms"),
    {
      goal: "loading `pipestack` loads neither axios nor ajv",
      reached: loaded.join(", ") || "neither",
      met: loaded.length === 0,
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
