import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { validInputs } from "../resources/validInputs";
import { sessionFor } from "./note";

describe("a word that a service may know, though this version does not", () => {
  const warningsOf = (type: TypeName, declared: object) => {
    const inputs = { ...validInputs[type], ...declared } as Data;
    const { failures, warnings } = check(resources[type], {}, inputs, sessionFor().session);
    expect(failures).to.deep.equal([]);
    return warnings;
  };
  const dashboard = (aggFn: unknown) => ({
    tiles: [{ name: "Errors", x: 0, y: 0, w: 1, h: 1, series: [{ type: "number", aggFn }] }],
  });

  it("is accepted where the API document leaves open which there are, with a warning if it is near a known one", () => {
    expect(warningsOf("Dashboard", dashboard("cuont"))).to.deep.equal([
      'Dashboard: tiles["Errors"].series[0].aggFn is not known to this version; did you mean count?',
    ]);
    expect(warningsOf("Alert", { channel: { type: "webhok", webhookId: "1" } })).to.deep.equal([
      "Alert: channel.type is not known to this version; did you mean webhook?",
    ]);
  });

  for (const aggFn of ["count", "p95", "histogram_of_the_future", unknown]) {
    it(`is accepted without a word otherwise: ${String(aggFn)}`, () => {
      expect(warningsOf("Dashboard", dashboard(aggFn))).to.deep.equal([]);
    });
  }
});
