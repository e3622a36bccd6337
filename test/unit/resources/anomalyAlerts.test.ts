import { expect } from "chai";
import { alertResource } from "../../../provider/resources/alert/alert";
import { sets } from "../../../provider/resources/registry";
import { alert as onSearch, useAlerts } from "./clickhouseAlerts";
import { onManagement, onObservability } from "./rules";

const alert = { ...onSearch, interval: "15m" };
const anomalyConfig = {
  ...{ bucketSizeSeconds: 300, zScoreThreshold: 3.5, condition: "above", minAbsoluteDelta: 10 },
  ...{ nonNegative: true, maxSeries: 20, baselineLookbackMinutes: 1440 },
};
const detection = { detectionMode: "anomaly", anomalyConfig } as const;
const anomalies = { ...alert, ...detection };

describe("An alert that recognizes anomalies", () => {
  const { product, opened, stored, updates, become, applied } = useAlerts(onManagement);

  for (const [what, settings] of [
    ["ClickHouse Cloud", onManagement],
    ["the observability API", onObservability],
  ] as const)
    it(`an update of an alert's threshold on ${what} keeps the anomaly detection that a colleague has set`, async () => {
      const declared = await applied(alert, settings);
      Object.assign(stored(declared), detection);
      expect(await declared.refresh(opened(settings).session)).to.deep.equal([]);
      for (const threshold of [6, 7]) {
        const { warnings } = await become(declared, { ...alert, threshold }, settings);
        expect(warnings).to.deep.equal([]);
        expect(stored(declared)).to.deep.include({ ...detection, threshold });
      }
      expect(await declared.refresh(opened(settings).session)).to.deep.equal([]);
    });

  it("a program that adopts an anomaly alert of a colleague keeps its detection", async () => {
    const { id } = await applied(alert);
    Object.assign(stored({ id }), detection);
    const declared = await applied({ ...alert, threshold: 9, adoptId: id });
    expect(declared.id).to.equal(id);
    expect(stored({ id })).to.deep.include({ ...detection, threshold: 9 });
  });

  it("an alert of a set keeps the anomaly detection that a colleague has set", async () => {
    const inputs = (threshold: number) => ({ alerts: { errors: { ...alert, threshold } } });
    const { id: setId, state } = await sets.AlertSet.create(inputs(5), opened().session);
    const id = (state.ids as { readonly errors: string }).errors;
    Object.assign(stored({ id }), detection);
    const { session, warnings } = opened();
    const found = await sets.AlertSet.read(setId, state, session);
    if (typeof found === "string") throw new Error(found);
    expect(found.inputs).to.deep.equal(inputs(5));
    await sets.AlertSet.update(setId, found.state, inputs(6), opened().session);
    expect(warnings).to.deep.equal([]);
    expect(stored({ id })).to.deep.include({ ...detection, threshold: 6 });
  });

  it("an update says that it leaves out anomaly detection that its interval excludes", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), detection);
    const { warnings } = await become(declared, { ...alert, interval: "1m" });
    expect(warnings.join()).to.match(
      /the update leaves out detectionMode, anomalyConfig(, \w+)*, which the program does not declare/,
    );
    expect(stored(declared)).to.include({ interval: "1m" }).and.not.have.property("detectionMode", "anomaly");
  });

  it("an update whose answer is lost says that it leaves out anomaly detection", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), detection);
    await product.sandbox.faults.set([{ kind: "reset", when: "after", operation: "updateAlert", nth: 2 }]);
    Object.assign(declared, { program: { ...alert, interval: "1m" } });
    const { session, warnings } = opened({ ...onManagement, maxRetries: "0" });
    const failure = await declared.up(session).catch((error: Error) => error);
    await product.sandbox.faults.clear();
    expect(failure).to.be.instanceOf(Error);
    expect(stored(declared)).to.include({ interval: "1m" });
    expect(warnings.join()).to.include("the update leaves out detectionMode, anomalyConfig");
  });

  it("with onConflict fail, an update whose interval excludes anomaly detection writes nothing", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), detection);
    const failure = await become(
      declared,
      { ...alert, interval: "1m" },
      {
        ...onManagement,
        onConflict: "fail",
      },
    ).catch(({ message }: Error) => message);
    expect(failure).to.match(/Nothing was written, since onConflict is "fail"/);
    expect(stored(declared)).to.deep.include(detection);
  });

  it("a declared mode threshold turns a colleague's anomaly alert back into an alert without detection", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), detection);
    const { warnings } = await become(declared, { ...alert, detectionMode: "threshold" });
    expect(warnings.filter((text) => text.includes("leaves out"))).to.deep.equal([]);
    expect(updates().at(-1))
      .to.include({ detectionMode: "threshold" })
      .and.not.have.property("anomalyConfig");
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
  });

  it("a create without a detection mode whose answer is lost is not found in an anomaly alert", () => {
    expect(alertResource.isLike?.({ ...anomalies }, { ...alert })).to.equal(false);
    expect(alertResource.isLike?.({ ...alert, detectionMode: "threshold" }, { ...alert })).to.equal(true);
    expect(alertResource.isLike?.({ ...alert }, { ...alert })).to.equal(true);
  });
});
