import { expect } from "chai";
import { Client } from "./requests";

describe("sandbox: service scaling", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  it("GET …/services/{serviceId} answers all members of a service", async () => {
    const { status, body } = await client.service("GET", "");
    expect(status).to.equal(200);
    expect(body.result).to.have.all.keys(
      ...["id", "name", "engineVersion", "endpoints", "minTotalMemoryGb", "maxTotalMemoryGb"],
      ...["minReplicaMemoryGb", "maxReplicaMemoryGb", "numReplicas", "idleScaling", "idleTimeoutMinutes"],
      ...["ipAccessList", "createdAt", "encryptionKey", "encryptionAssumedRoleIdentifier", "iamRole"],
      ...["privateEndpointIds", "availablePrivateEndpointIds", "dataWarehouseId", "isPrimary", "isReadonly"],
      ...["byocId", "hasTransparentDataEncryption", "transparentDataEncryptionKeyId", "encryptionRoleId"],
    );
    expect(body.result).to.include({ isPrimary: true, numReplicas: 3, idleScaling: true });
    expect(body.result.encryptionKey).to.match(/^sandbox-only/);
  });

  const valid = {
    minTotalMemoryGb: 48,
    maxTotalMemoryGb: 96,
    numReplicas: 4,
    idleScaling: false,
    idleTimeoutMinutes: 5,
  };

  it("PATCH …/scaling answers the service with the new values and keeps the others", async () => {
    const { status, body } = await client.service("PATCH", "/scaling", valid);
    expect(status).to.equal(200);
    expect(body.result).to.include({
      ...valid,
      name: "warehouse",
      minReplicaMemoryGb: 16,
      maxReplicaMemoryGb: 32,
    });
    await client.service("PATCH", "/scaling", { numReplicas: 5 });
    expect((await client.service("GET", "")).body.result).to.include({ ...valid, numReplicas: 5 });
  });

  const refused: [string, object][] = [
    ["numReplicas 0", { numReplicas: 0 }],
    ["numReplicas 21", { numReplicas: 21 }],
    ["numReplicas 2.5", { numReplicas: 2.5 }],
    ['numReplicas "3"', { numReplicas: "3" }],
    ["numReplicas 1 of the first service in a warehouse", { numReplicas: 1 }],
    ["idleTimeoutMinutes 4", { idleTimeoutMinutes: 4 }],
    ["idleScaling null", { idleScaling: null }],
    ["minTotalMemoryGb 12", { minTotalMemoryGb: 12 }],
    ["minTotalMemoryGb 50", { minTotalMemoryGb: 50 }],
    ["maxTotalMemoryGb 1080", { maxTotalMemoryGb: 1080 }],
    ["minTotalMemoryGb above maxTotalMemoryGb", { minTotalMemoryGb: 96, maxTotalMemoryGb: 48 }],
    ["an unknown member", { replicas: 3 }],
  ];
  for (const [what, mutation] of refused) {
    it(`PATCH …/scaling with ${what} is refused with 400 and changes nothing`, async () => {
      const { status, body } = await client.service("PATCH", "/scaling", { ...valid, ...mutation });
      expect(status).to.equal(400);
      expect(body.error).to.match(/^BAD_REQUEST: /);
      expect((await client.service("GET", "")).body.result).to.include({
        numReplicas: 3,
        idleTimeoutMinutes: 15,
      });
    });
  }

  it("PATCH …/scaling with numReplicas 1 is accepted for a service created in an existing warehouse", async () => {
    expect((await client.secondService("PATCH", "/scaling", { numReplicas: 1 })).status).to.equal(200);
  });

  it("PATCH …/scaling with maxTotalMemoryGb 1068 is refused for an organization that does not pay", async () => {
    const patch = () => client.service("PATCH", "/scaling", { maxTotalMemoryGb: 1068 });
    client.sandbox.store.organization.paid = false;
    expect((await patch()).status).to.equal(400);
    client.sandbox.store.organization.paid = true;
    expect((await patch()).status).to.equal(200);
  });

  it("PATCH …/replicaScaling changes the memory of a replica", async () => {
    const change = { numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 356 };
    const { status, body } = await client.service("PATCH", "/replicaScaling", change);
    expect(status).to.equal(200);
    expect(body.result).to.include({ ...change, minTotalMemoryGb: 36, maxTotalMemoryGb: 1068 });
  });

  for (const [what, mutation] of [
    ["minReplicaMemoryGb 4", { minReplicaMemoryGb: 4 }],
    ["minReplicaMemoryGb 10", { minReplicaMemoryGb: 10 }],
    ["maxReplicaMemoryGb 360", { maxReplicaMemoryGb: 360 }],
    ["minTotalMemoryGb", { minTotalMemoryGb: 24 }],
  ] as const) {
    it(`PATCH …/replicaScaling with ${what} is refused with 400`, async () => {
      expect((await client.service("PATCH", "/replicaScaling", mutation)).status).to.equal(400);
    });
  }
});
