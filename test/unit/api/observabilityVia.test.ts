import { expect } from "chai";
import { SettingsError } from "../../../provider/api/errors";
import { type OperationName, operationOn, operations } from "../../../provider/api/operations";
import { observabilityViaOf } from "../../../provider/api/settings";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { diff } from "../../../provider/lifecycle/diff";
import { alertResource } from "../../../provider/resources/alert/alert";
import { resources, typeNames } from "../../../provider/resources/registry";
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
    it(`is ${expected} with ${given.join(", ") || "all settings"}`, () => {
      expect(observabilityViaOf(settingsFor("http://127.0.0.1:1", changed))).to.equal(expected);
    });
  }

  it("is either API for every type but connections, which only self-hosted servers have", () => {
    const names = Object.keys(operations) as OperationName[];
    const movable = names.filter(
      (name) => operationOn("management", name).api !== operationOn("observability", name).api,
    );
    const own = typeNames
      .filter((type) => resources[type].scope === "observability" && type !== "Connection")
      .flatMap((type) => Object.values(resources[type].operations));
    expect(movable).to.have.members([...own, "validateDashboard"]);
  });

  it("is the one that the document names if there are both: only updates are on the observability API", () => {
    const names = Object.keys(operations) as OperationName[];
    const ofObservability = names.filter((name) => operationOn("both", name).api === "observability");
    expect(ofObservability.filter((name) => !name.includes("Connection"))).to.have.members([
      ...["updateDashboard", "updateAlert", "getChartSeries"],
    ]);
  });

  for (const [operation, changed, missing] of [
    ["listConnections", keyOnly, "setting accessToken is missing"],
    ["listKeys", tokenOnly, "settings keyId and keySecret are missing"],
  ] as const)
    it(`is asked for no ${operation} without credentials: ${missing}`, async () => {
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

  it("need no organization and no service", () => {
    const { inputs, failures } = check(alertResource, {}, alert, unplaced);
    expect([inputs, failures]).to.deep.equal([alert, []]);
  });

  it("need both an organization and a service if their type is on the management API", () => {
    const elsewhere = { ...alertResource, scope: "service" } as const;
    const { failures } = check(elsewhere, {}, alert, unplaced);
    expect(failures.map(({ message }) => message.split("; ")[0])).to.deep.equal([
      "settings organizationId and serviceId are missing",
    ]);
  });

  it("have the service that the settings name", () => {
    const { session } = sessionFor({ ...tokenOnly, serviceId });
    expect(check(alertResource, {}, alert, session).inputs).to.deep.equal({ ...alert, serviceId });
  });

  it("are not replaced when the settings no longer name their service", () => {
    const before = { ...alert, organizationId, serviceId };
    const { inputs } = check(alertResource, before, alert, unplaced);
    expect(inputs).to.deep.equal(before);
    expect(diff(alertResource, "a", before, inputs, unplaced)).to.deep.equal([]);
  });

  it("are not replaced when the settings begin to name their service", () => {
    const { session } = sessionFor();
    const { inputs } = check(alertResource, alert, alert, session);
    expect(diff(alertResource, "a", alert, inputs, session)).to.deep.equal([
      { path: "organizationId", kind: "add", replaces: false },
      { path: "serviceId", kind: "add", replaces: false },
    ]);
  });
});
