import { expect } from "chai";
import { unknownText } from "../../../../provider/hosts/engineValues";
import { isSingleton } from "../../../../provider/lifecycle/resource";
import { resources, typeNames } from "../../../../provider/resources/registry";
import { fillService, settingsOf } from "../../../serviceContents";
import { furnish } from "../../faults/furnish";
import { Service } from "../../faults/service";
import { dashboard, failureOfCall, plain, tile, usePlugin } from "./engine";

describe("The plugin", () => {
  const tested = usePlugin();
  const resource = (name?: string) => tested.plugin.resource("Dashboard", name);
  const exists = (id: string) => tested.sandbox.store.dashboards.has(id);

  it("imports an object by organization, service and id, without settings of those", async () => {
    const { id } = await tested.created("Dashboard", dashboard);
    const { organizationId, serviceId, ...settings } = settingsOf(tested.sandbox);
    await tested.plugin.configure(settings);
    const found = await resource().read(`${organizationId}/${serviceId}/${id}`);
    expect(found.getId()).to.equal(id);
    expect(plain(found.getInputs())).to.deep.include({ organizationId, serviceId, tiles: [tile] });
  });

  it("deletes an object that it replaces, regardless of its resource's earlier name", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    await resource("renamed").diff(id, state, inputs);
    await resource("renamed").create(inputs);
    await resource().delete(id, state);
    expect(exists(id)).to.equal(false);
  });

  it("lists objects with their names from the service of the query, or else that of the settings", async () => {
    const { id } = await tested.created("Dashboard", dashboard);
    const { secondServiceId } = tested.sandbox.credentials;
    expect(await tested.plugin.list("Dashboard")).to.deep.equal([[id, "Ingestion"]]);
    expect(await tested.plugin.list("Dashboard", { serviceId: secondServiceId })).to.deep.equal([]);
    const { details } = await failureOfCall(tested.plugin.list("Dashbord"));
    expect(details).to.equal("there is no type pipestack:index:Dashbord");
  });

  it("lists by pages as large as asked for, up to a limit, from one answer of the service", async () => {
    await fillService(tested.sandbox);
    const all = (await tested.plugin.list("ApiKey")).map(([id]) => id);
    tested.sandbox.requests.length = 0;
    for (const limit of [0, all.length - 1]) {
      const pages: string[][] = [];
      for (let token: string | undefined = ""; token !== undefined; ) {
        const answers = await tested.plugin.listed("ApiKey", {}, { limit, pageSize: 2, token });
        pages.push(answers.flatMap(({ result }) => (result ? [result.id] : [])));
        token = answers.find(({ continuation }) => continuation)?.continuation?.continuationToken;
      }
      expect(pages.flat()).to.deep.equal(all.slice(0, limit || undefined));
      expect(pages).to.have.length(Math.ceil(pages.flat().length / 2));
    }
    expect(tested.sandbox.requests).to.deep.equal([]);
    const { details } = await failureOfCall(tested.plugin.listed("ApiKey", {}, { token: "next" }));
    expect(details).to.equal("next is not the token of a page; list from the first page on");
  });

  it("answers that a list is unknown if its query is", async () => {
    const [answer] = await tested.plugin.listed("Dashboard", { serviceId: unknownText });
    expect(answer).to.have.property("computed").that.is.an("object");
    expect(tested.sandbox.requests).to.deep.equal([]);
  });

  it("reads each object that it lists, of each type", async () => {
    await fillService(tested.sandbox);
    furnish(new Service(tested.sandbox, {}));
    const { serviceId } = tested.sandbox.credentials;
    const { scalingSchedules } = tested.sandbox.store;
    for (const schedule of [...scalingSchedules.values()])
      scalingSchedules.set("own", { ...schedule, id: "own", serviceId });
    for (const type of typeNames) {
      const listed = (await tested.plugin.list(type)).map(([id]) => id);
      expect(listed, type).to.not.deep.equal([]);
      if (isSingleton(resources[type])) expect(listed, type).to.deep.equal([serviceId]);
      for (const id of listed) {
        const found = await tested.plugin.resource(type).read(id);
        expect(found.getId(), type).to.equal(id);
      }
    }
  });
});
