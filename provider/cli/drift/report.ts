import { counted } from "../../values/wording";
import { hidden } from "../shared/secrets";
import { table } from "../shared/table";
import type { Drift, Findings } from "./findDrift";

export function asTable(findings: Findings): string {
  if (findings.drift.length === 0) return verdict(findings);
  const rows = findings.drift.map((entry) => [`${entry.type} ${entry.name}`, ...cellsOf(entry)]);
  return [table([headings, ...rows], 48), "", verdict(findings)].join("\n");
}

/** Longer values are cut in Markdown, and further rows and longer code left out: an issue holds 65,536 characters. */
const longestValue = 200;
const longestRows = 30_000;
const longestCode = 30_000;

/**
 * The report as Markdown, for an issue or a pull request.
 *
 * @param code the declarations that keep the live values
 */
export function asMarkdown(findings: Findings, code: string): string {
  if (findings.drift.length === 0) return verdict(findings);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const all = findings.drift.map((entry) =>
    line([`${entry.type} ${entry.name}`, ...cellsOf(entry)].map(codeCell)),
  );
  const rows = fitting(all);
  const omitted = all.length - rows.length;
  const fence = "`".repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const kept =
    code.length > longestCode
      ? ["To keep what was found, declare what `npx pipestack drift --as-code` prints."]
      : [
          "<details><summary>To keep what was found, declare:</summary>",
          "",
          `${fence}ts`,
          code,
          fence,
          "",
          "</details>",
        ];
  return [
    verdict(findings),
    "",
    line(headings),
    line(headings.map(() => "---")),
    ...rows,
    "",
    ...(omitted > 0 ? [`${omitted} more: \`npx pipestack drift\` shows all.`, ""] : []),
    ...kept,
  ].join("\n");
}

function fitting(rows: readonly string[]): readonly string[] {
  let length = 0;
  const first = rows.findIndex((row) => {
    length += row.length + 1;
    return length > longestRows;
  });
  return first < 0 ? rows : rows.slice(0, first);
}

const headings = ["RESOURCE", "PROPERTY", "DECLARED", "FOUND"];

function cellsOf({ kind, label, declared, found }: Drift): string[] {
  return kind === "deleted" ? ["(all)", "(exists)", "(deleted)"] : [label ?? "", cell(declared), cell(found)];
}

function cell(value: unknown): string {
  if (value === null) return "(none)";
  return value === hidden ? value : JSON.stringify(value);
}

/** Text as it is, whatever Markdown would make of it. */
function codeCell(text: string): string {
  const shown = text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
  return `<code>${shown.replace(/[&<>|`\\*_[\]\n]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`;
}

function verdict({ drift, resources }: Findings): string {
  if (resources === 0) return "The stack has no pipestack resources.";
  if (drift.length === 0) return `No drift in ${counted(resources, "resource")}.`;
  const drifted = new Set(drift.map(({ urn }) => urn)).size;
  return `Drift in ${drifted} of ${counted(resources, "resource")}. "pulumi up --refresh" restores the declared values.`;
}
