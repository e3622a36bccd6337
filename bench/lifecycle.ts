import { median } from "./median";
import type { Project } from "./project";
import type { BenchSandbox } from "./sandbox";

const contenders = ["floor", "pipestack", "plugin", "set"] as const;
type Contender = (typeof contenders)[number];

const operations = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  "no-op up": ["up", "--yes", "--skip-preview"],
  "up after a change": ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "preview --refresh": ["preview", "--refresh"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;
export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

/** The figures of one Pulumi operation in one round of the benchmark, or their medians over all rounds. */
interface Figures {
  readonly seconds: number;
  readonly cpuSeconds?: number;
  /** Peak memory of the process that hosts the provider; undefined if no host was started. */
  readonly hostMegabytes?: number;
  readonly requests: number;
  /**
   * The duration of the operation as a multiple of the duration that `floor` (resources of Pulumi without any request) had in
   * the same round.
   */
  readonly ratio?: number;
}

type Measured<Value> = Partial<Record<OperationName, Value>>;

/** The results of one contender of the benchmark (a way to declare alerts) with one size of stack. */
export interface LifecycleResult {
  readonly size: number;
  readonly contender: Contender;
  readonly rounds: number;
  readonly operations: Measured<Figures>;
  /** The average size of a resource in the Pulumi state, in bytes; for an AlertSet, the size of the whole set. */
  readonly stateBytes: number;
}

interface Round {
  readonly operations: Measured<Figures>;
  readonly stateBytes: number;
}

/** The parts of the benchmark that measure the lifecycle of a stack. */
export interface Bench {
  readonly project: Project;
  readonly sandbox: BenchSandbox;
  roundsFor(size: number): number;
  tell(text: string): void;
}

/**
 * Runs the stack of each contender (a way to declare alerts) from preview to destroy, in turns, so that a busy machine slows
 * all of them. Except for a single alert, stacks are measured without the engine's checkpoints: the time of checkpoints grows
 * with the square of the number of resources, does not depend on the contender, and would hide the differences.
 */
export async function measureLifecycle(bench: Bench, size: number): Promise<LifecycleResult[]> {
  // The benchmark measures no AlertSet of one alert: most of the time would go into the start of processes.
  const taking = contenders.filter((contender) => contender !== "set" || size > 1);
  const names: readonly OperationName[] = size === 1 ? ["up", "refresh", "destroy"] : operationNames;
  const rounds = new Map<Contender, Round[]>(taking.map((contender) => [contender, []]));
  for (let round = 0; round < bench.roundsFor(size); round++) {
    for (const contender of taking) {
      bench.tell(`${size}, round ${round + 1}: ${contender}`);
      const environment = {
        ...(await bench.sandbox.start()),
        ...{ BENCH_ALERTS: String(size), BENCH_CONTENDER: contender },
        ...(size === 1 ? {} : { PULUMI_SKIP_CHECKPOINTS: "1" }),
      };
      rounds.get(contender)?.push(await measureRound(bench, names, environment));
    }
  }
  const floors = rounds.get("floor") ?? [];
  return taking.map((contender) => {
    const measured = rounds.get(contender) ?? [];
    return {
      ...{ size, contender, rounds: measured.length },
      operations: Object.fromEntries(names.map((name) => [name, mediansOf(name, measured, floors)])),
      stateBytes: measured[0]?.stateBytes ?? Number.NaN,
    };
  });
}

async function measureRound(
  { project, sandbox }: Bench,
  names: readonly OperationName[],
  environment: Record<string, string>,
): Promise<Round> {
  const stack = await project.newStack(environment);
  const figures: Measured<Figures> = {};
  let stateBytes = Number.NaN;
  let variables = environment;
  for (const name of names) {
    if (name === "up after a change") variables = { ...environment, BENCH_CHANGED: "1" };
    const cost = await project.run(stack, [...operations[name]], variables);
    figures[name] = { ...cost, requests: await sandbox.takeRequests() };
    if (name !== "up") continue;
    const sizes = (await project.resources(stack)).map((resource) => JSON.stringify(resource).length);
    stateBytes = Math.round(sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length);
  }
  return { operations: figures, stateBytes };
}

function mediansOf(name: OperationName, rounds: readonly Round[], floors: readonly Round[]): Figures {
  const of = (figure: keyof Figures) => median(rounds.map(({ operations }) => operations[name]?.[figure]));
  const ratios = rounds.map(({ operations }, index) => {
    const [seconds, floor] = [operations, floors[index]?.operations].map(
      (operations) => operations?.[name]?.seconds,
    );
    return seconds === undefined || floor === undefined ? undefined : seconds / floor;
  });
  return {
    seconds: of("seconds") ?? Number.NaN,
    cpuSeconds: of("cpuSeconds"),
    hostMegabytes: of("hostMegabytes"),
    requests: of("requests") ?? Number.NaN,
    ratio: median(ratios),
  };
}
