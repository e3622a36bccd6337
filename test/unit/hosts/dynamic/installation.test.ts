import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { requireInstallation } from "../../../../provider/hosts/dynamic/installation";

const runner = join("project", "node_modules", "@pulumi", "pulumi", "cmd", "run", "index.js");

describe("The installed package that the engine loads", () => {
  const before = process.cwd();
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "pipestack-installation-")));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });

  async function install(parent: string): Promise<void> {
    const own = join(parent, "node_modules", "pipestack");
    await mkdir(own, { recursive: true });
    await writeFile(join(own, "package.json"), '{"name":"pipestack","exports":{"./host":"./host.js"}}');
    await writeFile(join(own, "host.js"), "");
  }

  it("an error names the folder without pipestack even if a dependency has a copy of its own", async () => {
    await install(join(folder, "node_modules", "shared"));
    expect(() => requireInstallation('Alert "slow"', runner)).to.throw(
      `Alert "slow": the engine does not find the package pipestack from ${folder}; add it to the dependencies in the package.json there`,
    );
  });

  it("no error says that pipestack is not installed if it is beside the program or in a folder above it", async () => {
    await install(folder);
    requireInstallation('Alert "slow"', runner);
    await mkdir(join(folder, "infrastructure"));
    process.chdir(join(folder, "infrastructure"));
    requireInstallation('Alert "slow"', runner);
    process.chdir(folder);
  });

  it("no error says that pipestack is not installed if no language host runs the program", () => {
    requireInstallation('Alert "slow"', join("project", "deploy.js"));
    requireInstallation('Alert "slow"', undefined);
  });
});
