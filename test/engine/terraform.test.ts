import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack, type CommandResult, node } from "../pipestackCommand";
import { expectNoLeaks } from "../secrets";
import {
  fillForTerraform,
  organizationInTerraform,
  terraformSecrets,
  terraformStateOf,
} from "../terraformState";
import { useFixture } from "./fixture";

describe("An import of a Terraform state with 40 objects", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript" });
  let taken: CommandResult;
  let program: string;

  const methods = () => [...new Set(fixture.sandbox.requests.map(({ method }) => method))];

  before(async () => {
    await fillForTerraform(fixture.sandbox);
    fixture.sandbox.requests.length = 0;
    const [webhook] = fixture.sandbox.store.webhooks.values();
    await fixture.config("onCallUrl", webhook?.url ?? "", true);
    const file = join(fixture.folder, "terraform.tfstate");
    await writeFile(file, JSON.stringify(terraformStateOf(fixture.sandbox)));
    taken = await builtPipestack(["import", "--terraform", file], fixture.folder, fixture.environment);
    expect(taken.code, taken.stderr).to.equal(0);
    const files = (await readdir(fixture.folder)).filter((name) => name.endsWith(".ts"));
    const texts = await Promise.all(files.map((name) => readFile(join(fixture.folder, name), "utf8")));
    program = texts.join("\n");
  });

  it("pipestack import --terraform names resources after their names in Terraform", () => {
    expect(taken.stdout).to.include("index.ts, with 9 files beside it, declares 40 resources");
    expect(program)
      .to.include('pipestack.ServiceScaling("main", ')
      .and.include('pipestack.Dashboard("board-3", ')
      .and.include('pipestack.SavedSearch("by_team-eu/11", ')
      .and.include('pipestack.Alert("alerts-too_many_0", ');
  });

  it("pipestack import --terraform writes a program of several files that passes biome", async () => {
    const configuration = { formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 100 } };
    await writeFile(join(fixture.folder, "biome.json"), JSON.stringify(configuration));
    const files = (await readdir(fixture.folder)).filter((name) => name.endsWith(".ts"));
    const biome = require.resolve("@biomejs/biome/bin/biome");
    const { code, stdout, stderr } = await node([biome, "check", ...files], fixture.folder);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout + stderr).to.include("Checked 10 files");
  });

  it("the imported, type-checked program takes over the objects of Terraform without a write", async () => {
    const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
    expect((await fixture.run(args)).output)
      .to.include("40 imported")
      .and.not.include("has a problem");
    expect((await fixture.up({ args: ["--refresh"] })).summary).to.deep.equal({ same: 40 });
    expect(methods()).to.deep.equal(["GET"]);
  });

  it("no secret of Terraform's state is in the written files, the output or Pulumi's state", async () => {
    const [webhook] = fixture.sandbox.store.webhooks.values();
    const importFile = await readFile(join(fixture.folder, "import.json"), "utf8");
    expectNoLeaks(
      { ...terraformSecrets, url: webhook?.url ?? "", headers: "Bearer s3cret" },
      { program, importFile, output: taken.stdout + taken.stderr, state: await fixture.stateFile() },
    );
  });

  it("pulumi stack rm leaves every object in the service unchanged", async () => {
    await fixture.run(["stack", "rm", "--force", "--yes"]);
    expect(methods()).to.deep.equal(["GET"]);
    expect(fixture.sandbox.store.dashboards.size).to.equal(8);
  });
});

describe("An import of a Terraform state with a resource of every type that Terraform's provider has", () => {
  const sandbox = { dialect: "clickhouse", stateMilliseconds: 1 } as const;
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox });

  let taken: CommandResult;

  it("the engine takes over every Terraform resource that has a type in pipestack", async () => {
    const file = join(fixture.folder, "terraform.tfstate");
    await writeFile(file, JSON.stringify(await organizationInTerraform(fixture.sandbox)));
    const [webhook] = fixture.sandbox.store.webhooks.values();
    await fixture.config("mainWebhookUrl", webhook?.url ?? "", true);
    fixture.sandbox.requests.length = 0;
    taken = await builtPipestack(["import", "--terraform", file], fixture.folder, fixture.environment);
    expect(taken.code, taken.stderr).to.equal(0);
    expect(taken.stdout).to.include("declares 24 resources");
    const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
    expect((await fixture.run(args)).output)
      .to.include("24 imported")
      .and.not.include("has a problem");
    expect((await fixture.up({ args: ["--refresh"] })).summary).to.deep.equal({ same: 24 });
  });

  it("the import of a Terraform state of every type sends no write", () => {
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });

  it("the import of a Terraform state of every type leaves no secret readable", async () => {
    expectNoLeaks(terraformSecrets, {
      ...{ output: taken.stdout + taken.stderr, state: await fixture.stateFile() },
      program: await readFile(join(fixture.folder, "index.ts"), "utf8"),
    });
  });
});
