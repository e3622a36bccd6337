import { expect } from "chai";
import { Claims } from "../../../provider/hosts/ownership/claims";
import { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import type { State } from "../../../provider/lifecycle/state";
import { resources, sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { sentenceOf } from "../../../provider/values/validate";
import { failureOf } from "../api/failure";
import { alert, place } from "./scriptedService";
import { alerts, inputsOf, three, useSets } from "./setSteps";

const { AlertSet } = sets;

/**
 * The Pulumi state of an AlertSet by an earlier version, in which entries could adopt alerts and leave the set without being
 * deleted.
 */
const oldState = {
  ...place,
  alerts: {
    a: { ...alert, threshold: 1, adoptId: "66f0c2d8a1b2c3d4e5f60718" },
    b: { ...alert, threshold: 2 },
  },
  retain: ["c"],
  ids: { a: "66f0c2d8a1b2c3d4e5f60718", b: "66f0c2d8a1b2c3d4e5f60719" },
  __tracking: {
    entries: { b: { __tracking: { createdAt: "2026-11-20T08:00:00.000Z", taken: true } } },
    unfinished: ["b"],
  },
};

describe("AlertSets", () => {
  const { service, open, put, stored, session, idIn, created, updated, changesTo, writes, refuse } =
    useSets();

  it("an AlertSet does not take a new entry for gone although its id seems to contain an old creation time", async () => {
    service.rewrite(/^createAlert$/, /"id":"[0-9a-f]{8}/, '"id":"6293d183');
    const { id, state } = await created(inputsOf(alerts({ a: 1 })));
    expect(await AlertSet.read(id, state, session())).to.deep.include({ state });
  });

  const steps = [
    ["change", "updateAlert", { a: 10, b: 20, c: 3 }, 'alerts["b"]', 'update alerts["b"].threshold'],
    ["creation", "createAlert", { a: 10, b: 2, c: 3, d: 20 }, 'alerts["d"]', 'add alerts["d"]'],
    ["deletion", "deleteAlert", { a: 10, c: 3 }, 'alerts["b"]', 'delete alerts["b"]'],
  ] as const;
  for (const [step, operation, thresholds, place, left] of steps)
    it(`an update of an AlertSet leaves only the ${step} that failed to the next update`, async () => {
      const made = await created();
      const later = inputsOf(alerts(thresholds));
      refuse(operation, operation === "createAlert" ? "" : idIn(made.state, "b"));
      const error = (await failureOf(updated(made, later))) as unknown as UpdatedIncompletely;
      expect(error).to.be.instanceOf(UpdatedIncompletely);
      expect(error.message)
        .to.match(/^1 of [34] alerts failed, and the others succeeded: alerts\["[bd]"\]: .*\bno\b/)
        .and.include(place);
      expect(stored(idIn(made.state, "a"))?.threshold).to.equal(10);
      service.gateway = undefined;
      service.requests.length = 0;
      expect(await changesTo({ ...made, state: error.state }, later)).to.deep.equal([left]);
      const { state } = await updated({ ...made, state: error.state }, later);
      expect(writes()).to.deep.equal([operation]);
      expect(state.alerts).to.deep.equal(later.alerts);
      expect(Object.keys(state.ids as object)).to.deep.equal(Object.keys(thresholds));
    });

  for (const isLeaving of [true, false])
    for (const isFirst of [true, false])
      it(`an AlertSet refuses a resource that adopts ${isLeaving ? "an entry that leaves the AlertSet" : "an entry"} and is checked ${isFirst ? "before" : "after"} the AlertSet`, async () => {
        const { session: own } = open();
        const claims = new Claims();
        claims.serve(own);
        const made = await created();
        const id = idIn(made.state, "a");
        const adopt = () =>
          claims.declare(
            resources.Alert,
            { ...place, adoptId: id },
            { identity: "urn:x", name: "single" },
            own,
          );
        const compare = () => changesTo(made, isLeaving ? inputsOf(alerts({ b: 2, c: 3 })) : three, own);
        const rule = "a set hands none of its objects over; remove adoptId from the program";
        if (isFirst) {
          expect(adopt()).to.deep.equal([]);
          expect((await failureOf(compare())).message).to.equal(
            `alert ${id} belongs to AlertSet, alerts["a"], and Alert "single" has its id as adoptId: ${rule}`,
          );
        } else {
          await compare();
          expect(adopt().map(sentenceOf)).to.deep.equal([
            `adoptId names the object of AlertSet, alerts["a"]: ${rule}`,
          ]);
        }
      });

  it("a destroy of an AlertSet that fails in part names the remaining alerts, and says to run a refresh", async () => {
    const made = await created();
    const b = idIn(made.state, "b");
    refuse("deleteAlert", b);
    const { message } = await failureOf(AlertSet.delete(made.id, made.state, session()));
    expect(message).to.include("1 of 3 alerts may be left, and the others are deleted");
    expect(message).to.include('run "pulumi refresh" before you keep the stack');
    expect(message).to.match(new RegExp(`Left: alerts\\["b"\\] \\(${b}\\)$`));
  });

  it("the deletion of an AlertSet keeps alerts that the program adopts elsewhere", async () => {
    const { session: own } = open();
    const claims = new Claims();
    claims.serve(own);
    const { id, state } = await created();
    claims.declare(resources.Alert, { adoptId: idIn(state, "a") }, { identity: "urn:x", name: "a" }, own);
    await AlertSet.delete(id, state, own);
    expect(writes()).to.deep.equal(["deleteAlert", "deleteAlert"]);
    expect(stored(idIn(state, "a"))).to.include({ threshold: 1 });
  });

  it("an AlertSet accepts a state of an earlier version with adopted, retained and unfinished entries", async () => {
    const { ids: former } = oldState;
    put({ id: former.a, threshold: 1 });
    put({ id: former.b, threshold: 2 });
    const made = { id: "3f1f0b52-6f7b-4c55-9d0c-2a3f5d6f7a10", state: oldState as unknown as State };
    expect(await changesTo(made, inputsOf(alerts({ a: 1, b: 2 })))).to.deep.equal(['update alerts["b"]']);
    const now = await updated(made, inputsOf(alerts({ a: 1, b: 2 })));
    expect(now.state.ids).to.deep.equal(former);
    expect(now.state).to.not.have.property("retain");
    expect(JSON.stringify(now.state)).to.not.include("adoptId");
    expect(await changesTo(now, inputsOf(alerts({ a: 1, b: 2 })))).to.deep.equal([]);
    await AlertSet.delete(now.id, now.state, session());
    expect(Object.values(former).map((id) => stored(id))).to.deep.equal([undefined, undefined]);
  });

  it("a refresh of an AlertSet of an earlier version keeps the adoptId that it stored, and shows no drift", async () => {
    const { ids: former } = oldState;
    put({ id: former.a, threshold: 1 });
    put({ id: former.b, threshold: 2 });
    const read = await AlertSet.read("", oldState as unknown as State, session());
    expect(read).to.have.nested.property("inputs.alerts").that.deep.equals(oldState.alerts);
  });

  it("moving an AlertSet to another service replaces the whole AlertSet", async () => {
    const made = await created();
    const moved = { ...three, serviceId: "9d0f2f3e-27a2-4f0c-9f43-9c1d6a0a3c11" };
    const changes = await AlertSet.diff(made.id, made.state, moved, session());
    expect(changes).to.deep.equal([{ path: "serviceId", kind: "update", replaces: true }]);
  });

  const plans: readonly (readonly [
    what: string,
    own: unknown,
    paths: string[],
    ids: PropertyMap | symbol,
  ])[] = [
    ["all entries", unknown, ["update alerts"], unknown],
    ["an entry", { a: unknown, b: alerts({ b: 2 }).b }, ['update alerts["a"]', 'delete alerts["c"]'], {}],
    ["a value", { a: { ...alert, threshold: unknown } }, ['update alerts["a"].threshold'], {}],
  ];
  for (const [what, own, paths, ids] of plans)
    it(`the preview of an AlertSet succeeds with ${what} unknown`, async () => {
      const made = await created();
      const inputs = inputsOf(own as PropertyMap);
      const { failures } = await AlertSet.check(three, inputs, session());
      expect(failures).to.deep.equal([]);
      expect(await changesTo(made, inputs)).to.include.members(paths);
      const planned = AlertSet.plan(made.state, inputs).ids;
      if (ids === unknown) expect(planned).to.equal(unknown);
      else expect(planned).to.include({ a: idIn(made.state, "a") });
      expect(AlertSet.plan(undefined, three).ids).to.deep.equal({ a: unknown, b: unknown, c: unknown });
    });

  const rules: readonly (readonly [inputs: PropertyMap, failure: string])[] = [
    [{}, "alerts is required"],
    [{ alerts: { a: 1 } }, "alerts.a must be an object"],
    [{ alerts: { a: { ...alert, threshold: "x" } } }, 'alerts["a"].threshold must be a number, not a string'],
    [{ alerts: { a: { ...alert, source: "tile" } } }, 'alerts["a"].dashboardId is required'],
    [
      { alerts: { __a: alert } },
      'alerts["__a"] must have a key of 1 to 100 characters without quotes, backslashes and control characters, which does not begin with __',
    ],
    [
      { alerts: { a: { ...alert, adoptId: "66f0c2d8a1b2c3d4e5f60718" } } },
      'alerts["a"].adoptId is not for an entry, since a set makes all of its objects itself; declare an existing one as a resource of its own',
    ],
    [{ alerts: { a: alert }, retain: ["b"] }, "retain is not"],
  ];
  for (const [inputs, failure] of rules)
    it(`the check of an AlertSet fails before any request: ${failure}`, async () => {
      const { failures } = await AlertSet.check({}, { ...place, ...inputs }, session());
      expect(failures.map(sentenceOf).join("\n")).to.include(failure);
      expect(service.requests).to.deep.equal([]);
    });

  it("an AlertSet reports an invalid setting once for all entries", async () => {
    const { session: without } = open({ keyId: undefined, accessToken: undefined });
    const { failures } = await AlertSet.check({}, { alerts: three.alerts }, without);
    expect(failures.map(({ path }) => path)).to.deep.equal([""]);
  });

  it("an AlertSet warns once with all the entries that a warning is about", async () => {
    const almost = { ...alert, channel: { ...alert.channel, type: "webhok" } };
    const { warnings } = await AlertSet.check({}, inputsOf({ a: almost, b: almost, c: alert }), session());
    expect(warnings.join()).to.match(/^alerts\["a"\], alerts\["b"\]: Alert: channel.type is not known/);
  });

  it("the import of an AlertSet fails, and the message names the alternative", async () => {
    const { message } = await failureOf(AlertSet.read("x", place, session()));
    expect(message).to.equal(
      "a set cannot be imported: import each alert as a resource of its own, or let the set create them anew",
    );
  });
});
