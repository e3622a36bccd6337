import { expect } from "chai";
import { organizationSettingsResource as resource } from "../../../provider/resources/organizationSettings/organizationSettings";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/scriptedService";
import { clickhouse, itKeeps } from "./rules";

const { organizationId } = seededCredentials;
const place = { organizationId };

describe("The settings of an organization", () => {
  itKeeps({ type: "OrganizationSettings", settings: clickhouse }, [
    [{ name: undefined, enableCoreDumps: undefined }, "declare at least one of name, enableCoreDumps"],
  ]);

  const service = useService({ dialect: "clickhouse" });
  const open = () => service.open({ dialect: "clickhouse", requestsPerSecond: 1000 });
  const stored = () => {
    const { name, enableCoreDumps } = service.model.store.organization;
    return { name, enableCoreDumps };
  };
  const created = (inputs = {}, opened = open()) => resource.create({ ...place, ...inputs }, opened.session);
  let former: unknown;
  beforeEach(() => {
    former = stored().name;
  });

  it("the preview names what the create replaces", async () => {
    const { session, warnings } = open();
    const preview = await resource.check({}, { ...place, enableCoreDumps: false }, session);
    expect(preview.failures).to.deep.equal([]);
    const told = `settings of organization ${organizationId} is there already, and taking it over replaces enableCoreDumps`;
    expect(warnings).to.deep.equal([told]);
  });

  it("destroying the settings keeps them, with a warning", async () => {
    const { id, state } = await created({ enableCoreDumps: false });
    const { session, warnings } = open();
    await resource.delete(id, state, session);
    expect(stored().enableCoreDumps).to.equal(false);
    expect(warnings).to.deep.equal([
      `OrganizationSettings: organization ${id} keeps its enableCoreDumps; onDestroy: "restore" would restore the previous values`,
    ]);
  });

  it("onDestroy restore puts back the declared settings alone", async () => {
    await created({ enableCoreDumps: false });
    const { id, state } = await created({ enableCoreDumps: true, onDestroy: "restore" });
    service.model.store.organization.name = "Renamed";
    await resource.delete(id, state, open().session);
    expect(stored()).to.deep.equal({ name: "Renamed", enableCoreDumps: false });
  });

  it("destroying with onDestroy restore says which previous values are not known", async () => {
    service.rewrite(/Organization/, /"enableCoreDumps":true,/, "");
    const { id, state } = await created({ name: "Acme", enableCoreDumps: false, onDestroy: "restore" });
    service.gateway = undefined;
    const { session, warnings } = open();
    await resource.delete(id, state, session);
    expect(stored()).to.deep.equal({ name: former, enableCoreDumps: false });
    expect(warnings).to.deep.equal([
      `OrganizationSettings: organization ${id} keeps its enableCoreDumps; the Pulumi state does not have the previous values`,
    ]);
  });

  it("an update warns of a setting that leaves the program and stays as it is", async () => {
    const { id, state } = await created({ name: "Acme", enableCoreDumps: false });
    const { session, warnings } = open();
    await resource.update(id, state, { ...place, name: "Acme" }, session);
    expect(stored()).to.deep.equal({ name: "Acme", enableCoreDumps: false });
    expect(warnings).to.deep.equal([
      `settings of organization ${id} keeps its enableCoreDumps, which the API cannot remove; declare true or false to change it`,
    ]);
  });

  it("a refresh with the key of another organization fails", async () => {
    const { id, state } = await created({ enableCoreDumps: false });
    service.model.store.organization.id = "00000000-0000-4000-8000-000000000001";
    const { __tracking: _, ...old } = state;
    const failure = await failureOf(resource.read(id, old, open().session));
    expect(failure.message).to.equal(
      `the key that signs the requests sees no organization ${id}: set the key that belongs to it`,
    );
    service.model.store.organization.id = organizationId;
  });
});
