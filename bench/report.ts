import { shown } from "./figures";
import { goalsOf } from "./goals";
import { type LifecycleResult, type OperationName, operations } from "./lifecycle";
import type { Results } from "./results";

/** The tables of a run in Markdown, by the name of their place in docs/performance.md. */
export function tablesOf(results: Results): Record<string, string> {
  const { lifecycle, loading, latency, limit, many, start, floor } = results;
  const goals = goalsOf(results);
  const tables: Record<string, string | undefined> = {
    goals:
      goals.length > 0
        ? table(
            ["goal", "reached", ""],
            goals.map(({ goal, reached, met }) => [goal, reached, met ? "met" : "**not met**"]),
          )
        : undefined,
    lifecycle: lifecycle && [...groups(lifecycle)].map(lifecycleTable).join("\n\n"),
    state: lifecycle && stateTable(lifecycle),
    loading:
      loading &&
      table(
        ["what", "SDK", "beyond it", "modules", "first call", "second call"],
        [
          [
            "`pipestack` in a program",
            ms(loading.program.sdk),
            ms(loading.program.own),
            String(loading.program.modules),
            "",
            "",
          ],
          [
            "`pipestack/host`",
            ms(loading.host.sdk),
            ms(loading.host.own),
            String(loading.host.modules),
            ms(loading.host.firstCall),
            ms(loading.host.secondCall),
          ],
        ],
      ),
    latency:
      latency &&
      table(
        ["--parallel", "`floor`", "`pipestack`", "goal"],
        latency.results.map(({ parallel, floorSeconds, seconds, goalSeconds }) => [
          String(parallel),
          shown(floorSeconds, "s"),
          shown(seconds, "s"),
          shown(goalSeconds, "s"),
        ]),
      ),
    limit:
      limit &&
      table(
        [
          "",
          `refresh of ${limit.size} alerts`,
          "requests",
          `at the API's own limit, ${limit.scale} times as long`,
        ],
        limit.results.map(({ contender, seconds, requests }) => [
          `\`${contender}\``,
          shown(seconds, "s"),
          String(requests),
          requests > limit.limit.requests ? `about ${shown(requests, "s")}` : shown(seconds, "s"),
        ]),
      ),
    many:
      many &&
      table(
        ["alerts", "", "refresh", "CPU time", "memory of the host"],
        many.results.map(({ size, contender, seconds, cpuSeconds, hostMegabytes }) => [
          String(size),
          `\`${contender}\``,
          shown(seconds, "s"),
          shown(cpuSeconds, "s"),
          shown(hostMegabytes, "MB"),
        ]),
      ),
    start:
      start &&
      table(
        ["project", "preview after a change", "CPU time", "up after that", "CPU time", "program", "host"],
        start.results.map(({ title, preview, previewCpu, up, upCpu, program, host }) => [
          title,
          shown(preview, "s"),
          shown(previewCpu, "s"),
          shown(up, "s"),
          shown(upCpu, "s"),
          `${shown(program?.startedAt)} to ${shown(program?.endedAt, "s")}`,
          `${shown(host?.startedAt)} to ${shown(host?.endedAt, "s")}`,
        ]),
      ),
    floor:
      floor &&
      table(
        ["`up` of `floor`", "wall time", "CPU time", "size of the state"],
        floor.results.map(({ title, seconds, cpuSeconds, stateKilobytes }) => [
          title,
          shown(seconds, "s"),
          shown(cpuSeconds, "s"),
          shown(stateKilobytes, "KB"),
        ]),
      ),
  };
  return Object.fromEntries(Object.entries(tables).filter(([, text]) => text !== undefined)) as Record<
    string,
    string
  >;
}

const ms = (figure: number | undefined) => shown(figure, "ms");

function groups(lifecycle: LifecycleResult[]): Map<string, LifecycleResult[]> {
  const found = new Map<string, LifecycleResult[]>();
  for (const result of lifecycle) {
    const title = `${result.size} ${result.work === "alerts" ? "alerts" : "resources of all kinds"}`;
    found.set(title, [...(found.get(title) ?? []), result]);
  }
  return found;
}

function lifecycleTable([title, results]: [string, LifecycleResult[]]): string {
  const rows = (Object.keys(operations) as OperationName[]).map((operation) => [
    operation,
    ...results.map((result) => {
      const { seconds, cpuSeconds, hostMegabytes, requests } = result.operations[operation];
      const ratio = result.contender === "floor" ? "" : `, ${shown(result.ratios.floor?.[operation])} ×`;
      return `${shown(seconds, "s")}${ratio}; CPU ${shown(cpuSeconds, "s")}; ${shown(hostMegabytes, "MB")}; ${requests}`;
    }),
  ]);
  const heads = results.map(
    ({ contender, rounds }) => `\`${contender}\` (${rounds} ${rounds === 1 ? "round" : "rounds"})`,
  );
  return `**${title}**\n\n${table(["", ...heads], rows)}`;
}

function stateTable(lifecycle: LifecycleResult[]): string {
  return table(
    ["", "contender", "bytes of a resource", "inputs plus outputs", "the same as stored", "`__provider`"],
    lifecycle.map(({ work, size, contender, state }) => [
      `${size} ${work}`,
      `\`${contender}\``,
      String(state.resource),
      String(state.inputsAndOutputs),
      String(state.inputsAndOutputsStored),
      String(state.provider),
    ]),
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
