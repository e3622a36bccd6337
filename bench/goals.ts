import { shown } from "./figures";
import type { Contender, LifecycleResult, OperationName } from "./lifecycle";
import type { Results } from "./main";

/** One goal, and what is reached. */
export interface Goal {
  goal: string;
  reached: string;
  met: boolean;
}

/** The goals that the figures at hand say something about, at the largest number of alerts that was measured. */
export function goalsOf({ lifecycle = [], loading, latency, limit, many }: Results): Goal[] {
  const goals: Goal[] = [];
  const atMost = (goal: string, figure: number | undefined, most: number, unit = "") => {
    if (figure !== undefined) goals.push({ goal, reached: shown(figure, unit), met: figure <= most });
  };
  const size = Math.max(0, ...lifecycle.filter(({ work }) => work === "alerts").map((result) => result.size));
  const find = (contender: Contender) =>
    lifecycle.find(
      (result) => result.work === "alerts" && result.size === size && result.contender === contender,
    );
  const [pipestack, floor] = [find("pipestack"), find("floor")];

  if (pipestack && floor) {
    for (const operation of Object.keys(pipestack.operations) as OperationName[]) {
      const title = `${operation} of ${size} alerts`;
      atMost(`${title}: at most 1.10 times \`floor\``, pipestack.ratios.floor?.[operation], 1.1);
      if (!operation.includes("refresh"))
        atMost(
          `${title}: at most half of \`handwritten\` with a provider for each resource`,
          pipestack.ratios.handwrittenEach?.[operation],
          0.5,
        );
      else atMost(`${title}: at most 3 requests`, pipestack.operations[operation].requests, 3);
    }
    atMost(
      `Host process at ${size} alerts: at most 60 MB more than \`floor\``,
      extraMegabytes(pipestack, floor),
      60,
      "MB",
    );
  }
  for (const result of lifecycle.filter((one) => one.contender === "pipestack" && one.size >= size)) {
    const { resource, inputsAndOutputs, inputsAndOutputsStored } = result.state;
    const title = `State of one resource (${result.work}): at most 1.3 times inputs plus outputs`;
    atMost(`${title}, without the engine's own members`, inputsAndOutputsStored / inputsAndOutputs, 1.3);
    atMost(`${title}, all in all`, resource / inputsAndOutputs, 1.3);
  }
  if (loading) {
    atMost("Loading `pipestack`: at most 40 ms beyond `@pulumi/pulumi`", loading.program.own, 40, "ms");
    goals.push({
      goal: "Loading `pipestack` loads neither axios nor ajv",
      reached:
        [loading.program.axios && "axios", loading.program.ajv && "ajv"].filter(Boolean).join(", ") ||
        "neither",
      met: !loading.program.axios && !loading.program.ajv,
    });
  }
  if (many) {
    const sizes = [...new Set(many.results.map((result) => result.size))].sort((left, right) => left - right);
    const perResource = (from: number, to: number) => {
      const cpu = (at: number) =>
        many.results.find((result) => result.contender === "pipestack" && result.size === at)?.cpuSeconds ??
        Number.NaN;
      return ((cpu(to) - cpu(from)) / (to - from)) * 1000;
    };
    const [small = 0, middle = 0, large] = sizes;
    const before = perResource(small, middle);
    const after = large === undefined ? Number.NaN : perResource(middle, large);
    if (!Number.isNaN(after))
      goals.push({
        goal: `Refresh: CPU time for one resource more stays the same up to ${large} (within a quarter)`,
        reached: `${shown(before)} ms up to ${middle}, ${shown(after)} ms beyond`,
        met: after <= 1.25 * before,
      });
  }
  for (const result of latency?.results.filter(({ parallel }) => parallel === 64) ?? []) {
    const title = `\`up\` of ${latency?.size} alerts, ${latency?.latencyMilliseconds} ms away, --parallel 64`;
    atMost(`${title}: at most ${shown(result.goalSeconds, "s")}`, result.seconds, result.goalSeconds, "s");
  }
  if (limit) {
    const [handwritten, own] = ["handwritten", "pipestack"].map((name) =>
      limit.results.find(({ contender }) => contender === name),
    );
    if (handwritten && own) {
      const times = handwritten.requests / own.requests;
      goals.push({
        goal: "Refresh under the limit: hundreds of times fewer requests to wait for",
        reached: `${own.requests} for ${handwritten.requests}`,
        met: times >= Math.min(100, limit.size),
      });
    }
  }
  return goals;
}

function extraMegabytes(pipestack: LifecycleResult, floor: LifecycleResult): number | undefined {
  const extras = (Object.keys(floor.operations) as OperationName[]).flatMap((name) => {
    const [mine, theirs] = [pipestack.operations[name].hostMegabytes, floor.operations[name].hostMegabytes];
    return mine === undefined || theirs === undefined ? [] : [mine - theirs];
  });
  return extras.length === 0 ? undefined : Math.max(...extras);
}
