import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readTerraformState } from "../../../../cli/import/terraform";
import { expectNoLeaks } from "../../../secrets";
import { hyperdxExportOf, terraformStateOf } from "../../../terraformState";
import { errorOf } from "../runHere";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

const [id, other] = ["65f1c0a2b3d4e5f607182998", "65f1c0a2b3d4e5f607182999"];

describe("The command pipestack import with a state of Terraform", () => {
  const fixture = useServiceFixture();

  const write = async (state: unknown, name = "terraform.tfstate") => {
    const file = join(fixture.folder, name);
    await writeFile(file, typeof state === "string" ? state : JSON.stringify(state));
    return file;
  };
  const run = async (state: unknown, args: string[] = []) =>
    runImport(fixture, ["--terraform", await write(state), ...args]);

  const stateWith = (type: string, instances: object[], more: object = {}) => ({
    version: 4,
    resources: [{ mode: "managed", type, name: "errors", instances, ...more }],
  });

  it("pipestack import reads the output of terraform show with its modules like a state file", async () => {
    const template = `a${"$"}{b}`;
    const alert = { mode: "managed", type: "clickhouse_clickstack_alert", name: "errors", values: { id } };
    const shown = {
      format_version: "1.0",
      values: {
        root_module: {
          resources: [
            { ...alert, mode: "data" },
            { ...alert, index: template },
            { ...alert, deposed_key: "ab" },
          ],
          child_modules: [
            {
              address: 'module.eu["x.y"]',
              child_modules: [
                { address: 'module.eu["x.y"].module.on_call', resources: [{ ...alert, index: 2 }] },
              ],
            },
          ],
        },
      },
    };
    // PowerShell begins a file with a byte order mark.
    const { objects } = await readTerraformState(await write(`\ufeff${JSON.stringify(shown)}`));
    expect(objects.map(({ name, address }) => [name, address])).to.deep.equal([
      [`errors-${template}`, `clickhouse_clickstack_alert.errors["a$${template.slice(1)}"]`],
      ["eu-x.y-on_call-errors-2", 'module.eu["x.y"].module.on_call.clickhouse_clickstack_alert.errors[2]'],
    ]);
  });

  it("pipestack import leaves out objects that Terraform will delete or has not created", async () => {
    const instances = [
      { attributes: { id } },
      { attributes: { id: other }, deposed: "1f2e3d4c" },
      { attributes: { id: null }, index_key: 1 },
    ];
    const { objects } = await readTerraformState(
      await write(stateWith("clickhouse_clickstack_dashboard", instances)),
    );
    expect(objects.map((object) => object.id)).to.deep.equal([id]);
  });

  it("pipestack import recognizes objects of other Terraform providers for the product by their nouns", async () => {
    const { objects } = await readTerraformState(
      await write(stateWith("clickstack_saved_search", [{ attributes: { id } }])),
    );
    expect(objects).to.deep.equal([
      { type: "SavedSearch", id, name: "errors", address: "clickstack_saved_search.errors" },
    ]);
  });

  it("pipestack import gives its reason for each key of a Terraform state that it skips", async () => {
    const [signing] = fixture.sandbox.store.keys.values();
    const { id } = await fixture.addKey();
    const instances = [signing?.id, id, id].map((id, index) => ({ index_key: index, attributes: { id } }));
    const { resources, stderr } = await run(stateWith("clickhouse_api_key", instances));
    expect(resources.map(({ name, id }) => [name, id])).to.deep.equal([["errors-1", id]]);
    expect(stderr.trim().split("\n")).to.deep.equal([
      "warning: clickhouse_api_key.errors[0]: skipped, because it may be the key that signs the requests (same suffix), which no program should manage",
      "warning: clickhouse_api_key.errors[2]: skipped, because clickhouse_api_key.errors[1] is the same object",
    ]);
  });

  it("pipestack import declares only the parts of a service that Terraform manages", async () => {
    const { serviceId } = fixture.sandbox.credentials;
    const state = stateWith("clickhouse_service", [
      { attributes: { id: serviceId, query_api_endpoints: null } },
    ]);
    const { resources, stdout } = await run(state);
    expect(resources.map(({ type, name }) => [type.split(":").at(-1), name])).to.deep.equal([
      ["ServiceScaling", "errors"],
    ]);
    expect(stdout)
      .to.include("clickhouse_service.errors stays in Terraform, ")
      .and.include("    ignore_changes = [\n      num_replicas,\n")
      .and.not.include("query_api_endpoints")
      .and.not.include("state rm");
  });

  it("pipestack import prints the addresses to remove from Terraform's state, each quoted for the shell", async () => {
    const { id } = await fixture.addDashboard();
    const instances = [{ index_key: "team's", attributes: { id } }];
    const { stdout } = await run(
      stateWith("clickhouse_clickstack_dashboard", instances, { module: "module.a" }),
    );
    expect(stdout).to.include(
      `  terraform state rm \\\n    'module.a.clickhouse_clickstack_dashboard.errors["team'\\''s"]'\n`,
    );
  });

  it("pipestack import names every resource that it does not take from Terraform, with a reason", async () => {
    const { stderr, resources } = await run({
      ...(terraformStateOf(fixture.sandbox) as object),
      resources: [
        ...(terraformStateOf(fixture.sandbox) as { resources: object[] }).resources,
        ...stateWith("clickhouse_clickstack_alert", [{ attributes: { id } }]).resources,
      ],
    });
    expect(stderr.trim().split("\n")).to.deep.equal([
      "note: Terraform keeps clickhouse_clickstack_team.platform: no type of pipestack manages them",
      "warning: clickhouse_role.admins: skipped, because the settings give no access to objects of its type",
      `warning: clickhouse_service_scheduled_scaling.nights: skipped, because the service has no scaling schedule ${fixture.sandbox.credentials.serviceId}`,
      `warning: clickhouse_service.main: skipped, because the service has no query endpoint ${fixture.sandbox.credentials.serviceId}`,
      `warning: clickhouse_clickstack_alert.errors: skipped, because the service has no alert ${id}`,
    ]);
    expect(resources.map(({ id }) => id)).to.not.include(id);
  });

  describe("a Terraform state with an object that the service refuses to show", () => {
    const refusing = async (types: readonly ("alert" | "dashboard")[]) => {
      const { id, dashboardId } = await fixture.addAlert();
      const ids = { alert: id, dashboard: dashboardId };
      await fixture.sandbox.faults.set([
        { kind: "403", operation: "listAlerts" },
        { kind: "403", operation: "getAlert" },
      ]);
      const states = types.map((type) =>
        stateWith(`clickhouse_clickstack_${type}`, [{ attributes: { id: ids[type] } }]),
      );
      return run({ version: 4, resources: states.flatMap(({ resources }) => resources) });
    };

    it("pipestack import skips an object that the service refuses to show, with the reason", async () => {
      const { code, stderr, resources } = await refusing(["alert", "dashboard"]);
      expect(code, stderr).to.equal(0);
      expect(resources.map(({ type }) => type.replace(/.*:/, ""))).to.deep.equal(["Dashboard"]);
      expect(stderr).to.match(
        /^warning: clickhouse_clickstack_alert\.errors: skipped, because .* answered 403\b/m,
      );
    });

    it("pipestack import fails if the service refuses to show every object of the state", async () => {
      const { code, stderr, resources } = await refusing(["alert"]);
      expect({ code, resources }).to.deep.equal({ code: 1, resources: [] });
      expect(stderr).to.match(/^error: .* answered 403\b/);
    });
  });

  describe("A resource of a Pulumi stack that bridges to Terraform's provider", () => {
    const type = "clickhouse:index/clickstackDashboard:ClickstackDashboard";
    const urn = `urn:pulumi:prod::warehouse::${type}::eu::errors`;
    const stackWith = (more: object) => ({
      version: 3,
      deployment: { resources: [{ urn, type, custom: true, outputs: {}, ...more }] },
    });

    it("pipestack import keeps a name with colons whole", async () => {
      const { objects } = await readTerraformState(await write(stackWith({ id })));
      expect(objects.map(({ name }) => name)).to.deep.equal(["eu::errors"]);
    });

    it("pipestack import prints a command that forgets a protected resource, too", async () => {
      const { id } = await fixture.addDashboard();
      const { stdout } = await run(stackWith({ id, protect: true }));
      expect(stdout).to.include(`\n  pulumi state delete '${urn}' --yes --force\n`);
    });
  });

  it("pipestack import writes nothing for a Terraform state without objects", async () => {
    const { code, stdout, program } = await run({ format_version: "1.0" });
    expect({ code, program }).to.deep.equal({ code: 0, program: "" });
    expect(stdout).to.match(/^Nothing to import from .*terraform\.tfstate; no files were written\.\n$/);
  });

  it("pipestack import names the resources of HyperDX's export for Terraform after the objects", async () => {
    const { store } = fixture.sandbox;
    const dashboard = await fixture.addDashboard();
    const [source] = store.sources.values();
    const [webhook] = store.webhooks.values();
    if (!source || !webhook) throw new Error("the sandbox has no source or no webhook");
    const file = hyperdxExportOf([
      { type: "source", id: source.id, name: 'x"; } import { to = clickhouse_clickstack_alert.x id = "1" }' },
      { type: "webhook", id: webhook.id },
      { type: "alert", id, name: "Errors" },
      { type: "dashboard", id: dashboard.id, name: "Ingestion" },
    ]);
    const { code, stdout, stderr, resources } = await run(file);
    expect([code, resources.map(({ name, id }) => [name, id])]).to.deep.equal([
      0,
      [
        [webhook.name.toLowerCase().replaceAll(" ", "-"), webhook.id],
        [(source.name ?? "").toLowerCase(), source.id],
        ["ingestion", dashboard.id],
      ],
    ]);
    expect(stderr).to.equal(
      `warning: clickhouse_clickstack_alert.alert_${id}: skipped, because the service has no alert ${id}\n`,
    );
    expect(stdout).to.include("Keep the import blocks out of Terraform").and.not.include("state rm");
  });

  it("pipestack import reads import blocks that somebody has written, in modules and with keys", async () => {
    const blocks = `
      /*
      import {
        to = clickhouse_clickstack_alert.old
        id = "1"
      }
      */
      import {
        id = "${id}" // of the default team
        to = module.on_call.clickhouse_clickstack_alert.errors["eu"] # "eu"
        provider = clickhouse.own
      }
      import {
        to = clickhouse_role.admins
        id = "r1"
      }
      import {
        for_each = { a = "${id}" }
        to       = clickhouse_clickstack_alert.each[each.key]
        id       = each.value
      }
      import {
        to = aws_s3_bucket.logs
        id = "logs"
      }
    `;
    const { tool, objects, kept } = await readTerraformState(await write(blocks, "import.tf"));
    const address = 'module.on_call.clickhouse_clickstack_alert.errors["eu"]';
    expect({ tool, objects, kept: [...kept] }).to.deep.equal({
      tool: "import blocks",
      objects: [
        { type: "Alert", id, name: "on_call-errors-eu", address },
        { type: "Role", id: "r1", name: "admins", address: "clickhouse_role.admins" },
      ],
      kept: [["the file names no object of theirs", ["clickhouse_clickstack_alert.each[each.key]"]]],
    });
  });

  const secret = "pl4in-text-secret";
  const refused: { readonly [what: string]: [unknown, RegExp] } = {
    "a text that is no JSON": [
      `{"password": "${secret}",`,
      /is not JSON of Terraform, and has no import blocks; "terraform state pull" /,
    ],
    "a configuration without import blocks": [
      `resource "clickhouse_service" "main" {\n  password = "${secret}"\n}\n# import { }`,
      /is not JSON of Terraform, and has no import blocks/,
    ],
    "a list": [[secret], /is not JSON of Terraform/],
    "a state of version 3": [
      { version: 3, modules: [secret] },
      /is neither a state of Terraform in version 4 nor/,
    ],
    "an encrypted state": [{ meta: secret, encrypted_data: secret }, /is neither a state/],
    "the JSON of a plan": [{ format_version: "1.2", planned_values: { secret }, values: {} }, /is neither/],
  };
  for (const [what, [state, message]] of Object.entries(refused))
    it(`pipestack import refuses a Terraform state without repeating its content: ${what}`, async () => {
      const error = await errorOf(run(state));
      expect(error)
        .to.match(/^error: /)
        .and.match(message);
      expectNoLeaks({ secret }, { error });
    });
});
