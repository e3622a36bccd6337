import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { basic, useSandbox } from "./requests";

const { organizationId, serviceId, keyId } = seededCredentials;

describe("The log of activities in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const list = async (query = "") => (await client.organization("GET", `/activities${query}`)).payload;
  const admin = { actorType: "api", actorId: keyId, actorDetails: "sandbox admin", organizationId };

  it("each kind of change of a service has its own activity, which names the API key", async () => {
    const change = { numReplicas: 4, minReplicaMemoryGb: 12, idleScaling: true };
    await client.service("PATCH", "/replicaScaling", change);
    const [memory, replicas, ...others] = await list();
    expect(memory).to.deep.include({ ...admin, serviceId, type: "service_update_autoscaling_memory" });
    expect(replicas).to.deep.include({ ...admin, serviceId, type: "service_update_autoscaling_replicas" });
    expect(others).to.deep.equal([]);
    expect(memory.id).to.not.equal(replicas.id);
    expect(Date.parse(memory.createdAt)).to.be.closeTo(Date.now(), 10_000);
  });

  it("each change of a property of an API key has its own activity, which names the signing key", async () => {
    const body = { name: "other", roles: ["admin"] };
    const { key, ...pair } = (await client.organization("POST", "/keys", body)).payload;
    const change = {
      name: "renamed",
      state: "disabled",
      expireAt: "2099-01-01T00:00:00Z",
      ipAccessList: [{ source: "127.0.0.1" }],
    };
    await client.organization("PATCH", `/keys/${key.id}`, { ...change, state: "enabled" });
    await client.organization("PATCH", `/keys/${key.id}`, { state: "disabled" });
    await client.organization("PATCH", `/keys/${key.id}`, { state: "enabled" });
    await client.service("PATCH", "/replicaScaling", { numReplicas: 4 });
    const signed = basic(pair.keyId, pair.keySecret);
    const [own] = [...client.sandbox.store.keys.keys()];
    await client.organization("PATCH", `/keys/${own}`, { name: "changed by the other" }, signed);
    await client.organization("DELETE", `/keys/${key.id}`);
    const updates = (await list()).filter(({ type }: { type: string }) => type === "openapi_key_update");
    const kinds = updates.map(
      ({ targetKeyId, keyUpdateType }: Record<string, string>) =>
        `${targetKeyId === key.id ? "" : "own "}${keyUpdateType}`,
    );
    const changed = ["name-changed", "date-changed", "ip-access-list-changed", "state-changed"];
    expect(kinds).to.deep.equal(["created", ...changed, "state-changed", "own name-changed", "deleted"]);
    expect(updates.at(-2)).to.include({ actorId: pair.keyId, actorDetails: "renamed" });
    expect(updates.at(-1)).to.include({ actorId: keyId, actorDetails: "changed by the other" });
  });

  it("the sandbox's log of activities names a user for a change that a person makes in the console", async () => {
    const body = JSON.stringify({ numReplicas: 5 });
    const url = `/services/${serviceId}/replicaScaling`;
    const headers = { "content-type": "application/json" };
    client.sandbox.model.change({ method: "PATCH", url, headers, body }, Date.now());
    const [activity] = await list();
    expect(activity).to.include({
      actorType: "user",
      actorDetails: "console@sandbox.example.com",
      serviceId,
    });
  });

  it("the sandbox's log of activities contains no request that was refused, ignored or without a change", async () => {
    await client.service("PATCH", "/replicaScaling", { numReplicas: 51 });
    await client.service("PATCH", "/replicaScaling", { numReplicas: 3 });
    await client.sandbox.faults.set([{ kind: "ignored", operation: "updateReplicaScaling" }]);
    await client.service("PATCH", "/replicaScaling", { numReplicas: 6 });
    expect(await list()).to.deep.equal([]);
  });
});
