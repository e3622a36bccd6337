import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Rewrite } from "../../../../sandbox/index";
import { emptyStack } from "../../../serviceContents";
import { pulumiThatAnswers } from "../runHere";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

describe("The command pipestack import", () => {
  const fixture = useServiceFixture();
  const { addAlert, addDashboard, addKey, addQueryEndpoint } = fixture;
  const run = (args?: string[], settings?: Record<string, string>) => runImport(fixture, args, settings);

  beforeEach(() => fixture.sandbox.rewrites.clear());

  it("pipestack import writes only the scaling of an empty service", async () => {
    emptyStack(fixture.sandbox);
    const { code, program, resources, stdout } = await run();
    expect(code).to.equal(0);
    expect(
      program,
    ).to.equal(`// The objects of service ${fixture.sandbox.credentials.serviceId}, written by "pipestack import".
import * as pipestack from "pipestack";

new pipestack.ServiceScaling("scaling", {
  numReplicas: 3,
  idleScaling: true,
  idleTimeoutMinutes: 15,
});
`);
    expect(stdout).to.not.include("secret");
    expect(resources).to.have.length(1);
    const { organizationId, serviceId } = fixture.sandbox.credentials;
    const handler = { __provider: 'exports.handler=()=>require("pipestack/host").ServiceScaling' };
    const [{ inputs, outputs, ...identity } = {}] = resources;
    expect(identity).to.deep.equal({
      ...{ type: "pulumi-nodejs:dynamic/pipestack:ServiceScaling", name: "scaling", id: serviceId },
    });
    expect(inputs).to.deep.equal({
      ...{ organizationId, serviceId, numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15, ...handler },
    });
    expect(outputs).to.include(handler);
  });

  it("an imported program refers to a key by its id only if it does not declare the key", async () => {
    const [signing] = [...fixture.sandbox.store.keys.values()];
    const { id } = await addKey();
    await addQueryEndpoint({ roles: ["sql_console_read_only"], openApiKeys: [id, signing?.id ?? ""] });
    expect((await run(["--only", "apikey,QueryEndpoint"])).program)
      .to.include(`openApiKeys: [reporting.id, "${signing?.id}"]`)
      .and.include("const reporting = new pipestack.ApiKey(")
      .and.not.include("ServiceScaling");
    const { program } = await run(["--only", "queryEndpoint", "--force"]);
    expect(program).to.include(`openApiKeys: ["${id}", "${signing?.id}"]`).and.not.include("ApiKey(");
  });

  it("an imported program has the service's id only if it is not the service of the settings", async () => {
    const { secondServiceId, organizationId } = fixture.sandbox.credentials;
    const { program, resources } = await run(["--service", secondServiceId, "--only", "ServiceScaling"]);
    expect(program)
      .to.include(`const organizationId = "${organizationId}";\nconst serviceId = "${secondServiceId}";\n`)
      .and.include("  organizationId,\n  serviceId,\n  numReplicas: ");
    expect(resources[0]?.id).to.equal(secondServiceId);
    const same = await run(["--service", fixture.sandbox.credentials.serviceId, "--force"]);
    expect(same.program).to.not.include("const serviceId");
  });

  if (process.platform === "linux")
    it("pipestack import declares an object only once if two lists contain it", async () => {
      const { id } = await addDashboard();
      const { dashboards } = fixture.sandbox.store;
      dashboards.set("again", dashboards.get(id) as never);
      const { resources } = await run(["--only", "Dashboard"]);
      expect(resources.map((resource) => resource.id)).to.deep.equal([id]);
    });

  if (process.platform !== "win32")
    it("pipestack import names the objects that the stack has already", async () => {
      const { id } = await addDashboard();
      const type = "pulumi-nodejs:dynamic/pipestack:Dashboard";
      const held = { urn: `urn:pulumi:dev::p::${type}::ingest`, type, id: id.toUpperCase() };
      const resources = [{ ...held, external: true, urn: `${held.urn}-read` }, held];
      await writeFile(join(fixture.folder, "state.json"), JSON.stringify({ deployment: { resources } }));
      await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
      const stack = await pulumiThatAnswers(fixture.folder, { config: 'echo "{}"', stack: "cat state.json" });
      const { code, stderr } = await fixture.pipestack(["import", "--only", "Dashboard"], {}, stack);
      expect(stderr).to.match(
        /^warning: the stack has 1 of these objects already: Dashboard ingest\. Take them out/,
      );
      expect(code).to.equal(0);
    });

  if (process.platform !== "win32")
    it("pipestack import quotes a path in the commands that it prints", async () => {
      const { stdout } = await fixture.pipestack([
        "import",
        "--only",
        "ServiceScaling",
        "--out",
        "bob's own",
      ]);
      expect(stdout).to.include("  pulumi import --file 'bob'\\''s own/import.json' --generate-code=false ");
    });

  const unreadable: {
    readonly [which: string]: readonly [project: string | undefined, args: readonly string[]];
  } = {
    "the selected stack": ["name: p\nruntime: nodejs\n", []],
    "a stack named outside of its project": [undefined, ["--stack", "acme/p/dev"]],
  };
  for (const [which, [project, args]] of Object.entries(process.platform === "win32" ? {} : unreadable))
    it(`pipestack import writes nothing if it cannot tell which objects the stack has: ${which}`, async () => {
      if (project !== undefined) await writeFile(join(fixture.folder, "Pulumi.yaml"), project);
      const stack = await pulumiThatAnswers(fixture.folder, {
        config: 'echo "{}"',
        stack: "echo 'error: no connection' >&2; exit 255",
      });
      const only = ["import", "--only", "ServiceScaling", ...args];
      const { code, stderr } = await fixture.pipestack(only, {}, stack);
      expect([code, stderr]).to.deep.equal([1, "error: no connection\n"]);
      expect(existsSync(join(fixture.folder, "index.ts"))).to.equal(false);
    });

  it("pipestack import understands the answers of a service that writes them in another form", async () => {
    const harmless: Rewrite[] = [
      ...(["reorder", "normalizedOrigins", "normalizedTimes", "dashboardId"] as const),
      ...(["movingState", "numbersAsStrings"] as const),
    ];
    const { id } = await addKey({ expireAt: "2126-01-01T00:00:00Z" });
    Object.assign(fixture.sandbox.store.keys.get(id) ?? {}, { expireAt: "2020-01-01T00:00:00Z" });
    await addQueryEndpoint({ openApiKeys: [id], allowedOrigins: "https://a,https://b" });
    await addAlert();
    for (const rewrite of harmless) fixture.sandbox.rewrites.add(rewrite);
    const { code, program, resources, stderr } = await run();
    expect(code).to.equal(0);
    expect(stderr).to.match(/^note: ApiKey \S+ is left out: it signs the requests[^\n]*\n$/);
    expect(resources.map(({ name }) => name)).to.deep.equal([
      ...["scaling", "reporting", "query-endpoint", "on-call", "default", "logs", "traces", "metrics"],
      ...["ingestion", "errors", "warnings", "errors"],
    ]);
    expect(program)
      .to.include("numReplicas: 3,")
      .and.match(/expireAt: "2020-01-01T00:00:00(\.000)?Z"/)
      .and.include("threshold: 5,")
      .and.include("w: 12,")
      .and.include("dashboardId: ingestion.id,");
  });

  /** Changes of an existing object after which `pipestack import` cannot import it. */
  const changed = {
    dashboard: async (change: (dashboard: { tiles: object[] }) => void) => {
      const { id } = await addDashboard();
      change(fixture.sandbox.store.dashboards.get(id) ?? { tiles: [] });
      return id;
    },
    alert: async (change: object) => {
      const { id } = await addAlert();
      Object.assign(fixture.sandbox.store.alerts.get(id) ?? {}, change);
      return id;
    },
    source: async (change: object) => {
      const [source] = fixture.sandbox.store.sources.values();
      return Object.assign(source ?? { id: "" }, change).id;
    },
    key: async (change: object) => {
      const { id } = await addKey();
      Object.assign(fixture.sandbox.store.keys.get(id) ?? {}, change);
      return id;
    },
  };
  const unusable: { readonly [what: string]: [make: () => Promise<string>, type: string, why: string] } = {
    "a dashboard whose tiles come back in another shape": [
      () => changed.dashboard(({ tiles }) => void Reflect.deleteProperty(tiles[0] ?? {}, "series")),
      "Dashboard",
      'tiles["Errors"].series',
    ],
    "a dashboard with members that a program cannot declare": [
      () => changed.dashboard(({ tiles }) => Object.assign(tiles[0] ?? {}, { rotation: 90 })),
      "Dashboard",
      "].rotation is not a valid property",
    ],
    "an alert with an interval of a form that no program may declare": [
      () => changed.alert({ interval: "weekly" }),
      "Alert",
      "interval must be a count and a unit",
    ],
    "an alert on a tile that is not named": [
      () => changed.alert({ tileId: null }),
      "Alert",
      "tileId is required",
    ],
    "a source of an unknown kind": [
      () => changed.source({ kind: "profile" }),
      "Source",
      "kind must be one of log, trace, metric, session, promql",
    ],
    "a key without a name": [() => changed.key({ name: "" }), "ApiKey", "it has no name"],
    "a key that ends as the signing key does": [
      () => changed.key({ keySuffix: fixture.sandbox.credentials.keyId.slice(-4) }),
      "ApiKey",
      "the key that signs the requests (same suffix)",
    ],
  };
  for (const [what, [make, type, why]] of Object.entries(unusable))
    it(`pipestack import skips an object with a warning that gives the reason: ${what}`, async () => {
      const id = await make();
      const { code, program, resources, stderr } = await run();
      expect(code).to.equal(0);
      expect(resources.map((resource) => resource.id)).to.not.include(id);
      const warnings = stderr.split("\n").filter((line) => line.includes(id));
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.match(new RegExp(`^warning: ${type} ${id}: skipped, because `))
        .and.include(why);
      expect(program).to.include("ServiceScaling");
    });

  describe("pipestack import from a server without some routes", () => {
    afterEach(() => fixture.sandbox.faults.clear());

    it("pipestack import skips a type that the server cannot list with a warning", async () => {
      const { id } = await addDashboard();
      await fixture.sandbox.faults.set([{ kind: "404-gateway", operation: "listSavedSearches" }]);
      const { code, resources, stderr } = await run();
      expect(code).to.equal(0);
      expect(resources.map((resource) => resource.id)).to.include(id);
      expect(stderr).to.match(
        /^warning: SavedSearch: skipped, because the service cannot list it: .* \(listSavedSearches: GET .* answered 404/m,
      );
    });
  });

  it("pipestack import warns if it cannot tell which key signs the requests", async () => {
    for (const key of fixture.sandbox.store.keys.values()) key.keySuffix = "";
    const { stderr } = await run(["--only", "ApiKey"]);
    expect(stderr).to.match(/^warning: ApiKey: cannot tell which key signs the requests/);
  });

  const refused: { readonly [when: string]: [string[], Record<string, string>, RegExp] } = {
    "the service refuses": [[], { keySecret: "wrong-secret" }, /keyId and keySecret: .*answered 401/],
    "an option is no uuid": [["--service", "x"], {}, /setting serviceId must be a uuid/],
  };
  for (const [when, [args, settings, message]] of Object.entries(refused))
    it(`pipestack import does nothing but print one error if ${when}`, async () => {
      const { code, program, stderr, stdout } = await run(args, settings);
      expect({ code, stdout, program }).to.deep.equal({ code: 1, stdout: "", program: "" });
      expect(stderr)
        .to.match(/^error: /)
        .and.match(message)
        .and.not.match(/^\s+at /m)
        .and.not.include("wrong-secret");
    });
});
