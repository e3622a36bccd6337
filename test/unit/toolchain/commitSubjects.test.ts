import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { succeed } from "../../../toolchain/command.mjs";

describe("The convention for subjects of commits", () => {
  let violationsOf: (subject: string) => readonly string[];
  let wrongSubjects: (folder: string, since: string) => Promise<readonly string[]>;
  before(async () => {
    ({ violationsOf, wrongSubjects } = await import("../../../toolchain/commitSubjects.mjs"));
  });

  const valid = "alert: refuse a threshold of a tile without numbers";

  it("the convention for commit subjects accepts every area and verb up to 72 characters", () => {
    for (const subject of [
      valid,
      "engine tests: compare a short program with the long one",
      "docs, toolchain: welcome contributors",
      "rateLimiter: give a quota back sooner",
      "orphans: pass the name of a stack",
      "docs: embed the pictures",
      "drawing: bring back the legend",
      `alert: ${"refuse ".repeat(9)}ab`,
    ])
      expect(violationsOf(subject), subject).to.deep.equal([]);
  });

  it("the convention for commit subjects accepts the subjects that git and GitHub write", () => {
    for (const subject of [
      "Merge branch 'main' into a-branch-with-a-name-that-is-longer-than-any-subject-may-be",
      "Bump the development group with 2 updates",
      `Revert "${valid}"`,
    ])
      expect(violationsOf(subject), subject).to.deep.equal([]);
  });

  const withoutArea = 'begin with "area: ", the area in lower case';
  for (const [subject, violation] of [
    [valid.replace("alert: ", ""), withoutArea],
    [valid.replace("a", "A"), withoutArea],
    [valid.replace(": ", ":"), withoutArea],
    [valid.replace("refuse", "refused"), 'use the imperative, not "refused"'],
    [valid.replace("refuse", "refuses"), 'use the imperative, not "refuses"'],
    [valid.replace("refuse", "refusing"), 'use the imperative, not "refusing"'],
    [valid.replace("refuse", "the"), 'use the imperative, not "the"'],
    [valid.replace("refuse", "Refuse"), 'write "Refuse" in lower case'],
    [`${valid}.`, "leave out the full stop"],
    [`alert: ${"refuse ".repeat(9)}abc`, "use at most 72 characters, not 73"],
  ] as const)
    it(`the convention for commit subjects refuses a wrong subject, and names the remedy: ${subject}`, () => {
      expect(violationsOf(subject)).to.deep.equal([violation]);
    });

  it("the check of commit subjects names each wrong one since a given time that the clone has", async () => {
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
