import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/scriptedService";

const { organizationId, serviceId, secondServiceId } = seededCredentials;
const place = { organizationId, serviceId };

describe("The upgrade window of a service", () => {
  const service = useService({ dialect: "clickhouse" });
  const { UpgradeWindow: resource } = resources;
  const open = () => service.open({ dialect: "clickhouse" });
  const stored = () => service.model.store.services.get(serviceId)?.upgradeWindow;
  const inputs = { ...place, weekday: 0, startHourUtc: 6 };

  it("destroying an upgrade window leaves none", async () => {
    const { id, state } = await resource.create(inputs, open().session);
    expect(stored()).to.deep.equal({ weekday: 0, startHourUtc: 6 });
    expect(state).to.include({ duration: 6 });
    await resource.delete(id, state, open().session);
    expect(stored()).to.equal(undefined);
  });

  it("a create of an upgrade window for a secondary service is refused before any write", async () => {
    await resource.create(inputs, open().session);
    const other = { ...inputs, serviceId: secondServiceId };
    service.requests.length = 0;
    expect((await failureOf(resource.create(other, open().session))).message).to.match(
      /is not the primary one of its warehouse, and has the upgrade window of the primary one/,
    );
    expect(service.requests).to.not.include("putUpgradeWindow");
    const place = { organizationId, serviceId: secondServiceId };
    expect(await resource.read(secondServiceId, place, open().session)).to.equal("gone");
  });
});
