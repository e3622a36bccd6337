import type { Bench } from "./bench";
import { mean, median, rounded } from "./figures";
import type { StateResource } from "./project";
import { programVariables, type WorkName, works } from "./work";

export const contenders = ["floor", "handwritten", "handwrittenEach", "pipestack", "plugin"] as const;
export type Contender = (typeof contenders)[number];

/** The operations that are measured, in this order. */
export const operations = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  "no-op up": ["up", "--yes", "--skip-preview"],
  "up after a change": ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "preview --refresh": ["preview", "--refresh"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;
export type OperationName = keyof typeof operations;
const operationNames = Object.keys(operations) as OperationName[];

/** From so many alerts on, what is measured is how the cost grows. */
const many = 5000;

/** What is measured of a stack: of all types together, what depends on the type; of one alert, the start of processes. */
function measuredOf(work: WorkName, size: number, contender: Contender): readonly OperationName[] {
  if (work === "mixed" || size === 1) return ["up", "refresh", "destroy"];
  if (size >= many) return ["up", "no-op up", "refresh"];
  // They are slow, and this is a preview and a refresh.
  if (isHandwritten(contender)) return operationNames.filter((name) => name !== "preview --refresh");
  return operationNames;
}

/** Figures of one operation in one round, or the medians of all rounds. */
export interface Figures {
  seconds: number;
  cpuSeconds?: number;
  /** Peak memory of the host of the provider; undefined if none was started. */
  hostMegabytes?: number;
  requests: number;
}

/** Average bytes of one resource in the state. */
export interface StateFigures {
  /** The whole entry. */
  resource: number;
  /** Inputs and outputs as JSON, without `__provider` and `__tracking`. */
  inputsAndOutputs: number;
  /** Inputs and outputs as JSON, including `__tracking`: what the lifecycle remembers. */
  withTracking: number;
  /** Inputs and outputs as JSON, including both. */
  inputsAndOutputsStored: number;
  /** One copy of `__provider`. */
  provider: number;
}

/** By the operations that were measured. */
type Measured<Value> = Partial<Record<OperationName, Value>>;

/** One contender with one stack. */
export interface LifecycleResult {
  work: WorkName;
  /** Number of resources. */
  size: number;
  contender: Contender;
  rounds: number;
  /** Whether the engine wrote the state at each step, as it does unless it is told otherwise. */
  hasCheckpoints: boolean;
  operations: Measured<Figures>;
  /** Wall time as a multiple of another contender's in the same round: the medians. */
  ratios: Partial<Record<Contender, Measured<number | undefined>>>;
  state: StateFigures;
}

interface Round {
  operations: Measured<Figures>;
  state: StateFigures;
}

/**
 * Larger stacks are measured without checkpoints: their time grows with the square of the number of resources, is the
 * engine's alone, and would hide what the contenders differ in.
 */
const checkpointsUpTo = 100;

/** Takes every contender's stack from preview to destroy. Contenders take turns in rounds, so that a busy machine slows all of them. */
export async function measureLifecycle(
  bench: Bench,
  workName: WorkName,
  size: number,
): Promise<LifecycleResult[]> {
  const work = works[workName](size);
  const taking = contenders.filter((contender) => {
    if (isHandwritten(contender)) return workName === "alerts" && size === bench.handwrittenSize;
    return contender !== "floor" || size < many;
  });
  const hasCheckpoints = size <= checkpointsUpTo;
  const rounds = new Map<Contender, Round[]>(taking.map((contender) => [contender, []]));
  for (let round = 0; round < bench.roundsFor(size); round++) {
    for (const contender of taking) {
      // They are so much slower that one round tells.
      if (round > 0 && isHandwritten(contender)) continue;
      bench.tell(`${workName} ${size}, round ${round + 1}: ${contender}`);
      const facts = await bench.sandbox.start({ services: work.services });
      const environment = {
        ...programVariables(work, facts),
        BENCH_CONTENDER: contender,
        ...(hasCheckpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "1" }),
      };
      const names = measuredOf(workName, size, contender);
      rounds.get(contender)?.push(await measureRound(bench, names, environment));
    }
  }
  const total = work.alerts + work.dashboards + work.keys + 2 * work.services;
  return taking.map((contender) => ({
    ...{ work: workName, size: total, contender, hasCheckpoints },
    ...summary(contender, measuredOf(workName, size, contender), rounds),
  }));
}

function isHandwritten(contender: Contender): boolean {
  return contender.startsWith("handwritten");
}

async function measureRound(
  { project, sandbox }: Bench,
  names: readonly OperationName[],
  environment: Record<string, string>,
): Promise<Round> {
  const stack = await project.newStack(environment);
  const figures: Measured<Figures> = {};
  let resources: StateResource[] = [];
  let variables = environment;
  for (const name of names) {
    if (name === "up after a change") variables = { ...environment, BENCH_CHANGED: "1" };
    const cost = await project.run(stack, [...operations[name]], variables);
    figures[name] = { ...cost, requests: await sandbox.takeRequests() };
    if (name === "up") resources = await project.resources(stack);
  }
  return { operations: figures, state: stateFigures(resources) };
}

function stateFigures(resources: StateResource[]): StateFigures {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const withTracking = ({ __provider, ...rest }: Record<string, unknown> = {}) => rest;
  const own = ({ __tracking, ...rest }: Record<string, unknown> = {}) => withTracking(rest);
  return {
    resource: Math.round(mean(resources.map(bytes))),
    inputsAndOutputs: Math.round(
      mean(resources.map(({ inputs, outputs }) => bytes(own(inputs)) + bytes(own(outputs)))),
    ),
    withTracking: Math.round(
      mean(
        resources.map(({ inputs, outputs }) => bytes(withTracking(inputs)) + bytes(withTracking(outputs))),
      ),
    ),
    inputsAndOutputsStored: Math.round(
      mean(resources.map(({ inputs, outputs }) => bytes(inputs) + bytes(outputs))),
    ),
    provider: Math.round(
      mean(resources.map(({ inputs }) => Buffer.byteLength(String(inputs?.__provider ?? "")))),
    ),
  };
}

function summary(
  contender: Contender,
  names: readonly OperationName[],
  measuredRounds: ReadonlyMap<Contender, readonly Round[]>,
): Pick<LifecycleResult, "rounds" | "operations" | "ratios" | "state"> {
  const rounds = measuredRounds.get(contender) ?? [];
  const ofAll = <Value>(value: (name: OperationName) => Value) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Measured<Value>;
  const mid = (name: OperationName, figure: keyof Figures) =>
    rounded(median(rounds.map((round) => round.operations[name]?.[figure])));
  const ratiosTo = (others: readonly Round[]) =>
    ofAll((name) => {
      const inRounds = others.map((round, index) => {
        const [seconds, theirs] = [rounds[index], round].map((each) => each?.operations[name]?.seconds);
        return seconds === undefined || theirs === undefined ? undefined : seconds / theirs;
      });
      return rounded(median(inRounds));
    });
  return {
    rounds: rounds.length,
    operations: ofAll((name) => ({
      seconds: mid(name, "seconds") ?? Number.NaN,
      cpuSeconds: mid(name, "cpuSeconds"),
      hostMegabytes: mid(name, "hostMegabytes"),
      requests: mid(name, "requests") ?? Number.NaN,
    })),
    ratios: Object.fromEntries([...measuredRounds].map(([other, others]) => [other, ratiosTo(others)])),
    state: rounds[0]?.state as StateFigures,
  };
}
