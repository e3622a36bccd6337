import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack, settingVariables } from "../pipestackCommand";
import { emptyStack, send, settingsOf } from "../serviceContents";
import { useFixture } from "./fixture";
import type { StateJson } from "./workspace";

const declared = `
new Dashboard("declared", { name: "declared", tiles: [] });
new ApiKey("key", { roles: ["developer"] });
`;

/** The program of a second project. Each of its stacks has a dashboard with the name of the stack. */
const secondProgram = `
const { getStack } = require("@pulumi/pulumi");
const { Dashboard } = require("pipestack");
new Dashboard("dashboard", { name: getStack(), tiles: [] });
`;

describe("pipestack orphans for stacks that the real engine deploys", () => {
  const fixture = useFixture({ host: "dynamic", settings: {} });
  let second: string;

  const orphans = (args: string[]) =>
    builtPipestack(["orphans", ...args], fixture.folder, fixture.environment);
  /** Runs `pipestack orphans` and returns the names of the orphans. Fails unless the exit code says that there are orphans. */
  const found = async (...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await orphans([...args, "--json"]);
    expect(stderr).to.equal("");
    expect(code).to.equal(7);
    return JSON.parse(stdout).orphans.map(({ name }: { name: string }) => name);
  };
  const make = (name: string) => {
    const path = `/services/${fixture.sandbox.credentials.serviceId}/stack/dashboards`;
    return send<{ id: string }>(fixture.sandbox, "POST", path, { name, tiles: [] });
  };

  before(async () => {
    emptyStack(fixture.sandbox);
    for (const [name, value] of Object.entries(settingsOf(fixture.sandbox))) {
      await fixture.config(`pipestack:${name}`, value, name === "keySecret" || name === "accessToken");
    }
    await fixture.apply(declared);
    second = join(fixture.folder, "second");
    await mkdir(second);
    await writeFile(join(second, "Pulumi.yaml"), "name: second\nruntime: nodejs\n");
    await writeFile(join(second, "package.json"), JSON.stringify({ name: "second", main: "index.js" }));
    await writeFile(join(second, "index.js"), secondProgram);
  });

  it("pipestack orphans uses the selected stack and the settings in its configuration by default", async () => {
    const { code, stdout, stderr } = await orphans([]);
    expect(stderr).to.equal("");
    const { serviceId } = fixture.sandbox.credentials;
    expect(stdout).to.equal(
      `No orphans: every object found on service ${serviceId} is in the selected stack.\n`,
    );
    expect(code).to.equal(0);
    await make("by hand");
    expect(await found()).to.deep.equal(["by hand"]);
  });

  it("pipestack orphans accepts states of several projects, stacks and files", async () => {
    const environment = settingVariables(settingsOf(fixture.sandbox));
    for (const stack of ["one", "two"]) {
      await fixture.run(["--cwd", second, "stack", "init", stack]);
      await fixture.run(["--cwd", second, "up", "--yes", "--skip-preview"], { environment });
    }
    const file = join(fixture.folder, "two.json");
    await fixture.run(["--cwd", second, "stack", "export", "--file", file]);

    expect(await found()).to.deep.equal(["by hand", "one", "two"]);
    expect(await found("--cwd", ".", "--cwd", "second")).to.deep.equal(["by hand", "one"]);
    const fullNames = ["--stack", "organization/test/dev", "--stack", "organization/second/one"];
    expect(await found(...fullNames)).to.deep.equal(["by hand", "two"]);
    expect(await found("--cwd", ".", "--state", file)).to.deep.equal(["by hand", "one"]);
  });

  it("pipestack orphans finds an object whose create was interrupted, even after --import-pending-creates", async () => {
    const { id } = await make("unfinished");
    // `pulumi stack import` would drop the unfinished operation from the Pulumi state, so the test writes it into the state
    // file.
    const state = JSON.parse(await fixture.stateFile());
    const { latest } = state.checkpoint;
    const declared = latest.resources.find(({ urn }: StateJson) => urn.endsWith("::declared"));
    const { id: _, outputs, ...other } = declared;
    const urn = other.urn.replace("::declared", "::unfinished");
    latest.pending_operations = [{ resource: { ...other, urn }, type: "creating" }];
    await writeFile(fixture.stateFilePath, JSON.stringify(state));
    const { stderr } = await orphans([]);
    expect(stderr).to.include("the selected stack has 1 unfinished operation (creating unfinished)");
    await fixture.refresh({ args: ["--import-pending-creates", urn, "--import-pending-creates", id] });
    const { resources, pending_operations } = (await fixture.exportState()).deployment;
    expect(pending_operations).to.equal(undefined);
    expect(resources?.some((resource) => resource.id === id)).to.equal(false);
    expect(await found()).to.deep.equal(["by hand", "one", "two", "unfinished"]);
  });
});

const programWithSecretTile = `
const series = [{ type: "time", aggFn: "count", where: pulumi.secret("tenant:nobody-may-see"), groupBy: ["service"] }];
new Dashboard("kept", { name: "kept", tiles: [] });
new Dashboard("secret", { name: "secret", tiles: [{ name: "Errors", x: 0, y: 0, w: 12, h: 4, series }] });
`;

for (const host of ["dynamic", "plugin"] as const)
  describe(`pipestack orphans --recover with the ${host} host`, () => {
    const fixture = useFixture({ host });

    it("a refresh and an update complete a recovered dashboard that has a secret in a tile", async () => {
      await fixture.apply(programWithSecretTile);
      const { urn, id } = await fixture.resource("secret");
      await fixture.run(["state", "delete", urn, "--yes"]);
      const args = ["orphans", "--only", "Dashboard", "--recover", "--yes"];
      const { code, stdout, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
      expect(code, stdout + stderr).to.equal(0);
      await fixture.refresh();
      await fixture.up();
      expect((await fixture.resource("secret")).id).to.equal(id);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(await fixture.stateFile()).to.not.include("nobody-may-see");
    });
  });
