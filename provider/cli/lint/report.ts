import { counted } from "../../values/wording";
import { table } from "../shared/table";
import type { Exclusion } from "./exclusions";
import type { LintFinding } from "./rules";

export interface LintReport {
  readonly findings: readonly LintFinding[];
  /** Exclusions that exclude nothing. */
  readonly unused: readonly Exclusion[];
}

const headings = ["RULE", "RESOURCE", "FINDING"];

export function lintTable(report: LintReport): string {
  const { findings, unused } = report;
  const notes = unused.map(unusedInWords);
  return [
    ...(findings.length > 0 ? [table([headings, ...findings.map(cellsOf)], 120), ""] : []),
    ...(notes.length > 0 ? [...notes, ""] : []),
    verdict(report),
  ].join("\n");
}

export function lintMarkdown(report: LintReport): string {
  const { findings, unused } = report;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const escaped = (text: string) =>
    text.replace(/[&<>|`\\*_[\]\n]/g, (character) => `&#${character.charCodeAt(0)};`);
  const rows = findings.map((finding) => line(cellsOf(finding).map(escaped)));
  const findingRows =
    findings.length > 0 ? ["", line(headings), line(headings.map(() => "---")), ...rows] : [];
  return [
    verdict(report),
    ...findingRows,
    ...unused.map((exclusion) => `\n${escaped(unusedInWords(exclusion))}`),
  ].join("\n");
}

function cellsOf({ rule, type, name, tile, message }: LintFinding): string[] {
  return [rule, `${type} ${name}`, tile === undefined ? message : `tile "${tile}" ${message}`];
}

function unusedInWords({ rule, resource, tile }: Exclusion): string {
  const place = tile === undefined ? resource : `${resource}, tile "${tile}"`;
  return `The exclusion of ${rule} for ${place} excludes nothing; remove it.`;
}

function verdict({ findings, unused }: LintReport): string {
  if (findings.length + unused.length === 0) return "Nothing found.";
  const resources = new Set(findings.map(({ type, name }) => `${type} ${name}`)).size;
  return `${counted(findings.length, "finding")} in ${counted(resources, "resource")}.`;
}
