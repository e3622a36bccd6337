import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { expectNoLeaks } from "../../../secrets";
import { organizationInTerraform, stackOf, terraformSecrets } from "../../../terraformState";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

/**
 * Returns the type token of a Terraform resource in a Pulumi bridge that has no package of its own (`pulumi package add
 * terraform-provider`).
 */
const tokenOfBridge = (type: string) => {
  const name = type
    .slice("clickhouse_".length)
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `clickhouse:index/${name}:${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

/**
 * Returns the type token of a Terraform resource in the bridge @pulumiverse/clickhouse, whose modules are named by all words of
 * a type but the last.
 */
const tokenOfPulumiverse = (type: string) =>
  type === "clickhouse_service_private_endpoints_attachment"
    ? "clickhouse:ServicePrivateEndpoints/attachment:Attachment"
    : tokenOfBridge(type);

describe("The import of every Terraform type for ClickHouse Cloud", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", stateMilliseconds: 1 });
  let state: object;
  const run = async (content: object, args: string[] = [], settings: Record<string, string> = {}) => {
    const file = join(fixture.folder, "state.json");
    await writeFile(file, JSON.stringify(content));
    return runImport(fixture, ["--terraform", file, ...args], settings);
  };
  const namesIn = (resources: readonly { type: string; name: string }[]) =>
    resources.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`);

  beforeEach(async () => {
    state = await organizationInTerraform(fixture.sandbox);
  });

  /** The resources that the generated program must declare for the objects in the Terraform state. */
  const taken = [
    ...["Role main", "ServiceScalingSchedule main", "QueryEndpoint main", "Webhook main"],
    ...[
      "Source main",
      "Dashboard main",
      "SavedSearch main",
      "Alert main",
      "Service main",
      "BackupConfiguration main",
    ],
    ...[
      "UpgradeWindow main",
      "PrivateEndpoint main",
      "PrivateEndpoint main-2",
      "ReversePrivateEndpoint main",
    ],
    ...[
      "QueryApiEndpoint main",
      "SavedQuery main",
      "SshTunnel main",
      "Pipe main",
      "PipeCdcScaling main",
      "RoleAssignment main",
      "OrganizationSettings main",
      "PostgresService main",
      "Udf main",
      "UdfAttachment main",
    ],
  ];

  describe("The import of a Terraform state with a resource of every type", () => {
    let imported: Awaited<ReturnType<typeof run>>;

    beforeEach(async () => {
      fixture.sandbox.requests.length = 0;
      imported = await run(state);
    });

    it("pipestack import declares every Terraform resource that has a counterpart", () => {
      const { code, resources, stderr } = imported;
      expect(code, stderr).to.equal(0);
      expect(namesIn(resources)).to.have.members(taken);
    });

    it("pipestack import of a Terraform state only reads", () => {
      const methods = fixture.sandbox.requests.map(({ method }) => method);
      expect(new Set(methods)).to.deep.equal(new Set(["GET"]));
    });

    it("pipestack import gives its reason for each Terraform resource that it does not fully import", () => {
      const [pipe] = fixture.sandbox.store.pipes.values();
      const [postgres] = fixture.sandbox.store.postgresServices.values();
      expect(imported.stderr.trim().split("\n").sort()).to.deep.equal([
        "note: Terraform keeps clickhouse_byoc_infrastructure.main, clickhouse_clickstack_role.main, clickhouse_clickstack_team.main, clickhouse_clickstack_team_member.main: no type of pipestack manages them",
        "note: Terraform keeps clickhouse_private_endpoint_registration.main: the service registers an endpoint when it is attached, and Terraform's resource does nothing any more",
        "note: Terraform keeps clickhouse_service_clickhouse_settings.main: an import would take all settings of the service, those of others, too; declare them as ServiceSettings yourself",
        "warning: RoleAssignment: where a resource of type ApiKey or Member declares the same values, the next preview refuses both; remove them from one of the two",
        "warning: clickhouse_clickstack_connection.main: skipped, because the settings give no access to objects of its type",
        `warning: pipe ${pipe?.id} (${pipe?.name}): its schemaRegistryCredentials are not known, since the service never shows them; declare them before you change them or replace the pipe`,
        `warning: the password of Postgres service ${postgres?.id} is not known; declare password, or change passwordKeepers to have one made`,
        `warning: the password of service ${fixture.sandbox.credentials.serviceId} is not known; declare password, or change passwordKeepers to have one made`,
      ]);
    });

    it("pipestack import prints and writes no secret of a Terraform state", () => {
      const { program, resources, stdout, stderr } = imported;
      expectNoLeaks(terraformSecrets, {
        program,
        output: stdout + stderr,
        resources: JSON.stringify(resources),
      });
    });

    it("pipestack import says to remove every imported resource from Terraform's state", () => {
      const { stdout } = imported;
      const [, removal = ""] = stdout.split("terraform state rm");
      const addresses = removal.split("\n").filter((line) => line.startsWith("    "));
      // Some Terraform resources only complete another one. `pipestack import` says to remove these from Terraform's state
      // together with that other resource.
      expect(
        addresses.map((line) => line.replace(/[\\ ]|clickhouse_/g, "").replace(".main", "")),
      ).to.have.members([
        ...["role", "service_scheduled_scaling", "clickstack_webhook"],
        ...[
          "clickstack_source",
          "clickstack_source_links",
          "query_api_endpoint",
          "saved_query",
          "clickstack_dashboard",
          "clickstack_saved_search",
          "clickstack_alert",
          "service",
        ],
        ...["service_upgrade_window", "service_private_endpoints_attachment", "clickpipe"],
        ...["clickpipes_ssh_key", "clickpipes_reverse_private_endpoint"],
        ...["clickpipe_cdc_infrastructure", "role_assignment"],
        "service_transparent_data_encryption_key_association",
        "clickpipes_reverse_private_endpoint_custom_private_dns",
        ...["organization_settings", "postgres_service", "udf", "udf_attachment"],
      ]);
      expect(stdout).to.not.include("ignore_changes");
    });
  });

  it("imported objects refer to the declared service if the state has one service for all", async () => {
    const { resources: all } = state as { resources: { type: string }[] };
    const resources = all.filter(({ type }) => !type.includes("clickstack"));
    const {
      program,
      resources: imported,
      stderr,
    } = await run({ ...state, resources }, ["--plugin", "typescript"], {
      serviceId: "",
    });
    expect(stderr).to.not.include("error:");
    expect(program.match(/serviceId: mainService\.id/g)).to.have.length(13);
    const { organizationId, serviceId } = fixture.sandbox.credentials;
    expect(imported.find(({ type }) => type.endsWith(":UpgradeWindow"))?.id).to.equal(
      `${organizationId}/${serviceId}`,
    );
  });

  describe("Terraform resources that only add to an object which another state manages", () => {
    const runOnly = (pattern: RegExp) => {
      const { resources } = state as { resources: { type: string }[] };
      return run({ ...state, resources: resources.filter(({ type }) => pattern.test(type)) });
    };

    it("pipestack import names the Terraform resources that only add to what it does not import", async () => {
      const { code, stderr } = await runOnly(/key_association$|custom_private_dns$|clickstack_webhook$/);
      expect(code, stderr).to.equal(0);
      expect(stderr).to.equal(
        "note: Terraform keeps clickhouse_service_transparent_data_encryption_key_association.main, clickhouse_clickpipes_reverse_private_endpoint_custom_private_dns.main: the objects to which they add are not imported\n",
      );
    });

    it("pipestack import declares the links of a source that Terraform does not manage as SourceLinks", async () => {
      const [source, other] = fixture.sandbox.store.sources.values();
      Object.assign(source ?? {}, { traceSourceId: other?.id });
      const { resources, stdout, stderr } = await runOnly(/clickstack_source_links$/);
      expect(namesIn(resources), stderr).to.deep.equal(["SourceLinks main"]);
      expect(stdout).to.include("terraform state rm").and.include("clickhouse_clickstack_source_links.main");
    });
  });

  it("a service stays with Terraform if an import takes only parts of it", async () => {
    const { resources, stdout } = await run(state, ["--only", "BackupConfiguration,QueryEndpoint"]);
    expect(namesIn(resources)).to.have.members(["BackupConfiguration main", "QueryEndpoint main"]);
    expect(stdout)
      .to.include("    ignore_changes = [\n      backup_configuration,\n      query_api_endpoints,\n    ]")
      .and.not.include("state rm");
  });

  for (const [bridge, tokenOf] of [
    ["the bridge to any provider", tokenOfBridge],
    ["@pulumiverse/clickhouse", tokenOfPulumiverse],
  ] as const) {
    it(`pipestack import takes objects from a Pulumi stack that uses ${bridge}`, async () => {
      const { resources, stderr } = await run(stackOf(state, tokenOf));
      const withIds = ["PrivateEndpoint main", "PrivateEndpoint main-2", "ServiceScalingSchedule main"];
      expect(namesIn(resources)).to.include.members(withIds);
      expect(stderr).to.match(/^note: the other stack keeps \S+::main, /m);
    });

    it(`pipestack import prints the URNs to remove from a Pulumi stack that uses ${bridge}`, async () => {
      const { stdout } = await run(stackOf(state, tokenOf));
      const forgotten = [...stdout.matchAll(/^ {2}pulumi state delete '(\S+)' --yes$/gm)].map(
        ([, urn = ""]) => urn,
      );
      const urn = (type: string) => `urn:pulumi:dev::old::${tokenOf(type)}::main`;
      expect(forgotten)
        .to.include.members([
          urn("clickhouse_service"),
          urn("clickhouse_service_private_endpoints_attachment"),
        ])
        .and.not.include(urn("clickhouse_byoc_infrastructure"));
      expect(stdout).to.include(
        "take them out of the state of the other stack, which deletes nothing, and only then",
      );
      // The engine removes no resource from a Pulumi state while another resource depends on it, so the printed commands remove
      // the pipe before its service.
      expect(forgotten.indexOf(urn("clickhouse_clickpipe"))).to.be.lessThan(
        forgotten.indexOf(urn("clickhouse_service")),
      );
    });
  }
});
