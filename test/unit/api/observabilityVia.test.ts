import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import { observabilityViaOf } from "../../../provider/api/settings";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { diff } from "../../../provider/lifecycle/diff";
import { alertResource } from "../../../provider/resources/alert/alert";
import { sessionFor } from "../lifecycle/note";
import { failureOfType } from "./failure";
import { organizationId, place, serviceId, settingsFor } from "./server";

const keyOnly = { accessToken: undefined };
const tokenOnly = { keyId: undefined, keySecret: undefined, organizationId: undefined, serviceId: undefined };
const clickhouse = { dialect: "clickhouse" } as const;

describe("The API that serves dashboards and alerts", () => {
  const derived: readonly (readonly [Partial<Settings>, string])[] = [
    [{}, "both"],
    [keyOnly, "management"],
    [{ keyId: undefined }, "observability"],
    [{ keySecret: undefined }, "observability"],
    [tokenOnly, "observability"],
    [{ ...tokenOnly, ...keyOnly }, "both"],
    [{ observabilityVia: "management" }, "management"],
    [{ ...keyOnly, observabilityVia: "observability" }, "observability"],
    [{ ...tokenOnly, observabilityVia: "both" }, "both"],
    [clickhouse, "management"],
    [{ ...clickhouse, ...tokenOnly }, "observability"],
    [{ ...clickhouse, ...tokenOnly, ...keyOnly }, "management"],
    [{ ...clickhouse, observabilityVia: "both" }, "both"],
  ];
  for (const [changed, expected] of derived) {
    const given = Object.entries(changed).map(([name, value]) => (value ? `${name} ${value}` : `no ${name}`));
    it(`the API that serves dashboards and alerts (observabilityVia) is ${expected} with ${given.join(", ") || "all settings"}`, () => {
      expect(observabilityViaOf(settingsFor("http://127.0.0.1:1", changed))).to.equal(expected);
    });
  }

  for (const [operation, changed, missing] of [
    ["listConnections", keyOnly, "setting accessToken is missing"],
    ["listKeys", tokenOnly, "settings keyId and keySecret are missing"],
  ] as const)
    it(`the client refuses ${operation} before any request if credentials are missing: ${missing}`, async () => {
      const { session } = sessionFor(changed);
      const { message } = await failureOfType(session.call(operation, place), SettingsError);
      expect(message.split("; ")[0]).to.equal(missing);
    });
});

describe("Resources on the observability API alone", () => {
  const alert = {
    ...{ threshold: 1, interval: "5m", thresholdType: "above", source: "search" },
    channel: { type: "webhook", webhookId: "w" },
  };
  const { session: unplaced } = sessionFor(tokenOnly);

  it("a resource on the observability API alone does not get the service id of the settings", () => {
    const { session } = sessionFor({ ...tokenOnly, serviceId });
    expect(check(alertResource, {}, alert, session).inputs).to.deep.equal(alert);
  });

  it("an alert is not replaced when the provider settings no longer name the service that it belongs to", async () => {
    const before = { ...alert, organizationId, serviceId };
    const { inputs } = check(alertResource, before, alert, unplaced);
    expect(inputs).to.deep.equal(before);
    expect(await diff(alertResource, "a", before, inputs, unplaced)).to.deep.equal([]);
  });

  it("an alert is not replaced when the provider settings begin to name the service that it belongs to", async () => {
    const { session } = sessionFor();
    const { inputs } = check(alertResource, alert, alert, session);
    expect(await diff(alertResource, "a", alert, inputs, session)).to.deep.equal([
      { path: "organizationId", kind: "add", replaces: false },
      { path: "serviceId", kind: "add", replaces: false },
    ]);
  });
});
