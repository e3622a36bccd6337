import { readFile } from "node:fs/promises";
import { isObject } from "../../values/data";
import { type LintFinding, type LintRule, rules } from "./rules";

/** Findings that somebody wants to be so. */
export interface Exclusion {
  readonly rule: LintRule;
  /** Name of the resource in the program; `*` for all. */
  readonly resource: string;
  /** Name of the tile. Default: all. */
  readonly tile?: string;
  readonly reason: string;
}

/** File of the exclusions, in the folder of the project. */
export const exclusionsFile = "pipestack.lint.json";

/**
 * The exclusions of a project; none without the file.
 *
 * @throws if the file cannot be read, or holds something else
 */
export async function readExclusions(path: string): Promise<readonly Exclusion[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw new Error(`cannot read ${path}: ${error.message}`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(content)) throw new Error(`${path} must hold a list of exclusions`);
  for (const [index, entry] of content.entries()) {
    const mistake = mistakeIn(entry);
    if (mistake) throw new Error(`${path}: entry ${index + 1} ${mistake}`);
  }
  return content;
}

function mistakeIn(entry: unknown): string | undefined {
  if (!isObject(entry)) return "must be an object";
  if (!Object.hasOwn(rules, String(entry.rule)))
    return `has the rule ${JSON.stringify(entry.rule)}; the rules are ${Object.keys(rules).join(", ")}`;
  const missing = ["resource", "reason"].find(
    (name) => typeof entry[name] !== "string" || entry[name] === "",
  );
  if (missing) return `needs a ${missing}`;
  const names = ["rule", "resource", "tile", "reason"];
  const stranger = Object.keys(entry).find((name) => !names.includes(name));
  return stranger ? `has ${stranger}, which is none of ${names.join(", ")}` : undefined;
}

/** The findings that nobody excludes, and the exclusions that exclude nothing. */
export function withoutExcluded(findings: readonly LintFinding[], exclusions: readonly Exclusion[]) {
  const matches = ({ rule, resource, tile }: Exclusion, finding: LintFinding) =>
    rule === finding.rule &&
    (resource === "*" || resource === finding.name) &&
    (tile === undefined || tile === finding.tile);
  return {
    findings: findings.filter((finding) => !exclusions.some((exclusion) => matches(exclusion, finding))),
    unused: exclusions.filter((exclusion) => !findings.some((finding) => matches(exclusion, finding))),
  };
}
