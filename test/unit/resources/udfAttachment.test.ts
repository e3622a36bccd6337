import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { type State, trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { seededCredentials, type Udf, type UdfAttachment } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { place, useService } from "../lifecycle/scriptedService";
import { addUdf } from "./udf.example";

const { organizationId, serviceId } = seededCredentials;
const { UdfAttachment: resource } = resources;

const id = `echo:${serviceId}`;
const echo = { ...place, functionName: "echo", version: 1 };

describe("Attachments of user-defined functions", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const { model, count } = service;
  const open = (settings = {}) => service.open({ dialect: "clickhouse", ...settings });
  const stored = () => model.store.udfAttachments.get(id) as UdfAttachment;
  const create = (inputs: PropertyMap = echo, session = open().session) => resource.create(inputs, session);
  const attach = (changed: Partial<UdfAttachment> = {}) =>
    model.store.udfAttachments.set(id, {
      ...{ id, functionName: "echo", serviceId, version: 1, status: "deployed", ...changed },
    });
  beforeEach(() => {
    addUdf(model, { functionName: "echo" });
    const { id: _, older: __, ...first } = model.store.udfs.get("echo") as Udf;
    addUdf(model, { functionName: "echo", version: 2, older: [first] });
  });

  it("a create waits until the service runs the function", async () => {
    const { session, notices } = open();
    const created = await create(echo, session);
    expect(created.failure).to.equal(undefined);
    expect(created.id).to.equal(id);
    expect(created.state).to.include({ version: 1, status: "deployed" });
    expect(notices).to.deep.equal([`UDF echo of service ${serviceId} is provisioning`]);
    expect(await resource.diff(id, created.state, echo, session)).to.deep.equal([]);
  });

  it("without a declared version, the service keeps the one that is the newest at the create", async () => {
    const { version: _, ...newest } = echo;
    const { state } = await create(newest);
    expect(state.version).to.equal(2);
    const { id: __, older = [], ...second } = model.store.udfs.get("echo") as Udf;
    addUdf(model, { functionName: "echo", version: 3, older: [second, ...older] });
    await resource.update(id, state, { ...newest, waitMinutes: 5 }, open().session);
    expect(stored().version).to.equal(2);
  });

  it("a version that leaves the program stays, though there is a newer one", async () => {
    const { state } = await create();
    const { version: _, ...others } = echo;
    const { session, warnings } = open();
    expect(await resource.update(id, state, others, session)).to.include({ version: 1 });
    expect(stored().version).to.equal(1);
    expect(warnings.join()).to.include(`UDF attachment ${id} keeps its version`);
  });

  it("an attachment that is there already is adopted, with a warning that names the version it replaces", async () => {
    attach({ version: 2 });
    const { session, warnings } = open();
    await create(echo, session);
    expect(warnings[0]).to.match(/is there already, and taking it over replaces version/);
    expect(warnings[1]).to.match(/^UDF echo is attached to service .* already; the resource adopts that/);
    expect(stored().version).to.equal(1);
  });

  it("an adopted attachment keeps its version where the program declares none", async () => {
    attach({ version: 1 });
    const { version: _, ...newest } = echo;
    const { state } = await create(newest);
    expect(state).to.include({ version: 1, status: "deployed" });
    expect(count("putUdfAttachment")).to.equal(0);
  });

  it("a create waits for the end of a deletion that is under way", async () => {
    attach({ status: "deprovisioning", steps: [{ status: "gone", at: Date.now() + 60_000 }] });
    const { state, failure } = await create();
    expect(failure).to.equal(undefined);
    expect(state).to.include({ status: "deployed" });
  });

  it("the next update tries again to make an attachment that has failed", async () => {
    model.store.organization.provisioning = "fails";
    const { state, failure } = await create();
    expect(failure?.message).to.equal(
      `service ${serviceId} cannot run version 1 of UDF echo: look at it in the console, and run pulumi up to try again`,
    );
    expect(trackingOf(state).awaiting).to.equal("update");
    expect(await resource.diff(id, state, echo, open().session)).to.have.length(1);
    model.store.organization.provisioning = "works";
    expect(await resource.update(id, state, echo, open().session)).to.include({ status: "deployed" });
  });

  it("a wait that takes too long says how to go on", async () => {
    model.store.organization.provisioning = "hangs";
    const { state, failure } = await create({ ...echo, waitMinutes: 2 });
    expect(failure?.message).to.equal(
      `UDF echo of service ${serviceId} is still provisioning after 2 min, the limit of waitMinutes; the next pulumi up goes on waiting`,
    );
    expect(trackingOf(state).awaiting).to.equal("update");
  });

  it("updates that wait for services do not hold back those of other objects", async () => {
    const { session } = open();
    const { state } = await create();
    const search = { ...place, name: "Errors", sourceId: [...model.store.sources.keys()][0] };
    const found = await resources.SavedSearch.create(search, session);
    attach({ status: "provisioning", steps: [{ status: "deployed", at: Date.now() + 600_000 }] });
    const begun = Date.now();
    const waits = Array.from({ length: 8 }, () =>
      resource.update(id, state, { ...echo, waitMinutes: 15 }, session),
    );
    await resources.SavedSearch.update(found.id, found.state, { ...search, name: "Faults" }, session);
    expect(Date.now() - begun).to.be.below(60_000);
    await Promise.all(waits);
  });

  it("an idle service is woken only with wakeService", async () => {
    const idle = () => Object.assign(model.store.services.get(serviceId) ?? {}, { state: "idle" });
    idle();
    expect((await failureOf(create())).message).to.match(/wakeService: true/);
    const { session, notices } = open();
    await create({ ...echo, wakeService: true }, session);
    expect(notices).to.include(`service ${serviceId} is idle, and is woken for its functions`);
    expect(stored().status).to.equal("deployed");
  });

  it("a version that is not built is refused with the service's reason", async () => {
    Object.assign(model.store.udfs.get("echo") ?? {}, { status: "error" });
    const failed = await failureOf(create({ ...echo, version: 2 }));
    expect(failed.message).to.match(/version 2 of UDF echo is not ready/);
  });

  it("a deletion goes on if its answer is lost", async () => {
    const { state } = await create();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "deleteUdfAttachment" && count(operation) === 1 ? reset : answer;
    };
    await resource.delete(id, state, open().session);
    expect(model.store.udfAttachments.size).to.equal(0);
    await resource.delete(id, state, open().session);
  });

  it("a refresh finds an attachment gone that went with its function", async () => {
    const { state } = await create();
    model.store.udfs.clear();
    model.store.udfAttachments.clear();
    service.time.pass?.(600_000);
    const later = { ...state, __tracking: {} } as State;
    expect(await resource.read(id, later, open().session)).to.equal("gone");
  });

  it("an import names the function, a colon and the service", async () => {
    attach();
    const read = await importObject(resource, id, { organizationId, serviceId }, open().session);
    expect(read).to.deep.include({ id, inputs: echo });
    const failed = await failureOf(
      importObject(resource, "echo", { organizationId, serviceId }, open().session),
    );
    expect(failed.message).to.match(/^echo is not the id of a UdfAttachment/);
  });

  it("the attachments of a service are those of all functions", async () => {
    attach();
    addUdf(model, { functionName: "other" });
    model.store.udfAttachments.set("other:elsewhere", {
      ...{
        id: "other:elsewhere",
        functionName: "other",
        serviceId: "elsewhere",
        version: 1,
        status: "deployed",
      },
    });
    const { session } = open();
    const listed = await resource.listed?.({ session, scope: { organizationId, serviceId } }, "run");
    expect(listed).to.deep.equal([{ id, functionName: "echo", serviceId, version: 1, status: "deployed" }]);
  });
});
