import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";
import { builtBin, builtPipestack, node } from "../pipestackCommand";
import { useFixture } from "./fixture";
import { hostUnlessTold, tokensOf } from "./pluginHost";

const prefix = tokensOf[hostUnlessTold("dynamic")];
const workflows = join(__dirname, "..", "..", "examples", "drift", "github-actions");
const webhookId = "65f1c0a2b3d4e5f607182921";
const secretNote = "a note that nobody may see";
const tile = `{ name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", groupBy: ["service"] }] }`;

/**
 * A program with one resource of each type. One resource has an explicit provider, one is only read, and one has ignored
 * properties.
 */
const programWith = (settings: Record<string, string>) => `
const second = new Provider("second", ${JSON.stringify(settings)});
new ServiceScaling("scaling", { numReplicas: 3, idleScaling: true }, { provider: second });
const ipAccessList = [{ source: "10.0.0.0/8", description: pulumi.secret(${JSON.stringify(secretNote)}) }];
const key = new ApiKey("reporting", { roles: ["query_endpoints"], ipAccessList });
new QueryEndpoint("endpoint", { roles: ["sql_console_read_only"], openApiKeys: [key.id] });
const dashboard = new Dashboard("errors", { name: "Errors", tags: ["a", "b"], tiles: [${tile}] });
new Dashboard("ignored", { name: "Ignored", tags: ["a"], tiles: [${tile}] }, { ignoreChanges: ["tags", "tiles[0].w"] });
new Dashboard("old", { name: "Old", tiles: [] });
new Alert("errors", {
  source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors, threshold: 5,
  thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId: "${webhookId}" },
});
if (process.env.READ_KEY) ApiKey.get("read", process.env.READ_KEY);
`;

describe("The command pipestack drift on a stack that the engine deployed", () => {
  const fixture = useFixture();
  const drift = (args: string[] = [], environment: Record<string, string> = {}) =>
    builtPipestack(["drift", ...args], fixture.folder, { ...fixture.environment, ...environment });
  const program = () => programWith({ serviceId: fixture.sandbox.credentials.secondServiceId });
  const named = (name: string) => {
    const found = [...fixture.sandbox.store.dashboards.values()].find((dashboard) => dashboard.name === name);
    if (!found) throw new Error(`the sandbox has no dashboard ${name}`);
    return found;
  };
  let access: { description?: string };

  before(async () => {
    const [key] = fixture.sandbox.store.keys.values();
    fixture.environment.READ_KEY = key?.id;
    await fixture.apply(program());
    const lists = [...fixture.sandbox.store.keys.values()].flatMap(({ ipAccessList = [] }) => ipAccessList);
    const made = lists.find(({ description }) => description === secretNote);
    if (!made) throw new Error("the program made no key");
    access = made;
  });

  it("alert states, times, ignored properties and changes of the program are no drift", async () => {
    fixture.sandbox.rewrites.add("movingState");
    Object.assign(named("Ignored"), { tags: ["z"] });
    Object.assign(named("Ignored").tiles[0] ?? {}, { w: 3 });
    await fixture.write(`const pulumi = require("@pulumi/pulumi"); throw new pulumi.RunError("not now");`);
    const { code, stdout, stderr } = await drift();
    await fixture.write(program());
    expect(stderr).to.equal("");
    expect(stdout).to.equal("No drift in 7 resources.\n");
    expect(code).to.equal(0);
  });

  it("pipestack drift names a missing object that is too new to compare", async () => {
    const { store } = fixture.sandbox;
    const [board, alert] = [named("Old"), [...store.alerts.values()].at(-1)];
    store.dashboards.delete(board.id);
    Object.assign(alert ?? {}, { threshold: 8 });
    const { code, stdout, stderr } = await drift();
    expect([code, stderr]).to.deep.equal([
      7,
      `warning: pipestack: Dashboard ${board.id}: not compared, since the service does not show it, which was created less than 3 minutes ago: reads may lag behind, or somebody has deleted it; try again in 3 minutes [uncompared new Dashboard ${board.id}]\n`,
    ]);
    expect(stdout).to.match(/^Alert errors +threshold +5 +8$/m);
    expect(stdout).to.include(`Not compared, since it is too new: Dashboard old (${board.id}).`);
    const { output } = await fixture.apply(program(), { args: ["--refresh"] });
    expect(output).to.include(`Dashboard ${board.id}: not compared`);
    expect(alert?.threshold).to.equal(5);
    store.dashboards.set(board.id, board);
  });

  describe("pipestack drift after each resource was changed outside of Pulumi", () => {
    let stateBefore: string;
    let found: Awaited<ReturnType<typeof drift>>;

    before(async () => {
      const { store, credentials } = fixture.sandbox;
      Object.assign(store.services.get(credentials.secondServiceId) ?? {}, { numReplicas: 5 });
      access.description = "another note that nobody may see";
      for (const endpoint of store.queryEndpoints.values()) endpoint.roles = ["sql_console_admin"];
      Object.assign(named("Errors"), { tags: ["b", "c"] });
      Object.assign(named("Errors").tiles[0] ?? {}, { w: 3 });
      store.dashboards.delete(named("Old").id);
      fixture.pass(200_000);
      for (const alert of store.alerts.values()) alert.message = "Look\nhere";
      for (const alert of store.alerts.values()) alert.threshold = 9;
      stateBefore = await fixture.stateFile();
      fixture.sandbox.requests.length = 0;
      found = await drift();
    });

    it("pipestack drift only reads the state and the service", async () => {
      expect(await fixture.stateFile()).to.equal(stateBefore);
      const methods = fixture.sandbox.requests.map(({ method }) => method);
      expect(new Set(methods)).to.deep.equal(new Set(["GET"]));
    });

    it("pipestack drift prints a table of exactly the properties changed outside of Pulumi", () => {
      const { code, stdout, stderr } = found;
      expect(code, stderr).to.equal(7);
      const [headings, , ...lines] = stdout.trimEnd().split("\n");
      expect(headings).to.match(/^RESOURCE +PROPERTY +DECLARED +FOUND$/);
      expect(lines.splice(-2)).to.deep.equal([
        "",
        'Drift in 6 of 7 resources. "pulumi up --refresh" restores the declared values.',
      ]);
      const rows = lines.map((line) => line.split(/ {2,}/));
      expect(rows).to.have.deep.members([
        ["ServiceScaling scaling", "numReplicas", "3", "5"],
        ["ApiKey reporting", "ipAccessList", "[secret]", "[secret]"],
        ["QueryEndpoint endpoint", "roles", '"sql_console_read_only"', '"sql_console_admin"'],
        ["Dashboard errors", 'tiles["Errors"].w', "12", "3"],
        ["Dashboard errors", "tags", '"a"', '"c"'],
        ["Dashboard old", "(all)", "(exists)", "(deleted)"],
        ["Alert errors", "threshold", "5", "9"],
      ]);
    });

    it("pipestack drift prints no secret value of a drifted property", () => {
      expect(found.stdout + found.stderr).to.not.include("nobody may see");
    });

    it("the workflow keepDrift.yml opens one pull request with the declarations that keep the live values", async () => {
      const { keep } = parse(await readFile(join(workflows, "keepDrift.yml"), "utf8"), { strict: true }).jobs;
      const scripts = (keep.steps as { run?: string }[]).flatMap(({ run }) => run ?? []).slice(1);
      const { folder } = fixture;
      const base = await mkdtemp(join(tmpdir(), "pipestack-pull-request-"));
      const run = async (program: string, ...args: string[]) =>
        (await promisify(execFile)(program, args, { cwd: folder, env: environment })).stdout;
      const environment = {
        ...process.env,
        ...fixture.environment,
        PATH: `${base}:${fixture.environment.PATH ?? process.env.PATH}`,
        GITHUB_OUTPUT: join(base, "output"),
        ...{ STACK: "dev", BRANCH: "pipestack-drift/dev", OPEN: "0" },
      };
      const npx = `[ "$1" = pipestack ] && shift && exec "${process.execPath}" "${builtBin.join("")}" "$@"`;
      const gh = `echo "$*" >> "${base}/calls"; [ "$2" != list ] || echo "$OPEN"`;
      for (const [name, program] of Object.entries({ npx, gh }))
        await writeFile(join(base, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      try {
        await run("git", "init", "--quiet", "--bare", join(base, "remote"));
        await run("git", "init", "--quiet");
        await run("git", "remote", "add", "origin", join(base, "remote"));
        for (const script of scripts) await run("bash", "-eo", "pipefail", "-c", script);
        expect(await readFile(join(base, "output"), "utf8")).to.equal("status=7\n");
        const pushed = [
          "--git-dir",
          join(base, "remote"),
          "show",
          "--format=%s",
          "--name-only",
          "pipestack-drift/dev",
        ];
        expect(await run("git", ...pushed)).to.equal("Drift of dev\n\ndrift.txt\n");
        expect(await run("git", "show", "HEAD:drift.txt")).to.include("// Alert errors\nthreshold: 9,\n");
        environment.OPEN = "1";
        await run("bash", "-eo", "pipefail", "-c", scripts.at(-1) ?? "");
        const calls = (await readFile(join(base, "calls"), "utf8")).match(/^\w+ [\w-]+/gm);
        expect(calls).to.deep.equal(["pr list", "auth setup-git", "pr create", "pr list"]);
      } finally {
        await rm(join(folder, ".git"), { recursive: true, force: true });
        await rm(base, { recursive: true });
      }
    });

    const checkDrift = () => {
      const example = require.resolve("../../examples/drift/automation/checkDrift.ts");
      const args = ["--require", require.resolve("tsx/cjs"), example, fixture.folder, "dev"];
      return node(args, fixture.folder, fixture.environment);
    };

    it("the Automation API example reports the drift of a stack", async () => {
      const { code, stdout, stderr } = await checkDrift();
      expect(code, stderr).to.equal(7);
      expect(stdout)
        .to.include("Drift in dev:")
        .and.include(`${prefix}ServiceScaling scaling: numReplicas`)
        .and.include(`${prefix}ApiKey reporting: a secret property`)
        .and.include(`${prefix}Dashboard old is gone`)
        .and.not.include("ignored");
    });

    it("the Automation API example reports no drift after an update with a refresh", async () => {
      await fixture.apply(program(), { args: ["--refresh"] });
      expect((await checkDrift()).stdout).to.equal("No drift in dev.\n");
    });
  });

  const cases: Record<string, [RegExp, string[], Record<string, string>?]> = {
    "the service refuses the credentials": [
      /^error: .*keyId and keySecret: .* \(\w+: GET \S+ answered 401, .*\)\n\(and \d more\)\n$/,
      [],
      { PIPESTACK_KEY_SECRET: "wrong-secret" },
    ],
    "the stack does not exist": [/^error: no stack named 'other' found\n$/, ["--stack", "other"]],
    "the Pulumi CLI is not installed": [
      /^error: \S+nowhere was not found; install the Pulumi CLI .*PIPESTACK_PULUMI to its path\n$/,
      [],
      { PIPESTACK_PULUMI: "/nowhere" },
    ],
  };
  for (const [when, [message, args, environment]] of Object.entries(cases)) {
    it(`pipestack drift exits with 1 and one clear message if ${when}`, async () => {
      const { code, stdout, stderr } = await drift(args, environment);
      expect(stderr).to.match(message);
      expect(stderr)
        .to.not.match(/^\s+at /m)
        .and.not.include("wrong-secret");
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }
});
