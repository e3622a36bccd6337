import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { alert, inline, line, onObservability } from "./clickhouseAlerts";
import { sentBy, sessionOfProduct, useProduct } from "./product";

describe("An inline alert", () => {
  const product = useProduct();
  const opened = () => sessionOfProduct(product.sandbox, onObservability);
  const stored = ({ id }: { id: string }) => product.sandbox.store.alerts.get(id) ?? ({} as never);
  const asked = () => product.sandbox.requests.map(({ operation }) => operation);

  async function become(declared: Declared, program: Data) {
    Object.assign(declared, { program });
    const { session, warnings } = opened();
    await declared.up(session);
    return { declared, warnings };
  }
  const applied = async (program: Data) => (await become(new Declared("Alert", program), program)).declared;
  const lastBody = () => sentBy(product, "PUT").at(-1)?.[1] as Data;

  it("reads an inline alert by itself after the list, and no alert on something else", async () => {
    const others = [await applied(alert), await applied({ ...alert, threshold: 6 })];
    const own = await applied(inline);
    product.sandbox.requests.length = 0;
    const { session } = opened();
    for (const each of [...others, own]) expect(await each.refresh(session)).to.deep.equal([]);
    expect(asked()).to.deep.equal(["listAlerts", "getAlert"]);
    stored(own).chartConfig = { ...stored(own).chartConfig, groupBy: "host", seriesLimit: 3 };
    expect(await own.refresh(opened().session)).to.deep.equal([]);
    stored(own).chartConfig = { ...stored(own).chartConfig, displayType: "stacked_bar" };
    expect(await own.refresh(opened().session)).to.deep.equal(["chartConfig.displayType"]);
  });

  it("shows no drift of an inline alert while the service cannot say its chart, which an update replaces", async () => {
    const declared = await applied(inline);
    stored(declared).chartConfig = { ...stored(declared).chartConfig, having: "count() > 1" };
    const { session, warnings } = opened();
    expect(await declared.refresh(session)).to.deep.equal([]);
    expect(declared.state).to.deep.include({ chartConfig: line });
    const unsaid = `alert ${declared.id}: its chart was edited on the product's page, and the service no longer shows it; it does not count as drift, and the next update replaces it`;
    expect(warnings).to.deep.equal([unsaid]);
    const { warnings: told } = await become(declared, { ...inline, threshold: 7 });
    expect(told).to.deep.equal([unsaid]);
    expect(stored(declared)).to.deep.include({ threshold: 7 });
    expect(stored(declared).chartConfig).to.include({ displayType: "line" }).and.not.have.property("having");
    const { session: later, warnings: none } = opened();
    expect(await declared.refresh(later)).to.deep.equal([]);
    expect(none).to.deep.equal([]);
  });

  it("changes from a search and back in place", async () => {
    const declared = await applied({ ...alert, groupBy: "host" });
    const { id } = declared;
    await become(declared, inline);
    expect(lastBody()).to.not.have.any.keys("savedSearchId", "groupBy");
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    await become(declared, alert);
    expect(lastBody()).to.not.have.property("chartConfig");
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    expect(declared.id).to.equal(id);
    Object.assign(stored(declared), { source: "inline", chartConfig: line, savedSearch: undefined });
    await become(declared, { ...alert, threshold: 8 });
    expect(stored(declared)).to.include({ source: "search", threshold: 8 });
  });

  it("sends a name and tags only where they are declared, and null once they are not", async () => {
    const declared = await applied({ ...inline, chartConfig: { ...line, name: "Errors" } });
    // They may repeat the secret name of a tile.
    expect(declared.state).to.not.have.any.keys("displayName", "tags");
    await become(declared, { ...inline, threshold: 6 });
    expect(lastBody()).to.not.have.any.keys("displayName", "tags");
    await become(declared, { ...inline, displayName: "Mine", tags: ["a"] });
    await become(declared, inline);
    expect(lastBody()).to.include({ displayName: null, tags: null });
    expect(declared.state).to.not.have.any.keys("displayName", "tags");
  });
});
