import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("The scaling of database pipes, PipeCdcScaling", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 180_000 });
  const { PipeCdcScaling: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = () => service.model.store.pipeCdcScaling.get(serviceId);
  const inputs = { ...place, replicaCpuMillicores: 4000 };
  const idle = () => Object.assign(service.model.store.services.get(serviceId) ?? {}, { state: "idle" });

  it("destroying a PipeCdcScaling keeps the scaling that somebody has set, with a warning", async () => {
    const { id, state } = await resource.create(inputs, open().session);
    Object.assign(stored() ?? {}, { replicaCpuMillicores: 1000, replicaMemoryGb: 4 });
    const { session, warnings } = open();
    await resource.delete(id, state, session);
    expect(stored()).to.include({ replicaCpuMillicores: 1000 });
    expect(warnings.join()).to.include('onDestroy: "restore" would restore its previous values');
  });

  it("an update of a PipeCdcScaling waits until the service shows the change", async () => {
    const { state } = await resource.create(inputs, open().session);
    service.requests.length = 0;
    const updated = await resource.update(
      serviceId,
      state,
      { ...inputs, replicaCpuMillicores: 8000 },
      open().session,
    );
    expect(updated).to.include({ replicaCpuMillicores: 8000 });
    expect(service.count("getPipeCdcScaling")).to.be.greaterThan(10);
  });

  const other = { ...inputs, serviceId: secondServiceId };

  it("the create of a PipeCdcScaling on a service without a database pipe fails with the remedy", async () => {
    const { message } = await failureOf(resource.create(other, open().session));
    expect(message).to.match(
      /comes with the first pipe of a database, once that is provisioned; let this resource depend on that pipe/,
    );
    expect(await resource.read(secondServiceId, other, open().session)).to.equal("gone");
  });

  it("a PipeCdcScaling can be created in the same update as the first database pipe", async () => {
    const { session, warnings } = open();
    expect((await resource.check({}, other, session)).failures).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
    const pipe = {
      ...{ ...place, serviceId: secondServiceId, name: "replica", destination: { database: "default" } },
      source: {
        mongodb: {
          ...{ uri: "mongodb://db.example.com", readPreference: "secondary" },
          settings: { replicationMode: "cdc" },
          tableMappings: [{ sourceDatabaseName: "a", sourceCollection: "b", targetTable: "b" }],
        },
      },
      credentials: { username: "reader", password: "mongo-password" },
    };
    expect((await resources.Pipe.create(pipe, session)).failure).to.equal(undefined);
    const { state, failure } = await resource.create(other, session);
    expect([failure, state.replicaCpuMillicores]).to.deep.equal([undefined, 4000]);
  });

  it("an update of a PipeCdcScaling warns if the service does not show the change for ten minutes", async () => {
    service.rewrite(
      /^getPipeCdcScaling$/,
      /"replicaCpuMillicores":\d+,"replicaMemoryGb":\d+/,
      '"replicaCpuMillicores":2000,"replicaMemoryGb":8',
    );
    const { session, warnings } = open();
    const begun = Date.now();
    expect((await resource.create(inputs, session)).failure).to.equal(undefined);
    expect(Date.now() - begun).to.be.within(540_000, 660_000);
    expect(stored()).to.include({ replicaCpuMillicores: 4000 });
    expect(warnings.join()).to.include("the service still shows 2000 for replicaCpuMillicores");
  });

  itKeeps({ type: "PipeCdcScaling", valid: inputs }, [
    [{ replicaMemoryGb: 8 }, "replicaMemoryGb must be 16, which is 4 for each core of replicaCpuMillicores"],
    [{ replicaMemoryGb: 16 }, []],
  ]);

  it("a refresh of a PipeCdcScaling keeps the state while the service is idle", async () => {
    const { state } = await resource.create(inputs, open().session);
    idle();
    const { session, warnings } = open();
    expect(await resource.read(serviceId, state, session)).to.equal("unseen");
    expect(warnings.join()).to.include("since its service does not run");
  });

  it("an update of a PipeCdcScaling wakes an idle service only with wakeService", async () => {
    const { state } = await resource.create(inputs, open().session);
    idle();
    const change = { ...inputs, replicaCpuMillicores: 8000 };
    expect((await failureOf(resource.update(serviceId, state, change, open().session))).message).to.include(
      "or set wakeService: true, which wakes an idle service (a running service is billed)",
    );
    await resource.update(serviceId, state, { ...change, wakeService: true }, open().session);
    expect(stored()).to.include({ replicaCpuMillicores: 8000, replicaMemoryGb: 32 });
  });
});
