import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Sandbox } from "../../sandbox/index";
import { builtPipestack, type CommandResult, node } from "../pipestackCommand";
import { send } from "../serviceContents";
import { type Fixture, useFixture } from "./fixture";
import { useLanguages } from "./languageHosts";

/** Fills the first service of a sandbox, whose sources have a connection, with keys that have roles, and searches: 44 objects. */
async function fillWithMany(sandbox: Sandbox): Promise<void> {
  const service = `/services/${sandbox.credentials.serviceId}`;
  const roles = [...sandbox.store.roles.keys()];
  for (let index = 0; index < 12; index++)
    await send(sandbox, "POST", "/keys", {
      ...{ name: `Team ${index}`, assignedRoleIds: [roles[index % 4], roles[4 + (index % 2)]] },
    });
  const [source] = sandbox.store.sources.keys();
  for (let index = 0; index < 24; index++)
    await send(sandbox, "POST", `${service}/clickstack/saved-searches`, {
      ...{ name: `Search ${index}`, sourceId: source, where: `team:${index}`, whereLanguage: "lucene" },
    });
}

describe("pipestack import of more than 40 objects", () => {
  const sandbox = { dialect: "clickhouse" } as const;
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox });
  let imported: CommandResult;
  const read = (name: string) => readFile(join(fixture.folder, name), "utf8");

  before(async () => {
    imported = await importMany(fixture, []);
  });

  it("splits the program into a file for each type, with names in place of the ids of roles and connections", async () => {
    expect(imported.stdout).to.include("index.ts, with 6 files beside it, declares 43 resources");
    expect(await read("index.ts")).to.match(/\nimport ".\/serviceScalings";\nimport ".\/apiKeys";\n/);
    expect(await read("shared.ts"))
      .to.include('export const reportsRole = pipestack.getRoleOutput({\n  name: "Reports",\n});\n')
      .and.include(
        'export const defaultConnection = pipestack.getConnectionOutput({\n  name: "Default",\n});\n',
      );
    expect(await read("apiKeys.ts")).to.include("  assignedRoleIds: [adminRole.id, reportsRole.id],\n");
    expect(await read("sources.ts")).to.include("  connection: defaultConnection.id,\n");
    expect(await read("savedSearches.ts"))
      .to.include('\nimport { logs } from "./sources";\n')
      .and.include('  name: "Search 3",\n  sourceId: logs.id,\n  where: "team:3",\n});\n');
  });

  it("writes files in which biome finds no fault", async () => {
    const configuration = { formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 100 } };
    await writeFile(join(fixture.folder, "biome.json"), JSON.stringify(configuration));
    const biome = require.resolve("@biomejs/biome/bin/biome");
    const files = (await readdir(fixture.folder)).filter((name) => name.endsWith(".ts"));
    const { code, stdout, stderr } = await node([biome, "check", ...files], fixture.folder);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout + stderr).to.include("Checked 7 files");
  });

  it("the engine finds no change in the split program, and nothing is written", () =>
    expectNoChange(fixture));
});

describe("pipestack import --plugin python of more than 40 objects", () => {
  const sandbox = { dialect: "clickhouse" } as const;
  const projectFile = "name: many\nruntime: python\n";
  const fixture = useFixture({ language: "typescript", projectFile, sandbox });
  const languages = useLanguages(fixture);

  it("the engine finds no change in the split program in Python, and nothing is written", async () => {
    await importMany(fixture, ["--plugin", "python"]);
    const read = (name: string) => readFile(join(fixture.folder, name), "utf8");
    expect(await read("__main__.py")).to.include("\nimport api_keys  # noqa: F401\n");
    expect(await read("api_keys.py"))
      .to.include("\nfrom shared import (\n    admin_role,\n")
      .and.include("    assigned_role_ids=[admin_role.id, reports_role.id],\n");
    expect(await read("shared.py")).to.include(
      'default_connection = pipestack.get_connection_output(\n    name="Default",\n)\n',
    );
    fixture.environment.PATH = languages.python;
    await expectNoChange(fixture);
  });
});

/** Imports all objects, and sets the secrets that the program reads. */
async function importMany(fixture: Fixture, args: string[]): Promise<CommandResult> {
  fixture.environment.PIPESTACK_DIALECT = "clickhouse";
  await fillWithMany(fixture.sandbox);
  const [webhook] = fixture.sandbox.store.webhooks.values();
  await fixture.config("onCallUrl", webhook?.url ?? "", true);
  fixture.sandbox.requests.length = 0;
  const imported = await builtPipestack(["import", ...args], fixture.folder, fixture.environment);
  expect(imported.code, imported.stderr).to.equal(0);
  return imported;
}

async function expectNoChange(fixture: Fixture): Promise<void> {
  const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
  expect((await fixture.run(args)).output).to.include("43 imported");
  const preview = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  expect(preview.summary).to.deep.equal({ same: 43 });
  expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
}
