import { expect } from "chai";
import { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { type State, trackingOf } from "../../../provider/lifecycle/state";
import { sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { refused, reset } from "../api/server";
import { alert } from "./scriptedService";
import { alerts, inputsOf, three, useSets } from "./setSteps";

const { AlertSet } = sets;

describe("Entries of an AlertSet whose creates lost their answers", () => {
  const { service, open, put, updated, changesTo, writes, idIn } = useSets();
  /** Loses the answers to all creates, or to some, and lets lists lack every new alert until the gateway is removed. */
  const loseAll = (old = service.ids(), lost = /./) => {
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (typeof answer === "function") return answer;
      if (operation === "createAlert" && lost.test(String(answer.body))) return reset;
      if (operation !== "listAlerts") return answer;
      const { result, ...envelope } = JSON.parse(String(answer.body)) as { result: PropertyMap[] };
      const shown = result.filter(({ id }) => old.includes(String(id)));
      return { ...answer, body: JSON.stringify({ ...envelope, result: shown }) };
    };
  };
  const once = { maxRetries: 0 };
  /** The Pulumi state of an AlertSet of three alerts, all of which exist although no answer or list has shown some or any. */
  const inDoubt = async (lost?: RegExp) => {
    loseAll(service.ids(), lost);
    const { id, state, failure } = await AlertSet.create(three, open(once).session);
    expect(failure?.message).to.match(lost ? /^1 of 3 alerts failed/ : /^3 of 3 alerts failed/);
    service.gateway = undefined;
    service.requests.length = 0;
    return { id, state };
  };

  it("a set with entries in doubt alone keeps them in the state, and the next update takes their alerts", async () => {
    const made = await inDoubt();
    expect(made.state.ids).to.deep.equal({});
    expect(Object.keys(trackingOf(made.state).doubts ?? {})).to.deep.equal(["a", "b", "c"]);
    expect(JSON.stringify(trackingOf(made.state))).to.not.include("Slow");
    expect(await changesTo(made, three)).to.have.length(3);
    const { session, warnings, notices } = open();
    const state = await AlertSet.update(made.id, made.state, three, session);
    expect(writes()).to.deep.equal([]);
    expect(Object.values(state.ids as object).sort()).to.deep.equal(service.ids().sort());
    expect([warnings, trackingOf(state).doubts]).to.deep.equal([[], undefined]);
    expect(notices.join()).to.match(/alerts\["a"\]: alert \S+ was created by an earlier update/);
    expect(await changesTo({ id: made.id, state }, three)).to.deep.equal([]);
  });

  it("an update finds and changes alerts in doubt even after a refresh and a failed update", async () => {
    const made = await inDoubt();
    const read = (await AlertSet.read(made.id, made.state, open().session)) as { state: State };
    expect(trackingOf(read.state).doubts).to.deep.equal(trackingOf(made.state).doubts);
    loseAll([]);
    const again: unknown = await failureOf(AlertSet.update(made.id, read.state, three, open(once).session));
    expect(again).to.be.instanceOf(UpdatedIncompletely);
    service.gateway = undefined;
    for (const id of service.ids().slice(3)) service.model.store.alerts.delete(id);
    const later = inputsOf(alerts({ a: 1, b: 20, c: 3 }));
    const { state } = await updated({ id: made.id, state: (again as UpdatedIncompletely).state }, later);
    expect(Object.values(state.ids as object).sort()).to.deep.equal(service.ids().sort());
    expect(service.stored(idIn(state, "b"))?.threshold).to.equal(20);
  });

  it("an update names the alert of an entry in doubt that has left the program", async () => {
    const made = await inDoubt();
    const [a, b, c] = service.ids();
    const { session, warnings } = open();
    const state = await AlertSet.update(made.id, made.state, inputsOf(alerts({ a: 1, b: 2 })), session);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include(`alert ${c} was probably created for alerts["c"]`);
    expect(Object.values(state.ids as object)).to.deep.equal([a, b]);
    expect(await changesTo({ id: made.id, state }, inputsOf(alerts({ a: 1, b: 2 })))).to.deep.equal([]);
  });

  it("an entry in doubt that leaves the program is a change until an update has named its alert", async () => {
    const { id, state } = await inDoubt(/"threshold":3/);
    const read = (await AlertSet.read(id, state, open().session)) as { state: State };
    const refreshed = { id, state: read.state };
    const two = inputsOf(alerts({ a: 1, b: 2 }));
    expect(await changesTo(refreshed, two)).to.deep.equal(['delete alerts["c"]']);
    expect(await changesTo(await updated(refreshed, two), two)).to.deep.equal([]);
    expect(writes()).to.deep.equal([]);
  });

  it("a destroy names the alert of an entry in doubt", async () => {
    const { id, state } = await inDoubt();
    const { session, warnings } = open();
    await AlertSet.delete(id, state, session);
    for (const [at, key] of ["a", "b", "c"].entries())
      expect(warnings.join()).to.include(
        `alert ${service.ids()[at]} was probably created for alerts["${key}"]`,
      );
  });

  it("a destroy deletes nothing while no list can tell of entries in doubt", async () => {
    const { id, state } = await inDoubt();
    service.gateway = (operation, carryOut) => (operation === "listAlerts" ? refused(403, "no") : carryOut());
    expect((await failureOf(AlertSet.delete(id, state, open().session))).message).to.include("listAlerts");
    expect(writes()).to.deep.equal([]);
  });

  it("entries in doubt that show the same take each an alert", async () => {
    const same = inputsOf({ a: alert, b: alert });
    loseAll();
    const { id, state } = await AlertSet.create(same, open(once).session);
    service.gateway = undefined;
    const now = await updated({ id, state }, same);
    expect(Object.values(now.state.ids as object).sort()).to.deep.equal(service.ids().sort());
    expect(service.ids()).to.have.length(2);
  });

  it("of two sets whose creates sent the same, one takes the only alert", async () => {
    const same = inputsOf({ a: alert });
    loseAll();
    const made = await Promise.all([1, 2].map(() => AlertSet.create(same, open(once).session)));
    service.gateway = undefined;
    service.model.store.alerts.delete(service.ids()[0] ?? "");
    const { session } = open();
    const states = await Promise.all(made.map(({ id, state }) => AlertSet.update(id, state, same, session)));
    expect(new Set(states.map((state) => idIn(state, "a")))).to.have.property("size", 2);
    expect(service.ids()).to.have.length(2);
  });

  it("an entry in doubt does not take an alert that has what another entry sent", async () => {
    const { name: _, message: __, ...plain } = alert as PropertyMap;
    const program = inputsOf({ a: plain, b: { ...plain, name: "Rows", message: "Look at it" } });
    loseAll();
    const { id, state } = await AlertSet.create(program, open(once).session);
    service.gateway = undefined;
    const [first = "", second = ""] = service.ids();
    const isNamed = service.stored(first)?.name === "Rows";
    const [a, b] = isNamed ? [second, first] : [first, second];
    Object.assign(service.stored(a) ?? {}, { name: null, message: null });
    Object.assign(service.stored(b) ?? {}, { threshold: 99 });
    service.requests.length = 0;
    const { ids } = (await updated({ id, state }, program)).state as { ids: { [key: string]: string } };
    expect(ids.a).to.equal(a);
    expect(ids.b).to.not.equal(a);
    expect(writes()).to.not.include("updateAlert");
  });

  it("an entry in doubt takes no alert if several could be its own", async () => {
    const made = await inDoubt();
    const further = put({ threshold: 1 });
    const [first] = service.ids();
    const { session, warnings } = open();
    const state = await AlertSet.update(made.id, made.state, three, session);
    expect(warnings.join()).to.include(
      `for alerts["a"] lost its answer, and nothing tells whether one of these alerts is its own, so none is taken: ${first}, ${further}`,
    );
    expect([first, further]).to.not.include(idIn(state, "a"));
    expect(Object.keys(trackingOf(state).doubts ?? {})).to.deep.equal(["a"]);
  });

  it("an update makes no entry in doubt while no list can be read", async () => {
    const made = await inDoubt();
    service.gateway = (operation, carryOut) => (operation === "listAlerts" ? refused(403, "no") : carryOut());
    await failureOf(AlertSet.update(made.id, made.state, three, open().session));
    expect(writes()).to.deep.equal([]);
    service.gateway = undefined;
    const { state } = await updated(made, three);
    expect(Object.values(state.ids as object).sort()).to.deep.equal(service.ids().sort());
  });

  it("an entry in doubt finds its own alert although the service's clock is slow", async () => {
    const other = put({ threshold: 1 });
    const made = await inDoubt();
    for (const record of service.model.store.alerts.values())
      if (record.id !== other)
        Object.assign(record, { createdAt: new Date(Date.now() - 90_000).toISOString() });
    const { state } = await updated(made, three);
    expect(writes()).to.deep.equal([]);
    expect([other, ...Object.values(state.ids as object)].sort()).to.deep.equal(service.ids().sort());
  });

  it("an alert of last year that was made equal since is not taken for one in doubt", async () => {
    const old = put({ threshold: 9, createdAt: "2020-01-01T00:00:00.000Z" });
    const made = await inDoubt();
    Object.assign(service.stored(old), { threshold: 1 });
    const { state } = await updated(made, three);
    expect(Object.values(state.ids as object))
      .to.have.length(3)
      .and.not.include(old);
  });

  /** Fails as a gateway in front of the service does, which shows no list, so that nothing tells what existed before. */
  const inDoubtUnlisted = async (isCarriedOut: boolean) => {
    service.gateway = async (operation, carryOut) => {
      if (operation === "listAlerts") return refused(403, "no");
      if (isCarriedOut) await carryOut();
      return reset;
    };
    const made = await AlertSet.create(three, open(once).session);
    service.gateway = undefined;
    service.requests.length = 0;
    return made;
  };

  it("where no list has told what existed before, an older alert is not taken for one in doubt", async () => {
    put({ threshold: 1, createdAt: "2020-01-01T00:00:00.000Z" });
    const made = await inDoubtUnlisted(true);
    const [old, ...ids] = service.ids();
    const now = await updated(made, three);
    expect(Object.values(now.state.ids as object).sort()).to.deep.equal(ids.sort());
    expect(service.ids()).to.include(old).and.have.length(4);
  });

  it("where no list has told what existed before, a slightly older alert is named and not taken", async () => {
    const made = await inDoubtUnlisted(false);
    const theirs = put({ threshold: 1, createdAt: new Date(Date.now() - 5000).toISOString() });
    const { session, warnings } = open();
    const state = await AlertSet.update(made.id, made.state, three, session);
    expect(warnings.join()).to.match(
      new RegExp(`for alerts\\["a"\\] lost its answer, and nothing tells .* so none is taken: ${theirs}`),
    );
    expect(Object.values(state.ids as object))
      .to.have.length(3)
      .and.not.include(theirs);
  });

  it("a doubt ends once a list lacks its alert after three minutes", async () => {
    const made = await inDoubt();
    for (const id of service.ids()) service.model.store.alerts.delete(id);
    const { state } = await updated(made, three);
    expect(writes()).to.have.length(3);
    expect(Object.keys(trackingOf(state).doubts ?? {})).to.have.length(3);
    service.time.pass(180_000);
    const later = await updated({ id: made.id, state }, inputsOf(alerts({ a: 1, b: 2, c: 4 })));
    expect(trackingOf(later.state).doubts).to.equal(undefined);
  });
});
