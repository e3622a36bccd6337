import { expect } from "chai";
import { declaredIn } from "../../../provider/lifecycle/state";
import { sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { refused, reset, silence } from "../api/server";
import { alert } from "./scriptedService";
import { alerts, inputsOf, three, useSets } from "./setSteps";

const { AlertSet } = sets;

describe("The creation of an AlertSet", () => {
  const { service, open, put, stored, session, idIn, created, updated, changesTo, writes, refuse } =
    useSets();

  it("an AlertSet creates each entry by one request, and afterwards its diff and refresh find no change", async () => {
    const { id, state } = await AlertSet.create(three, session());
    expect(service.verbs()).to.equal("list create create create");
    expect(state).to.deep.include(three);
    // The Pulumi state keeps no outputs of an AlertSet's entries: each value in a state costs the engine time, and these
    // outputs change by themselves.
    expect(state).to.have.all.keys([...Object.keys(three), "ids"]);
    expect(["a", "b", "c"].map((key) => stored(idIn(state, key))?.threshold)).to.deep.equal([1, 2, 3]);
    expect(await changesTo({ id, state }, three)).to.deep.equal([]);
    const found = await AlertSet.read(id, state, session());
    expect(found).to.deep.equal({ inputs: declaredIn(AlertSet, state), state });
    expect(service.verbs()).to.equal("list create create create list");
  });

  it("the create of an AlertSet fails without a state if no entry was created", async () => {
    refuse("createAlert");
    const { session: own, warnings } = open();
    expect((await failureOf(AlertSet.create(three, own))).message).to.match(
      /^3 of 3 alerts failed, .*: alerts\["a"\]: .*; alerts\["b"\], alerts\["c"\] failed, too$/,
    );
    expect(warnings).to.have.length(2);
  });

  it("an update of an AlertSet completes an entry that could not be read back after its create", async () => {
    let isCreated = false;
    service.gateway = async (operation, carryOut) => {
      if (isCreated) return refused(403, "no");
      const answer = await carryOut();
      isCreated = operation === "createAlert";
      if (operation !== "createAlert" || typeof answer === "function") return answer;
      return { ...answer, body: String(answer.body).replace(/"threshold":\d+,/, "") };
    };
    const made = await created(inputsOf(alerts({ a: 1 })));
    expect(made.failure?.message).to.match(/alerts\["a"\]: \S+ was created, but could not be read back/);
    service.gateway = undefined;
    expect(await changesTo(made, inputsOf(alerts({ a: 1 })))).to.deep.equal(['update alerts["a"]']);
    const now = await updated(made, inputsOf(alerts({ a: 1 })));
    expect(writes()).to.deep.equal(["updateAlert"]);
    expect(await changesTo(now, inputsOf(alerts({ a: 1 })))).to.deep.equal([]);
  });

  /** Loses the answer to every nth create request. With `carriedOut: false` the request is lost, too. */
  const lose = (each: number, carriedOut = true) => {
    let creates = 0;
    service.gateway = (operation, carryOut) => {
      if (operation !== "createAlert" || ++creates % each !== 0) return carryOut();
      return carriedOut ? carryOut().then(() => reset) : reset;
    };
  };
  const many = (count: number) =>
    inputsOf(alerts(Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, at]))));
  const slowly = { requestsPerSecond: 10, maxRetries: 0 };

  // A list of exactly 200 or 1,000 alerts could be one page of a longer list, so it is requested twice while the set creates more.
  for (const count of [203, 200, 1000])
    it(`the create of an AlertSet of ${count} adopts each alert with a lost answer by one list request`, async () => {
      lose(40);
      const { state, failure } = await AlertSet.create(many(count), open(slowly).session);
      expect(failure?.message ?? "").to.equal("");
      expect(Object.values(state.ids as object).sort()).to.deep.equal(service.ids().sort());
      const lists = service.requests.filter((operation) => operation === "listAlerts");
      expect(lists).to.have.length.at.most(2 + count / 40);
    });

  it("the create of an AlertSet adopts no alert from a list that is cut off, and lacks an alert of the set", async () => {
    lose(40);
    service.addForeign({ name: "Other" });
    const { gateway } = service;
    service.gateway = async (operation, carryOut, path) => {
      const answer = await gateway?.(operation, carryOut, path);
      if (operation !== "listAlerts" || !answer || typeof answer === "function") return answer ?? carryOut();
      const { result = [], ...envelope } = JSON.parse(String(answer.body)) as { result?: PropertyMap[] };
      return { ...answer, body: JSON.stringify({ ...envelope, result: result.slice(-200) }) };
    };
    const { failure } = await AlertSet.create(many(210), open(slowly).session);
    expect(failure?.message).to.match(/^5 of 210 alerts failed.*requests may have created/);
  });

  it("if lists cannot be read, the create of an AlertSet first names all possibly created alerts", async () => {
    let creates = 0;
    service.gateway = (operation, carryOut) => {
      if (operation === "listAlerts") return refused(403, "no");
      if (operation !== "createAlert") return carryOut();
      return ++creates % 4 === 0
        ? refused(400, "no")
        : creates % 4 === 1
          ? carryOut().then(() => reset)
          : carryOut();
    };
    const { failure } = await AlertSet.create(many(80), open({ maxRetries: 0 }).session);
    const message = failure?.message ?? "";
    expect(message).to.match(
      /^40 of 80 alerts failed, and the others succeeded: 20 requests may have created/,
    );
    const named = message.slice(0, message.indexOf("the next update")).match(/alerts\["e\d+"\]/g);
    expect(named).to.have.length(20);
    expect(message).to.include("npx pipestack orphans --only Alert").and.not.include("adopt");
  });

  it("the create of an AlertSet names the possibly created alerts if a time limit interrupts it", async () => {
    service.gateway = (operation, carryOut) =>
      operation === "createAlert" ? carryOut().then(() => silence) : carryOut();
    const { session: own } = open(slowly);
    const { failure } = await own.interruption.within(2, () => AlertSet.create(many(60), own));
    const message = failure?.message ?? "";
    expect(message).to.match(
      /^60 of 60 alerts failed, and the others succeeded: \d+ requests may have created/,
    );
    for (const id of service.ids()) {
      const threshold = String(stored(id)?.threshold);
      expect(message.slice(0, message.indexOf("the next update"))).to.include(`"e${threshold}"`);
    }
  });

  describe("AlertSets beside equal alerts that no state of the program has", () => {
    const found = (ids: string) =>
      `${ids.split(", ").length === 1 ? "1 alert younger than a day is" : "2 alerts younger than a day are"} equal to alerts that the set is about to create`;

    it("an AlertSet warns of equal alerts that no state has before it creates its own", async () => {
      const left = [put({ threshold: 1 }), put({ threshold: 2 })];
      const { session: own, warnings } = open();
      await AlertSet.create(three, own);
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.include(found(left.join(", ")))
        .and.include(left.join(", "));
      expect(warnings[0]).to.include("npx pipestack orphans --only Alert");
      expect(service.verbs()).to.equal("list create create create");
    });

    it("an AlertSet warns of an equal alert of which the service has trimmed the name", async () => {
      const left = put({ name: "Slow" });
      const { session: own, warnings } = open();
      await AlertSet.create(inputsOf({ a: { ...alert, name: "Slow " } }), own);
      expect(warnings.join()).to.include(found(left));
    });

    it("only the preview of a new AlertSet warns of equal alerts that a killed create has left", async () => {
      const left = put({ threshold: 1 });
      const { session: own, warnings } = open();
      expect((await AlertSet.check({}, three, own)).failures).to.deep.equal([]);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(found(left)).and.include("npx pipestack orphans --only Alert");
      await AlertSet.create(three, own);
      expect(warnings).to.have.length(1);
      expect(service.verbs()).to.equal("list create create create");
      const { session: later, warnings: none } = open();
      await AlertSet.check(three, three, later);
      expect(none).to.deep.equal([]);
    });

    it("the preview of a new AlertSet goes on if alerts cannot be listed", async () => {
      refuse("listAlerts");
      const { session: own, warnings } = open();
      expect(await AlertSet.check({}, three, own)).to.deep.include({ failures: [], warnings: [] });
      expect(warnings).to.deep.equal([]);
    });

    it("the create of an AlertSet beside equal alerts creates nothing if onConflict is fail", async () => {
      const left = put({ threshold: 1 });
      const { session: own } = open({ onConflict: "fail" });
      expect((await failureOf(AlertSet.create(three, own))).message).to.include(found(left));
      expect(service.verbs()).to.equal("list");
    });

    for (const [what, others] of [
      ["another threshold", { threshold: 77 }],
      ["another name", { threshold: 1, name: "Other" }],
      ["an older day", { threshold: 1, createdAt: "2020-01-01T00:00:00.000Z" }],
    ] as [string, PropertyMap][])
      it(`the create of an AlertSet warns of no alert that is too old or differs from its entries: one with ${what}`, async () => {
        put(others);
        const { session: own, warnings } = open({ onConflict: "fail" });
        await AlertSet.create(three, own);
        expect(warnings).to.deep.equal([]);
      });

    it("an AlertSet does not warn of its own entries when it creates further ones", async () => {
      const made = await created();
      const { session: own, warnings } = open({ onConflict: "fail" });
      await AlertSet.update(made.id, made.state, inputsOf(alerts({ a: 1, b: 2, c: 3, d: 1 })), own);
      expect(warnings).to.deep.equal([]);
    });
  });
});
