import { startObjectStore } from "../toolchain/objectStore.mjs";
import type { Bench } from "./bench";
import { median, rounded } from "./figures";
import { operations } from "./lifecycle";
import type { Environment } from "./project";
import { programVariables, works } from "./work";

/** What the engine and the SDK cost by themselves, and what changes that. */
export interface FloorResult {
  size: number;
  rounds: number;
  results: { title: string; seconds?: number; cpuSeconds?: number; stateKilobytes?: number }[];
}

interface Variant {
  environment?: Environment;
  args?: string[];
  /** Whether the state is kept on an S3 server of this machine, and not in a folder. */
  inObjectStore?: boolean;
}

/** What a user may change, then what a provider may. */
const variants: Record<string, Variant> = {
  "as it is": {},
  "`PULUMI_SKIP_CHECKPOINTS=1`": { environment: { PULUMI_SKIP_CHECKPOINTS: "1" } },
  "`--disable-integrity-checking`": { args: ["--disable-integrity-checking"] },
  "`PULUMI_DIY_BACKEND_GZIP=1`": { environment: { PULUMI_DIY_BACKEND_GZIP: "1" } },
  "`PULUMI_DIY_BACKEND_ZSTD=1`": { environment: { PULUMI_DIY_BACKEND_ZSTD: "1" } },
  "state in an object store on the same machine": { inObjectStore: true },
  "the same, `PULUMI_DIY_BACKEND_GZIP=1`": {
    inObjectStore: true,
    environment: { PULUMI_DIY_BACKEND_GZIP: "1" },
  },
  "`--parallel 1`": { args: ["--parallel", "1"] },
  "`--parallel 64`": { args: ["--parallel", "64"] },
  "`--parallel 64` without checkpoints": {
    args: ["--parallel", "64"],
    environment: { PULUMI_SKIP_CHECKPOINTS: "1" },
  },
  "2 KB more inputs": { environment: { BENCH_PADDING: "2000" } },
  "2 KB more inputs without checkpoints": {
    environment: { BENCH_PADDING: "2000", PULUMI_SKIP_CHECKPOINTS: "1" },
  },
  "20 more outputs declared": { environment: { BENCH_OUTPUTS: "20" } },
  "20 more outputs declared, without checkpoints": {
    environment: { BENCH_OUTPUTS: "20", PULUMI_SKIP_CHECKPOINTS: "1" },
  },
  "5 ms of work in each check and diff": { environment: { BENCH_BUSY_MILLISECONDS: "5" } },
};

export async function measureFloor(bench: Bench): Promise<FloorResult> {
  const size = bench.quick ? 20 : 300;
  const rounds = bench.quick ? 1 : 3;
  const facts = await bench.sandbox.start();
  const objectStore = await startObjectStore();
  const common = { ...programVariables(works.alerts(size), facts), BENCH_CONTENDER: "floor" };
  const measured = new Map(Object.keys(variants).map((title) => [title, [] as Measured[]]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [title, variant] of Object.entries(variants)) {
        bench.tell(`floor, round ${round + 1}: ${title}`);
        const backend = variant.inObjectStore ? objectStore.environment : {};
        const environment = { ...common, ...backend, ...variant.environment };
        measured.get(title)?.push(await measureUp(bench, variant, environment));
      }
    }
  } finally {
    await objectStore.close();
  }
  const mid = (all: Measured[], figure: keyof Measured) => rounded(median(all.map((one) => one[figure])));
  return {
    size,
    rounds,
    results: [...measured].map(([title, all]) => ({
      title,
      seconds: mid(all, "seconds"),
      cpuSeconds: mid(all, "cpuSeconds"),
      stateKilobytes: mid(all, "stateKilobytes"),
    })),
  };
}

async function measureUp(
  { project }: Bench,
  { args = [], inObjectStore }: Variant,
  environment: Environment,
): Promise<Measured> {
  await project.run("floor", ["stack", "init"], environment);
  const { seconds, cpuSeconds } = await project.run("floor", [...operations.up, ...args], environment);
  const stateKilobytes = inObjectStore ? undefined : (await project.stateBytes("floor")) / 1000;
  await project.run("floor", ["stack", "rm", "--yes", "--force"], environment);
  return { seconds, cpuSeconds, stateKilobytes };
}

interface Measured {
  seconds: number;
  cpuSeconds?: number;
  stateKilobytes?: number;
}
