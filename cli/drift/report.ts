import { counted, firstOf } from "../../provider/values/wording";
import { hidden } from "../shared/secrets";
import { table } from "../shared/table";
import { type Undeclared, undeclaredLine } from "../shared/undeclared";
import { type LastChange, rememberedDays } from "./actors";
import type { Expiring } from "./expiring";
import type { Drift, Findings, Uncompared } from "./findDrift";
import { differingLines } from "./lines";

export interface Report extends Findings {
  readonly uncompared?: readonly Uncompared[];
  readonly undeclared?: readonly Undeclared[];
  readonly lastChanges?: readonly LastChange[];
  readonly days?: number;
  readonly expiring?: readonly Expiring[];
}

export function findingsTable(report: Report): string {
  const { expiring = [], undeclared = [] } = report;
  const found = [driftTable(report), ...undeclared.map(undeclaredLine)];
  if (expiring.length === 0) return [...found, ...endings(report)].join("\n");
  const rows = expiring.map((key) => keyCells(key));
  return [...found, "", table([keyHeadings, ...rows], 48), "", ...endings(report)].join("\n");
}

function driftTable(findings: Report): string {
  if (findings.drift.length === 0) return verdict(findings);
  const rows = findings.drift.map((entry) => [`${entry.type} ${entry.name}`, ...cellsOf(entry)]);
  const texts = findings.drift.filter(isOfLines).flatMap((entry) => {
    const lines = differingLines(entry.declared, entry.found).map((line) => `  ${line}`);
    return [`${titleOf(entry)}:`, ...lines, ""];
  });
  const [changes, problems] = changeCells(findings);
  const actors = changes.length > 0 ? [table([changeHeadings, ...changes], 48), ""] : [];
  return [table([headings, ...rows], 48), "", ...texts, ...actors, ...problems, verdict(findings)].join("\n");
}

/** A drifted property whose value is a text with several lines. */
interface TextDrift extends Drift {
  readonly declared: string;
  readonly found: string;
}

function isOfLines(entry: Drift): entry is TextDrift {
  const { declared, found: live } = entry;
  return typeof declared === "string" && typeof live === "string" && /\n/.test(declared + live);
}

function titleOf({ type, name, label }: Drift): string {
  return `${type} ${name}, ${label}`;
}

/** Limits of the drift report, since an issue of GitHub holds 65,536 characters: long values are cut, more rows left out. */
const longestValue = 200;
const longestRows = 30_000;
const longestCode = 30_000;

/** Maximum number of resources that the drift report names as not compared. */
const mostNamed = 10;

/** Maximum number of characters of all comparisons of texts in the drift report together; further ones are left out. */
const longestTexts = 8000;

/** The drift report as Markdown, for an issue or a pull request; `code` declares the live values. */
export function findingsMarkdown(report: Report, code: string): string {
  const { expiring = [], undeclared = [] } = report;
  const besides = undeclared.flatMap((each) => ["", codeCell(undeclaredLine(each))]);
  const rows = expiring.map((key) => line(keyCells(key).map(codeCell)));
  const keys = rows.length > 0 ? ["", line(keyHeadings), line(keyHeadings.map(() => "---")), ...rows] : [];
  const [ending] = endings(report);
  return [driftMarkdown(report, code), ...besides, ...(ending ? ["", ending] : []), ...keys].join("\n");
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function driftMarkdown(findings: Report, code: string): string {
  if (findings.drift.length === 0) return verdict(findings, codeCell);
  const driftRows = findings.drift.map((entry) =>
    line([linked(entry, `${entry.type} ${entry.name}`), ...cellsOf(entry).map(codeCell)]),
  );
  const rows = fitting(driftRows, longestRows);
  const omitted = driftRows.length - rows.length;
  const fence = fenceFor(code);
  const texts = findings.drift.filter(isOfLines).map((entry) => {
    const lines = differingLines(entry.declared, entry.found).join("\n");
    return [codeCell(titleOf(entry)), "", `${fenceFor(lines)}diff`, lines, fenceFor(lines), ""].join("\n");
  });
  const [changes, problems] = changeCells(findings);
  const changeRows = fitting(
    changes.map((cells) => line(cells.map(codeCell))),
    longestTexts,
  );
  const actors = [line(changeHeadings), line(changeHeadings.map(() => "---")), ...changeRows, ""];
  const liveValues =
    code.length > longestCode
      ? ["To keep the live values, declare the output of `npx pipestack drift --as-code`."]
      : [
          "<details><summary>To keep the live values, declare:</summary>",
          "",
          `${fence}ts`,
          code,
          fence,
          "",
          "</details>",
        ];
  return [
    verdict(findings, codeCell),
    "",
    line(headings),
    line(headings.map(() => "---")),
    ...rows,
    "",
    ...fitting(texts, longestTexts),
    ...(changes.length > 0 ? actors : []),
    ...problems.flatMap((problem) => [codeCell(problem), ""]),
    ...(omitted > 0 ? [`${omitted} more: \`npx pipestack drift\` shows all.`, ""] : []),
    ...liveValues,
  ].join("\n");
}

/** The first texts of a list, as many as together do not exceed a number of characters. */
function fitting(texts: readonly string[], longest: number): readonly string[] {
  let length = 0;
  const first = texts.findIndex((text) => {
    length += text.length + 1;
    return length > longest;
  });
  return first < 0 ? texts : texts.slice(0, first);
}

/** The fence of a Markdown code block: longer than any fence within the code. */
function fenceFor(code: string): string {
  return "`".repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

const changeHeadings = ["RESOURCE", "CHANGED BY", "AT", "CHANGE"];

/** The latest changes of drifted objects as rows of a table, and the reasons why others are unknown. */
function changeCells({ lastChanges = [] }: Report): [rows: string[][], problems: string[]] {
  const changes = lastChanges.filter(({ problem }) => problem === null);
  const problems = new Set(lastChanges.flatMap(({ problem }) => problem ?? []));
  return [
    changes.map((change) => [`${change.type} ${change.name}`, ...actorCells(change)]),
    [...problems].map((problem) => `Who changed this is not known: ${problem}`),
  ];
}

function actorCells({ at, actorType, actor, isOwn, activity }: LastChange): string[] {
  if (at === null) return [`(nothing recorded in ${counted(rememberedDays, "day")})`, "", ""];
  const actorName = isOwn ? "the key that deploys this stack" : [actorType, actor].filter(Boolean).join(" ");
  return [actorName, at, activity ?? ""];
}

const keyHeadings = ["KEY", "ID", "ENDS"];

function keyCells({ name, id = "", expireAt }: Expiring): string[] {
  return [`ApiKey ${name}`, id, expireAt];
}

/** The number of keys that end soon, for the report, if the options ask for it. */
function endings({ days, expiring = [] }: Report): readonly string[] {
  if (days === undefined) return [];
  const within = `within ${counted(days, "day")}`;
  if (expiring.length === 0) return [`No key ends ${within}.`];
  const keys = `${counted(expiring.length, "key")} ${expiring.length === 1 ? "ends" : "end"} ${within}`;
  return [
    `${keys}, or ${expiring.length === 1 ? "has" : "have"} ended. Change expireAt, or let rotateAfterDays replace keys in time.`,
  ];
}

const headings = ["RESOURCE", "PROPERTY", "DECLARED", "FOUND"];

function cellsOf({ kind, label, declared, found: live }: Drift): string[] {
  return kind === "deleted" ? ["(all)", "(exists)", "(deleted)"] : [label ?? "", cell(declared), cell(live)];
}

function cell(value: unknown): string {
  if (value === null) return "(none)";
  return value === hidden ? value : JSON.stringify(value);
}

/** A text as Markdown code, so that it is shown unchanged. */
function codeCell(text: string): string {
  const short = text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
  return `<code>${escaped(short)}</code>`;
}

/** A text as a Markdown link to the object's page, if the object has one. */
function linked({ url }: Drift, text: string): string {
  return url === null ? codeCell(text) : `<a href="${escaped(url)}">${codeCell(text)}</a>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>|`\\*_[\]\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function verdict(report: Report, shown = (text: string) => text): string {
  const { drift, resources, uncompared = [] } = report;
  if (resources === 0) return "The stack has no pipestack resources; --stack names another.";
  const passedOver = passedOverIn(report, shown);
  const compared = resources - uncompared.filter(({ reason }) => reason === "notRunning").length;
  if (drift.length === 0) {
    const part = compared === resources ? "" : `${compared} of `;
    return `No drift in ${part}${counted(resources, "resource")}.${passedOver}`;
  }
  const drifted = new Set(drift.map(({ urn }) => urn)).size;
  return `Drift in ${drifted} of ${counted(resources, "resource")}. "pulumi up --refresh" restores the declared values.${passedOver}`;
}

function passedOverIn({ uncompared = [] }: Report, shown: (text: string) => string): string {
  const because = (reason: Uncompared["reason"], one: string, several: string) => {
    const names = uncompared
      .filter((each) => each.reason === reason)
      .map(({ type, name, id }) => shown(`${type} ${name} (${id})`));
    if (names.length === 0) return "";
    return ` Not compared, since ${names.length === 1 ? one : several}: ${firstOf(names, mostNamed)}.`;
  };
  const ofIdle = because("notRunning", "its service does not run", "their service does not run");
  return because("new", "it is too new", "they are too new") + ofIdle;
}
