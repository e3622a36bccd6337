/**
 * Checks a stack for drift, and keeps one issue on GitHub open while there is any: with the report, and with what the
 * program has to declare if the change is to stay. `node reportDrift.mjs <stack>`, in the folder of the Pulumi project.
 *
 * GITHUB_REPOSITORY is the repository of the issue, as owner/name, and GITHUB_TOKEN may write issues there. Exit codes: 0 for
 * drift, too, since the issue tells it; 1 for an error.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const [stack] = process.argv.slice(2);
const {
  GITHUB_TOKEN: token,
  GITHUB_REPOSITORY: repository,
  GITHUB_API_URL: api = "https://api.github.com",
  GITHUB_SERVER_URL: server = "https://github.com",
  GITHUB_RUN_ID: run,
} = process.env;
if (!stack || !token || !repository)
  fail("usage: reportDrift.mjs <stack>, with GITHUB_TOKEN and GITHUB_REPOSITORY in the environment");

const { status, stdout, error } = spawnSync("npx", ["pipestack", "drift", "--stack", stack, "--markdown"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
// 0 means no drift, 7 means drift; anything else is an error.
if (error) fail(error.message);
if (status !== 0 && status !== 7) process.exit(1);
console.log(stdout);

// Projects of one repository may have stacks of the same name.
const project = existsSync("Pulumi.yaml")
  ? /^name:\s*["']?([^\s"']+)/m.exec(readFileSync("Pulumi.yaml", "utf8"))?.[1]
  : undefined;
const title = `Drift in stack ${stack} of ${project ?? repository}`;
const issue = await openIssue();
const body = run ? `${stdout}\nFound by ${server}/${repository}/actions/runs/${run}` : stdout;
if (status === 7 && issue) await ask("PATCH", `issues/${issue}`, { body });
else if (status === 7) await ask("POST", "issues", { title, body });
else if (issue) {
  await ask("POST", `issues/${issue}/comments`, { body: "The drift is gone." });
  await ask("PATCH", `issues/${issue}`, { state: "closed" });
}

/** The number of the open issue of this stack, if there is one. GitHub lists pull requests among the issues. */
async function openIssue() {
  for (let page = 1; ; page++) {
    const found = await ask("GET", `issues?state=open&per_page=100&page=${page}`);
    const own = found.find((one) => one.title === title && !one.pull_request);
    if (own || found.length < 100) return own?.number;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function ask(method, path, body) {
  const answer = await fetch(`${api}/repos/${repository}/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok)
    fail(`GitHub refuses ${method} ${path.split("?")[0]} of ${repository}: status ${answer.status}`);
  return await answer.json();
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
