import { expect } from "chai";
import { judge } from "../productJudge";
import { useSandbox } from "./requests";

describe("Private endpoints in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const attach = (id: string, further: object = {}) =>
    client.service("POST", "/privateEndpoint", { id, ...further });
  const service = async () => (await client.service("GET", "")).payload;
  const organization = async () => (await client.organization("GET", "")).payload;

  it("POST registers a private endpoint with the organization and attaches it to the service, with any id", async () => {
    const { status, payload } = await attach("vpce-2", { description: "office" });
    expect(status).to.equal(200);
    expect(judge.answerFailure("management", "createPrivateEndpoint", payload)).to.equal(undefined);
    const endpoint = { id: "vpce-2", description: "office", cloudProvider: "aws", region: "eu-central-1" };
    expect(payload).to.deep.equal(endpoint);
    await attach("no endpoint of anybody");
    expect((await service()).privateEndpointIds).to.deep.equal(["vpce-2", "no endpoint of anybody"]);
    expect((await organization()).privateEndpoints[0]).to.deep.equal(endpoint);
    const { payload: second } = await client.secondService("GET", "");
    expect(second.availablePrivateEndpointIds).to.include("vpce-2");
    expect(second.privateEndpointIds).to.deep.equal([]);
  });

  it("attaching a private endpoint again keeps its position, and changes its description", async () => {
    for (const id of ["vpce-2", "vpce-1", "vpce-3", "vpce-2"]) await attach(id, { description: "first" });
    await attach("vpce-1", { description: "second" });
    expect((await service()).privateEndpointIds).to.deep.equal(["vpce-2", "vpce-1", "vpce-3"]);
    const { privateEndpoints } = await organization();
    expect(privateEndpoints.map(({ description }: { description: string }) => description)).to.deep.equal([
      ...["first", "second", "first"],
    ]);
  });

  it("PATCH of the service detaches a private endpoint, which stays registered with the organization", async () => {
    await attach("vpce-2");
    await client.service("PATCH", "", { privateEndpointIds: { remove: ["vpce-2", "vpce-9"] } });
    expect((await service()).privateEndpointIds).to.deep.equal([]);
    expect((await organization()).privateEndpoints).to.have.length(1);
    const { payload } = await client.organization("PATCH", "", {
      privateEndpoints: { remove: [{ id: "vpce-2", cloudProvider: "aws", region: "eu-central-1" }] },
    });
    expect(judge.answerFailure("management", "updateOrganization", payload)).to.equal(undefined);
    expect((await organization()).privateEndpoints).to.deep.equal([]);
  });

  it("GET shows a service's private endpoint configuration", async () => {
    expect((await client.service("GET", "/privateEndpointConfig")).payload).to.have.keys(
      "endpointServiceId",
      "privateDnsHostname",
    );
  });

  it("POST refuses a private endpoint without an id", async () => {
    expect((await client.service("POST", "/privateEndpoint", {})).status).to.equal(400);
  });
});
