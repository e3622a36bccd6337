import type { Bench } from "./bench";
import { rounded } from "./figures";
import { type Contender, operations } from "./lifecycle";
import { programVariables, works } from "./work";

/** `up` of alerts when every request takes longer. */
export interface LatencyResult {
  size: number;
  latencyMilliseconds: number;
  results: { parallel: number; floorSeconds: number; seconds: number; goalSeconds: number }[];
}

const latencyMilliseconds = 100;
const allowedOverhead = 1.3;

export async function measureLatency(bench: Bench): Promise<LatencyResult> {
  const size = bench.quick ? 10 : 200;
  const results: LatencyResult["results"] = [];
  for (const parallel of [8, 64]) {
    const upSeconds = async (contender: Contender) => {
      bench.tell(`latency, --parallel ${parallel}: ${contender}`);
      const up = [...operations.up, "--parallel", String(parallel)];
      const facts = await bench.sandbox.start({ latency: latencyMilliseconds });
      const environment = {
        ...programVariables(works.alerts(size), facts),
        BENCH_CONTENDER: contender,
        // They would take most of the time.
        PULUMI_SKIP_CHECKPOINTS: "1",
      };
      const stack = await bench.project.newStack(environment);
      return (await bench.project.run(stack, up, environment)).seconds;
    };
    const floorSeconds = await upSeconds("floor");
    const seconds = await upSeconds("pipestack");
    const goalSeconds = allowedOverhead * ((size / parallel) * (latencyMilliseconds / 1000) + floorSeconds);
    results.push({
      parallel,
      floorSeconds: rounded(floorSeconds) ?? 0,
      seconds: rounded(seconds) ?? 0,
      goalSeconds: rounded(goalSeconds) ?? 0,
    });
  }
  return { size, latencyMilliseconds, results };
}
