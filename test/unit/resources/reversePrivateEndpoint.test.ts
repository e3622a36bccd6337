import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { type ReversePrivateEndpoint, seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { refused } from "../api/server";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";
import { absent } from "./validInputs";

const { organizationId, serviceId } = seededCredentials;
const { ReversePrivateEndpoint: resource } = resources;

const place = { organizationId, serviceId };
const database = {
  ...{ ...place, description: "orders database", type: "VPC_ENDPOINT_SERVICE" },
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-1",
};
const cluster = {
  ...{ ...place, description: "brokers", type: "MSK_MULTI_VPC", mskAuthentication: "SASL_IAM" },
  mskClusterArn: "arn:aws:kafka:eu-central-1:000000000000:cluster/brokers/1",
};
const lake = {
  ...{ ...place, description: "lake", type: "VPC_RESOURCE", vpcResourceConfigurationId: "rcfg-1" },
  vpcResourceShareArn: "arn:aws:ram:eu-central-1:000000000000:resource-share/lake",
};
const named = (...names: string[]) => ({
  customPrivateDnsMappings: names.map((privateDnsName) => ({ privateDnsName })),
});

describe("Reverse private endpoints of a service", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const { model, count } = service;
  const open = () => service.open({ dialect: "clickhouse" });
  const create = (inputs: PropertyMap, session = open().session) => resource.create(inputs, session);
  const stored = (id: string) => model.store.reversePrivateEndpoints.get(id) as ReversePrivateEndpoint;
  const created = () => [...model.store.reversePrivateEndpoints.values()].slice(2);
  const acceptAfter = (milliseconds: number) =>
    void setTimeout(() => {
      for (const endpoint of created()) endpoint.status = "Ready";
    }, milliseconds);

  it("the create of a reverse private endpoint ends by naming what its owner has to accept", async () => {
    const { session, notices } = open();
    const { id, state, failure } = await create(database, session);
    expect(failure).to.equal(undefined);
    expect(state).to.include({ status: "PendingAcceptance", endpointId: stored(id).endpointId });
    expect(trackingOf(state).awaiting).to.equal(undefined);
    expect(notices).to.deep.equal([
      `reverse private endpoint ${id} is Provisioning`,
      `reverse private endpoint ${id} is PendingAcceptance`,
      `reverse private endpoint ${id} waits for the owner at the cloud provider, who has to accept ${stored(id).endpointId}`,
    ]);
    expect(await resource.diff(id, state, database, open().session)).to.deep.equal([]);
  });

  it("the later status of a reverse private endpoint that has been Ready is no drift", async () => {
    const { id, state } = await create(cluster);
    expect(state.status).to.equal("Ready");
    stored(id).status = "Failed";
    const { inputs, state: read } = (await resource.read(id, state, open().session)) as {
      inputs: PropertyMap;
      state: PropertyMap;
    };
    expect(read.status).to.equal("Failed");
    expect(inputs).to.deep.equal(cluster);
  });

  it("creates with awaitReady wait by one shared list for the owners of their reverse private endpoints", async () => {
    const { session } = open();
    acceptAfter(300_000);
    const made = await Promise.all(
      ["orders", "shop"].map((description) =>
        create({ ...database, description, awaitReady: true }, session),
      ),
    );
    expect(made.map(({ state }) => state.status)).to.deep.equal(["Ready", "Ready"]);
    expect(count("getReversePrivateEndpoint")).to.equal(0);
    expect(count("listReversePrivateEndpoints")).to.be.within(90, 110);
  });

  it("an update of a reverse private endpoint goes on with a wait that timed out in the last one", async () => {
    const { id, state } = await create(database);
    const awaited = { ...database, awaitReady: true, waitMinutes: 1 };
    const late = await failureOf(resource.update(id, state, awaited, open().session));
    expect(late.message).to.equal(
      `reverse private endpoint ${id} is still PendingAcceptance after 1 min, the limit of waitMinutes; it is kept in the state, and the next pulumi up goes on waiting`,
    );
    const kept = (late as unknown as { state: PropertyMap }).state;
    expect(await resource.diff(id, kept, awaited, open().session)).to.deep.include({
      ...{ path: "status", kind: "update", replaces: false },
    });
    acceptAfter(30_000);
    const updated = await resource.update(id, kept, awaited, open().session);
    expect(updated.status).to.equal("Ready");
    expect(await resource.diff(id, updated, awaited, open().session)).to.deep.equal([]);
    expect([count("createReversePrivateEndpoint"), count("updateReversePrivateEndpoint")]).to.deep.equal([
      1, 0,
    ]);
  });

  for (const status of ["Rejected", "Failed", "Expired"])
    it(`the failed create of a reverse private endpoint that is ${status} keeps it in the state`, async () => {
      model.store.organization.provisioning = "hangs";
      setTimeout(() => Object.assign(created()[0] ?? {}, { status }), 20_000);
      const { id, state, failure } = await create(database);
      expect(failure?.message).to.match(new RegExp(` is ${status}, and does not get ready by itself`));
      expect(trackingOf(state).awaiting).to.equal("create");
      expect((await failureOf(resource.update(id, state, database, open().session))).message).to.match(
        new RegExp(` is ${status}, `),
      );
      expect(created()).to.have.length(1);
      // A reverse private endpoint that has failed does not prevent the create of another one with the same inputs.
      model.store.organization.provisioning = "works";
      const { failure: none } = await create(database);
      expect(none).to.equal(undefined);
    });

  it("the deletion of a reverse private endpoint waits until the endpoint is gone", async () => {
    const { id, state } = await create(database);
    const begun = Date.now();
    await resource.delete(id, state, open().session);
    expect(created()).to.deep.equal([]);
    expect(Date.now() - begun).to.be.at.least(120_000);
    expect(count("deleteReversePrivateEndpoint")).to.equal(1);
    service.time.pass(200_000);
    await resource.delete(id, state, open().session);
  });

  it("a reverse private endpoint whose deletion does not end in time stays in the state", async () => {
    const { id, state } = await create({ ...database, waitMinutes: 2 });
    const late = { ...state, waitMinutes: 1 };
    expect((await failureOf(resource.delete(id, late, open().session))).message).to.match(
      / is still Deleting after 1 min, .* the next deletion goes on/,
    );
  });

  it("a reverse private endpoint is deleted first only if the new one may share a private name", async () => {
    const { state } = await create({ ...database, ...named("A.example.com") });
    const next = { ...database, description: "shop", ...named("a.example.com", "b.example.com") };
    expect(resource.isDeletedFirst?.(state, next)).to.equal(true);
    expect(resource.isDeletedFirst?.(state, { ...next, customPrivateDnsMappings: unknown })).to.equal(true);
    expect(resource.isDeletedFirst?.(state, { ...next, ...named("b.example.com") })).to.equal(false);
    expect(resource.isDeletedFirst?.({ ...state, ...named() }, next)).to.equal(false);
  });

  it("a create is refused even if only a failed reverse private endpoint has the same private DNS name", async () => {
    const { id } = await create({ ...database, ...named("a.example.com") });
    Object.assign(created()[0] as object, { status: "Failed" });
    const failure = await failureOf(create({ ...database, ...named("b.example.com", "a.example.com") }));
    expect(failure.message).to.match(
      new RegExp(`the private name a\\.example\\.com is that of reverse private endpoint ${id} \\(Failed\\)`),
    );
    expect(created()).to.have.length(1);
    await create({ ...database, ...named("b.example.com") });
  });

  it("an update to the private name of another reverse private endpoint names that endpoint", async () => {
    const { id: other } = await create({ ...database, ...named("a.example.com") });
    const { id, state } = await create({ ...database, description: "shop", ...named("b.example.com") });
    const next = { ...database, description: "shop", ...named("b.example.com", "a.example.com") };
    const { message } = await failureOf(resource.update(id, state, next, open().session));
    expect(message).to.match(
      new RegExp(
        `^the private name a\\.example\\.com is that of reverse private endpoint ${other} \\(\\w+\\), .* choose another name$`,
      ),
    );
    expect(stored(id).customPrivateDnsMappings?.map(({ privateDnsName }) => privateDnsName)).to.deep.equal([
      "b.example.com",
    ]);
  });

  it("an update of a reverse private endpoint that is refused for another reason says which", async () => {
    const { id, state } = await create({ ...database, ...named("a.example.com") });
    service.gateway = (operation, carryOut) =>
      operation === "updateReversePrivateEndpoint" ? refused(409, "CONFLICT: not now") : carryOut();
    const next = { ...database, ...named("b.example.com") };
    const { message } = await failureOf(resource.update(id, state, next, open().session));
    expect(message).to.match(/^CONFLICT: not now \(updateReversePrivateEndpoint: /);
  });

  it("the create of a reverse private endpoint beside an equal unmanaged one needs adoptId", async () => {
    const { id } = await create(database);
    // The second create has a session of its own, which does not know that the first reverse private endpoint belongs to a
    // stack.
    const twin = await failureOf(create(database));
    expect(twin.message).to.match(
      new RegExp(
        `reverse private endpoint ${id} of service ${serviceId} has the same description, .* adoptId`,
      ),
    );
    expect(created()).to.have.length(1);
    const { id: taken } = await create({ ...database, adoptId: id });
    expect(taken).to.equal(id);
    await create({ ...database, description: "another" });
    await create({ ...database, vpcEndpointServiceName: "vpce-svc-2" });
    expect(created()).to.have.length(3);
  });

  it("an import of a reverse private endpoint declares only the properties of its type", async () => {
    const [, seeded] = [...model.store.reversePrivateEndpoints.values()];
    const text = `${organizationId}/${serviceId}/${seeded?.id}`;
    const imported = await importObject(resource, text, {}, open().session);
    // The service also shows a VPC resource for the imported reverse private endpoint. The import leaves it out, since the
    // endpoint's type does not accept that property.
    expect((imported as { inputs: PropertyMap }).inputs).to.deep.equal({
      ...{ ...place, description: "Customers database", type: "VPC_ENDPOINT_SERVICE" },
      vpcEndpointServiceName: seeded?.vpcEndpointServiceName,
    });
  });

  const targeted = { customPrivateDnsMappings: [{ privateDnsName: "a.example.com", targetId: "rcfg-1" }] };
  itKeeps({ type: "ReversePrivateEndpoint", valid: database }, [
    [{}, []],
    [
      { mskAuthentication: "SASL_IAM" },
      "mskAuthentication goes with type MSK_MULTI_VPC, not with VPC_ENDPOINT_SERVICE",
    ],
  ]);
  itKeeps({ type: "ReversePrivateEndpoint", valid: cluster }, [
    [{}, []],
    [targeted, "customPrivateDnsMappings[0].targetId goes with type VPC_RESOURCE, not with MSK_MULTI_VPC"],
    [{ mskClusterArn: unknown }, []],
    [{ customPrivateDnsMappings: unknown }, []],
  ]);
  itKeeps({ type: "ReversePrivateEndpoint", valid: lake }, [
    [targeted, []],
    [{ vpcResourceShareArn: absent }, "vpcResourceShareArn is missing: type VPC_RESOURCE needs it"],
    [named("a.example.com", "A.example.com"), "customPrivateDnsMappings[1].privateDnsName is there twice"],
  ]);
});
