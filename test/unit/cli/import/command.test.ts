import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Rewrite } from "../../../../sandbox/index";
import { emptyStack, send } from "../../../serviceContents";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

describe("pipestack import", () => {
  const fixture = useServiceFixture();
  const { addAlert, addDashboard, addKey, addQueryEndpoint } = fixture;
  const run = (args?: string[], settings?: Record<string, string>) => runImport(fixture, args, settings);

  beforeEach(() => fixture.sandbox.rewrites.clear());

  it("writes a service without anything else as its scaling", async () => {
    emptyStack(fixture.sandbox);
    const { code, program, resources, stdout } = await run();
    expect(code).to.equal(0);
    expect(
      program,
    ).to.equal(`// What service ${fixture.sandbox.credentials.serviceId} has, as "pipestack import" found it.
import * as pipestack from "pipestack";

new pipestack.ServiceScaling("scaling", {
  numReplicas: 3,
  idleScaling: true,
  idleTimeoutMinutes: 15,
});
`);
    expect(stdout).to.not.include("secret");
    expect(resources).to.have.length(1);
    const [{ inputs, outputs, ...identity } = {}] = resources;
    expect(identity).to.deep.equal({
      type: "pulumi-nodejs:dynamic/pipestack:ServiceScaling",
      name: "scaling",
      id: fixture.sandbox.credentials.serviceId,
    });
    expect(inputs).to.deep.equal({
      organizationId: fixture.sandbox.credentials.organizationId,
      serviceId: fixture.sandbox.credentials.serviceId,
      numReplicas: 3,
      idleScaling: true,
      idleTimeoutMinutes: 15,
      __provider: 'exports.handler=()=>require("pipestack/host").ServiceScaling',
    });
    expect(outputs).to.include({
      __provider: 'exports.handler=()=>require("pipestack/host").ServiceScaling',
    });
  });

  it("refers to a key by its id only where the program has it", async () => {
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

  it("refers to dashboards and tiles by their ids where the program does not have them", async () => {
    await addAlert();
    const [dashboard] = [...fixture.sandbox.store.dashboards.values()];
    const { program } = await run(["--only", "Alert"]);
    expect(program)
      .to.include(`dashboardId: "${dashboard?.id}"`)
      .and.include(`tileId: "${dashboard?.tiles[0]?.id}"`);
  });

  it("says where the objects are when that was said on the command line", async () => {
    const { secondServiceId, organizationId } = fixture.sandbox.credentials;
    const { program, resources } = await run(["--service", secondServiceId, "--only", "ServiceScaling"]);
    expect(program)
      .to.include(`const organizationId = "${organizationId}";\nconst serviceId = "${secondServiceId}";\n`)
      .and.include("  organizationId,\n  serviceId,\n  numReplicas: ");
    expect(resources[0]?.id).to.equal(secondServiceId);
    const same = await run(["--service", fixture.sandbox.credentials.serviceId, "--force"]);
    expect(same.program).to.not.include("const serviceId");
  });

  it("writes into a folder that is not there yet", async () => {
    const { code, stdout } = await run(["--out", join("new", "folder")]);
    expect(code).to.equal(0);
    expect(stdout).to.include(`pulumi import --file ${join("new", "folder", "import.json")}`);
    expect(existsSync(join(fixture.folder, "new", "folder", "index.ts"))).to.equal(true);
  });

  if (process.platform === "linux")
    it("fails where it cannot make the folder, and says where", async () => {
      const { code, stderr } = await run(["--only", "ServiceScaling", "--out", "/proc/warehouse"]);
      expect(stderr).to.match(/^error: .*mkdir '\/proc\/warehouse'\n$/);
      expect(code).to.equal(1);
    });

  it("says all of the next steps, however many secrets there are to set", async () => {
    const path = `/services/${fixture.sandbox.credentials.serviceId}/stack/webhooks`;
    for (let number = 1; number <= 40; number++)
      await send(fixture.sandbox, "POST", path, {
        name: `Webhook ${number}`,
        service: "generic",
        url: "https://example.com/hook",
      });
    const { stdout } = await run(["--only", "Webhook"]);
    expect(stdout)
      .to.include("pulumi config set --secret webhook40Url\n")
      .and.include("pulumi preview --refresh --expect-no-changes");
  });

  it("declares an object once that a list has twice", async () => {
    const { id } = await addDashboard();
    const { dashboards } = fixture.sandbox.store;
    dashboards.set("again", dashboards.get(id) as never);
    const { resources } = await run(["--only", "Dashboard"]);
    expect(resources.map((resource) => resource.id)).to.deep.equal([id]);
  });

  it("takes over a key that has expired", async () => {
    const { id } = await addKey({ expireAt: "2126-01-01T00:00:00Z" });
    Object.assign(fixture.sandbox.store.keys.get(id) ?? {}, { expireAt: "2020-01-01T00:00:00Z" });
    expect((await run()).program).to.include('expireAt: "2020-01-01T00:00:00Z"');
  });

  describe("with answers that say the same in other words", () => {
    const harmless: Rewrite[] = [
      "reorder",
      "normalizedOrigins",
      "normalizedTimes",
      "dashboardId",
      "movingState",
      "numbersAsStrings",
    ];
    it(`imports all under ${harmless.join(", ")}`, async () => {
      const { id } = await addKey({ expireAt: "2126-01-01T00:00:00Z" });
      await addQueryEndpoint({ openApiKeys: [id], allowedOrigins: "https://a,https://b" });
      await addAlert();
      for (const rewrite of harmless) fixture.sandbox.rewrites.add(rewrite);
      const { code, program, resources, stderr } = await run();
      expect(code).to.equal(0);
      expect(stderr.trim().split("\n"), stderr).to.have.length(1);
      expect(resources.map(({ name }) => name)).to.deep.equal([
        "scaling",
        "reporting",
        "query-endpoint",
        "on-call",
        "default",
        "logs",
        "traces",
        "metrics",
        "ingestion",
        "errors",
        "warnings",
        "errors",
      ]);
      expect(program)
        .to.include("numReplicas: 3,")
        .and.include("threshold: 5,")
        .and.include("w: 12,")
        .and.include("dashboardId: ingestion.id,");
    });
  });

  it("declares tiles with config where the server answers so", async () => {
    fixture.sandbox.rewrites.add("seriesAsConfig");
    const { id } = await addDashboard();
    const { program, resources } = await run();
    expect(resources.map((resource) => resource.id)).to.include(id);
    expect(program).to.include("config: {").and.not.include("series: [");
  });

  describe("skips, with a warning that gives the reason,", () => {
    const cases: Record<string, { make: () => Promise<{ id: string }>; type: string; why: string }> = {
      "a dashboard whose tiles come back in another shape": {
        make: async () => {
          const { id } = await addDashboard();
          for (const stored of fixture.sandbox.store.dashboards.get(id)?.tiles ?? []) delete stored.series;
          return { id };
        },
        type: "Dashboard",
        why: 'tiles["Errors"].series',
      },
      "a dashboard with members that a program cannot declare": {
        make: async () => {
          const { id } = await addDashboard();
          const [stored] = fixture.sandbox.store.dashboards.get(id)?.tiles ?? [];
          Object.assign(stored ?? {}, { rotation: 90 });
          return { id };
        },
        type: "Dashboard",
        why: "].rotation is not a valid property",
      },
      "an alert with an interval of a form that no program may declare": {
        make: async () => {
          const { id } = await addAlert();
          Object.assign(fixture.sandbox.store.alerts.get(id) ?? {}, { interval: "weekly" });
          return { id };
        },
        type: "Alert",
        why: "interval must be a count and a unit",
      },
      "an alert on a tile that is not named": {
        make: async () => {
          const { id } = await addAlert();
          Object.assign(fixture.sandbox.store.alerts.get(id) ?? {}, { tileId: null });
          return { id };
        },
        type: "Alert",
        why: "tileId is required",
      },
      "a source of a kind that is not known": {
        make: async () => {
          const [source] = fixture.sandbox.store.sources.values();
          Object.assign(source ?? {}, { kind: "profile" });
          return { id: source?.id ?? "" };
        },
        type: "Source",
        why: "kind must be one of log, trace, metric, session, promql",
      },
      "a key without a name": {
        make: () => addKey({ name: "" }),
        type: "ApiKey",
        why: "it has no name",
      },
      "a key that ends as the signing key does": {
        make: async () => {
          const { id } = await addKey();
          const keySuffix = fixture.sandbox.credentials.keyId.slice(-4);
          Object.assign(fixture.sandbox.store.keys.get(id) ?? {}, { keySuffix });
          return { id };
        },
        type: "ApiKey",
        why: "the key that signs the requests (same suffix)",
      },
    };
    for (const [title, { make, type, why }] of Object.entries(cases)) {
      it(title, async () => {
        const { id } = await make();
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
    }
  });

  describe("from a server without some routes", () => {
    afterEach(() => fixture.sandbox.faults.clear());

    it("goes on without the types that it cannot list, and names them", async () => {
      const { id } = await addDashboard();
      await fixture.sandbox.faults.set([{ kind: "404-gateway", operation: "listSavedSearches" }]);
      const { code, resources, stderr } = await run();
      expect(code).to.equal(0);
      expect(resources.map((resource) => resource.id)).to.include(id);
      expect(stderr).to.match(
        /^warning: SavedSearch: skipped, because the service cannot list it: .* \(listSavedSearches: GET .* answered 404/m,
      );
    });

    it("says that the address may be wrong where it can list nothing at all", async () => {
      await fixture.sandbox.faults.set([{ kind: "404-gateway", operation: "*" }]);
      const { code, program, stderr } = await run();
      expect(stderr).to.match(
        /^error: .*check the settings baseUrl and dialect, or update the server: it may be too old for \w+ \(.* answered 404/m,
      );
      expect(code).to.equal(1);
      expect(program).to.equal("");
    });
  });

  it("does not warn of the key that it leaves out on purpose, but names it", async () => {
    const [own] = fixture.sandbox.store.keys.values();
    const { stderr, resources } = await run(["--only", "ApiKey,ServiceScaling"]);
    expect(stderr).to.equal(
      `note: ApiKey ${own?.id} is left out: it signs the requests, and no program should manage it\n`,
    );
    expect(resources.map(({ id }) => id)).to.not.include(own?.id);
  });

  it("warns where it cannot tell which key signs the requests", async () => {
    for (const key of fixture.sandbox.store.keys.values()) key.keySuffix = "";
    const { stderr } = await run(["--only", "ApiKey"]);
    expect(stderr).to.match(/^warning: ApiKey: cannot tell which key signs the requests/);
  });

  describe("writes nothing, and ends with 1,", () => {
    const cases: Record<string, [string[], Record<string, string>, RegExp]> = {
      "when the service refuses": [[], { keySecret: "wrong-secret" }, /keyId and keySecret: .*answered 401/],
      "when a setting is missing": [
        [],
        { serviceId: "" },
        /setting serviceId is missing.*PIPESTACK_SERVICE_ID/,
      ],
      "when an option is no uuid": [["--service", "x"], {}, /setting serviceId must be a uuid/],
      "when a type is not known": [
        ["--only", "Alert,Pipe"],
        {},
        /Expected one or more of ServiceScaling, ApiKey/,
      ],
      "when an option is not known": [["--everything"], {}, /unknown option '--everything'/],
    };
    for (const [title, [args, settings, message]] of Object.entries(cases)) {
      it(title, async () => {
        const { code, program, stderr, stdout } = await run(args, settings);
        expect(code).to.equal(1);
        expect(stderr)
          .to.match(/^error: /)
          .and.match(message)
          .and.not.match(/^\s+at /m);
        expect(stderr).to.not.include("wrong-secret");
        expect(stdout).to.equal("");
        expect(program).to.equal("");
      });
    }
  });
});
