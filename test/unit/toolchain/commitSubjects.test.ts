import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { succeed } from "../../../toolchain/command.mjs";

describe("The subjects of commits", () => {
  let violationsOf: (subject: string) => readonly string[];
  let wrongSubjects: (folder: string, since: string) => Promise<readonly string[]>;
  before(async () => {
    ({ violationsOf, wrongSubjects } = await import("../../../toolchain/commitSubjects.mjs"));
  });

  const valid = "alert: refuse a threshold of a tile without numbers";

  const accepted = {
    "an area of several words": "engine tests: compare a short program with the long one",
    "several areas": "docs, toolchain: welcome contributors",
    "the name of a module": "rateLimiter: give a quota back sooner",
    "a verb that ends in s": "orphans: pass the name of a stack",
    "a verb that ends in ed": "docs: embed the pictures",
    "a verb that ends in ing": "drawing: bring back the legend",
    "exactly 72 characters": `alert: ${"refuse ".repeat(9)}ab`,
    "a merge": "Merge branch 'main' into a-branch-with-a-name-that-is-longer-than-any-subject-may-be",
    "an update by Dependabot": "Bump the development group with 2 updates",
    "a revert": `Revert "${valid}"`,
  };
  for (const [name, subject] of Object.entries({ "one valid subject": valid, ...accepted }))
    it(`accepts ${name}`, () => {
      expect(violationsOf(subject)).to.deep.equal([]);
    });

  const refused: Record<string, [subject: string, violation: string]> = {
    "a subject without an area": [
      valid.replace("alert: ", ""),
      'begin with "area: ", the area in lower case',
    ],
    "an area in upper case": [valid.replace("a", "A"), 'begin with "area: ", the area in lower case'],
    "an area without a space after it": [
      valid.replace(": ", ":"),
      'begin with "area: ", the area in lower case',
    ],
    "a past tense": [valid.replace("refuse", "refused"), 'use the imperative, not "refused"'],
    "a third person": [valid.replace("refuse", "refuses"), 'use the imperative, not "refuses"'],
    "a participle": [valid.replace("refuse", "refusing"), 'use the imperative, not "refusing"'],
    "a noun with its article": [valid.replace("refuse", "the"), 'use the imperative, not "the"'],
    "a verb in upper case": [valid.replace("refuse", "Refuse"), 'write "Refuse" in lower case'],
    "a full stop": [`${valid}.`, "leave out the full stop"],
    "73 characters": [`alert: ${"refuse ".repeat(9)}abc`, "use at most 72 characters, not 73"],
  };
  for (const [name, [subject, violation]] of Object.entries(refused))
    it(`refuses ${name}`, () => {
      expect(violationsOf(subject)).to.deep.equal([violation]);
    });

  it("names each wrong subject since a moment, in a shallow clone as far as it goes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "subjects-"));
    const environment = {
      ...process.env,
      ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" },
      ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com" },
    };
    const commit = (subject: string, date: string) =>
      succeed("git", ["commit", "--quiet", "--allow-empty", "--message", subject], {
        cwd: folder,
        environment: { ...environment, GIT_COMMITTER_DATE: date },
      });
    try {
      await succeed("git", ["init", "--quiet"], { cwd: folder });
      await commit("Old subjects stay", "2026-11-01T00:00:00Z");
      await commit("First wrong", "2026-11-03T00:00:00Z");
      await commit("Second wrong", "2026-11-04T00:00:00Z");
      await commit(valid, "2026-11-05T00:00:00Z");
      const wrongIn = async (clone: string) =>
        (await wrongSubjects(clone, "2026-11-02T00:00:00Z")).map((line) => line.replace(/^\w+ |\n.*/g, ""));
      expect(await wrongIn(folder)).to.deep.equal(["Second wrong", "First wrong"]);
      const shallow = join(folder, "shallow");
      await succeed("git", ["clone", "--quiet", "--depth", "2", pathToFileURL(folder).href, shallow]);
      expect(await wrongIn(shallow)).to.deep.equal(["Second wrong"]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
