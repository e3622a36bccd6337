import { expect } from "chai";
import { findDrift, isNothingSeen } from "../../../../cli/drift/findDrift";
import { declaredResources } from "../../../../cli/orphans/declared";
import { Holdings } from "../../../../cli/orphans/states";
import { secretMark, signature, unknownText } from "../../../../provider/engine/engineValues";
import { tokenPrefix, typeToken } from "../../../../provider/engine/names";
import { sessionFor } from "../../lifecycle/note";
import { alert, place } from "../../lifecycle/scriptedService";

const id = "66f0c2d8a1b2c3d4e5f60718";
const onTile = { ...alert, source: "tile", dashboardId: "d", tileId: "t" };

for (const [host, token] of [
  ["the plugin", `${tokenPrefix}AlertSet`],
  ["the dynamic host", typeToken("AlertSet")],
])
  describe(`The entries of an AlertSet in a state of ${host}`, () => {
    const inputs = { ...place, alerts: { errors: { ...onTile, adoptId: id } } };
    const set = {
      ...{ urn: `urn:pulumi:dev::test::${token}::all`, type: token as string, id: "set" },
      ...{ inputs, outputs: { ...inputs, ids: { errors: id } } },
    };

    it("commands find an AlertSet's entries in a state with their organization and service", () => {
      const holdings = new Holdings([{ name: "dev", resources: [set], pending: [] }]);
      expect(holdings.holds("Alert", id, {})).to.equal(true);
      expect(holdings.placed).to.deep.equal([{ type: "Alert", id, name: 'all["errors"]', ...place }]);
    });

    const ofState = (outputs: Readonly<Record<string, unknown>>) =>
      new Holdings([{ name: "dev", resources: [{ ...set, outputs }], pending: [] }]);

    for (const [what, ids] of [
      ["secret", { [signature]: secretMark, ciphertext: "x" }],
      ["unknown", unknownText],
      ["unknown for one of them", { errors: id, others: unknownText }],
    ])
      it(`every alert counts as a possible entry of an AlertSet while the ids in its state are ${what}`, () => {
        const reason = ofState({ ...inputs, ids }).unknownEntries.get("Alert");
        expect(reason).to.match(/^set all has, whose ids are (secret|not known) in the state$/);
      });

    it("entries of an AlertSet whose values are all secret count as objects in the state", () => {
      const values = { alerts: { [signature]: secretMark, ciphertext: "x" } };
      const holdings = ofState({ ...place, ...values, ids: { errors: id } });
      expect(holdings.holds("Alert", id, {})).to.equal(true);
      expect([...holdings.unknownEntries]).to.deep.equal([]);
    });

    it("objects that entries of an AlertSet adopt are excluded from orphans --recover", () => {
      const steps = [{ op: "create", urn: set.urn, newState: set }];
      expect([...declaredResources({ steps }, sessionFor().session).adopted]).to.deep.equal([id]);
    });

    it("drift of an AlertSet names the path of the entry's property", () => {
      const found = { ...inputs, alerts: { errors: { ...onTile, adoptId: id, threshold: 9 } } };
      const step = { op: "update", urn: set.urn, old: set, new: { ...set, inputs: found } };
      const [drift] = findDrift([set], [step]).drift;
      expect(drift).to.include({
        type: "AlertSet",
        property: "alerts.errors.threshold",
        declared: 5,
        found: 9,
      });
    });

    it("an AlertSet counts as skipped if the refresh skipped alerts", () => {
      expect(isNothingSeen([set], ["no route [uncompared noRoute Alert]"])).to.equal(true);
      expect(isNothingSeen([set], [])).to.equal(false);
    });
  });
