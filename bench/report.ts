import { shown } from "./figures";
import { goalsOf } from "./goals";
import { type LifecycleResult, type OperationName, operations } from "./lifecycle";
import type { Results } from "./results";

/** The tables in Markdown, by the name of their place in docs/performance.md. */
export function tablesOf(results: Results): Record<string, string> {
  const { lifecycle, loading, latency } = results;
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
        ["loaded module", "SDK", "the module itself", "modules", "first call", "second call"],
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
    const title = titleOf(result);
    found.set(title, [...(found.get(title) ?? []), result]);
  }
  return found;
}

function titleOf({ work, size, hasCheckpoints }: LifecycleResult): string {
  const alerts = size === 1 ? "alert" : "alerts";
  const stack = `${size} ${work === "mixed" ? "resources of all types" : alerts}`;
  return hasCheckpoints ? stack : `${stack}, without checkpoints`;
}

function lifecycleTable([title, results]: [string, LifecycleResult[]]): string {
  const names = Object.keys(operations) as OperationName[];
  const measured = names.filter((name) => results.some((result) => result.operations[name]));
  const rows = measured.map((operation) => [
    operation,
    ...results.map((result) => {
      const figures = result.operations[operation];
      if (!figures) return "–";
      const { seconds, cpuSeconds, hostMegabytes, requests } = figures;
      const share = result.contender === "floor" ? undefined : result.ratios.floor?.[operation];
      const ratio = share === undefined ? "" : `, ${shown(share)} ×`;
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
    [
      "stack",
      "contender",
      "bytes per resource",
      "inputs plus outputs",
      "with `__tracking`",
      "with `__provider`",
    ],
    lifecycle.map((result) => [
      titleOf(result),
      `\`${result.contender}\``,
      String(result.state.resource),
      String(result.state.inputsAndOutputs),
      String(result.state.withTracking),
      String(result.state.inputsAndOutputsStored),
    ]),
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
