import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/scriptedService";
import { itKeeps } from "./rules";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("The backup configuration of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const { BackupConfiguration: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = () => service.model.store.services.get(serviceId)?.backupConfiguration;
  const create = (inputs: object) => resource.create({ ...place, ...inputs }, open().session);
  const update = (state: object, inputs: object) =>
    resource.update(serviceId, state as never, { ...place, ...inputs }, open().session);

  it("an update replaces a backup start time by a period in one request", async () => {
    const { state } = await create({ backupStartTime: "03:00" });
    await update(state, { backupPeriodInHours: 12 });
    expect(service.bodiesOf("updateBackupConfiguration").at(-1)).to.deep.equal({
      backupPeriodInHours: 12,
      backupStartTime: null,
    });
  });

  it("an update of the period keeps a backup start time that somebody else has set", async () => {
    const { state } = await create({ backupStartTime: "03:00" });
    const free = await update(state, { backupPeriodInHours: 12 });
    Object.assign(stored() ?? {}, { backupPeriodInHours: 24, backupStartTime: "05:00" });
    const refused = await failureOf(update(free, { backupPeriodInHours: 8 }));
    expect(refused.message).to.include("must be 24 or 48 with a backup start time");
    expect(stored()).to.include({ backupPeriodInHours: 24, backupStartTime: "05:00" });
  });

  it("a backup start time that somebody has removed is drift, which the next update mends", async () => {
    const declared = { backupStartTime: "03:00" };
    const { state } = await create(declared);
    delete stored()?.backupStartTime;
    const live = await resource.read(serviceId, state, open().session);
    expect(live).to.have.nested.property("inputs.backupStartTime", null);
    await update((live as { state: object }).state, declared);
    expect(stored()).to.include(declared);
  });

  it("pulumi import of a secondary service's backup configuration finds nothing", async () => {
    const other = { organizationId, serviceId: secondServiceId };
    expect(await resource.read(secondServiceId, other, open().session)).to.equal("gone");
    expect(await resource.read(serviceId, place, open().session)).to.have.nested.property(
      "inputs.backupPeriodInHours",
      24,
    );
  });

  itKeeps({ type: "BackupConfiguration", valid: place }, [
    [{}, "declare at least one of backupPeriodInHours, backupRetentionPeriodInHours, backupStartTime"],
    [
      { backupPeriodInHours: 12, backupStartTime: "03:00" },
      "backupPeriodInHours must be 24 or 48 if backupStartTime is declared",
    ],
    [{ backupStartTime: "03:00" }, []],
    [{ backupPeriodInHours: 12 }, []],
    [{ backupStartTime: "03:30" }, "backupStartTime must be an hour in UTC, such as 03:00"],
  ]);
});
