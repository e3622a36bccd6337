import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack, settingVariables } from "../pipestackCommand";
import { send } from "../serviceContents";
import { useFixture } from "./fixture";

describe("pipestack import of an organization", () => {
  const sandbox = { dialect: "clickhouse", stateMilliseconds: 1 } as const;
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox, settings: {} });

  /**
   * Adds a third service outside of the warehouse of the first two services, and gives objects and settings to all three
   * services.
   */
  async function fill(): Promise<void> {
    const { store, credentials } = fixture.sandbox;
    await send(fixture.sandbox, "POST", "/services", {
      ...{ name: "lake", provider: "aws", region: "eu-west-1" },
      ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
    });
    const [warehouse, , lake] = store.services.values();
    Object.assign(warehouse ?? {}, {
      ...{ upgradeWindow: { weekday: 0, startHourUtc: 6 }, databaseSettings: { async_insert: 1 } },
      privateEndpointIds: ["vpce-2", "vpce-1"],
    });
    Object.assign(lake ?? {}, { state: "running", steps: undefined });
    for (const id of [credentials.serviceId, credentials.secondServiceId, String(lake?.id)])
      await send(fixture.sandbox, "POST", `/services/${id}/clickstack/dashboards`, {
        name: "Start",
        tiles: [],
      });
  }

  it("pipestack import of an organization writes a program in which the engine finds no change, and sends no write", async () => {
    const { baseUrl, credentials, store } = fixture.sandbox;
    const { organizationId, keyId, keySecret } = credentials;
    const settings = { baseUrl, organizationId, keyId, keySecret, dialect: "clickhouse" };
    Object.assign(fixture.environment, settingVariables({ ...settings, requestsPerSecond: "1000" }));
    await fill();
    const [webhook] = store.webhooks.values();
    await fixture.config("onCallUrl", webhook?.url ?? "", true);
    fixture.sandbox.requests.length = 0;
    const { code, stderr, stdout } = await builtPipestack(["import"], fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    const names = (await readdir(fixture.folder)).filter((name) => name.endsWith(".ts"));
    const texts = await Promise.all(names.map((name) => readFile(join(fixture.folder, name), "utf8")));
    const program = texts.join("\n");
    expect(program.match(/new pipestack\.Service\(/g)).to.have.length(3);
    expect(program).to.include("serviceId: lake.id,").and.not.include("new pipestack.ServiceScaling(");
    const [, count = ""] = /declares (\d+) resources/.exec(stdout) ?? [];
    const args = ["import", "--file", "import.json", "--generate-code=false", "--protect=false", "--yes"];
    expect((await fixture.run(args)).output).to.include(`${count} imported`);
    const preview = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(preview.summary).to.deep.equal({ same: Number(count) });
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });
});
