import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { send } from "../../../serviceContents";
import { pulumiThatAnswers } from "../runHere";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

describe("The command pipestack import with an organization", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", stateMilliseconds: 1 });
  const run = (args: string[] = []) => runImport(fixture, args, { serviceId: "" });

  async function fill(): Promise<string> {
    const { sandbox } = fixture;
    const { serviceId, secondServiceId } = sandbox.credentials;
    const { service } = await send<{ service: { id: string } }>(sandbox, "POST", "/services", {
      ...{ name: "lake", provider: "aws", region: "eu-west-1" },
      ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
    });
    const { store } = sandbox;
    Object.assign(store.services.get(serviceId) ?? {}, {
      ...{ upgradeWindow: { weekday: 0, startHourUtc: 6 }, databaseSettings: { async_insert: 1 } },
      privateEndpointIds: ["vpce-2", "vpce-1"],
    });
    Object.assign(store.services.get(service.id) ?? {}, { state: "running", steps: undefined });
    for (const id of [service.id, secondServiceId])
      await send(sandbox, "POST", `/services/${id}/clickstack/dashboards`, { name: "Overview", tiles: [] });
    return service.id;
  }

  it("pipestack import gives its reason for skipping objects that the API does not have", async () => {
    const { serviceId } = fixture.sandbox.credentials;
    const settings = { serviceId, observabilityVia: "management" };
    const { stderr, resources } = await runImport(fixture, ["--only", "Connection"], settings);
    expect(stderr).to.match(
      /^warning: Connection \w+: skipped, because the management API has no connections;/,
    );
    expect(resources).to.deep.equal([]);
  });

  it("an import of an organization declares each service with its objects", async () => {
    const lake = await fill();
    const { serviceId, secondServiceId, organizationId } = fixture.sandbox.credentials;
    const { code, program, resources, stderr } = await run();
    expect(code, stderr).to.equal(0);
    expect(program).to.match(new RegExp(`^// The objects of organization ${organizationId}, written by`));
    const of = (type: string) =>
      resources
        .filter((resource) => resource.type.endsWith(`:${type}`))
        .map(({ name, id }) => `${name} ${id}`);
    expect(of("Service")).to.deep.equal([
      ...[`warehouse ${serviceId}`, `reporting ${secondServiceId}`, `lake ${lake}`],
    ]);
    // A service that is not the first of its warehouse has no backups and no upgrade window of its own, so the import declares
    // none for it.
    expect(of("BackupConfiguration")).to.deep.equal([
      ...[`warehouse-backup-configuration ${serviceId}`, `lake-backup-configuration ${lake}`],
    ]);
    expect(of("UpgradeWindow")).to.deep.equal([`warehouse-upgrade-window ${serviceId}`]);
    expect(of("ServiceSettings")).to.deep.equal([`warehouse-database-configuration ${serviceId}`]);
    expect(of("PrivateEndpoint")).to.have.length(2);
    expect(of("ServiceScaling")).to.deep.equal([]);
    expect(program).to.not.match(/desiredState/);
    expect(of("Dashboard").map((text) => text.split(" ")[0])).to.deep.equal(["overview", "overview-2"]);
    expect(program)
      .to.match(
        /new pipestack\.Dashboard\("overview", \{\n {2}serviceId: reporting\.id,\n {2}name: "Overview"/,
      )
      .and.match(/new pipestack\.Dashboard\("overview-2", \{\n {2}serviceId: lake\.id,/)
      .and.match(
        /new pipestack\.ServiceSettings\("warehouse-database-configuration", \{\n {2}serviceId: warehouse\.id,/,
      )
      .and.match(/dataWarehouseId: "b8e4d0f6/);
  });

  for (const place of ["organization", "service"])
    it(`an import of the ${place} declares in no service what a server without services has`, async () => {
      await fill();
      const { sandbox } = fixture;
      const { organizationId, serviceId } = sandbox.credentials;
      const board = { name: "Own", tiles: [] };
      const path = `/services/${serviceId}/clickstack/dashboards`;
      const { id } = await send<{ id: string }>(sandbox, "POST", path, board);
      const { resources, stderr } = await runImport(fixture, ["--only", "Service,Dashboard"], {
        ...(place === "organization" && { serviceId: "" }),
        observabilityVia: "observability",
      });
      const of = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));
      const [dashboard, ...more] = of("Dashboard");
      expect(dashboard?.id, stderr).to.equal(id);
      expect(more).to.deep.equal([]);
      expect(dashboard?.inputs).to.not.have.any.keys("organizationId", "serviceId");
      expect(of("Service")[0]?.inputs).to.include({ organizationId });
    });

  describe("A dashboard of a server without services, beside a service of the cloud", () => {
    const settings = { observabilityVia: "observability" };
    const addBoard = () => {
      const { sandbox } = fixture;
      const [sourceId] = [...sandbox.store.sources.keys()];
      const config = { displayType: "number", sourceId, select: [{ aggFn: "count", where: "" }] };
      const tiles = [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, config }];
      const path = `/services/${sandbox.credentials.serviceId}/clickstack/dashboards`;
      return send<{ id: string }>(sandbox, "POST", path, { name: "Own", tiles });
    };

    it("an import with another service names none in the lookup of a source of the server", async () => {
      await addBoard();
      const { secondServiceId } = fixture.sandbox.credentials;
      const args = ["--only", "Service,Dashboard", "--service", secondServiceId];
      const { program, stderr } = await runImport(fixture, args, settings);
      expect(program, stderr).to.match(/getSourceOutput\(\{\n {2}name: "Logs",\n\}\)/);
    });

    it("an import from Terraform asks for no service for the sake of the dashboard", async () => {
      const { id } = await addBoard();
      const { serviceId } = fixture.sandbox.credentials;
      const resources = Object.entries({ clickstack_dashboard: id, service: serviceId }).map(([type, id]) => {
        const instances = [{ attributes: { id } }];
        return { mode: "managed", type: `clickhouse_${type}`, name: type, instances };
      });
      const file = join(fixture.folder, "terraform.tfstate");
      await writeFile(file, JSON.stringify({ version: 4, resources }));
      const args = ["--terraform", file];
      const { resources: imported, stderr } = await runImport(fixture, args, { ...settings, serviceId: "" });
      expect(
        imported.map((each) => each.id),
        stderr,
      ).to.have.members([id, serviceId]);
    });

    it("an import of the organization goes on if the server refuses to list what it has", async () => {
      const { faults, credentials } = fixture.sandbox;
      await faults.set([{ kind: "403", operation: "listDashboards" }]);
      const args = ["--only", "Service,Dashboard,Alert"];
      const run = await runImport(fixture, args, { ...settings, serviceId: "" });
      await faults.clear();
      expect(run.stderr).to.match(/^warning: Dashboard: skipped: .*answered 403\)$/m);
      expect(run.resources.map(({ id }) => id)).to.include(credentials.serviceId);
    });

    for (const by of ["a list", "Terraform"])
      it(`an import by ${by} goes on while the service of the settings is being deleted`, async () => {
        const { id } = await addBoard();
        const { credentials, store } = fixture.sandbox;
        const dying = { state: "terminating", steps: undefined };
        Object.assign(store.services.get(credentials.serviceId) ?? {}, dying);
        const file = join(fixture.folder, "terraform.tfstate");
        const roles = [...store.roles.values()].flatMap((role) => (role.name === "Reports" ? role.id : []));
        const resources = Object.entries({ clickstack_dashboard: [id], role: roles }).map(([type, ids]) => {
          const instances = ids.map((each) => ({ attributes: { id: each } }));
          return { mode: "managed", type: `clickhouse_${type}`, name: type, instances };
        });
        await writeFile(file, JSON.stringify({ version: 4, resources }));
        const args = by === "Terraform" ? ["--terraform", file] : ["--only", "Role,Dashboard"];
        const { resources: imported, stderr } = await runImport(fixture, args, settings);
        expect(
          imported.map((each) => each.id),
          stderr,
        ).to.include.members([id, ...roles]);
      });
  });

  describe("Roles that a key and a member of the organization have", () => {
    beforeEach(async () => {
      const { sandbox } = fixture;
      const [reports = ""] = [...sandbox.store.roles.values()].flatMap(({ id, name }) =>
        name === "Reports" ? [id] : [],
      );
      await send(sandbox, "POST", "/keys", { name: "Loader", assignedRoleIds: [reports] });
      const id = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1";
      const joinedAt = "2026-01-01T00:00:00Z";
      sandbox.store.members.set(id, {
        id,
        email: "ann@example.com",
        name: "Ann",
        joinedAt,
        roleIds: [reports],
      });
    });

    it("pipestack import declares roles in the keys and members that have them, not as RoleAssignment", async () => {
      const { program, resources, stderr } = await run(["--only", "Role,ApiKey,Member,RoleAssignment"]);
      expect(program.match(/assignedRoleIds: \[reports\.id\]/g)).to.have.length(2);
      expect(resources.filter(({ type }) => type.endsWith(":RoleAssignment"))).to.deep.equal([]);
      expect(stderr).to.not.include("RoleAssignment");
    });

    if (process.platform !== "win32")
      it("pipestack import takes a membership of another organization for no object that the stack has", async () => {
        const type = "pulumi-nodejs:dynamic/pipestack:Member";
        const { organizationId, serviceId } = fixture.sandbox.credentials;
        const [held, other] = ["held", "other"].map((name) => {
          const inputs = { organizationId: name === "held" ? organizationId : serviceId };
          return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: "ann@example.com", inputs };
        });
        for (const [has, said] of [
          [[other], false],
          [[other, held], true],
        ] as const) {
          await writeFile(
            join(fixture.folder, "state.json"),
            JSON.stringify({ deployment: { resources: has } }),
          );
          await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
          const stack = await pulumiThatAnswers(fixture.folder, {
            config: 'echo "{}"',
            stack: "cat state.json",
          });
          const { stderr } = await fixture.pipestack(["import", "--only", "Member", "--force"], {}, stack);
          const warning = /the stack has 1 of these objects already: Member held\./;
          expect(warning.test(stderr), stderr).to.equal(said);
          expect(stderr.includes("already"), stderr).to.equal(said);
        }
      });

    it("an import of RoleAssignments alone warns of keys and members that declare the same", async () => {
      const { resources, stderr } = await run(["--only", "RoleAssignment"]);
      expect(resources.length).to.be.above(1);
      for (const { type } of resources) expect(type).to.match(/:RoleAssignment$/);
      expect(stderr).to.include(
        "warning: RoleAssignment: where a resource of type ApiKey or Member declares the same values, the next preview refuses both; remove them from one of the two",
      );
    });
  });

  it("pipestack import leaves out only the objects that a service does not show", async () => {
    await fill();
    const path = new RegExp(`/${fixture.sandbox.credentials.secondServiceId}/`);
    await fixture.sandbox.faults.set([{ kind: "403", operation: "listDashboards", nth: 2 }]);
    const { code, stderr, resources } = await run();
    expect(code).to.equal(0);
    expect(stderr)
      .to.match(path)
      .and.match(/Dashboard: skipped for service/);
    expect(resources.filter(({ type }) => type.endsWith(":Dashboard"))).to.have.length(1);
  });

  for (const kind of ["403", "404-gateway"] as const)
    it(`an import of an organization fails if no list can be read: each is answered by ${kind}`, async () => {
      await fixture.sandbox.faults.set([{ kind, operation: "listPipes" }]);
      const { code, stdout, stderr, resources } = await run(["--only", "Pipe"]);
      expect([code, stdout, resources]).to.deep.equal([1, "", []]);
      expect(stderr).to.match(/^error: .*listPipes: GET \S+ answered 40[34]/);
    });

  it("an import of an organization fails if no list can be read, whatever it asks of each service", async () => {
    const operations = ["listPipes", "getQueryEndpoint"] as const;
    await fixture.sandbox.faults.set(operations.map((operation) => ({ kind: "403", operation })));
    const { code, stdout, stderr, resources } = await run(["--only", "Pipe,QueryEndpoint"]);
    expect([code, stdout, resources]).to.deep.equal([1, "", []]);
    expect(stderr).to.match(/^error: .*listPipes: GET \S+ answered 403/);
  });

  describe("A service that is being deleted", () => {
    const runDying = async (...args: string[]) => {
      await fixture.sandbox.faults.set([]);
      const { serviceId } = fixture.sandbox.credentials;
      Object.assign(fixture.sandbox.store.services.get(serviceId) ?? {}, {
        ...{ state: "terminating", steps: undefined },
      });
      const { stderr, program } = await run(args);
      return { stderr, program, serviceId };
    };

    for (const only of [[], ["--only", "SnapshotConfiguration"]])
      it(`an import of the organization leaves out what belongs to it: it has the options "${only.join(" ")}"`, async () => {
        const { stderr, program, serviceId } = await runDying(...only);
        expect(stderr).to.match(
          new RegExp(`^warning: service ${serviceId}\\b.*: skipped, because it is terminating$`, "im"),
        );
        expect(program).to.include("new pipestack.SnapshotConfiguration(").and.not.include(serviceId);
      });

    it("an import of the service itself fails", async () => {
      const { stderr, program, serviceId } = await runDying(
        "--service",
        fixture.sandbox.credentials.serviceId,
      );
      expect(stderr).to.equal(`error: service ${serviceId} is terminating, so nothing of it is imported\n`);
      expect(program).to.equal("");
    });

    it("an import of the keys and roles of the organization goes on", async () => {
      const { serviceId } = fixture.sandbox.credentials;
      const { stderr, program } = await runDying("--service", serviceId, "--only", "Role");
      expect(stderr).to.equal("");
      expect(program).to.include("new pipestack.Role(");
    });

    it("an import from Terraform leaves it out with all that belongs to it, and such a Postgres service", async () => {
      const { sandbox } = fixture;
      const { serviceId } = sandbox.credentials;
      const postgres = await send<{ id: string }>(sandbox, "POST", "/postgres", {
        ...{ name: "orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" },
      });
      const dying = { state: "deleting", steps: undefined };
      Object.assign(sandbox.store.postgresServices.get(postgres.id) ?? {}, dying);
      const managed = (type: string, id: string) => ({
        ...{ mode: "managed", type: `clickhouse_${type}`, name: "main" },
        instances: [{ attributes: { id, service_id: id } }],
      });
      const file = join(fixture.folder, "terraform.tfstate");
      const objects = [managed("service", serviceId), managed("service_upgrade_window", serviceId)];
      const state = { version: 4, resources: [...objects, managed("postgres_service", postgres.id)] };
      await writeFile(file, JSON.stringify(state));
      const { stderr, program } = await runDying("--terraform", file);
      const because = `.main: skipped, because service ${serviceId} is terminating\n`;
      expect(stderr)
        .to.include(
          `warning: clickhouse_service${because}warning: clickhouse_service_upgrade_window${because}`,
        )
        .and.include("warning: clickhouse_postgres_service.main: skipped, because it is deleting\n");
      expect(program).to.equal("");
    });
  });

  it("pipestack import of one service goes on without the features that its organization lacks", async () => {
    const { serviceId } = fixture.sandbox.credentials;
    await fixture.sandbox.faults.set([
      { kind: "403", operation: "getSnapshotConfiguration" },
      { kind: "400", operation: "getReplicaAwareRouting" },
    ]);
    const { code, stderr, resources } = await run(["--service", serviceId]);
    expect(code, stderr).to.equal(0);
    expect(resources.map(({ type }) => type.replace(/.*:/, ""))).to.include("BackupConfiguration");
    for (const type of ["SnapshotConfiguration", "ReplicaAwareRouting"])
      expect(stderr).to.match(
        new RegExp(`^warning: ${type} ${serviceId}: skipped, because the service`, "m"),
      );
  });

  describe("pipestack import of a service that does not run", () => {
    const runIdle = (...args: string[]) => {
      const { serviceId } = fixture.sandbox.credentials;
      Object.assign(fixture.sandbox.store.services.get(serviceId) ?? {}, { state: "idle", steps: undefined });
      return run(["--service", serviceId, ...args]);
    };

    it("pipestack import leaves out only what a service does not show unless it runs", async () => {
      const { code, stderr, resources } = await runIdle();
      expect(code, stderr).to.equal(0);
      expect(stderr).to.match(/^warning: Pipe: skipped, because .*must be running.* answered 424\b/m);
      expect(resources.map(({ type }) => type.replace(/.*:/, ""))).to.include("Service");
    });

    it("pipestack import fails if the service shows nothing at all unless it runs", async () => {
      const { code, stderr, resources } = await runIdle("--only", "Pipe");
      expect({ code, resources }).to.deep.equal({ code: 1, resources: [] });
      expect(stderr).to.match(/^error: .*must be running.* answered 424\b/);
    });
  });
});
