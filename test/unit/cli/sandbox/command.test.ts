import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import { loadSandbox, settingLines } from "../../../../cli/sandbox/command";
import { builtBin, type CommandResult, withoutSettings } from "../../../pipestackCommand";
import { type Running, start as startHere } from "../runHere";

describe("The command pipestack sandbox", () => {
  let folder: string;
  const running: (() => Promise<CommandResult>)[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-sandbox-"));
  });
  afterEach(async () => {
    for (const stop of running.splice(0)) await stop();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const isReady = ({ lines }: Running) => lines.some((line) => line.startsWith("Press Ctrl+C"));

  /** Starts `pipestack sandbox`, and waits until it has printed its settings or has ended. */
  async function launch(args: readonly string[]) {
    const command = startHere(["sandbox", ...args], folder);
    while (!isReady(command) && !(await Promise.race([command.ended, sleep(5)])));
    const stop = () => {
      process.emit("SIGTERM", "SIGTERM");
      return command.ended;
    };
    return { ...command, stop };
  }

  async function start(...args: string[]) {
    const command = await launch(args);
    if (!isReady(command)) throw new Error(`the sandbox did not start: ${(await command.ended).stderr}`);
    running.push(command.stop);
    return { ...command, settings: settingsIn(command.lines) };
  }

  function settingsIn(lines: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      lines.flatMap((line) => {
        const [, name, value] = /^export (\w+)='(.+)'$/.exec(line) ?? [];
        return name && value ? [[name, value]] : [];
      }),
    );
  }

  function ask(settings: Record<string, string>): Promise<Response> {
    const { PIPESTACK_BASE_URL, PIPESTACK_ORGANIZATION_ID, PIPESTACK_SERVICE_ID } = settings;
    const pair = `${settings.PIPESTACK_KEY_ID}:${settings.PIPESTACK_KEY_SECRET}`;
    const path = `/v1/organizations/${PIPESTACK_ORGANIZATION_ID}/services/${PIPESTACK_SERVICE_ID}/stack/dashboards`;
    return fetch(`${PIPESTACK_BASE_URL}${path}`, {
      headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` },
    });
  }

  it("pipestack sandbox prints all settings that a program needs to reach it", async () => {
    const { settings } = await start();
    const names = [
      "BASE_URL",
      "OBS_BASE_URL",
      "ORGANIZATION_ID",
      "SERVICE_ID",
      "KEY_ID",
      "KEY_SECRET",
      "ACCESS_TOKEN",
    ];
    expect(Object.keys(settings)).to.have.members(names.map((name) => `PIPESTACK_${name}`));
    expect((await ask(settings)).status).to.equal(200);
    const observability = await fetch(`${settings.PIPESTACK_OBS_BASE_URL}/api/v2/dashboards`, {
      headers: { authorization: `Bearer ${settings.PIPESTACK_ACCESS_TOKEN}` },
    });
    expect(observability.status).to.equal(200);
  });

  it("pipestack sandbox prints the id of every service", async () => {
    const { settings, lines } = await start();
    expect(
      lines.flatMap((line) => /^ {2}(?:services: )? +([\w-]{36}) \((.+)\)$/.exec(line)?.slice(1) ?? []),
    ).to.deep.equal([
      ...[settings.PIPESTACK_SERVICE_ID, "warehouse", "e95f3a17-0b6c-4d29-a8e4-91c7d5b2f06a", "reporting"],
    ]);
  });

  it("pipestack sandbox prints only the settings of the API that it serves", async () => {
    const { settings, lines } = await start("--dialect", "clickhouse", "--apis", "observability");
    expect(Object.keys(settings)).to.deep.equal([
      "PIPESTACK_DIALECT",
      "PIPESTACK_OBS_BASE_URL",
      "PIPESTACK_ACCESS_TOKEN",
    ]);
    expect(settings.PIPESTACK_DIALECT).to.equal("clickhouse");
    expect(lines.join("\n"))
      .to.match(/management API: +not served/)
      .and.match(/services: +not served/);
  });

  it("pipestack sandbox writes its state before it ends", async () => {
    const { settings, stop } = await start("--state", "state.json");
    expect((await ask(settings)).status).to.equal(200);
    expect(await stop()).to.include({ code: 0, stderr: "" });
    expect(await readFile(join(folder, "state.json"), "utf8")).to.include(settings.PIPESTACK_SERVICE_ID);
  });

  it("pipestack sandbox ends on SIGINT when it runs in a process of its own", async () => {
    const child = spawn(process.execPath, [...builtBin, "sandbox"], {
      cwd: folder,
      env: withoutSettings(),
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 15_000,
      killSignal: "SIGKILL",
    });
    const ended = once(child, "close");
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith("Press Ctrl+C")) break;
    child.stdout.resume();
    child.kill("SIGINT");
    expect(await ended).to.deep.equal([0, null]);
  });

  it("pipestack sandbox closes its other ports if one is in use", async () => {
    const { settings } = await start();
    const { port } = new URL(settings.PIPESTACK_BASE_URL ?? "");
    expect(await refusal("--port", port)).to.equal(`port ${port} is in use by another program`);
    expect(await refusal("--console-port", port)).to.equal(
      `consolePort ${port} is in use by another program`,
    );
  });

  it("pipestack sandbox serves on the given ports", async () => {
    const first = await start();
    const { port } = new URL(first.settings.PIPESTACK_BASE_URL ?? "");
    const { port: obsPort } = new URL(first.settings.PIPESTACK_OBS_BASE_URL ?? "");
    await first.stop();
    const { settings } = await start("--port", port, "--obs-port", obsPort);
    expect(settings.PIPESTACK_BASE_URL).to.equal(first.settings.PIPESTACK_BASE_URL);
    expect(settings.PIPESTACK_OBS_BASE_URL).to.equal(first.settings.PIPESTACK_OBS_BASE_URL);
  });

  const withFaults = async (faults: object[]) => {
    await writeFile(join(folder, "faults.json"), JSON.stringify(faults));
    return start("--faults", "faults.json");
  };

  it("pipestack sandbox keeps running while a fault closes its ports", async () => {
    const { settings, stop } = await withFaults([{ kind: "refused", operation: "*", milliseconds: 300 }]);
    let status: number | undefined;
    while (status === undefined) {
      status = (await ask(settings).catch(() => undefined))?.status;
      // This pause lets Node's event loop run timers: requests that fail at once would otherwise keep mocha's time limit from
      // firing.
      await sleep(5);
    }
    expect(status).to.equal(200);
    expect(await stop()).to.include({ code: 0 });
  });

  it("pipestack sandbox --tls writes the certificate by which a client trusts it", async () => {
    const { settings } = await start("--tls", "ca.pem");
    expect(settings.PIPESTACK_BASE_URL).to.match(/^https:/);
    expect(settings.NODE_EXTRA_CA_CERTS).to.equal(join(await realpath(folder), "ca.pem"));
    const script = "fetch(process.env.PIPESTACK_BASE_URL).then(({ status }) => console.log(status))";
    const env = { ...process.env, ...settings };
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { env });
    expect(stdout).to.equal("404\n");
  });

  const servers = () => process.getActiveResourcesInfo().filter((type) => type === "TCPServerWrap").length;

  /**
   * Runs `pipestack sandbox`, and expects exit code 1, one line of error, and no open port, which would keep the process
   * running.
   */
  async function refusal(...args: string[]): Promise<string> {
    const before = servers();
    const command = await launch(args);
    if (isReady(command)) await command.stop();
    const { code, stderr } = await command.ended;
    expect(isReady(command), "started").to.equal(false);
    expect(code).to.equal(1);
    // The sandbox closes ports in later turns of Node's event loop. If a port stays open, the test fails by its time limit.
    while (servers() > before) await sleep(5);
    expect(stderr).to.match(/^error: [^\n]+\n$/);
    return stderr.slice("error: ".length, -1);
  }

  it("pipestack sandbox --tls overwrites only the certificate of an earlier run", async () => {
    await (await start("--tls", "again.pem")).stop();
    await (await start("--tls", "again.pem")).stop();
    await mkdir(join(folder, "folder"));
    await symlink(join(folder, "again.pem"), join(folder, "link.pem"));
    await writeFile(join(folder, "index.ts"), "// a program");
    for (const file of ["folder", "link.pem", "index.ts"])
      expect(await refusal("--tls", file)).to.equal(`--tls ${file} is not a certificate; name another file`);
    expect(await readFile(join(folder, "index.ts"), "utf8")).to.equal("// a program");
  });

  for (const [option, file, text, reason] of [
    ["tls", "none/ca.pem", "", "cannot write --tls none/ca.pem: no such file or directory"],
    ["state", "none/a.json", "", "cannot write the state file none/a.json: no such file or directory"],
    ["state", ".", "", "cannot read the state file .: illegal operation on a directory"],
    [
      "state",
      "a.ts",
      "// a program",
      "the state file a.ts is not JSON; use another file, or delete it to start from the seed",
    ],
    ["faults", ".", "", "cannot read --faults .: illegal operation on a directory"],
    ["faults", "none.json", "", "cannot read --faults none.json: no such file or directory"],
    ["faults", "broken.json", "[{", "--faults broken.json is not JSON: …"],
    ["faults", "object.json", "{}", "faults must be a list of faults"],
  ] as const)
    it(`pipestack sandbox refuses the file ${file} for --${option} in one line, with its ports closed`, async () => {
      if (text) await writeFile(join(folder, file), text);
      const refused = await refusal(`--${option}`, file);
      expect(refused.replace(/(?<=is not JSON: ).*/, "…")).to.equal(reason);
    });

  it("pipestack sandbox names the command that installs the sandbox's package if it is missing", () => {
    expect(() => loadSandbox([folder])).to.throw("npm install --save-dev pipestack-sandbox");
  });

  it("pipestack sandbox prints settings for PowerShell on Windows", () => {
    expect(settingLines({ keyId: "k" }, {}, "win32")).to.deep.equal([
      "PowerShell:",
      "$env:PIPESTACK_KEY_ID = 'k'",
      "bash:",
      "export PIPESTACK_KEY_ID='k'",
    ]);
  });
});
