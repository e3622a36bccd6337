import { existsSync } from "node:fs";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";

/** Commits from before this time do not follow the convention for commit subjects, so the check leaves them out. */
const heldSince = "2026-11-25T19:00:00Z";

const longest = 72;
/** Matches the subjects of commits that git and Dependabot make. */
const madeByTools = /^(?:Bump |Merge |Revert "|Reapply "|(?:fixup|squash|amend)! )/;
const notImperative = /^(?:the|an?|its?|this|these|one|no)$|[^su]s$|(?<!e|emb)ed$|.{3}ing$/;

/**
 * Lists the violations of the convention in the subject of a commit; none if git or Dependabot has made it.
 * @param {string} subject
 * @returns {string[]}
 */
export function violationsOf(subject) {
  if (madeByTools.test(subject)) return [];
  const [, verb] = /^[a-z][\w/ -]*(?:, [a-z][\w/ -]*)*: ([\w-]+)/.exec(subject) ?? [];
  const violations = verb === undefined ? ['begin with "area: ", the area in lower case'] : [];
  if (verb && notImperative.test(verb.toLowerCase())) violations.push(`use the imperative, not "${verb}"`);
  if (verb && /^[A-Z][a-z]*$/.test(verb)) violations.push(`write "${verb}" in lower case`);
  if (subject.length > longest) violations.push(`use at most ${longest} characters, not ${subject.length}`);
  if (subject.endsWith(".")) violations.push("leave out the full stop");
  return violations;
}

/**
 * Makes a line for each new commit whose subject breaks the convention. In a shallow clone the check sees only some commits, in
 * a copy without git none.
 * @param {string} folder the folder of the clone
 * @param {string} since
 */
export async function wrongSubjects(folder = root, since = heldSince) {
  // CI may run as a user that does not own the clone, which git would otherwise refuse to read.
  const args = ["-c", "safe.directory=*", "log", `--since=${since}`, "--format=%h %s"];
  const { stdout } = await succeed("git", args, { cwd: folder });
  return stdout.split("\n").flatMap((line) => {
    const [, hash, subject = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
    const violations = hash === undefined ? [] : violationsOf(subject);
    return violations.length === 0 ? [] : [`${hash} ${subject}\n  ${violations.join("; ")}`];
  });
}

whenRunAsProgram(import.meta.url, async () => {
  if (!existsSync(inCheckout(".git"))) return console.log("No clone: there are no commits to check.");
  const wrong = await wrongSubjects();
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
});
