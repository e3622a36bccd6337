import { expect } from "chai";
import { lastChanges } from "../../../../cli/drift/actors";
import type { Drift } from "../../../../cli/drift/findDrift";
import { resolveSettings } from "../../../../provider/api/settings";
import { Session } from "../../../../provider/lifecycle/session";
import type { DeclarableName } from "../../../../provider/resources/registry";
import { send, settingsOf } from "../../../serviceContents";
import { useServiceFixture } from "../serviceFixture";

const drifted = (type: DeclarableName, id: string): Drift => ({
  ...{ urn: `urn:${type}`, type, name: "mine", id, url: null, kind: "changed" },
  ...{ property: "p", label: "p", declared: 1, found: 2 },
});

describe("The people and keys that caused drift", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse" });
  const open = async (changed = {}) => {
    const settings: Record<string, string> = {
      ...settingsOf(fixture.sandbox),
      dialect: "clickhouse",
      ...changed,
    };
    return new Session(() => resolveSettings([(name) => settings[name]]), { warn() {}, info() {} });
  };
  const changesOf = (...drift: Drift[]) => lastChanges(drift, [], open);
  const asked = () =>
    fixture.sandbox.requests.filter(({ operation }) => operation === "listActivities").length;
  const serviceId = () => fixture.sandbox.credentials.serviceId;
  const scale = (numReplicas: number, path = "") =>
    send(fixture.sandbox, "PATCH", `/services/${serviceId()}/replicaScaling${path}`, { numReplicas });
  const nothing = { at: null, actorType: null, actor: null, isOwn: false, activity: null, problem: null };

  it("one request finds the latest change of each drifted object", async () => {
    const { sandbox } = fixture;
    const { id } = await fixture.addKey();
    await send(sandbox, "PATCH", `/keys/${id}`, { state: "disabled" });
    await scale(5);
    const [older] = [...sandbox.store.activities.values()].slice(-1);
    if (!older) throw new Error("the sandbox recorded nothing");
    const later = { ...older, createdAt: new Date(Date.now() + 1000).toISOString() };
    const person = { actorType: "user", actorId: "u1", actorDetails: "ada@example.com" } as const;
    sandbox.store.activities.set("later", { ...later, ...person });
    const [createdAt, type] = ["2999-01-01T00:00:00Z", "service_update_autoscaling_schedule"];
    const ofOther = { ...later, createdAt, serviceId: sandbox.credentials.secondServiceId };
    sandbox.store.activities.set("ofOther", ofOther);
    sandbox.store.activities.set("ofOtherType", { ...later, createdAt, type: "service_update_name" });
    const otherKey = { actorType: "api", actorId: "k2", actorDetails: "" } as const;
    sandbox.store.activities.set("ofSchedule", { ...later, type, ...otherKey });
    const [key, scaling, schedule, ...others] = await changesOf(
      drifted("ApiKey", id.toUpperCase()),
      drifted("ServiceScaling", serviceId()),
      drifted("ServiceScalingSchedule", serviceId()),
      drifted("Dashboard", "d1"),
    );
    expect(key).to.deep.include({ type: "ApiKey", activity: "state-changed", actorType: "api", isOwn: true });
    const { actorType, actorDetails: actor } = person;
    expect(scaling).to.include({ actorType, actor, at: later.createdAt, activity: later.type, isOwn: false });
    expect(schedule).to.include({ actorType: "api", actor: "k2", isOwn: false });
    expect(others).to.deep.equal([]);
    expect(asked()).to.equal(1);
  });

  it("the drift report does not name the author of a change from more than 30 days ago", async () => {
    await scale(5);
    for (const activity of fixture.sandbox.store.activities.values())
      activity.createdAt = new Date(Date.now() - 31 * 86_400_000).toISOString();
    const [change] = await changesOf(drifted("ServiceScaling", serviceId()));
    expect(change).to.deep.include(nothing);
  });

  it("no request looks for the authors of changes where the service records no activities", async () => {
    expect(await changesOf(drifted("Dashboard", "d1"))).to.deep.equal([]);
    const scaling = drifted("ServiceScaling", serviceId());
    expect(await lastChanges([scaling], [], () => open({ dialect: "neutral" }))).to.deep.equal([]);
    expect(asked()).to.equal(0);
  });

  it("the search for the authors of changes reads the activities of the object's own organization", async () => {
    const scaling = drifted("ServiceScaling", serviceId());
    const outputs = { organizationId: "00000000-0000-4000-8000-000000000000" };
    const state = { urn: scaling.urn, type: "t", outputs };
    const [change] = await lastChanges([scaling], [state], open);
    expect(change?.problem).to.match(/organization not found/);
  });

  const failures = {
    "403": /permission control-plane:organization:view-activities for this/,
    "404-gateway": /it may be too old for listActivities/,
    "other-shape": /is not what the operation returns/,
  };
  for (const [kind, problem] of Object.entries(failures) as [keyof typeof failures, RegExp][])
    it(`pipestack drift gives one reason why the authors of all changes are unknown: ${kind}`, async () => {
      await fixture.sandbox.faults.set([{ kind, operation: "listActivities" }]);
      const changes = await changesOf(drifted("ServiceScaling", serviceId()), drifted("ApiKey", "k1"));
      expect(changes.map(({ at }) => at)).to.deep.equal([null, null]);
      const problems = new Set(changes.map((change) => change.problem));
      expect([...problems].join()).to.match(problem);
      expect(problems.size).to.equal(1);
      await fixture.sandbox.faults.clear();
    });

  it("pipestack drift says that the authors of changes are unknown because settings are missing", async () => {
    const settingless = () => open({ keyId: undefined });
    const [change] = await lastChanges([drifted("ServiceScaling", serviceId())], [], settingless);
    expect(change?.problem).to.include("keyId");
  });
});
