import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { organizationId, serviceId } = seededCredentials;
const place = { organizationId, serviceId };
const pair = "gap must be 30 with a timeFrame of 1440, or 60 with a timeFrame of 2880";

describe("The snapshot configuration of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = () => service.model.store.services.get(serviceId)?.snapshotConfiguration;

  it("a destroy with onDestroy restore puts back what was there before, which the program did not declare", async () => {
    const before = { enabled: true, gap: 30, timeFrame: 1440 };
    Object.assign(service.model.store.services.get(serviceId) ?? {}, { snapshotConfiguration: before });
    const inputs = { ...place, enabled: false, onDestroy: "restore" };
    const { state } = await resources.SnapshotConfiguration.create(inputs, open().session);
    expect(stored()).to.deep.equal({ ...before, enabled: false });
    await resources.SnapshotConfiguration.delete(serviceId, state, open().session);
    expect(stored()).to.deep.equal(before);
  });

  itKeeps({ type: "SnapshotConfiguration", valid: { ...place, enabled: true } }, [
    [{ gap: 60, timeFrame: 2880 }, []],
    [{ gap: 60, timeFrame: 1440 }, pair],
    [{ gap: 45, timeFrame: 2160 }, pair],
    [{ gap: null, timeFrame: null }, ["gap must be a whole number", "timeFrame must be a whole number"]],
    [{ gap: 60 }, "timeFrame is missing: gap and timeFrame go together"],
    [{ timeFrame: 1440 }, "gap is missing: gap and timeFrame go together"],
  ]);
});
