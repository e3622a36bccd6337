import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { CodeCache, runBundle } from "../../../cli/codeCache";

const plugin = join(__dirname, "..", "..", "..", "dist", "plugin.js");

function bundleOf(text: string): string {
  const body = `(function (exports) { exports.sum = ${text}; })`;
  return `// ${createHash("sha256").update(body).digest("hex")}\n${body}`;
}

describe("The code that V8 compiled for the plugin's bundle", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-code-test-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Starts Node with its own folder for temporary files. */
  function start(args: string[]) {
    return spawn(process.execPath, args, {
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    });
  }

  /** Starts the plugin, and interrupts it as the engine does at the end of an update. */
  async function update(): Promise<NodeJS.Signals | null> {
    const started = start([plugin, "127.0.0.1:1"]);
    await once(started.stdout, "data");
    started.kill("SIGINT");
    const [, signal] = await once(started, "exit");
    return signal;
  }

  /** The files with compiled code, and when they were written. */
  async function written(): Promise<Record<string, number>> {
    const [code = ""] = (await readdir(folder)).filter((name) => name.startsWith("pipestack-code-"));
    const files = await readdir(join(folder, code));
    const times = files.map(async (name) => [name, (await stat(join(folder, code, name))).mtimeMs]);
    return Object.fromEntries(await Promise.all(times));
  }

  it("only their owner can read the folder and the file of the plugin's compiled code", async function () {
    if (process.platform === "win32") this.skip();
    expect(await update()).to.equal("SIGINT");
    const [file = ""] = Object.keys(await written());
    const [code = ""] = (await readdir(folder)).filter((name) => name.startsWith("pipestack-code-"));
    expect((await stat(join(folder, code, file))).mode & 0o777).to.equal(0o600);
    expect((await stat(join(folder, code))).mode & 0o777).to.equal(0o700);
  });

  it("the plugin's compiled code is written only when the engine first ends the plugin", async function () {
    if (process.platform === "win32") this.skip();
    expect(await update()).to.equal("SIGINT");
    const first = await written();
    expect(first).to.not.deep.equal({});
    expect(await update()).to.equal("SIGINT");
    expect(await written()).to.deep.equal(first);
  });

  it("the plugin's compiled code is also written when an engine ends the plugin as on Windows", async function () {
    if (process.platform === "win32") this.skip();
    // Other systems have no signal SIGBREAK, so the process tells itself of one.
    const script = `process.stdout.write = () => setImmediate(() => process.emit("SIGBREAK"));
      process.argv = [process.execPath, ${JSON.stringify(plugin)}, "127.0.0.1:1"];
      require(process.argv[1]);`;
    const [, signal] = await once(start(["-e", script]), "exit");
    expect(signal).to.equal("SIGTERM");
    expect(Object.keys(await written())).to.have.length(1);
  });

  it("the plugin serves without compiled code in a folder that others may write", async function () {
    if (process.platform === "win32") this.skip();
    const code = join(folder, `pipestack-code-${process.getuid?.()}`);
    await mkdir(code);
    await chmod(code, 0o777);
    expect(await update()).to.equal("SIGINT");
    expect(await written()).to.deep.equal({});
  });

  it("damaged compiled code of the plugin is written anew", async function () {
    if (process.platform === "win32") this.skip();
    await update();
    const [file = ""] = Object.keys(await written());
    const [code = ""] = (await readdir(folder)).filter((name) => name.startsWith("pipestack-code-"));
    await writeFile(join(folder, code, file), "damaged");
    await update();
    expect((await readFile(join(folder, code, file))).length).to.be.above(100_000);
  });

  it("compiled code belongs to one bundle, even if another has the same length", async () => {
    const write = (bundle: string) => new CodeCache(bundle, folder).write(runBundle(bundle, "bundle.js"));
    const [one, other] = [bundleOf("1 + 1"), bundleOf("2 + 2")];
    write(one);
    expect(new CodeCache(one, folder).read()).to.have.length.above(100);
    expect(new CodeCache(other, folder).read()).to.equal(undefined);

    const [file = ""] = await readdir(folder);
    const monthsAgo = new Date(Date.now() - 90 * 24 * 60 * 60 * 1000);
    await utimes(join(folder, file), monthsAgo, monthsAgo);
    write(other);
    expect(await readdir(folder)).to.have.length(1);
    expect(new CodeCache(one, folder).read()).to.equal(undefined);
  });
});
