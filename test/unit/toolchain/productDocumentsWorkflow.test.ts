import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";

const checkout = join(__dirname, "..", "..", "..");

describe("The workflow that compares the product's documents", () => {
  interface Step {
    readonly run?: string;
    readonly env?: Record<string, string>;
  }
  const workflow: {
    permissions: object;
    on: Record<string, unknown>;
    jobs: { compare: { permissions: object; steps: Step[] } };
  } = parse(readFileSync(join(checkout, ".github", "workflows", "product-documents.yml"), "utf8"), {
    strict: true,
    uniqueKeys: true,
  });
  const { permissions, steps } = workflow.jobs.compare;
  const { run = "", env = {} } = steps.at(-1) ?? {};

  /**
   * Returns the calls of GitHub's CLI if the comparison of API documents prints the given differences and there is an open
   * issue with the given number.
   */
  async function callsAfter(news: string, open = "", code = 0) {
    const folder = await mkdtemp(join(tmpdir(), "pipestack-workflow-"));
    try {
      const gh = `if [ "$2" = list ]; then printf '%s' '${open}'; else echo "gh $*" >> calls; fi`;
      const programs = { gh, node: `echo "${news}"; exit ${code}` };
      for (const [name, program] of Object.entries(programs))
        await writeFile(join(folder, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      const given = { ...env, PATH: `${folder}:${process.env.PATH}` };
      const result = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", run], {
        cwd: folder,
        env: given,
      }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
      const text = async (file: string) => readFile(join(folder, file), "utf8").catch(() => "");
      const calls = (await text("calls")).split("\n").filter((line) => line !== "");
      return { result, calls, issue: await text("issue.md") };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it("the workflow for product documents runs every week, and can write only issues", () => {
    expect(workflow.on).to.have.keys("schedule", "workflow_dispatch");
    expect([workflow.permissions, permissions]).to.deep.equal([
      { contents: "read" },
      { contents: "read", issues: "write" },
    ]);
  });

  it("the workflow for product documents opens an issue with the differences, or updates the open issue", async () => {
    const opened = await callsAfter("alerts: new x");
    expect(opened.calls).to.deep.equal([`gh issue create --title ${env.TITLE} --body-file issue.md`]);
    expect(opened.issue).to.include("```\nalerts: new x\n```\n");
    expect((await callsAfter("alerts: new x", "8")).calls).to.deep.equal([
      "gh issue edit 8 --body-file issue.md",
    ]);
  });

  it("the workflow for product documents closes its issue only once it has found no difference", async () => {
    expect((await callsAfter("Nothing is new.", "7")).calls).to.deep.equal([
      "gh issue close 7 --comment Nothing is new any more.",
    ]);
    expect((await callsAfter("Nothing is new.")).calls).to.deep.equal([]);
    expect(await callsAfter("", "7", 1)).to.deep.include({ result: 1, calls: [] });
  });
});
