import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const office = { organizationId, serviceId, endpointId: "vpce-0office", description: "office" };
const officeId = `${serviceId}:vpce-0office`;

describe("Private endpoints of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const { PrivateEndpoint: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const attached = (id = serviceId) => service.model.store.services.get(id)?.privateEndpointIds;
  const registered = () => service.model.store.organization.privateEndpoints ?? [];
  const attach = (id: string, ...endpointIds: string[]) =>
    Object.assign(service.model.store.services.get(id) ?? {}, { privateEndpointIds: endpointIds });
  const create = (changed: object = {}, session = open().session) =>
    resource.create({ ...office, ...changed }, session);
  const bodies = () =>
    service.model.journal.entries.flatMap(({ requestBody }) =>
      requestBody === undefined ? [] : [requestBody],
    );

  it("a private endpoint is attached beside the endpoints of others", async () => {
    attach(serviceId, "vpce-9", "vpce-1");
    const { id, state, failure } = await create();
    expect([id, failure]).to.deep.equal([officeId, undefined]);
    expect(bodies()).to.deep.equal([{ id: "vpce-0office", description: "office" }]);
    expect(state).to.include({ cloudProvider: "aws", region: "eu-central-1" });
  });

  it("a refresh reads all private endpoints from one list of services", async () => {
    const ofOffice = await create();
    attach(serviceId, "vpce-0office", "vpce-1", "vpce-9");
    const lab = await create({ endpointId: "vpce-0lab" });
    service.requests.length = 0;
    const { session } = open();
    for (const made of [ofOffice, lab])
      expect(await resource.read(made.id, made.state, session)).to.have.nested.property(
        "inputs.description",
        "office",
      );
    expect(service.requests).to.deep.equal(["listServices"]);
  });

  it("a detached private endpoint counts as gone once it is older than the lag of reads", async () => {
    const { id, state } = await create();
    attach(serviceId);
    expect(await resource.read(id, state, open().session)).to.equal("unseen");
    service.time.pass(200_000);
    expect(await resource.read(id, state, open().session)).to.equal("gone");
  });

  it("a create attaches a private endpoint again that somebody has detached", async () => {
    await create();
    attach(serviceId);
    service.time.pass(200_000);
    await create();
    expect(attached()).to.deep.equal(["vpce-0office"]);
  });

  it("the error of a failed attachment names the listed endpoints that no service has", async () => {
    const former = await create({ endpointId: "vpce-former" });
    await resource.delete(former.id, former.state, open().session);
    await create({ endpointId: "vpce-attached" });
    registered().push({ id: "vpce-elsewhere", cloudProvider: "gcp", region: "europe-west4" });
    service.fault({ kind: "500", operation: "createPrivateEndpoint" });
    const { message } = await failureOf(create());
    expect(message)
      .to.include("the organization may still list vpce-former, which no service has")
      .and.include("unregister: true")
      .and.include("answered 500");
    service.gateway = (operation, carryOut) => {
      if (operation === "getOrganization") throw new Error("The test refuses to show the organization.");
      return carryOut();
    };
    expect((await failureOf(create())).message).to.include("the organization may still list an earlier one");
    service.gateway = undefined;
    service.fault();
    await create();
    expect(attached()).to.deep.equal(["vpce-attached", "vpce-0office"]);
  });

  it("a private endpoint that is destroyed stays registered with the organization", async () => {
    attach(serviceId, "vpce-9");
    const { id, state } = await create();
    await resource.delete(id, state, open().session);
    expect(bodies().at(-1)).to.deep.equal({ privateEndpointIds: { remove: ["vpce-0office"] } });
    expect(attached()).to.deep.equal(["vpce-9"]);
    expect(registered().map((endpoint) => endpoint.id)).to.deep.equal(["vpce-0office"]);
  });

  it("unregister removes a private endpoint from the organization once no other service has it", async () => {
    const both = { unregister: true };
    const first = await create(both);
    const second = await create({ ...both, serviceId: secondServiceId });
    const { session, warnings } = open();
    await resource.delete(first.id, first.state, session);
    expect(warnings.join()).to.match(
      new RegExp(`vpce-0office stays registered .* since service ${secondServiceId} has it`),
    );
    expect([attached(), attached(secondServiceId)]).to.deep.equal([[], ["vpce-0office"]]);
    expect(registered()).to.have.length(1);
    await resource.delete(second.id, second.state, open().session);
    expect(registered()).to.deep.equal([]);
    expect(bodies().at(-1)).to.deep.equal({
      privateEndpoints: { remove: [{ id: "vpce-0office", cloudProvider: "aws", region: "eu-central-1" }] },
    });
  });

  it("unregister removes a private endpoint although the list of services still shows it attached", async () => {
    const { id, state } = await create({ unregister: true });
    service.gateway = async (operation, carryOut) => {
      if (operation !== "listServices") return carryOut();
      attach(serviceId, "vpce-0office");
      const answer = await carryOut();
      attach(serviceId);
      return answer;
    };
    await resource.delete(id, state, open().session);
    expect([attached(), registered()]).to.deep.equal([[], []]);
  });

  it("the deletion of a private endpoint fails if the API denies that an existing service exists", async () => {
    const { id, state } = await create();
    service.time.pass(200_000);
    service.gateway = (operation, carryOut) =>
      operation === "updateService"
        ? { status: 404, body: { status: 404, error: "NOT_FOUND: service not found", requestId: "r" } }
        : carryOut();
    const deletion = deleteUnlessDeclared(resource, id, state, open().session, false);
    expect((await failureOf(deletion)).message).to.match(/updateService/);
    expect(attached()).to.deep.equal(["vpce-0office"]);
  });

  describe("with an id of Azure, in which the case of letters does not count", () => {
    const endpointId = "/subscriptions/0000/resourceGroups/Office/privateEndpoints/PE";

    it("a private endpoint has not drifted in another case", async () => {
      const { id, state } = await create({ endpointId });
      attach(serviceId, endpointId.toLowerCase());
      const live = await resource.read(id, state, open().session);
      expect(live).to.have.nested.property("inputs.endpointId", endpointId);
    });

    it("a private endpoint that another service has in another case stays registered", async () => {
      const { id, state } = await create({ endpointId, unregister: true });
      attach(secondServiceId, endpointId.toLowerCase());
      const { session, warnings } = open();
      await resource.delete(id, state, session);
      expect(warnings.join()).to.match(/stays registered/);
      expect(registered()).to.have.length(1);
    });
  });

  it("destroying a private endpoint with unregister removes it after its service is gone", async () => {
    const made = await create({ unregister: true, serviceId: secondServiceId });
    service.time.pass(200_000);
    service.model.store.services.delete(secondServiceId);
    service.model.store.organization.deletedServiceIds = [secondServiceId];
    expect(await resource.read(made.id, made.state, open().session)).to.equal("gone");
    await deleteUnlessDeclared(resource, made.id, made.state, open().session, false);
    expect(registered()).to.deep.equal([]);
  });

  it("a create takes over a private endpoint that is already attached, with a notice", async () => {
    attach(serviceId, "vpce-0office");
    const { session, warnings } = open();
    expect((await create({}, session)).id).to.equal(officeId);
    expect(warnings.join()).to.match(/already has private endpoint vpce-0office; the resource adopts it/);
    expect(attached()).to.deep.equal(["vpce-0office"]);
  });

  it("a create of a private endpoint succeeds when the engine replaces a resource by one with the same id", async () => {
    const { id, state } = await create();
    const { session } = open();
    await resource.diff(id, state, { ...office, description: "again" }, session);
    expect((await create({ description: "again" }, session)).id).to.equal(id);
    expect(attached()).to.deep.equal(["vpce-0office"]);
  });

  describe("that the program writes in another case than the service", () => {
    const inOtherCase = { endpointId: "VPCE-0office", unregister: true };
    const idsOfRegistered = () => registered().map(({ id }) => id);

    it("is not attached a second time by an update", async () => {
      const { id, state } = await create({ unregister: true });
      await resource.update(id, state, { ...office, ...inOtherCase, description: "lab" }, open().session);
      expect(service.bodiesOf("createPrivateEndpoint").at(-1)).to.deep.equal({
        ...{ id: office.endpointId, description: "lab" },
      });
      expect(attached()).to.deep.equal([office.endpointId]);
      expect(idsOfRegistered()).to.deep.equal([office.endpointId]);
    });

    it("is not attached a second time by a create, and goes with its resource", async () => {
      await create({ unregister: true });
      const { id, state } = await create(inOtherCase);
      expect(attached()).to.deep.equal([office.endpointId]);
      await resource.delete(id, state, open().session);
      expect([attached(), idsOfRegistered()]).to.deep.equal([[], []]);
    });
  });

  it("a private endpoint is attached only once although the answer is lost", async () => {
    await service.fault({ operation: "createPrivateEndpoint", kind: "reset", when: "after", nth: 1 });
    const { failure } = await create();
    expect(failure).to.equal(undefined);
    expect(attached()).to.deep.equal(["vpce-0office"]);
  });

  it("pulumi import says which form the id of a private endpoint has", async () => {
    expect((await failureOf(resource.read("vpce-0office", {}, open().session))).message).to.match(
      /id of the service, a colon, and the id of the endpoint/,
    );
  });

  itKeeps({ type: "PrivateEndpoint", valid: office }, [
    [{ endpointId: "vpce 1" }, "endpointId must be an id without blanks"],
  ]);
});
