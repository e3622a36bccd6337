import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";

const { organizationId, serviceId } = seededCredentials;

describe("A private endpoint that the program writes in another case than the service", () => {
  const service = useService({ dialect: "clickhouse" });
  const { PrivateEndpoint: resource } = resources;
  const endpointId = "vpce-0office";
  const inOtherCase = "VPCE-0office";
  const program = { organizationId, serviceId, endpointId, unregister: true };
  const session = () => service.open({ dialect: "clickhouse" }).session;
  const attached = () => service.model.store.services.get(serviceId)?.privateEndpointIds;
  const registered = () => (service.model.store.organization.privateEndpoints ?? []).map(({ id }) => id);

  it("is not attached a second time by an update", async () => {
    const { id, state } = await resource.create(program, session());
    const changed = { ...program, endpointId: inOtherCase, description: "lab" };
    await resource.update(id, state, changed, session());
    expect(service.bodiesOf("createPrivateEndpoint").at(-1)).to.deep.equal({
      id: endpointId,
      description: "lab",
    });
    expect(attached()).to.deep.equal([endpointId]);
    expect(registered()).to.deep.equal([endpointId]);
  });

  it("is not attached a second time by a create, and goes with its resource", async () => {
    await resource.create(program, session());
    const { id, state } = await resource.create({ ...program, endpointId: inOtherCase }, session());
    expect(attached()).to.deep.equal([endpointId]);
    await resource.delete(id, state, session());
    expect([attached(), registered()]).to.deep.equal([[], []]);
  });
});
