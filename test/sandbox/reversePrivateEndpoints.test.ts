import { expect } from "chai";
import { judge } from "../productJudge";
import { type Answer, unknownUuid, useSandbox } from "./requests";

const path = "/clickpipesReversePrivateEndpoints";
const database = {
  description: "orders",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "vpce-svc-1",
};
const lake = {
  ...{ description: "lake", type: "VPC_RESOURCE" },
  ...{ vpcResourceConfigurationId: "rcfg-1", vpcResourceShareArn: "arn:aws:ram:share" },
};

describe("Reverse private endpoints in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const post = (body: object) => client.service("POST", path, body);
  const get = (id: string) => client.service("GET", `${path}/${id}`);
  const pass = (seconds: number) => client.sandbox.pass(seconds * 1000);
  const settled = async (made: Answer) => {
    pass(60);
    return (await get(made.payload.id)).payload;
  };

  it("a new reverse private endpoint has no endpointId until it waits for acceptance", async () => {
    const made = await post(database);
    expect(made.payload).to.include({ status: "Provisioning", endpointId: "" });
    expect(judge.answerFailure("management", "createReversePrivateEndpoint", made.payload)).to.equal(
      undefined,
    );
    const pending = await settled(made);
    expect(pending.status).to.equal("PendingAcceptance");
    expect(pending.endpointId).to.match(/^vpce-/);
    const ready = await settled(await post(lake));
    expect(ready.status).to.equal("Ready");
    expect(ready.dnsTargets[0]).to.include({ id: "rcfg-1" });
    expect(judge.answerFailure("management", "getReversePrivateEndpoint", ready)).to.equal(undefined);
  });

  const named = { ...database, customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }] };
  const patch = (id: string, customPrivateDnsMappings: object[]) =>
    client.service("PATCH", `${path}/${id}`, { customPrivateDnsMappings });

  it("the private DNS name of a reverse private endpoint must be unique in a service", async () => {
    await post(named);
    const other = await post({ ...lake, customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }] });
    expect([other.status, other.reason]).to.deep.equal([
      409,
      "CONFLICT: privateDnsName a.example.com already exists in the service",
    ]);
  });

  it("PATCH of a reverse private endpoint changes its private DNS names", async () => {
    const { payload } = await post(named);
    const changed = await patch(payload.id, [{ privateDnsName: "b.example.com" }]);
    expect(changed.payload.customPrivateDnsMappings).to.deep.equal([{ privateDnsName: "b.example.com" }]);
    expect((await patch(payload.id, [])).payload.customPrivateDnsMappings).to.deep.equal([]);
  });

  it("PATCH refuses a target for a private DNS name outside the type VPC_RESOURCE", async () => {
    const { payload } = await post(named);
    const targeted = { privateDnsName: "b.example.com", targetId: "rcfg-1" };
    expect((await patch(payload.id, [targeted])).status).to.equal(400);
  });

  it("POST refuses a reverse private endpoint without the properties that its type requires", async () => {
    const { vpcResourceShareArn: _, ...lacking } = lake;
    const refused = await post(lacking);
    expect([refused.status, refused.reason]).to.deep.equal([
      400,
      "BAD_REQUEST: vpcResourceShareArn is required for type VPC_RESOURCE",
    ]);
    expect((await post({ ...database, description: "x".repeat(256) })).status).to.equal(400);
    expect((await post({ ...database, type: "OTHER" })).status).to.equal(400);
  });

  it("a deleted reverse private endpoint is shown as Deleting for two minutes before it is gone", async () => {
    const { payload } = await post(database);
    const remove = () => client.service("DELETE", `${path}/${payload.id}`);
    expect((await remove()).status).to.equal(200);
    expect((await remove()).status).to.equal(200);
    expect((await get(payload.id)).payload.status).to.equal("Deleting");
    pass(120);
    expect((await get(payload.id)).status).to.equal(404);
    expect((await get(unknownUuid)).status).to.equal(404);
    expect((await client.secondService("GET", path)).payload).to.deep.equal([]);
  });
});
