import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { typeNames } from "../../../../provider/resources/registry";
import type { Sandbox } from "../../../../sandbox/index";
import { fillService, settingsOf } from "../../../serviceContents";
import { threeMinutesLater } from "../../drift/fixture";
import { furnish } from "../../faults/furnish";
import { Service } from "../../faults/service";
import { dashboard, type PluginUnderTest, tile, usePlugin } from "./engine";

describe("The plugin reads", () => {
  const tested = usePlugin();
  let sandbox: Sandbox;
  let plugin: PluginUnderTest;

  beforeEach(() => {
    ({ sandbox, plugin } = tested);
  });

  it("reads what somebody changed", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    const stored = sandbox.store.dashboards.get(id) as { name: string };
    stored.name = "Renamed by hand";
    const found = await plugin.resource("Dashboard").read(id, state);
    expect(found.getInputs()?.toJavaScript()).to.deep.include({ name: "Renamed by hand" });
  });

  it("reads what the service has cut inside a character as text that the protocol can carry", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    const stored = sandbox.store.dashboards.get(id) as { name: string };
    stored.name = "Slow 😀 queries \ud83d";
    const found = await plugin.resource("Dashboard").read(id, state);
    expect(found.getInputs()?.toJavaScript()).to.deep.include({ name: "Slow 😀 queries \ufffd" });
  });

  it("answers no id for what is gone", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    sandbox.store.dashboards.delete(id);
    const found = await threeMinutesLater(() => plugin.resource("Dashboard").read(id, state));
    expect(found.getId()).to.equal("");
  });

  for (const [form, textOf] of [
    ["its id alone", (id: string) => id],
    [
      "organization, service and id",
      (id: string) => `${sandbox.credentials.organizationId}/${sandbox.credentials.serviceId}/${id}`,
    ],
  ] as const) {
    it(`imports an object by ${form}, as a program that then shows no change`, async () => {
      const { id } = await tested.created("Dashboard", dashboard);
      const found = await plugin.resource("Dashboard").read(textOf(id));
      const inputs = found.getInputs()?.toJavaScript() as object;
      expect(found.getId()).to.equal(id);
      expect(inputs).to.deep.include({ name: "Ingestion", tiles: [tile] });
      const again = await tested.checked("Dashboard", inputs);
      const response = await plugin
        .resource("Dashboard")
        .diff(id, found.getProperties()?.toJavaScript() as object, again);
      expect(response.getChanges()).to.equal(messages.DiffResponse.DiffChanges.DIFF_NONE);
    });
  }

  it("imports by organization, service and id without settings of those", async () => {
    const { id } = await tested.created("Dashboard", dashboard);
    const { organizationId, serviceId, ...settings } = settingsOf(sandbox);
    await plugin.configure(settings);
    const found = await plugin.resource("Dashboard").read(`${organizationId}/${serviceId}/${id}`);
    expect(found.getInputs()?.toJavaScript()).to.deep.include({ organizationId, serviceId, tiles: [tile] });
  });

  it("does not delete what the program imports under another name", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    await plugin.resource("Dashboard", "other").read(id);
    await plugin.resource("Dashboard").delete(id, state);
    expect(sandbox.store.dashboards.has(id)).to.equal(true);
    expect(plugin.log.flat().join()).to.include("is not deleted, since the program still declares it");
  });

  it("does not delete what the program has imported under another name before", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    const [former, other] = [plugin.resource("Dashboard"), plugin.resource("Dashboard", "other")];
    // A refresh compares both.
    for (const resource of [former, other]) await resource.diff(id, state, inputs);
    await former.delete(id, state);
    expect(sandbox.store.dashboards.has(id)).to.equal(true);
    expect(plugin.log.flat().join()).to.include("is not deleted, since the program still declares it");
    await other.delete(id, state);
    expect(sandbox.store.dashboards.has(id)).to.equal(false);
  });

  it("deletes what it replaces, whatever its resource was called before", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    const renamed = plugin.resource("Dashboard", "renamed");
    await renamed.diff(id, state, inputs);
    await renamed.create(inputs);
    await plugin.resource("Dashboard").delete(id, state);
    expect(sandbox.store.dashboards.has(id)).to.equal(false);
  });

  it("deletes what the program only reads under another name", async () => {
    const { id, state } = await tested.created("Dashboard", dashboard);
    await plugin.resource("Dashboard", "other").read(id, {}, {});
    await plugin.resource("Dashboard").delete(id, state);
    expect(sandbox.store.dashboards.has(id)).to.equal(false);
  });

  it("reads where the program says, and else where the settings say", async () => {
    const { organizationId, secondServiceId } = sandbox.credentials;
    const { id } = await tested.created("Dashboard", { ...dashboard, serviceId: secondServiceId });
    const place = { organizationId, serviceId: secondServiceId };
    const found = await plugin.resource("Dashboard").read(id, place, place);
    expect(found.getInputs()?.toJavaScript()).to.deep.include({ name: "Ingestion", ...place });
  });

  it("refuses an import whose id has another form, and says the forms", async () => {
    const failure = await plugin
      .resource("Dashboard")
      .read("a/b")
      .catch((error: Error) => error);
    expect(failure).to.have.property("details").that.includes('"organizationId/serviceId/id"');
  });

  it("lists the objects of each type, where the query says and else where the settings say", async () => {
    const { store, credentials } = sandbox;
    const { id } = await tested.created("Dashboard", dashboard);
    store.queryEndpoints.set("e", {
      id: "e",
      serviceId: credentials.serviceId,
      roles: [],
      openApiKeys: [],
      allowedOrigins: "",
    });
    expect(await plugin.list("Dashboard")).to.deep.equal([[id, "Ingestion"]]);
    expect(await plugin.list("Dashboard", { serviceId: credentials.secondServiceId })).to.deep.equal([]);
    expect(await plugin.list("Alert")).to.deep.equal([]);
    const keys = [...store.keys.values()].map((key) => [key.id, key.name]);
    expect(await plugin.list("ApiKey")).to.deep.equal(keys);
    for (const type of ["QueryEndpoint", "ServiceScaling"])
      expect((await plugin.list(type)).map(([id]) => id)).to.deep.equal([credentials.serviceId]);
    const failure = await plugin.list("Dashbord").catch((error: Error) => error);
    expect(failure).to.have.property("details", "there is no type pipestack:index:Dashbord");
  });

  it("reads what it lists, of each type", async () => {
    await fillService(sandbox);
    furnish(new Service(sandbox, {}));
    for (const type of typeNames) {
      const listed = await plugin.list(type);
      expect(listed, type).to.not.deep.equal([]);
      for (const [id] of listed) expect((await plugin.resource(type).read(id)).getId(), type).to.equal(id);
    }
  });
});
