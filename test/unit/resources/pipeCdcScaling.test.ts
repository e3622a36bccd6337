import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/service";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("The scaling of database pipes", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 180_000 });
  const { PipeCdcScaling: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = () => service.model.store.pipeCdcScaling.get(serviceId);
  const bodies = () =>
    service.model.journal.entries
      .filter(({ operation }) => operation === "updatePipeCdcScaling")
      .map(({ requestBody }) => requestBody);
  const inputs = { ...place, replicaCpuMillicores: 4000 };
  const idle = () => Object.assign(service.model.store.services.get(serviceId) ?? {}, { state: "idle" });

  it("gets the memory of its cores, is found changed, and stays when the resource goes", async () => {
    const { id, state, failure } = await resource.create(inputs, open().session);
    expect([id, failure]).to.deep.equal([serviceId, undefined]);
    expect(bodies()).to.deep.equal([{ replicaCpuMillicores: 4000, replicaMemoryGb: 16 }]);
    Object.assign(stored() ?? {}, { replicaCpuMillicores: 1000, replicaMemoryGb: 4 });
    expect(await resource.read(id, state, open().session)).to.deep.include({
      inputs: { ...inputs, replicaCpuMillicores: 1000 },
    });
    const { session, warnings } = open();
    await resource.delete(id, state, session);
    expect(stored()).to.include({ replicaCpuMillicores: 1000 });
    expect(warnings.join()).to.include('onDestroy: "restore" would restore its previous values');
  });

  it("restores what was there before", async () => {
    const { state } = await resource.create({ ...inputs, onDestroy: "restore" }, open().session);
    await resource.delete(serviceId, state, open().session);
    expect(stored()).to.include({ replicaCpuMillicores: 2000, replicaMemoryGb: 8 });
  });

  it("waits until the service shows a change, which takes a while", async () => {
    const { state } = await resource.create(inputs, open().session);
    service.requests.length = 0;
    const updated = await resource.update(
      serviceId,
      state,
      { ...inputs, replicaCpuMillicores: 8000 },
      open().session,
    );
    expect(updated).to.include({ replicaCpuMillicores: 8000 });
    expect(service.requests.filter((name) => name === "getPipeCdcScaling").length).to.be.greaterThan(10);
  });

  it("is refused for a service without a database pipe, with what to do, and nothing is sent", async () => {
    const other = { ...inputs, serviceId: secondServiceId };
    const { message } = await failureOf(resource.create(other, open().session));
    expect(message).to.match(
      /comes with the first pipe of a database; let this resource depend on that pipe/,
    );
    expect(service.requests).to.not.include("updatePipeCdcScaling");
  });

  it("refuses another memory than that of the cores in the preview", async () => {
    const failures = async (more: object) =>
      (await resource.check({}, { ...inputs, ...more }, open().session)).failures.map(
        ({ path, message }) => `${path} ${message}`,
      );
    expect(await failures({ replicaMemoryGb: 8 })).to.deep.equal([
      "replicaMemoryGb must be 16, which is 4 for each core of replicaCpuMillicores",
    ]);
    expect(await failures({ replicaMemoryGb: 16 })).to.deep.equal([]);
  });

  it("keeps the state while the service is idle, and wakes it for an update only where the program says so", async () => {
    const { state } = await resource.create(inputs, open().session);
    idle();
    const { session, warnings } = open();
    expect(await resource.read(serviceId, state, session)).to.equal("unseen");
    expect(warnings.join()).to.include("since its service does not run");
    const change = { ...inputs, replicaCpuMillicores: 8000 };
    expect((await failureOf(resource.update(serviceId, state, change, open().session))).message).to.include(
      "with wakeService: true an idle one is woken, and billed",
    );
    await resource.update(serviceId, state, { ...change, wakeService: true }, open().session);
    expect(stored()).to.include({ replicaCpuMillicores: 8000, replicaMemoryGb: 32 });
  });
});
