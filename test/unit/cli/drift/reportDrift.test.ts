import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";

const script = join(...[__dirname, "..", "..", "..", "..", "examples", "drift", "report", "reportDrift.mjs"]);

interface Issue {
  number: number;
  title: string;
  pull_request?: object;
}

const title = "Drift in stack production of warehouse";
const others = (from: number, count: number): Issue[] =>
  Array.from({ length: count }, (_, index) => ({ number: from + index, title: "Something else" }));

describe("The script reportDrift.mjs", () => {
  if (process.platform === "win32") return;
  let folder: string;
  let github: Server;
  let issues: Issue[];
  let calls: string[];
  let refusal: number | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-report-"));
    // This script replaces `npx pipestack`: it prints its arguments and ends with the exit code that the test sets.
    await writeFile(join(folder, "npx"), '#!/bin/sh\necho "| $@ |"\nexit "$DRIFT_CODE"\n', { mode: 0o755 });
    await writeFile(join(folder, "Pulumi.yaml"), "# Ours\nname: warehouse\nruntime: nodejs\n");
    github = createServer(async (request, response) => {
      const { method, url = "", headers } = request;
      const body = await text(request);
      calls.push(`${method} ${url}${body && ` ${body}`}`);
      const page = Number(new URL(url, "http://github").searchParams.get("page") ?? 1);
      const isAllowed = headers.authorization === "Bearer the-token" && refusal === undefined;
      response.writeHead(isAllowed ? 200 : (refusal ?? 401), { "content-type": "application/json" });
      response.end(JSON.stringify(method === "GET" ? issues.slice((page - 1) * 100, page * 100) : {}));
    });
    github.listen(0, "127.0.0.1");
    await once(github, "listening");
  });

  beforeEach(() => {
    issues = [];
    calls = [];
    refusal = undefined;
  });

  after(async () => {
    github.close();
    await rm(folder, { recursive: true });
  });

  async function report(code: number, environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, [script, "production"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...{ PATH: `${folder}${delimiter}${process.env.PATH}`, DRIFT_CODE: String(code) },
        ...{ GITHUB_TOKEN: "the-token", GITHUB_REPOSITORY: "me/warehouse" },
        GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
        ...environment,
      },
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { exitCode, stdout, stderr };
  }

  const listed = (page = 1) => `GET /repos/me/warehouse/issues?state=open&per_page=100&page=${page}`;
  const found = "| pipestack drift --stack production --markdown |\n";

  it("the issue that reportDrift.mjs opens says which run found what drift in which stack", async () => {
    issues = [{ number: 3, title, pull_request: {} }];
    const { exitCode, stdout } = await report(7, { GITHUB_RUN_ID: "55" });
    expect(exitCode).to.equal(0);
    expect(stdout).to.include(found);
    const body = `${found}\nFound by https://github.com/me/warehouse/actions/runs/55`;
    expect(calls).to.deep.equal([
      listed(),
      `POST /repos/me/warehouse/issues ${JSON.stringify({ title, body })}`,
    ]);
  });

  it("reportDrift.mjs updates the open issue, even if it is not on the first page of the list", async () => {
    issues = [...others(1, 100), { number: 101, title }];
    expect((await report(7)).exitCode).to.equal(0);
    expect(calls).to.deep.equal([
      ...[listed(), listed(2)],
      `PATCH /repos/me/warehouse/issues/101 ${JSON.stringify({ body: found })}`,
    ]);
  });

  it("reportDrift.mjs closes the issue when the drift is gone", async () => {
    issues = [{ number: 8, title }];
    expect((await report(0)).exitCode).to.equal(0);
    expect(calls).to.deep.equal([
      listed(),
      'POST /repos/me/warehouse/issues/8/comments {"body":"The drift is gone."}',
      'PATCH /repos/me/warehouse/issues/8 {"state":"closed"}',
    ]);
  });

  it("reportDrift.mjs does nothing if there is neither drift nor an issue", async () => {
    expect((await report(0)).exitCode).to.equal(0);
    expect(calls).to.deep.equal([listed()]);
  });

  it("reportDrift.mjs sends GitHub no request if pipestack drift fails", async () => {
    expect((await report(1)).exitCode).to.equal(1);
    expect(calls).to.deep.equal([]);
  });

  it("reportDrift.mjs names the request that GitHub refuses", async () => {
    refusal = 403;
    expect(await report(7)).to.include({
      exitCode: 1,
      stderr: "GitHub refuses GET issues of me/warehouse: status 403\n",
    });
  });

  it("reportDrift.mjs names the environment variable that is missing", async () => {
    const { exitCode, stderr } = await report(7, { GITHUB_TOKEN: "" });
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/^usage: .*GITHUB_TOKEN/);
  });
});
