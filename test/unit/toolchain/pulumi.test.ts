import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { devDependencies } from "../../../package.json";
import { command } from "../../../toolchain/command.mjs";
import { goPrograms, versionOf } from "../../../toolchain/goPrograms.mjs";

const toolchain = join(__dirname, "..", "..", "..", "toolchain");
const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

describe("The Pulumi CLI that the toolchain uses", () => {
  let base: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "pipestack-toolchain-")));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** Makes a folder with a `pulumi` that prints the given version, and with empty programs of the other names. */
  async function installation(name: string, version: string, others: string[] = companions): Promise<string> {
    const folder = join(base, name);
    await mkdir(folder, { recursive: true });
    const scripts = [["pulumi", `console.log("${version}");`], ...others.map((other) => [other, "//"])];
    for (const [file, body] of scripts) {
      const path = join(folder, String(file));
      await writeFile(path, `#!${process.execPath}\n${body}\n`);
      await chmod(path, 0o755);
    }
    return folder;
  }

  /** Runs toolchain/pulumi.mjs on a machine with only the given environment variables: without npm and Go. */
  async function find(own: Record<string, string>, program = "pulumi.mjs", ...args: string[]) {
    const environment = { PATH: join(base, "empty"), PULUMI_HOME: join(base, "home"), ...own };
    const answer = await command(process.execPath, [join(toolchain, program), ...args], { environment });
    return { ...answer, stdout: answer.stdout.trim() };
  }

  it("the CLI that PIPESTACK_PULUMI names, as a program or a folder, takes precedence over all others", async () => {
    const named = await installation("named", "v3.260.1");
    const onPath = await installation("path", "v3.259.0");
    for (const value of [named, join(named, "pulumi")]) {
      expect(await find({ PATH: onPath, PIPESTACK_PULUMI: value })).to.include({ code: 0, stdout: named });
    }
  });

  it("an unusable PIPESTACK_PULUMI fails with the reason, and no other CLI is used", async () => {
    const onPath = await installation("path", "v3.259.0");
    const named = await installation("named", "v3.249.9");
    const { code, stderr } = await find({ PATH: onPath, PIPESTACK_PULUMI: named });
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `PIPESTACK_PULUMI is ${named}, which cannot be used: ${join(named, "pulumi")} is 3.249.9, older than 3.250.0\n`,
    );
  });

  it("a CLI on PATH is used if its companion programs are beside it or anywhere on PATH", async () => {
    const complete = await installation("complete", "v3.250.0");
    expect(await find({ PATH: complete })).to.include({ code: 0, stdout: complete });
    const alone = await installation("alone", "v3.251.0-alpha.1", []);
    expect(await find({ PATH: [alone, complete].join(delimiter) })).to.include({ code: 0, stdout: alone });
  });

  it("a CLI on PATH that is too old is skipped, and the next CLI on PATH is used", async () => {
    const old = await installation("old", "v3.99.0");
    const current = await installation("current", "v3.259.0");
    expect(await find({ PATH: [old, current].join(delimiter) })).to.include({ code: 0, stdout: current });
  });

  it("a CLI below PULUMI_HOME with the version of the project's SDK, installed by an earlier run, is used", async () => {
    const version = devDependencies["@pulumi/pulumi"];
    const cached = await installation(join("home", "versions", version, "bin"), `v${version}`);
    expect(await find({})).to.include({ code: 0, stdout: cached });
  });

  it("toolchain/languages.mjs prints the folders of the CLI and of language hosts that the CLI lacks", async () => {
    const complete = await installation("complete", "v3.259.0", [...companions, "pulumi-language-python"]);
    const python = await find({ PATH: complete }, "languages.mjs", "python");
    expect(python).to.include({ code: 0, stdout: complete });
    const cached = join(base, "cache", "pipestack", `pulumi-language-go-${versionOf(goPrograms.go)}`);
    await mkdir(cached, { recursive: true });
    const own = { PATH: complete, XDG_CACHE_HOME: join(base, "cache") };
    const both = await find(own, "languages.mjs", "python", "go");
    expect(both).to.include({ code: 0, stdout: [complete, cached].join(delimiter) });
  });

  it("toolchain/languages.mjs refuses an unknown language", async () => {
    const complete = await installation("complete", "v3.259.0");
    const refused = await find({ PATH: complete }, "languages.mjs", "ruby");
    expect(refused).to.include({ code: 1, stderr: "ruby is none of python, go, yaml.\n" });
  });

  it("the error without a usable CLI gives the reason for each place, and the CLI to install", async () => {
    const incomplete = await installation("incomplete", "v3.259.0", companions.slice(0, 1));
    const { code, stdout, stderr } = await find({ PATH: incomplete });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: "" });
    expect(stderr).to.include(
      `  PATH: ${join(incomplete, "pulumi")} comes without pulumi-resource-pulumi-nodejs\n`,
    );
    expect(stderr).to.match(/^ {2}cache: no pulumi in .+versions.+bin$/m);
    expect(stderr).to.match(/^ {2}official release: .*npm/m);
    expect(stderr).to.match(/^ {2}Go modules: no Go on PATH \(1\.25\.\d+ or newer is needed\)/m);
    expect(stderr).to.match(/^Install the Pulumi CLI, 3\.250\.0 or newer .*, or Go /m);
  });
});
