import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { generateSdks } from "../../toolchain/sdk.mjs";
import { linkPackages } from "../../toolchain/temporaryProject.mjs";
import { builtPipestack } from "../pipestackCommand";
import { useFixture } from "./fixture";

const project = `name: moved
runtime:
  name: nodejs
  options:
    typescript: true
`;

const withPlugin = `${project}plugins:
  providers:
    - name: pipestack
      path: node_modules/.bin
`;

const program = (from: string) => `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "${from}";

const dashboard = new pipestack.Dashboard("ingestion", {
  name: "Ingestion",
  tiles: [{ name: "Errors", x: 0, y: 0, w: 12, h: 6, series: [{ type: "time", aggFn: "count", groupBy: ["host"] }] }],
});

const webhook = new pipestack.Webhook("team", { service: "generic", url: "https://hooks.example.com/s3cret-path" });

new pipestack.Alert("errors", {
  name: "Errors",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds.apply((ids) => ids.Errors ?? ""),
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: webhook.id },
});

const key = new pipestack.ApiKey("reporting", { roles: ["query_endpoints"] });
const own = new pipestack.Provider("own", {});
new pipestack.ServiceScaling("scaling", { numReplicas: 3 }, { provider: own });

export const keySecret: pulumi.Output<string | undefined> = key.keySecret;
`;

describe("A stack that moves from the dynamic host to the plugin", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript", projectFile: project });
  const writes = () => fixture.sandbox.requests.filter(({ method }) => method !== "GET");
  const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
  let keySecret: unknown;

  before(async () => {
    // Other tests check the types of the program, so this test skips the check.
    fixture.environment.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
    await fixture.write(program("pipestack"));
    await fixture.up();
    ({ keySecret } = await fixture.outputs({ showSecrets: true }));
    fixture.sandbox.requests.length = 0;
    // The test makes the links that npm would make when it installs the package.
    const bin = join(fixture.folder, "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    const plugin = join(bin, "pulumi-resource-pipestack");
    await writeFile(plugin, `#!/usr/bin/env node\nrequire(${JSON.stringify(resolve("dist/plugin.js"))});\n`);
    await chmod(plugin, 0o755);
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(await generateSdks(), "nodejs", "bin") });
  });

  it("changing a program's import to the plugin's SDK moves every resource unchanged", async () => {
    await writeProject(withPlugin);
    await fixture.write(program("@pipestack/sdk"));
    const { summary, steps } = await fixture.up();
    expect(summary).to.deep.equal({ same: 5, create: 1, delete: 1 });
    const changed = steps.filter(({ op }) => op !== "same").map(({ type }) => type);
    expect(changed).to.have.members(["pulumi:providers:pipestack", "pulumi:providers:pulumi-nodejs"]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(writes()).to.deep.equal([]);
    expect(await fixture.stateFile()).to.not.include("pulumi-nodejs:dynamic");
    expect((await fixture.outputs({ showSecrets: true })).keySecret).to.equal(keySecret);
  });

  it("pipestack import moves a stack from the plugin back to the dynamic host without a write", async () => {
    const args = ["import", "--out", "back", "--only", "Dashboard,Webhook,Alert,ApiKey,ServiceScaling"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    for (const { name, url } of fixture.sandbox.store.webhooks.values())
      await fixture.config(name === "team" ? "teamUrl" : "onCallUrl", url, true);
    await writeProject(project);
    await fixture.write(await readFile(join(fixture.folder, "back", "index.ts"), "utf8"));
    await fixture.run(["state", "delete", "--all", "--yes"]);
    const options = ["--generate-code=false", "--protect=false", "--yes"];
    await fixture.run(["import", "--file", join("back", "import.json"), ...options]);
    const { summary } = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 6 });
    expect(writes()).to.deep.equal([]);
    expect(await fixture.stateFile()).to.not.include("pipestack:index:");
  });
});
