import { expect } from "chai";
import { type Answer, useSandbox } from "./requests";

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
    const pending = await settled(made);
    expect(pending.status).to.equal("PendingAcceptance");
    expect(pending.endpointId).to.match(/^vpce-/);
    const ready = await settled(await post(lake));
    expect(ready.status).to.equal("Ready");
    expect(ready.dnsTargets[0]).to.include({ id: "rcfg-1" });
  });

  const named = { ...database, customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }] };

  const refused: readonly [title: string, body: object, status: number, reason?: string][] = [
    [
      "whose private DNS name another one of the service has",
      { ...lake, customPrivateDnsMappings: named.customPrivateDnsMappings },
      409,
      "CONFLICT: privateDnsName a.example.com already exists in the service",
    ],
    [
      "without a property that its type requires",
      { ...lake, vpcResourceShareArn: undefined },
      400,
      "BAD_REQUEST: vpcResourceShareArn is required for type VPC_RESOURCE",
    ],
  ];
  for (const [title, body, status, reason] of refused)
    it(`POST refuses a reverse private endpoint ${title}`, async () => {
      await post(named);
      const answer = await post(body);
      expect(answer.status).to.equal(status);
      if (reason) expect(answer.reason).to.equal(reason);
    });

  it("PATCH refuses a target for a private DNS name outside the type VPC_RESOURCE", async () => {
    const { payload } = await post(named);
    const customPrivateDnsMappings = [{ privateDnsName: "b.example.com", targetId: "rcfg-1" }];
    const { status } = await client.service("PATCH", `${path}/${payload.id}`, { customPrivateDnsMappings });
    expect(status).to.equal(400);
  });
});
