import { type LifecycleResult, operationNames } from "./lifecycle";
import type { LoadingResult } from "./loading";

export interface Results {
  readonly machine?: string;
  readonly lifecycle: readonly LifecycleResult[];
  readonly loading?: LoadingResult;
}

/** Makes the benchmark's tables in Markdown. Each table has the name of its place in docs/performance.md. */
export function tablesOf({ lifecycle, loading }: Results): Record<string, string> {
  const titles = [...new Set(lifecycle.map(titleOf))];
  const stacks = titles.map((title) =>
    lifecycleTable(
      title,
      lifecycle.filter((result) => titleOf(result) === title),
    ),
  );
  return {
    ...(stacks.length > 0 ? { lifecycle: stacks.join("\n\n") } : {}),
    ...(loading ? { loading: loadingTable(loading) } : {}),
  };
}

/** Puts the tables of this run of the benchmark into the text of docs/performance.md. */
export function writeDocument(document: string, results: Results): string {
  let text = document;
  for (const [name, table] of Object.entries({ machine: results.machine ?? "", ...tablesOf(results) })) {
    const [begin, end] = [`<!-- bench ${name} -->`, "<!-- end -->"];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`the document has no place for the table ${name}`);
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
  }
  return text;
}

function titleOf({ size }: LifecycleResult): string {
  return size === 1 ? "1 alert, with checkpoints" : `${size} alerts`;
}

function lifecycleTable(title: string, results: readonly LifecycleResult[]): string {
  const names = operationNames.filter((name) => results.some(({ operations }) => operations[name]));
  const rows = names.map((name) => [
    name,
    ...results.map(({ contender, operations }) => {
      const figures = operations[name];
      if (!figures) return "–";
      const { seconds, cpuSeconds, hostMegabytes, requests, ratio } = figures;
      const share = contender === "floor" ? "" : `, ${formatFigure(ratio)} ×`;
      return `${formatFigure(seconds, "s")}${share}; CPU ${formatFigure(cpuSeconds, "s")}; ${formatFigure(hostMegabytes, "MB")}; ${requests}`;
    }),
  ]);
  const bytes = ["bytes of state for each", ...results.map(({ stateBytes }) => String(stateBytes))];
  const heads = results.map(
    ({ contender, rounds }) => `\`${contender}\` (${rounds} ${rounds === 1 ? "round" : "rounds"})`,
  );
  return `**${title}**\n\n${table(["", ...heads], [...rows, bytes])}`;
}

function loadingTable({ program, host, plugins }: LoadingResult): string {
  const loaded = table(
    ["loaded module", "SDK", "the module itself", "modules", "first call", "second call"],
    [
      [
        "`pipestack` in a program",
        formatFigure(program.sdk, "ms"),
        formatFigure(program.pipestack, "ms"),
        `${program.modules}`,
        "",
        "",
      ],
      [
        "`pipestack/host`",
        ...[formatFigure(host.sdk, "ms"), formatFigure(host.pipestack, "ms"), `${host.modules}`],
        ...[formatFigure(host.firstCall, "ms"), formatFigure(host.secondCall, "ms")],
      ],
    ],
  );
  const started = table(
    ["plugin", "until its port", "first check", "first read"],
    Object.entries(plugins).map(([name, { port, check, read }]) => [
      name === "npm" ? "of the npm package" : "of the archive",
      ...[port, check, read].map((milliseconds) => formatFigure(milliseconds, "ms")),
    ]),
  );
  return `${loaded}\n\n${started}`;
}

function formatFigure(figure: number | undefined, unit = ""): string {
  if (figure === undefined || Number.isNaN(figure)) return "–";
  return `${figure >= 100 ? figure.toFixed(0) : figure} ${unit}`.trim();
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
