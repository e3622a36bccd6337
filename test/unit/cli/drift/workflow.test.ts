import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";
import { environmentVariable, settingNames } from "../../../../provider/api/settingsSchema";
import { runHere } from "../runHere";

const examples = join(__dirname, "..", "..", "..", "..", "examples", "drift");

interface Step {
  uses?: string;
  run?: string;
  id?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  if: string;
  needs?: string;
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  concurrency: { group: string };
  env: Record<string, string>;
  jobs: Record<string, Job>;
}

const commentVariables = {
  ...{ NUMBER: "12", COMMIT: "abc", REPOSITORY: "https://github.com/a/b", MARK: "<!-- mark -->" },
};

/**
 * Runs a script of a workflow step as GitHub's runner does. The folder of the step contains the given programs in place of the
 * real ones, and the report of `pipestack draw`. Returns the files that the script has written.
 */
async function runScript(
  script: string | undefined,
  variables: Record<string, string>,
  programs: Record<string, string>,
  report: readonly string[] = [],
): Promise<Record<"calls" | "comment.md" | "summary", string>> {
  const folder = await mkdtemp(join(tmpdir(), "pipestack-workflow-"));
  try {
    for (const [name, program] of Object.entries(programs))
      await writeFile(join(folder, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    await mkdir(join(folder, "dashboards"));
    await writeFile(join(folder, "dashboards", "dashboards.txt"), `${report.join("\n")}\n`);
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...variables,
    };
    await promisify(execFile)("bash", ["-eo", "pipefail", "-c", script ?? "exit 1"], { cwd: folder, env });
    const written = (file: string) => readFile(join(folder, file), "utf8").catch(() => "");
    const [calls, comment, summary] = [written("calls"), written("comment.md"), written("summary")];
    return { calls: await calls, "comment.md": await comment, summary: await summary };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("The GitHub Actions workflow for drift", () => {
  let text: string;
  let workflow: Workflow;

  before(async () => {
    text = await readFile(join(examples, "github-actions", "pipestack.yml"), "utf8");
    workflow = parse(text, { strict: true, uniqueKeys: true });
  });

  it("the GitHub workflow of examples/drift sets only settings that the provider has", () => {
    const known = settingNames.map(environmentVariable);
    for (const name of ["preview", "up", "drift"]) {
      const needing = workflow.jobs[name]?.steps.filter(({ env = {} }) => "PIPESTACK_KEY_ID" in env) ?? [];
      expect(needing, name).to.not.deep.equal([]);
      for (const { env } of needing) {
        const given = Object.keys({ ...workflow.env, ...env }).filter((key) => key.startsWith("PIPESTACK_"));
        expect(given).to.have.length(7);
        expect(known).to.include.members(given);
      }
    }
  });

  it("the drift workflow gives secrets only to steps that run pulumi, pipestack or reportDrift.mjs", () => {
    const { jobs, ...rest } = workflow;
    expect(JSON.stringify(rest)).to.not.include("secrets.");
    for (const { steps, ...job } of Object.values(jobs)) {
      expect(JSON.stringify(job)).to.not.include("secrets.");
      for (const step of steps.filter((one) => JSON.stringify(one).includes("secrets.")))
        expect(step.uses ?? step.run).to.match(/pulumi\/actions@|pipestack draw|reportDrift\.mjs/);
    }
  });

  it("the GitHub workflow of examples/drift gives write access only to the jobs that need it", () => {
    expect(workflow.permissions).to.deep.equal({ contents: "read" });
    expect(workflow.jobs.preview?.permissions).to.deep.equal({ contents: "read", "pull-requests": "write" });
    expect(workflow.jobs.up?.permissions).to.equal(undefined);
    const { permissions, steps = [] } = workflow.jobs.comment ?? {};
    expect(permissions).to.deep.equal({ contents: "write", "pull-requests": "write" });
    // The job `comment` of the workflow has write access, so it must not run code of the pull request.
    expect(JSON.stringify(steps)).to.not.match(/checkout|npm |npx /);
    const ofDrift = { actions: "read", contents: "read", issues: "write" };
    expect(workflow.jobs.drift?.permissions).to.deep.equal(ofDrift);
  });

  it("the GitHub workflow of examples/drift runs only commands and options of pipestack that exist", async () => {
    const readme = await readFile(join(examples, "README.md"), "utf8");
    const lines = [...`${text}\n${readme}`.matchAll(/npx pipestack (\w+)((?: --[a-z]+(?: [^-\s>]\S*)?)*)/g)];
    expect(lines).to.have.length.at.least(3);
    for (const [line, command = "", options = ""] of lines) {
      const { code, stdout } = await runHere([command, "--help"], examples);
      expect(code, line).to.equal(0);
      for (const [option] of options.matchAll(/--[a-z]+/g)) {
        expect(stdout, line).to.match(new RegExp(`^ +${option}\\b`, "m"));
      }
    }
  });

  const commentOn = (report: readonly string[], gh = "true") =>
    runScript(workflow.jobs.comment?.steps.at(-1)?.run, commentVariables, { gh }, report);

  for (const [known, called] of [
    ["", /^pr comment 12 --body-file comment\.md$/m],
    [
      "77",
      /^api --silent --method PATCH repos\/{owner}\/{repo}\/issues\/comments\/77 --field body=@comment\.md$/m,
    ],
  ] as const)
    it(`the GitHub workflow of examples/drift puts the changed pictures into ${known ? "the comment that exists" : "a new comment"}`, async () => {
      const report = [
        "dashboards/dashboards.html shows 3 dashboards.",
        "  1-main.svg  Main: 1 moved (3 tiles, 0 alerts)",
        "    Errors: moved from x 0 to x 4 9-no.svg",
        "  2.svg  日本: added (1 tile, 0 alerts)",
        "  3-quiet.svg  Quiet: unchanged",
      ];
      const written = await commentOn(
        report,
        `echo "$@" >> calls; case "$*" in *paginate*) echo ${known};; esac`,
      );
      expect(written.calls).to.match(called);
      const image = (file: string) =>
        `![${file}, before and after](https://github.com/a/b/blob/abc/${file}?raw=true)`;
      expect(written["comment.md"].split("\n")).to.deep.equal([
        ...["<!-- mark -->", "### Dashboards", "```", ...report, "```"],
        ...["", image("1-main.svg"), "", image("2.svg"), ""],
      ]);
    });

  it("the GitHub workflow of examples/drift shortens a comment that exceeds GitHub's limit", async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `  ${index}-main.svg  Main: 1 moved (3 tiles)`);
    const written = await commentOn(rows);
    expect(written["comment.md"]).to.have.length.within(50_000, 65_536);
    expect(written["comment.md"]).to.match(/\n```\n\n!/);
  });

  it("the drift workflow refers only to steps that exist", () => {
    for (const { steps } of Object.values(workflow.jobs)) {
      const ids = steps.map(({ id }) => id);
      const referred = [...JSON.stringify(steps).matchAll(/steps\.(\w+)\./g)].map(([, id]) => id);
      expect(ids).to.include.members(referred);
    }
  });

  it("no script of the drift workflow contains an expression of the workflow", () => {
    for (const { steps } of Object.values(workflow.jobs)) {
      for (const { run } of steps) expect(run ?? "").to.not.include("${{");
    }
  });

  it("the drift workflow reports drift only while no update runs", async () => {
    for (const [updates, called, shown] of [
      ["1", "", /under way/],
      ["0", "reportDrift.mjs production\n", /^reportDrift\.mjs production$/m],
    ] as const) {
      const programs = { gh: `echo ${updates}`, node: 'echo "$@" | tee -a calls' };
      const variables = { STACK: "production", GITHUB_WORKFLOW: "pipestack" };
      const { calls, summary } = await runScript(workflow.jobs.drift?.steps.at(-1)?.run, variables, programs);
      expect(calls).to.equal(called);
      expect(summary).to.match(shown);
    }
  });
});
