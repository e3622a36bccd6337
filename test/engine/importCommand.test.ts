import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack, type CommandResult } from "../pipestackCommand";
import { expectNoLeaks } from "../secrets";
import { fillService } from "../serviceContents";
import { useFixture } from "./fixture";

describe("pipestack import of a service with 37 objects", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript" });
  let imported: CommandResult;
  let importFile: string;

  before(async () => {
    await fillService(fixture.sandbox);
    const [webhook] = fixture.sandbox.store.webhooks.values();
    await fixture.config("onCallUrl", webhook?.url ?? "", true);
    imported = await builtPipestack(["import"], fixture.folder, fixture.environment);
    importFile = await readFile(join(fixture.folder, "import.json"), "utf8");
  });

  it("pipestack import prints a summary with the commands to run next", () => {
    expect(imported.code, imported.stderr).to.equal(0);
    expect(imported.stdout)
      .to.include("index.ts declares 37 resources")
      .and.include("Set them first, as the service has them:\n  pulumi config set --secret onCallUrl\n")
      .and.include("pulumi import --file import.json --generate-code=false --protect=false --yes")
      .and.include("pulumi preview --refresh --expect-no-changes")
      .and.include("no secret");
  });

  it("after an import, the engine finds no difference between program, state and service", async () => {
    const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
    const { output } = await fixture.run(args);
    expect(output).to.include("37 imported").and.not.include("has a problem");
    const preview = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(preview.summary).to.deep.equal({ same: 37 });
  });

  it("right after an import, pipestack drift only warns that it could not compare a secret", async () => {
    const { code, stdout } = await builtPipestack(["drift", "--json"], fixture.folder, fixture.environment);
    expect({ code, ...JSON.parse(stdout) }).to.deep.equal({
      code: 0,
      drift: [],
      lastChanges: [],
      resources: 37,
      uncompared: [],
      undeclared: [],
      warnings: [
        'not compared: url of Webhook on-call, since an import leaves no secrets in the state; "pulumi refresh" or "pulumi up" puts them there',
      ],
    });
  });

  it("pipestack import puts no readable secret into its file or the state, even after a refresh", async () => {
    const { encryptionKey } = fixture.sandbox.store.services.get(fixture.sandbox.credentials.serviceId) as {
      encryptionKey: string;
    };
    const [{ url } = { url: "" }] = fixture.sandbox.store.webhooks.values();
    expectNoLeaks({ encryptionKey, url }, { importFile });
    await fixture.refresh();
    expectNoLeaks({ encryptionKey, url }, { "the state": await fixture.stateFile() });
    expect((await fixture.outputsOf("scaling")).encryptionKey).to.equal(encryptionKey);
    expect((await fixture.outputsOf("on-call")).url).to.equal(url);
  });
});
