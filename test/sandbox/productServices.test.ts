import { expect } from "chai";
import { useProduct } from "./product";

describe("services of the product", () => {
  const product = useProduct();
  const get = async () => (await product.client.service("GET", "")).body.result;
  const scale = (body: object) => product.client.service("PATCH", "/replicaScaling", body);

  it("have the members of its document", async () => {
    const service = await get();
    expect(service).to.deep.include({
      provider: "aws",
      region: "eu-central-1",
      state: "running",
      autoscalingMode: "vertical",
      numReplicas: 3,
      tags: [{ key: "environment", value: "sandbox" }],
      currentScaling: {
        effectiveAutoscalingMode: "vertical",
        effectiveMinReplicaMemoryGb: 8,
        effectiveMaxReplicaMemoryGb: 16,
        effectiveMinReplicas: 3,
        effectiveMaxReplicas: 3,
        effectiveIdleScaling: true,
        effectiveIdleTimeoutMinutes: 15,
      },
    });
    expect(service).to.not.have.any.keys("minReplicas", "maxReplicas", "replicaMemoryGb");
  });

  it("are listed, each as it is read", async () => {
    const { body } = await product.client.organizationRequest("GET", "/services");
    expect(body.result).to.have.length(2);
    expect(body.result[0]).to.deep.equal(await get());
  });

  it("can scale between two numbers of replicas of one size, and back", async () => {
    const horizontal = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 6 };
    const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
    const { body, status } = await scale({ ...horizontal, ...memory });
    expect(status).to.equal(200);
    expect(body.result).to.deep.include({ ...horizontal, replicaMemoryGb: 16 });
    expect(body.result).to.not.have.property("numReplicas");
    expect((await scale({ idleScaling: false })).body.result).to.include({
      ...horizontal,
      idleScaling: false,
    });
    expect((await scale({ autoscalingMode: "vertical", numReplicas: 4 })).status).to.equal(200);
    expect(await get())
      .to.include({ autoscalingMode: "vertical", numReplicas: 4 })
      .and.not.have.any.keys("minReplicas", "maxReplicas");
  });

  it("take a range of one number for that number", async () => {
    await scale({ minReplicas: 5, maxReplicas: 5 });
    expect(await get()).to.include({ autoscalingMode: "vertical", numReplicas: 5 });
  });

  const even = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
  const refused: [string, object][] = [
    ["one end of the range", { autoscalingMode: "horizontal", ...even, minReplicas: 2 }],
    [
      "a range that ends before it begins",
      { autoscalingMode: "horizontal", ...even, minReplicas: 3, maxReplicas: 2 },
    ],
    ["a range beside a number", { numReplicas: 3, minReplicas: 3, maxReplicas: 3 }],
    ["a range in vertical mode", { minReplicas: 2, maxReplicas: 3 }],
    ["horizontal mode without a range", { autoscalingMode: "horizontal", ...even }],
    ["horizontal mode with a number", { autoscalingMode: "horizontal", ...even, numReplicas: 2 }],
    ["replicas of two sizes", { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 3 }],
    ["an unknown mode", { autoscalingMode: "diagonal" }],
    ["more memory at least than at most", { minReplicaMemoryGb: 32 }],
  ];
  for (const [what, change] of refused) {
    it(`are not scaled to ${what}`, async () => {
      const before = await get();
      expect((await scale(change)).status).to.equal(400);
      expect(await get()).to.deep.equal(before);
    });
  }

  it("do not scale horizontally, or beyond 120 GB, for an organization that does not pay", async () => {
    const { organization } = product.client.sandbox.store;
    organization.paid = false;
    const horizontal = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 3, ...even };
    expect((await scale(horizontal)).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 124 })).status).to.equal(400);
    expect((await scale({ maxReplicaMemoryGb: 120 })).status).to.equal(200);
  });

  it("need a number to scale vertically again", async () => {
    await scale({ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 3, ...even });
    expect((await scale({ autoscalingMode: "vertical" })).status).to.equal(400);
    expect((await scale({ numReplicas: 3 })).status).to.equal(400);
  });

  it("refuse the total memory there", async () => {
    const { status, body } = await scale({ minTotalMemoryGb: 24 });
    expect([status, body.error]).to.deep.equal([
      400,
      "BAD_REQUEST: request body property can't be validated: minTotalMemoryGb",
    ]);
  });
});

describe("keys of the product", () => {
  const product = useProduct();
  const create = async (body: object) => {
    const answer = await product.client.organizationRequest("POST", "/keys", body);
    return { ...answer, key: answer.body.result?.key };
  };
  const patch = (id: string, body: object) =>
    product.client.organizationRequest("PATCH", `/keys/${id}`, body);
  const roleIds = async () => {
    const { body } = await product.client.organizationRequest("GET", "/roles");
    return new Map<string, string>(
      body.result.map(({ id, name }: { id: string; name: string }) => [name, id]),
    );
  };

  it("have the roles of the system that were named, and say when they do not expire", async () => {
    const ids = await roleIds();
    const { key } = await create({ name: "ci", roles: ["developer"] });
    expect(key).to.deep.include({
      roles: ["developer"],
      assignedRoles: [{ roleId: ids.get("developer"), roleName: "developer", roleType: "system" }],
      expireAt: null,
    });
  });

  it("have roles of the organization, and need neither kind", async () => {
    const ids = await roleIds();
    const { key } = await create({ name: "ci", assignedRoleIds: [ids.get("Dashboards")] });
    expect(key.assignedRoles).to.deep.equal([
      { roleId: ids.get("Dashboards"), roleName: "Dashboards", roleType: "custom" },
    ]);
    expect(key.roles).to.deep.equal([]);
    expect((await create({ name: "none" })).status).to.equal(200);
    expect((await create({ assignedRoleIds: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"] })).status).to.equal(
      400,
    );
  });

  it("keep their old roles when roles of the organization take their place, and all that is not sent", async () => {
    const ids = await roleIds();
    const { key } = await create({ name: "ci", roles: ["admin"], expireAt: "2099-01-01T00:00:00Z" });
    const custom = (await patch(key.id, { assignedRoleIds: [ids.get("Dashboards")] })).body.result;
    expect(custom).to.deep.include({ name: "ci", roles: ["admin"], expireAt: key.expireAt });
    expect(custom.assignedRoles).to.have.length(1).and.have.deep.nested.property("[0].roleType", "custom");
    const renamed = (await patch(key.id, { name: "other" })).body.result;
    expect(renamed).to.deep.equal({ ...custom, name: "other" });
  });
});
