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
  /** Inputs and outputs as JSON, including both. */
  inputsAndOutputsStored: number;
  /** One copy of `__provider`. */
  provider: number;
}

/** One contender with one stack. */
export interface LifecycleResult {
  work: WorkName;
  /** Number of resources. */
  size: number;
  contender: Contender;
  rounds: number;
  operations: Record<OperationName, Figures>;
  /** Wall time as a multiple of another contender's in the same round: the medians. */
  ratios: Partial<Record<Contender, Record<OperationName, number | undefined>>>;
  state: StateFigures;
}

interface Round {
  operations: Record<OperationName, Figures>;
  state: StateFigures;
}

/** From this size on, one round of the handwritten contenders is enough. */
const onceFrom = 300;

/** Takes every contender's stack from preview to destroy. Contenders take turns in rounds, so that a busy machine slows all of them. */
export async function measureLifecycle(
  bench: Bench,
  workName: WorkName,
  size: number,
): Promise<LifecycleResult[]> {
  const work = works[workName](size);
  const taking = contenders.filter(
    (contender) =>
      (workName === "alerts" || contender !== "handwrittenEach") &&
      (size <= bench.handwrittenUpTo || !contender.startsWith("handwritten")),
  );
  const measured = new Map<Contender, Round[]>(taking.map((contender) => [contender, []]));
  for (let round = 0; round < bench.roundsFor(size); round++) {
    for (const contender of taking) {
      if (round > 0 && size >= onceFrom && contender.startsWith("handwritten")) continue;
      bench.tell(`${workName} ${size}, round ${round + 1}: ${contender}`);
      const facts = await bench.sandbox.start({ services: work.services });
      const environment = { ...programVariables(work, facts), BENCH_CONTENDER: contender };
      measured.get(contender)?.push(await measureRound(bench, contender, environment));
    }
  }
  const total = work.alerts + work.dashboards + work.keys + 2 * work.services;
  return taking.map((contender) => summary(workName, total, contender, measured));
}

async function measureRound(
  bench: Bench,
  contender: Contender,
  environment: Record<string, string>,
): Promise<Round> {
  const { project, sandbox } = bench;
  await project.run(contender, ["stack", "init"], environment);
  const figures: Record<string, Figures> = {};
  let resources: StateResource[] = [];
  let variables = environment;
  for (const name of operationNames) {
    if (name === "up after a change") variables = { ...environment, BENCH_CHANGED: "1" };
    const cost = await project.run(contender, [...operations[name]], variables);
    figures[name] = { ...cost, requests: await sandbox.takeRequests() };
    if (name === "up") resources = await project.resources(contender);
  }
  await project.run(contender, ["stack", "rm", "--yes"], environment);
  return { operations: figures as Round["operations"], state: stateFigures(resources) };
}

function stateFigures(resources: StateResource[]): StateFigures {
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? "");
  const own = ({ __provider, __tracking, ...rest }: Record<string, unknown> = {}) => rest;
  return {
    resource: Math.round(mean(resources.map(bytes))),
    inputsAndOutputs: Math.round(
      mean(resources.map(({ inputs, outputs }) => bytes(own(inputs)) + bytes(own(outputs)))),
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
  work: WorkName,
  size: number,
  contender: Contender,
  measured: Map<Contender, Round[]>,
): LifecycleResult {
  const rounds = measured.get(contender) ?? [];
  const ofAll = <Value>(value: (name: OperationName) => Value) =>
    Object.fromEntries(operationNames.map((name) => [name, value(name)])) as Record<OperationName, Value>;
  const mid = (name: OperationName, figure: keyof Figures) =>
    rounded(median(rounds.map((round) => round.operations[name][figure])));
  const ratiosTo = (others: readonly Round[]) =>
    ofAll((name) => {
      const inRounds = others.map((round, index) => {
        const seconds = rounds[index]?.operations[name].seconds;
        return seconds === undefined ? undefined : seconds / round.operations[name].seconds;
      });
      return rounded(median(inRounds));
    });
  return {
    work,
    size,
    contender,
    rounds: rounds.length,
    operations: ofAll((name) => ({
      seconds: mid(name, "seconds") ?? Number.NaN,
      cpuSeconds: mid(name, "cpuSeconds"),
      hostMegabytes: mid(name, "hostMegabytes"),
      requests: mid(name, "requests") ?? Number.NaN,
    })),
    ratios: Object.fromEntries([...measured].map(([other, others]) => [other, ratiosTo(others)])),
    state: rounds[0]?.state as StateFigures,
  };
}
