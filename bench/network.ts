import type { Bench } from "./bench";
import { rounded } from "./figures";
import { type Contender, operations } from "./lifecycle";
import type { SandboxStart } from "./sandboxProcess";
import { programVariables, works } from "./work";

/** `up` of alerts when every request takes longer. */
export interface LatencyResult {
  size: number;
  latencyMilliseconds: number;
  results: { parallel: number; floorSeconds: number; seconds: number; goalSeconds: number }[];
}

/** Refresh of alerts under a rate limit. */
export interface LimitResult {
  size: number;
  /** The limit that was measured with: the API's, in a shorter period to keep the bench short. */
  limit: { requests: number; seconds: number };
  /** How many times shorter that period is. */
  scale: number;
  results: { contender: Contender; seconds: number; requests: number }[];
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
      const { stack, environment } = await openStack(bench, contender, size, {
        latency: latencyMilliseconds,
      });
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

/** The API allows 10 requests in 10 seconds. */
const apiLimit = { requests: 10, seconds: 10 };

export async function measureLimit(bench: Bench): Promise<LimitResult> {
  const size = bench.quick ? 20 : 200;
  const scale = 10;
  const limit = { requests: apiLimit.requests, seconds: apiLimit.seconds / scale };
  const results: LimitResult["results"] = [];
  for (const contender of ["handwritten", "pipestack"] as const) {
    bench.tell(`refresh under a limit: ${contender}`);
    const { stack, environment } = await openStack(bench, contender, size, {});
    await bench.project.run(stack, [...operations.up], environment);
    const limited = await bench.sandbox.start({ rateLimit: { management: limit }, keepsRecords: true });
    const refresh = [...operations.refresh];
    const { seconds } = await bench.project.run(stack, refresh, { ...environment, ...limited.environment });
    results.push({ contender, seconds: rounded(seconds) ?? 0, requests: await bench.sandbox.takeRequests() });
  }
  return { size, limit, scale, results };
}

/** A new stack of alerts, without checkpoints: they would take most of the time. */
async function openStack(bench: Bench, contender: Contender, size: number, start: Partial<SandboxStart>) {
  const facts = await bench.sandbox.start(start);
  const environment = {
    ...programVariables(works.alerts(size), facts),
    BENCH_CONTENDER: contender,
    PULUMI_SKIP_CHECKPOINTS: "1",
  };
  return { environment, stack: await bench.project.newStack(environment) };
}
