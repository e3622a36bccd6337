import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import { declarationOf } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import { failureOf } from "../api/failure";
import { lake, organizationId, secondServiceId, serviceId, useServices } from "./serviceSteps";

const { Service: resource } = resources;

describe("Adopted services, and services with objects of their own", () => {
  const { service, model, open, stored, counts, created, create, make } = useServices();

  describe("The adoption of a service", () => {
    it("an adopted service gets the declared values without a known password", async () => {
      const { session, warnings } = open();
      const inputs = { ...lake, region: "eu-central-1", adoptId: serviceId };
      const { id, state } = await resource.create(inputs, session);
      expect(id).to.equal(serviceId);
      expect(stored(id)).to.include({ name: "lake" });
      expect(state).to.not.have.property("generatedPassword");
      expect(warnings.join()).to.match(/the password of service \S+ is not known/);
      expect(stored(id).ipAccessList).to.have.length(2);
      expect(counts()).to.not.have.property("createService");
    });

    it("the adoption of a service id that never existed says so, although the product calls the id invalid", async () => {
      const adoptId = "9c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";
      expect((await failureOf(create(open().session, { adoptId }))).message).to.equal(
        `adoptId: organization ${organizationId} has no service ${adoptId}`,
      );
      expect(created()).to.have.length(0);
    });

    it("the adoption of a service waits while the service is provisioned", async () => {
      await model.advance(Date.now());
      const { session } = open();
      service.gateway = async (operation, carryOut) => {
        const answer = await carryOut();
        if (operation === "createService") setTimeout(() => session.interruption.cancel(), 20_000);
        return answer;
      };
      const { id } = await create(session);
      const second = open();
      const adopted = await resource.create({ ...lake, adoptId: id }, second.session);
      expect(adopted.failure).to.equal(undefined);
      expect(adopted.state).to.include({ state: "running" });
      expect(second.notices).to.include(`service ${id} is running`);
    });

    it("an import declares dataWarehouseId only for services other than the first of a warehouse", async () => {
      const of = async (id: string) => {
        const read = await resource.read(id, { organizationId }, open().session);
        if (typeof read === "string") throw new Error(read);
        return declarationOf(resource, read.inputs, read.state);
      };
      expect(await of(serviceId)).to.not.have.property("dataWarehouseId");
      expect(await of(secondServiceId)).to.have.property("dataWarehouseId");
    });
  });

  describe("A service and its ServiceScaling", () => {
    const { ServiceScaling } = resources;
    const scaling = (id: string, changed: object = {}) => ({
      ...{ organizationId, serviceId: id, numReplicas: 4, ...changed },
    });

    it("the check refuses a property that both the Service and its ServiceScaling declare", async () => {
      const { session } = open();
      await resource.check({}, { ...lake, numReplicas: 3 }, session);
      const { id } = await create(session, { numReplicas: 3 });
      const { failures } = await ServiceScaling.check({}, scaling(id), session);
      expect(failures).to.deep.equal([
        { path: "numReplicas", message: "is declared by the Service, too; declare it in one of the two" },
      ]);
      const other = await ServiceScaling.check(
        {},
        scaling(id, { numReplicas: undefined, idleScaling: true }),
        session,
      );
      expect(other.failures).to.deep.equal([]);
    });

    it("the diff of a Service refuses a property of its ServiceScaling if that was checked first", async () => {
      const { id, state } = await make({ numReplicas: 3 });
      const { session } = open();
      // The refresh before an update gets the former program, which the provider must not take for the declared one.
      await resource.diff(id, state, { ...lake, numReplicas: 3 }, session);
      expect((await ServiceScaling.check({}, scaling(id), session)).failures).to.deep.equal([]);
      const declared = { ...lake, numReplicas: 3 };
      expect((await failureOf(resource.diff(id, state, declared, session))).message).to.match(
        /^numReplicas is declared by a ServiceScaling of service /,
      );
      expect(await resource.diff(id, state, lake, session)).to.have.length(1);
    });

    it("a deleted ServiceScaling does not restore a mode on which the Service depends", async () => {
      const { id, state } = await make();
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
      const varying = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5, ...memory };
      const restoring = { organizationId, serviceId: id, ...varying, onDestroy: "restore" };
      const { state: scaled } = await ServiceScaling.create(restoring, open().session);
      const { session } = open();
      const next = { ...lake, ...varying, maxReplicas: 6 };
      await resource.check(lake, next, session);
      await resource.diff(id, state, next, session);
      await resource.update(id, state, next, session);
      await deleteUnlessDeclared(ServiceScaling, id, scaled, session, false);
      expect(stored(id)).to.include({ ...varying, maxReplicas: 6 });
    });

    it("a deleted ServiceScaling restores its mode beside other members of the Service", async () => {
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 };
      const { id, state } = await make(memory);
      const varying = { autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5 };
      const restoring = { organizationId, serviceId: id, ...varying, onDestroy: "restore" };
      const { state: scaled } = await ServiceScaling.create(restoring, open().session);
      const { session } = open();
      await resource.check({ ...lake, ...memory }, { ...lake, ...memory }, session);
      await resource.diff(id, state, { ...lake, ...memory }, session);
      await deleteUnlessDeclared(ServiceScaling, id, scaled, session, false);
      expect(stored(id)).to.include({ ...memory, numReplicas: 3 });
      expect(stored(id).autoscalingMode).to.not.equal("horizontal");
    });

    it("a deleted ServiceScaling restores the memory of replicas with their mode", async () => {
      const { id } = await make();
      const before = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16, autoscalingMode: "horizontal" };
      Object.assign(stored(id), { ...before, minReplicas: 2, maxReplicas: 5 });
      const first = { autoscalingMode: "vertical", numReplicas: 3 };
      const place = { organizationId, serviceId: id, onDestroy: "restore" };
      const wide = { ...place, ...first, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 };
      const { state } = await ServiceScaling.create(wide, open().session);
      const narrow = await ServiceScaling.update(id, state, { ...place, ...first }, open().session);
      await deleteUnlessDeclared(ServiceScaling, id, narrow, open().session, false);
      expect(stored(id)).to.include({ ...before, minReplicas: 2, maxReplicas: 5 });
    });

    it("the check of a ServiceScaling warns if a Service without a known id declares the same property", async () => {
      const { session } = open();
      await resource.check({}, { ...lake, numReplicas: 3 }, session);
      const { warnings } = await ServiceScaling.check({}, scaling(unknown as never), session);
      expect(warnings.join()).to.match(/a Service of the program declares numReplicas, too/);
    });
  });

  describe("The objects that belong to a service", () => {
    const child = { organizationId, roles: ["sql_console_admin"], openApiKeys: [] };

    it("an object of a service that is gone counts as gone in a refresh and a deletion", async () => {
      const { id, state } = await make();
      const { QueryEndpoint, SavedQuery } = resources;
      const endpoint = await QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      const query = await SavedQuery.create(
        { organizationId, serviceId: id, name: "a", sql: "SELECT 1", database: "default" },
        open().session,
      );
      const settings = await resources.ServiceSettings.create(
        { organizationId, serviceId: id, settings: { async_insert: 1 } },
        open().session,
      );
      await resource.delete(id, state, open().session);
      service.time.pass(200_000);
      for (const [type, made] of [
        [resources.ServiceSettings, settings],
        [QueryEndpoint, endpoint],
        [SavedQuery, query],
      ] as const) {
        expect(await type.read(made.id, made.state, open().session)).to.equal("gone");
        await deleteUnlessDeclared(type, made.id, made.state, open().session, false);
      }
    });

    it("if an object cannot be created since its service is still provisioned, the next update creates it", async () => {
      const { id } = await make();
      Object.assign(stored(id), { state: "provisioning" });
      const { QueryEndpoint } = resources;
      const early = { ...child, serviceId: id };
      const { state, failure } = await QueryEndpoint.create(early, open().session);
      expect(failure?.message).to.match(/Internal error.*the next update repeats it/);
      Object.assign(stored(id), { state: "running" });
      await QueryEndpoint.update(id, state, early, open().session);
      expect(model.store.queryEndpointOf(id)?.roles).to.deep.equal(early.roles);
    });

    it("a new object is not taken for gone with its service", async () => {
      const { id, state } = await make();
      const made = await resources.QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      await resource.delete(id, state, open().session);
      const young = { ...made.state, createdAt: new Date().toISOString() };
      expect(
        (await failureOf(resources.QueryEndpoint.read(made.id, young, open().session))).message,
      ).to.match(/service not found/);
    });

    it('the answer "service not found" makes no object gone while the list shows the service', async () => {
      const { id } = await make();
      const endpoint = await resources.QueryEndpoint.create({ ...child, serviceId: id }, open().session);
      service.gateway = (operation, carryOut) =>
        operation === "getQueryEndpoint"
          ? { status: 404, body: { status: 404, error: "NOT_FOUND: service not found", requestId: "r" } }
          : carryOut();
      const read = resources.QueryEndpoint.read(endpoint.id, endpoint.state, open().session);
      expect((await failureOf(read)).message).to.match(/service not found/);
    });
  });
});
