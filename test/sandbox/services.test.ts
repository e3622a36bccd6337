import { expect } from "chai";
import { useSandbox } from "./requests";

describe("The scaling of a service in the dialect neutral", () => {
  const client = useSandbox();
  const get = async () => (await client.service("GET", "")).payload;

  it("GET returns all properties of a service", async () => {
    const service = await get();
    expect(service).to.have.all.keys(
      ...["id", "name", "engineVersion", "endpoints", "minTotalMemoryGb", "maxTotalMemoryGb"],
      ...["minReplicaMemoryGb", "maxReplicaMemoryGb", "numReplicas", "idleScaling", "idleTimeoutMinutes"],
      ...["ipAccessList", "createdAt", "encryptionKey", "encryptionAssumedRoleIdentifier", "iamRole"],
      ...["privateEndpointIds", "availablePrivateEndpointIds", "dataWarehouseId", "isPrimary", "isReadonly"],
      ...["hasTransparentDataEncryption", "transparentDataEncryptionKeyId", "encryptionRoleId"],
    );
    expect(service).to.include({ isPrimary: true, numReplicas: 3, idleScaling: true });
    expect(service.encryptionKey).to.match(/^sandbox-only/);
  });

  const valid = {
    ...{ minTotalMemoryGb: 48, maxTotalMemoryGb: 96, numReplicas: 4 },
    ...{ idleScaling: false, idleTimeoutMinutes: 5 },
  };

  it("PATCH of the scaling keeps omitted properties", async () => {
    const { status, payload } = await client.service("PATCH", "/scaling", valid);
    expect(status).to.equal(200);
    const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32 };
    expect(payload).to.include({ ...valid, ...memory, name: "warehouse" });
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    expect(await get()).to.include({ ...valid, numReplicas: 5 });
  });

  it("PATCH of replicaScaling changes the memory of a replica", async () => {
    const change = { numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 356 };
    const { status, payload } = await client.service("PATCH", "/replicaScaling", change);
    expect(status).to.equal(200);
    expect(payload).to.include({ ...change, minTotalMemoryGb: 36, maxTotalMemoryGb: 1068 });
  });

  const refused: readonly [path: string, title: string, change: object][] = [
    ["/scaling", "numReplicas 0", { numReplicas: 0 }],
    ["/scaling", "numReplicas 51", { numReplicas: 51 }],
    ["/scaling", "numReplicas 2.5", { numReplicas: 2.5 }],
    ["/scaling", 'numReplicas "3"', { numReplicas: "3" }],
    ["/scaling", "numReplicas 1 of the first service in a warehouse", { numReplicas: 1 }],
    ["/scaling", "idleTimeoutMinutes 4", { idleTimeoutMinutes: 4 }],
    ["/scaling", "idleScaling null", { idleScaling: null }],
    ["/scaling", "minTotalMemoryGb 12", { minTotalMemoryGb: 12 }],
    ["/scaling", "minTotalMemoryGb 50", { minTotalMemoryGb: 50 }],
    ["/scaling", "maxTotalMemoryGb 1080", { maxTotalMemoryGb: 1080 }],
    ["/scaling", "a minimum memory above the maximum", { minTotalMemoryGb: 96, maxTotalMemoryGb: 48 }],
    ["/scaling", "an unknown property", { replicas: 3 }],
    ["/replicaScaling", "minReplicaMemoryGb 4", { minReplicaMemoryGb: 4 }],
    ["/replicaScaling", "minReplicaMemoryGb 10", { minReplicaMemoryGb: 10 }],
    ["/replicaScaling", "maxReplicaMemoryGb 360", { maxReplicaMemoryGb: 360 }],
    ["/replicaScaling", "minTotalMemoryGb", { minTotalMemoryGb: 24 }],
  ];
  for (const [path, title, change] of refused)
    it(`PATCH of ${path} refuses ${title} and changes nothing`, async () => {
      const before = await get();
      const others = path === "/scaling" ? valid : {};
      const { status, reason } = await client.service("PATCH", path, { ...others, ...change });
      expect(status).to.equal(400);
      expect(reason).to.match(/^BAD_REQUEST: /);
      expect(await get()).to.deep.equal(before);
    });

  it("PATCH of the scaling accepts one replica for a service in an existing warehouse", async () => {
    expect((await client.secondService("PATCH", "/scaling", { numReplicas: 1 })).status).to.equal(200);
  });

  it("PATCH of the scaling accepts a maxTotalMemoryGb of 1068 only for a paid organization", async () => {
    const patch = () => client.service("PATCH", "/scaling", { maxTotalMemoryGb: 1068 });
    client.sandbox.store.organization.paid = false;
    expect((await patch()).status).to.equal(400);
    client.sandbox.store.organization.paid = true;
    expect((await patch()).status).to.equal(200);
  });
});

describe("Services of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const get = async () => (await client.service("GET", "")).payload;
  const scale = (body: object) => client.service("PATCH", "/replicaScaling", body);
  const even = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
  const horizontal = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 6 };

  it("GET of a service and the list return the properties that the product documents", async () => {
    const service = await get();
    expect(service).to.deep.include({
      ...{ provider: "aws", region: "eu-central-1", state: "running", clickhouseVersion: "25.6" },
      ...{ autoscalingMode: "vertical", numReplicas: 3, tags: [{ key: "environment", value: "sandbox" }] },
      currentScaling: {
        effectiveAutoscalingMode: "vertical",
        ...{ effectiveMinReplicaMemoryGb: 8, effectiveMaxReplicaMemoryGb: 16 },
        ...{ effectiveMinReplicas: 3, effectiveMaxReplicas: 3 },
        ...{ effectiveIdleScaling: true, effectiveIdleTimeoutMinutes: 15 },
      },
    });
    expect(service).to.not.have.any.keys("minReplicas", "maxReplicas", "replicaMemoryGb", "engineVersion");
    const { payload } = await client.organization("GET", "/services");
    expect(payload).to.have.length(2);
    expect(payload[0]).to.deep.equal(service);
  });

  it("PATCH of the scaling changes a service to horizontal scaling between two replica numbers, and back", async () => {
    const { payload, status } = await scale({ ...horizontal, ...even });
    expect(status).to.equal(200);
    expect(payload)
      .to.deep.include({ ...horizontal, replicaMemoryGb: 16 })
      .and.not.have.property("numReplicas");
    expect((await scale({ idleScaling: false })).payload).to.include({ ...horizontal, idleScaling: false });
    expect((await scale({ autoscalingMode: "vertical" })).status).to.equal(400);
    expect((await scale({ numReplicas: 3 })).status).to.equal(400);
    const vertical = { autoscalingMode: "vertical", numReplicas: 4 };
    expect((await scale(vertical)).status).to.equal(200);
    expect(await get())
      .to.include(vertical)
      .and.not.have.any.keys("minReplicas", "maxReplicas");
  });

  it("PATCH of the scaling with equal minReplicas and maxReplicas sets that number of replicas", async () => {
    await scale({ minReplicas: 5, maxReplicas: 5 });
    expect(await get()).to.include({ autoscalingMode: "vertical", numReplicas: 5 });
  });

  const refused = {
    "only one end of the replica range": { ...horizontal, ...even, maxReplicas: undefined },
    "a range that ends before it begins": { ...horizontal, ...even, maxReplicas: 1 },
    "a replica range together with numReplicas": { numReplicas: 3, minReplicas: 3, maxReplicas: 3 },
    "a range in vertical mode": { minReplicas: 2, maxReplicas: 3 },
    "horizontal mode without a range": { autoscalingMode: "horizontal", ...even },
    "horizontal mode with a number": { autoscalingMode: "horizontal", ...even, numReplicas: 2 },
    "horizontal mode with two replica sizes": horizontal,
    "an unknown mode": { autoscalingMode: "diagonal" },
    "a minimum memory above the maximum": { minReplicaMemoryGb: 32 },
    "a total memory in place of a memory per replica": { minTotalMemoryGb: 24 },
  };
  for (const [title, change] of Object.entries(refused))
    it(`PATCH of the scaling refuses ${title} and changes nothing`, async () => {
      const before = await get();
      expect((await scale(change)).status).to.equal(400);
      expect(await get()).to.deep.equal(before);
    });

  it("PATCH of the scaling refuses horizontal scaling and more than 120 GB for an unpaid organization", async () => {
    client.sandbox.store.organization.paid = false;
    expect((await scale({ ...horizontal, ...even })).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 124 })).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 120 })).status).to.equal(200);
  });

  for (const path of ["/dashboards", "/alerts", "/sources", "/webhooks"])
    it(`the dialect clickhouse has the route …/clickstack${path}, and not …/stack${path}`, async () => {
      expect((await client.service("GET", `/clickstack${path}`)).status).to.equal(200);
      const missing = await client.service("GET", `/stack${path}`);
      expect(missing).to.include({ status: 404, type: "text/html; charset=utf-8" });
    });

  for (const path of ["pipes", "pipesReversePrivateEndpoints"])
    it(`the dialect clickhouse has no route GET …/${path}`, async () => {
      expect((await client.service("GET", `/${path}`)).type).to.equal("text/html; charset=utf-8");
    });
});
