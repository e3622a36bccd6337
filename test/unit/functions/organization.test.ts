import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import type { Udf } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { enveloped, useServer } from "../api/server";
import { addUdf } from "../resources/udf.example";
import { requestsTo, resolved, sandboxedProgram } from "./sandboxedProgram";

const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("Functions about the services of an organization", () => {
  const program = sandboxedProgram("clickhouse");
  const encryptionKey = /sandbox-only-encryption-key/;

  it("functions read services by one request, and filter them by name and state", async () => {
    const all = await pipestack.getServices();
    expect(all.map(({ name, isPrimary }) => [name, isPrimary])).to.deep.equal([
      ...[["warehouse", true] as const, ["reporting", false] as const],
    ]);
    const [, reporting] = all;
    expect(await resolved(pipestack.getServicesOutput())).to.deep.equal(all);
    expect(await pipestack.getServices({ name: "reporting" })).to.deep.equal([reporting]);
    expect(await pipestack.getServices({ state: "idle" })).to.deep.equal([]);
    expect(await pipestack.getService({ name: "reporting" })).to.deep.equal(reporting);
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET services"]);
  });

  it("a function lists once more before it says that the organization has no such service", async () => {
    const id = program.sandbox.credentials.serviceId;
    expect(await messageOf(pipestack.getService({ name: "reporting", serviceId: id }))).to.match(
      /^pipestack\.getService: the organization has no service named "reporting" of id ".*"; it has "warehouse" \(.*\), "reporting" \(.*\)$/,
    );
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET services", "GET services"]);
  });

  it("a function reads the service of the settings or of an argument by a request for that service alone", async () => {
    const { serviceId, secondServiceId } = program.sandbox.credentials;
    const service = await pipestack.getService();
    expect(service).to.include({ id: serviceId, name: "warehouse", state: "running", engineVersion: "25.6" });
    expect(service.endpoints?.map(({ protocol, port }) => `${protocol}:${port}`)).to.deep.equal([
      ...["https:8443", "nativesecure:9440"],
    ]);
    const other = pipestack.getServiceOutput({ serviceId: pulumi.output(secondServiceId) });
    expect(await resolved(other)).to.include({ id: secondServiceId, name: "reporting" });
    expect(requestsTo(program.sandbox)).to.deep.equal([`GET ${serviceId}`, `GET ${secondServiceId}`]);
  });

  it("a function returns the encryption key of a service only on request, and then as a secret output", async () => {
    for (const includeSecrets of [undefined, false])
      for (const found of [
        await pipestack.getServices({ includeSecrets }),
        await pipestack.getService({ includeSecrets }),
        await pipestack.getService({ name: "warehouse", includeSecrets }),
      ])
        expect(JSON.stringify(found)).to.not.match(encryptionKey);
    expect((await pipestack.getService({ includeSecrets: true })).encryptionKey).to.match(encryptionKey);
    expect(JSON.stringify(await pipestack.getServices({ includeSecrets: true }))).to.match(encryptionKey);
    for (const includeSecrets of [true, false]) {
      const one = pipestack.getServiceOutput({ includeSecrets });
      const all = pipestack.getServicesOutput({ includeSecrets });
      expect([await pulumi.isSecret(one), await pulumi.isSecret(all)]).to.deep.equal([
        includeSecrets,
        includeSecrets,
      ]);
    }
  });
});

describe("Functions about the API keys of an organization", () => {
  const program = sandboxedProgram("clickhouse");
  const server = useServer();
  const id = "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204";

  it("functions list API keys with their roles, and find one by name, by id or by both", async () => {
    const all = await pipestack.getApiKeys();
    expect(all).to.have.length(1);
    expect(all[0]).to.include({ id, name: "sandbox admin", state: "enabled" });
    expect(all[0]?.assignedRoles?.map(({ roleName }) => roleName)).to.deep.equal(["admin"]);
    expect(await resolved(pipestack.getApiKeysOutput())).to.deep.equal(all);
    expect(await pipestack.getApiKey({ name: "sandbox admin" })).to.include({ id });
    expect(await pipestack.getApiKey({ name: "sandbox admin", id })).to.include({ id });
    expect(await resolved(pipestack.getApiKeyOutput({ id: pulumi.output(id) }))).to.include({ id });
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET keys", `GET ${id}`]);
    expect(await messageOf(pipestack.getApiKey({ name: "x" }))).to.equal(
      `pipestack.getApiKey: the organization has no API key named "x"; it has "sandbox admin" (${id})`,
    );
  });

  it("a function returns API keys without secrets, even if the service sends some", async () => {
    pulumi.runtime.setConfig("pipestack:baseUrl", server.current.url);
    const shown = { id, name: "n", keySuffix: "1a2b", usedAt: "2026-01-01T00:00:00Z" };
    const secrets = { keyId: "i", keySecret: "s", keySecretHash: "h", hashData: { keySecretHash: "h" } };
    const answer = { ...shown, ...secrets };
    server.current.answer(enveloped([answer]), enveloped(answer));
    expect(await pipestack.getApiKeys()).to.deep.equal([shown]);
    expect(await pipestack.getApiKey({ id })).to.deep.equal(shown);
  });
});

describe("The function whoami", () => {
  const program = sandboxedProgram("clickhouse");

  it("whoami returns the key of the settings, even if the settings name no organization", async () => {
    pulumi.runtime.setAllConfig(
      Object.fromEntries(
        Object.entries(pulumi.runtime.allConfig()).filter(([name]) => !name.endsWith("organizationId")),
      ),
    );
    const { keyId, organizationId } = program.sandbox.credentials;
    const caller = { actorType: "apiKey", keyId, name: "sandbox admin", organizationId };
    expect(await pipestack.whoami()).to.deep.equal(caller);
    expect(await resolved(pipestack.whoamiOutput())).to.deep.equal(caller);
    const lines = program.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
    expect(lines).to.deep.equal(["GET /v1/whoami 200", "GET /v1/whoami 200"]);
  });
});

describe("Functions about the members, limits and backups of ClickHouse Cloud", () => {
  const program = sandboxedProgram("clickhouse");
  const userId = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb1";
  const addMember = (id: string, email: string, name: string) =>
    program.sandbox.store.members.set(id, {
      ...{ id, email, name, joinedAt: "2026-01-01T00:00:00Z", roleIds: [] },
    });

  it("a function finds a member by the e-mail address in any case, and names the members if there is none", async () => {
    addMember(userId, "Ben@Example.com", "Ben");
    addMember("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbb2", "ada@example.com", "Ada");
    const ben = await pipestack.getMember({ email: "ben@example.COM" });
    expect(ben).to.include({ userId, email: "ben@example.com", name: "Ben" });
    expect(await resolved(pipestack.getMemberOutput({ email: pulumi.output("ben@example.com") }))).to.include(
      {
        userId,
      },
    );
    expect(await messageOf(pipestack.getMember({ email: "eve@example.com" }))).to.match(
      /^pipestack\.getMember: the organization has no member of email "eve@example\.com"; it has .*"Ben" \("?ben@example\.com"?\)/,
    );
    // Before a function says that there is no such member, it reads the list again.
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET members", "GET members"]);
  });

  it("a function reads the limits of the organization, and how much of them is used", async () => {
    const quotas = await pipestack.getQuotas();
    const { services, keys } = program.sandbox.store;
    expect(quotas.map(({ quotaCode, value, usage }) => [quotaCode, value, usage])).to.deep.equal([
      ["services-per-organization", 20, services.size],
      ["postgres-services-per-organization", 20, 0],
      ["api-keys-per-organization", 100, keys.size],
      ["replicas-per-warehouse", 20, undefined],
    ]);
    expect(await resolved(pipestack.getQuotasOutput())).to.deep.equal(quotas);
  });

  it("a function lists the backups of a service, the newest first, without the bucket that they are in", async () => {
    const { store, credentials } = program.sandbox;
    const backup = (day: number, status: "done" | "in_progress") => ({
      ...{ id: `9d3c7a10-52be-4f08-8e61-0b7f4c2d6a0${day}`, status, type: "full" as const },
      ...{ startedAt: `2026-01-0${day}T03:00:00Z`, sizeInBytes: day, durationInSeconds: 1 },
      bucket: { bucketProvider: "GCP", accessKeyId: "hidden" },
    });
    const backups = [backup(1, "done"), backup(3, "in_progress"), backup(2, "done")];
    Object.assign(store.services.get(credentials.serviceId) ?? {}, { backups });
    const all = await pipestack.getBackups();
    expect(all.map(({ sizeInBytes }) => sizeInBytes)).to.deep.equal([3, 2, 1]);
    expect(JSON.stringify(all)).to.not.include("hidden");
    const [newest] = await pipestack.getBackups({ status: "done" });
    expect(newest).to.include({ sizeInBytes: 2, serviceId: credentials.serviceId });
    expect(await pipestack.getBackups({ status: "error" })).to.deep.equal([]);
  });

  it("a function lists the snapshots of all pages, the newest first, without the bucket that they are in", async () => {
    const { store, credentials } = program.sandbox;
    const begin = Date.parse("2026-01-01T00:00:00Z");
    const snapshots = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: `9d3c7a10-52be-4f08-8e61-${String(index).padStart(12, "0")}`, type: "full" as const },
      ...{ status: index === 299 ? ("throttled" as const) : ("done" as const), sizeInBytes: index },
      ...{ startedAt: new Date(begin + index * 60_000).toISOString(), durationInSeconds: 1 },
      bucket: { bucketProvider: "GCP", accessKeyId: "hidden" },
    }));
    Object.assign(store.services.get(credentials.serviceId) ?? {}, { snapshots });
    const all = await pipestack.getSnapshots();
    expect(all.map(({ sizeInBytes }) => sizeInBytes)).to.deep.equal(
      snapshots.map(({ sizeInBytes }) => sizeInBytes).reverse(),
    );
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET snapshots", "GET snapshots"]);
    expect(JSON.stringify(all)).to.not.include("hidden");
    const [newest] = await pipestack.getSnapshots({ status: "done" });
    expect(newest).to.include({ sizeInBytes: 298, serviceId: credentials.serviceId });
    expect(await pipestack.getSnapshots({ status: "error" })).to.deep.equal([]);
  });

  it("a function reads the profiles that services may have, with their cores and memory", async () => {
    const profiles = await pipestack.getServiceProfiles();
    expect(profiles).to.deep.include({ profile: "v1-highmem-xs", cpuCores: 2, memoryGi: 16 });
    expect(await resolved(pipestack.getServiceProfilesOutput())).to.deep.equal(profiles);
    expect(requestsTo(program.sandbox)).to.include("GET serviceProfiles");
  });

  it("a function lists the SSH tunnels of a service alone, with the keys that their hosts have to let in", async () => {
    const { store, credentials } = program.sandbox;
    const [office] = [...store.sshTunnels.values()];
    expect(office).to.include({ serviceId: credentials.serviceId });
    const tunnels = await pipestack.getSshTunnels();
    expect(tunnels).to.deep.equal([
      {
        ...{ id: office?.id, name: "office", description: "", host: "bastion.example.com", port: 22 },
        ...{ username: "clickpipes", publicKey: office?.publicKey, status: "active" },
      },
    ]);
    const { secondServiceId: serviceId } = credentials;
    expect(await pipestack.getSshTunnels({ serviceId })).to.deep.equal([]);
  });

  function addTwoVersions(): void {
    const { sandbox } = program;
    addUdf(sandbox, { functionName: "echo" });
    const { id: _, older: __, ...first } = sandbox.store.udfs.get("echo") as Udf;
    addUdf(sandbox, { functionName: "echo", version: 2, status: "error", error: "no", older: [first] });
  }

  it("getUdfs lists the user-defined functions with their newest version", async () => {
    addTwoVersions();
    const [second] = await pipestack.getUdfs();
    expect(second).to.deep.include({ functionName: "echo", version: 2, status: "error", error: "no" });
  });

  it("getUdfVersions lists all versions of a user-defined function, the newest first", async () => {
    addTwoVersions();
    const versions = await pipestack.getUdfVersions({ functionName: "echo" });
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
    expect(versions[1]).to.not.have.property("error");
  });
});
