import { expect } from "chai";
import { unknownText } from "../../../../provider/engine/engineValues";
import { createSandbox } from "../../../../sandbox/index";
import { fillService, settingsOf } from "../../../serviceContents";
import { dashboard, failureOfCall, usePlugin } from "./engine";

describe("Deletions and lists of the plugin", () => {
  const tested = usePlugin();
  const resource = (name?: string) => tested.plugin.resource("Dashboard", name);
  const exists = (id: string) => tested.sandbox.store.dashboards.has(id);

  /** Configures the plugin for a sandbox that speaks as ClickHouse Cloud does. */
  async function useProduct() {
    await tested.sandbox.close();
    tested.sandbox = await createSandbox({ dialect: "clickhouse" });
    await tested.plugin.configure({ ...settingsOf(tested.sandbox), dialect: "clickhouse" });
  }

  it("the plugin deletes an object that it replaces, even if the resource has been renamed", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    await tested.restart();
    await resource("renamed").diff(id, state, inputs);
    await resource("renamed").create(inputs);
    await resource().delete(id, state);
    expect(exists(id)).to.equal(false);
  });

  it("the plugin keeps an object that another resource has, even if only the state shows that", async () => {
    const { id, state, inputs } = await tested.created("Dashboard", dashboard);
    await tested.restart();
    await resource("imported").diff(id, state, inputs);
    await resource().delete(id, state);
    expect(exists(id)).to.equal(true);
  });

  it("the plugin takes all pages of a list from one request to the service", async () => {
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
  });

  it("the plugin refuses an invalid page token of a list", async () => {
    const { details } = await failureOfCall(tested.plugin.listed("ApiKey", {}, { token: "next" }));
    expect(details).to.equal("the page token next is not valid; list from the first page on");
  });

  it("the plugin lists no sets, which no import takes, although their alerts are there", async () => {
    await fillService(tested.sandbox);
    expect(await tested.plugin.list("Alert")).to.not.deep.equal([]);
    expect(await tested.plugin.list("AlertSet")).to.deep.equal([]);
  });

  it("the plugin lists of a service only what an import finds there", async () => {
    await useProduct();
    const { serviceId } = tested.sandbox.credentials;
    const found = { UpgradeWindow: [], ServiceSettings: [], ServiceScaling: [serviceId] };
    for (const [type, ids] of Object.entries(found)) {
      expect(
        (await tested.plugin.list(type)).map(([id]) => id),
        type,
      ).to.deep.equal(ids);
      const imported = tested.plugin.resource(type).read(serviceId);
      expect(
        await imported.then(
          (answer) => [answer.getId()],
          () => [],
        ),
        type,
      ).to.deep.equal(ids);
    }
  });

  it("the plugin warns once at an import of what a resource of another type may declare, too", async () => {
    await useProduct();
    const { serviceId } = tested.sandbox.credentials;
    const message = tested.plugin.nextMessage();
    for (const type of ["UpgradeWindow", "ServiceScaling", "ServiceScaling", "QueryEndpoint"])
      await tested.plugin
        .resource(type)
        .read(serviceId)
        .catch(() => undefined);
    const warning =
      "ServiceScaling: where a resource of type Service declares the same values, the next preview refuses both; remove them from one of the two";
    expect((await message)[1]).to.equal(warning);
    expect(tested.plugin.log.map(([, text]) => text)).to.deep.equal([warning]);
  });

  it("the plugin returns an unknown list in a preview if a property of the query is unknown", async () => {
    const [answer] = await tested.plugin.listed("Dashboard", { serviceId: unknownText });
    expect(answer).to.have.property("computed").that.is.an("object");
    expect(tested.sandbox.requests).to.deep.equal([]);
  });
});
