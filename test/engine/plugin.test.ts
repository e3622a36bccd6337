import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { resources as registry } from "../../provider/resources/registry";
import type { Dashboard } from "../../sandbox/index";
import { builtPipestack } from "../pipestackCommand";
import { fillService } from "../serviceContents";
import { useFixture } from "./fixture";
import { type Host, pluginClasses } from "./pluginHost";

const sourceId = "65f1c0a2b3d4e5f607182911";

const resources = ({ width = 6, thresholdType = "above", tiles = "" } = {}) => `
const connection = new Connection("lake", {
  name: "Lake", host: "https://lake.example.com:8443", username: "reader", password: "s3cret-password",
});
new Source("requests", {
  name: "Requests", kind: "log", connection: connection.id, from: { databaseName: "otel", tableName: "requests" },
  timestampValueExpression: "Timestamp", defaultTableSelectExpression: "Timestamp",
});
const webhook = new Webhook("pager", { service: "generic", url: "https://hooks.example.com/s3cret-path" });
new SavedSearch("slow", { sourceId: "${sourceId}" });
const dashboard = new Dashboard("ingestion", {
  name: "Ingestion",
  tiles: [{ name: "Errors", x: 0, y: 0, w: ${width}, h: 4,
    series: [{ type: "time", dataSource: "events", aggFn: "count", where: pulumi.secret("user:s3cret-user"), groupBy: [] }] }${tiles}],
});
new Alert("errors", {
  dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors, threshold: 5,
  interval: "5m", source: "tile", thresholdType: "${thresholdType}", channel: { type: "webhook", webhookId: webhook.id },
});
const key = new ApiKey("reporting", { name: "reporting", roles: ["query_endpoints"] });
new QueryEndpoint("endpoint", { roles: ["sql_console_read_only"], openApiKeys: [key.id] });
new ServiceScaling("scaling", { numReplicas: 3 });
new ServiceScalingSchedule("schedule", {
  entries: [{ name: "Nights", weekdays: [1], startHourUtc: 19, endHourUtc: 7, numReplicas: 2 }],
});
const query = { sql: "SELECT 1", database: "default" };
new SavedQuery("saved", query);
new QueryApiEndpoint("api", { ...query, apiKeyIds: [key.id], roles: ["reader"] });
exports.keySecret = key.keySecret;
`;

/** The number of resource types in the API document. The program declares one resource of each. */
const ofDocument = Object.values(registry).filter(({ dialect }) => !dialect).length;

describe("The resource plugin in the engine", () => {
  const fixture = useFixture({ host: "plugin" });

  const writes = () => fixture.sandbox.requests.filter(({ method }) => method !== "GET");
  const program = (host: Host, options?: Parameters<typeof resources>[0]) =>
    (host === "dynamic" ? 'Object.assign(globalThis, require("pipestack"));' : "") + resources(options);

  let keySecret: unknown;

  it("the plugin takes over a stack of the dynamic host without a write", async () => {
    await fixture.apply(program("dynamic"));
    ({ keySecret } = await fixture.outputs({ showSecrets: true }));
    fixture.sandbox.requests.length = 0;
    const { summary } = await fixture.apply(program("plugin"));
    expect(writes()).to.deep.equal([]);
    expect(summary).to.deep.equal({ same: ofDocument });
  });

  it("the plugin keeps the secrets of a stack of the dynamic host encrypted", async () => {
    expect((await fixture.outputs({ showSecrets: true })).keySecret).to.equal(keySecret);
    const state = await fixture.stateFile();
    expect(state).to.include("pipestack:index:ApiKey");
    expect(state).to.not.include(keySecret as string);
    expect(state)
      .to.not.include("s3cret-user")
      .and.not.include("s3cret-path")
      .and.not.include("s3cret-password");
  });

  let previewed: Awaited<ReturnType<typeof fixture.preview>>;

  it("a preview of the plugin shows changes by property path", async () => {
    const tiles = `, { name: "Rows", x: 8, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "count" }] }`;
    // Values that come from the API key `late` are unknown in a preview: a whole list, an element of a union type, and a
    // position on the dashboard's grid.
    const unknown = `
const late = new ApiKey("late", { roles: ["developer"] });
new ApiKey("later", { roles: late.roles, expireAt: late.createdAt, ipAccessList: [{ source: late.keySuffix }] });
new QueryEndpoint("other", {
  serviceId: "${fixture.sandbox.credentials.secondServiceId}", roles: ["sql_console_admin"],
  openApiKeys: late.id.apply((id) => [id]), allowedOrigins: late.keySuffix,
});
const series = [{ type: late.keySuffix, where: late.keySuffix }];
const tile = { name: late.keySuffix, x: late.keySuffix.apply(Number), y: 0, w: 1, h: 1, series };
new Dashboard("unknown", { name: late.name, tags: [late.keySuffix], tiles: [tile, { ...tile, y: 1 }] });`;
    await fixture.write(program("plugin", { width: 8, tiles }) + unknown);
    previewed = await fixture.preview({ args: ["--diff"] });
    expect(previewed.stdout).to.match(/~ tiles: \[\s+~ \[0\]: \{[^+]*~ w\s*: 6 => 8\s[^+]*\+ \[1\]: \{/);
  });

  it("a preview of the plugin accepts unknown values in every place", () => {
    expect(previewed.summary).to.deep.equal({ create: 4, update: 1, same: ofDocument - 1 });
  });

  const lists = () =>
    fixture.sandbox.requests.flatMap(({ operation }) => (operation?.startsWith("list") ? [operation] : []));
  let drifted: Dashboard | undefined;

  it("with refreshBeforeUpdate, a preview of the plugin finds drift by one list per collection", async () => {
    await fixture.write(program("plugin"));
    fixture.environment.PIPESTACK_REFRESH_BEFORE_UPDATE = "true";
    await fixture.up({ args: ["--refresh"] });
    drifted = [...fixture.sandbox.store.dashboards.values()].find(({ name }) => name === "Ingestion");
    (drifted as Dashboard).name = "Renamed again";
    fixture.sandbox.requests.length = 0;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"], expect: 7 });
    expect(summary).to.include({ update: 1 });
    expect(lists()).to.have.length(9);
  });

  it("with refreshBeforeUpdate, an update of the plugin restores drift by two lists of dashboards", async () => {
    fixture.sandbox.requests.length = 0;
    await fixture.up();
    expect(drifted).to.include({ name: "Ingestion" });
    // The provider reads the dashboard twice: to look for drift, and just before the change. Each time it lists all dashboards.
    expect(lists().filter((operation) => operation === "listDashboards")).to.have.length(2);
    fixture.environment.PIPESTACK_REFRESH_BEFORE_UPDATE = undefined;
  });

  describe("Imports of existing objects of every type into the plugin", () => {
    let emptyState: string;
    before(async () => {
      await fixture.destroy();
      emptyState = await fixture.stateFile();
      await fillService(fixture.sandbox);
      fixture.sandbox.requests.length = 0;
      const [webhook] = fixture.sandbox.store.webhooks.values();
      await fixture.config("onCallUrl", webhook?.url ?? "", true);
      const options = ["import", "--plugin", "typescript"];
      const { code, stderr } = await builtPipestack(options, fixture.folder, fixture.environment);
      expect(code, stderr).to.equal(0);
      const program = await readFile(join(fixture.folder, "index.ts"), "utf8");
      const sdk = join(fixture.folder, "node_modules", "@pipestack", "sdk");
      await mkdir(sdk, { recursive: true });
      await writeFile(join(sdk, "index.js"), `${pluginClasses}module.exports = globalThis;`);
      const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(program, { compilerOptions });
      await writeFile(join(fixture.folder, "index.js"), outputText);
      await rm(join(fixture.folder, "index.ts"));
    });

    it("an import of objects of every type leaves the program nothing to change", async () => {
      const options = ["--generate-code=false", "--protect=false", "--yes"];
      const { stdout } = await fixture.run(["import", "--file", "import.json", ...options]);
      expect(stdout).to.include("37 imported");
      const { summary } = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(summary).to.deep.equal({ same: 37 });
    });

    const without = (type: string, ...words: string[]) =>
      fixture.run([
        ...["do", "--package", join(fixture.folder, "plugin", "pulumi-resource-pipestack")],
        ...[`pipestack:index:${type}`, ...words],
      ]);

    it("the command pulumi do lists and reads dashboards without a program", async () => {
      const run = async (...words: string[]) =>
        JSON.parse((await without("Dashboard", ...words, "--output", "json")).stdout);
      const listed: { id: string; name: string }[] = await run("list");
      expect(listed.map(({ id }) => id)).to.have.members([...fixture.sandbox.store.dashboards.keys()]);
      const [first] = listed;
      expect(await run("read", first?.id ?? "")).to.include(first);
    });

    it("the command pulumi do creates, changes and deletes a saved search without a program and a state", async () => {
      const { savedSearches } = fixture.sandbox.store;
      const before = savedSearches.size;
      const own = ["--name", "loose", "--source-id", "65f1c0a2b3d4e5f607182911"];
      await without("SavedSearch", "create", "--stateless", ...own, "--where", "a", "--yes");
      const made = [...savedSearches.values()].find(({ name }) => name === "loose");
      await without("SavedSearch", "patch", made?.id ?? "", "--stateless", "--where", "b", "--yes");
      expect(savedSearches.get(made?.id ?? "")).to.include({ name: "loose", where: "b" });
      await without("SavedSearch", "delete", made?.id ?? "", "--stateless", "--yes");
      expect(savedSearches.size).to.equal(before);
      fixture.sandbox.requests.length = 0;
    });

    it("the resource option import imports an existing object of every type", async () => {
      await writeFile(fixture.stateFilePath, emptyState);
      await rm(`${fixture.stateFilePath}.attrs`, { force: true });
      const { summary } = await fixture.up({ environment: { TEST_IMPORT: "import.json" } });
      expect(summary).to.deep.equal({ import: 37 });
      expect(writes()).to.deep.equal([]);
    });
  });
});
