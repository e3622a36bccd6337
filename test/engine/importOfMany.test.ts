import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Sandbox } from "../../sandbox/index";
import { builtPipestack } from "../pipestackCommand";
import { send } from "../serviceContents";
import { useFixture } from "./fixture";
import { useLanguages } from "./languages/languageHosts";

/** Adds keys with roles and saved searches to the first service of a sandbox, so that it has 44 objects. */
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

describe("pipestack import --plugin python of more than 40 objects", () => {
  const sandbox = { dialect: "clickhouse" } as const;
  const projectFile = "name: many\nruntime: python\n";
  const fixture = useFixture({ language: "typescript", projectFile, sandbox });
  const languages = useLanguages(fixture);

  it("an imported Python program of several files leaves the engine nothing to change", async () => {
    await fillWithMany(fixture.sandbox);
    const [webhook] = fixture.sandbox.store.webhooks.values();
    await fixture.config("onCallUrl", webhook?.url ?? "", true);
    fixture.sandbox.requests.length = 0;
    // The test leaves roles out of the import. So the generated program refers to existing roles by functions.
    const only = "ServiceScaling,ApiKey,Webhook,Source,SavedSearch";
    const options = ["import", "--plugin", "python", "--only", only];
    const { code, stderr } = await builtPipestack(options, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    const read = (name: string) => readFile(join(fixture.folder, name), "utf8");
    expect(await read("__main__.py")).to.include("\nimport api_keys  # noqa: F401\n");
    expect(await read("api_keys.py"))
      .to.include("\nfrom shared import (\n    admin_role,\n")
      .and.include("    assigned_role_ids=[admin_role.id, reports_role.id],\n");
    expect(await read("shared.py")).to.include(
      'default_connection = pipestack.get_connection_output(\n    name="Default",\n)\n',
    );
    fixture.environment.PATH = languages.python;
    const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
    expect((await fixture.run(args)).output).to.include("43 imported");
    const preview = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(preview.summary).to.deep.equal({ same: 43 });
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });
});
