import { expect } from "chai";
import { MissingObject } from "../../../provider/api/errors";
import { confirmed } from "../../../provider/lifecycle/confirm";
import { type Before, judgementsOf, mergeWritten, withDrift } from "../../../provider/lifecycle/merge";
import { type LiveState, type State, trackingOf } from "../../../provider/lifecycle/state";
import type { PropertyMap } from "../../../provider/values/data";
import { Type } from "../../../provider/values/schemaBuilders";
import { failureOf } from "../api/failure";
import { useVirtualTime } from "../api/virtualTime";
import { live, noteResource, sessionFor } from "./note";
import { created, declared, newId, readNote } from "./noteInState";

describe("The state after a create", () => {
  it("the state after a create tells declared from undeclared values of known properties", async () => {
    const state = await created(declared, { ...declared, pinned: true, unheardOf: 1 }, { token: "t" });
    const __tracking = { undeclared: ["pinned"] };
    expect(state).to.deep.equal({ ...declared, pinned: true, token: "t", __tracking });
  });

  it("the state after a create comes from the read after it, except for what only the answer shows", async () => {
    const { state } = await noteResource({
      outputs: Type.Object({ token: Type.String({ shown: "atCreation" }), seenAt: Type.String() }),
      completenessField: "inputs",
      service: {
        create: async () => ({ id: newId(), object: { token: "once", seenAt: "then" } }),
        look: async () => live(declared, { seenAt: "now" }),
      },
    }).create(declared, sessionFor().session);
    expect(state).to.deep.equal({ ...declared, token: "once", seenAt: "now" });
  });

  describe("The time of creation in the state of an object", () => {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    const stampOf = async (id: string, outputs: PropertyMap = {}) => {
      const resource = noteResource({
        service: { create: async () => ({ id, object: { ...outputs, ...live(declared, outputs) } }) },
      });
      const { state } = await resource.create(declared, sessionFor().session);
      return (state.__tracking as PropertyMap | undefined)?.createdAt;
    };

    it("the state records the time of creation only if neither the service nor the id tells it", async () => {
      expect(await stampOf(newId())).to.equal(undefined);
      expect(await stampOf("n1", { createdAt: ago(50) })).to.equal(undefined);
      for (const stamp of [await stampOf("n1"), await stampOf("n1", { createdAt: ago(70) })])
        expect(Date.now() - Date.parse(String(stamp))).to.be.within(0, 10_000);
    });

    for (const [seconds, names] of [
      [170, ["createdAt"]],
      [190, []],
    ] as const)
      it(`refreshes and updates ${seconds < 180 ? "keep" : "drop"} the time of creation in the state ${seconds} s after the create`, async () => {
        const resource = noteResource({
          service: { look: async () => live(declared), send: async () => live(declared) },
        });
        const { session } = sessionFor();
        const state: State = { ...declared, __tracking: { createdAt: ago(seconds) } };
        const found = (await resource.read("n1", state, session)) as { inputs: PropertyMap; state: State };
        expect(found.inputs).to.deep.equal(declared);
        for (const after of [found.state, await resource.update("n1", state, { ...declared }, session)])
          expect(Object.keys(trackingOf(after))).to.deep.equal(names);
      });
  });
});

describe("Reads that verify a write", () => {
  useVirtualTime();
  const old = { title: "Old", size: 3 };
  /**
   * Returns the Pulumi state after a write. The service answers `answered` and then shows the values in `seen`, one for each
   * read; an undefined value is a failed read.
   */
  const writtenAs = async (
    wanted: PropertyMap,
    answer: PropertyMap,
    seen: PropertyMap | readonly (PropertyMap | undefined)[],
    known: Partial<Before> = {},
  ) => {
    const { session, warnings } = sessionFor();
    const shown = [seen].flat();
    let looks = 0;
    const before = { looks: [old], state: old, normalized: {}, doubted: {}, body: wanted, ...known };
    const written = await confirmed(
      live(answer, { token: "t", seenAt: "then" }),
      {
        object: "note n1",
        schema: Type.Object({ ...noteResource().inputs.properties, code: Type.Number({ secret: true }) }),
        declared: wanted,
        before,
        async look() {
          const object = shown[Math.min(looks++, shown.length - 1)];
          return object && live(object, { seenAt: "now" });
        },
      },
      session,
    );
    return { written, warnings, looks };
  };
  const wanted = { title: "New", size: 4 };
  const answer = { title: "New", size: 3 };

  it("a write ignores a read that shows less of the change than the answer did, since lists lag", async () => {
    const { written, warnings } = await writtenAs(wanted, answer, old);
    expect(written.inputs).to.deep.equal(answer);
    expect(warnings).to.deep.equal([
      'note n1: the service still shows 3 for size; run "pulumi refresh" to see whether the change was applied',
    ]);
  });

  it("a write keeps its answer's value as unconfirmed if the next read still shows the former one", async () => {
    const { inputs } = noteResource();
    const refreshed = { title: "New", size: 9 };
    const { judgements } = withDrift(inputs, answer, { normalized: {}, doubted: {} }, refreshed);
    const known = { looks: [refreshed], state: refreshed, ...judgements };
    const { written } = await writtenAs(wanted, answer, refreshed, known);
    expect(written.inputs).to.deep.equal(answer);
    expect(written.doubted).to.deep.equal(judgementsOf(mergeWritten(inputs, wanted, answer)).normalized);
  });

  const whole = { ...wanted, pinned: true, tone: "dark" };
  const dropping = (...names: string[]) => [
    `note n1: the service dropped ${names.join(", ")}, which it may not know; check the name and the server's version`,
  ];
  const unlike = { ...old, pinned: false, tone: "light" };
  for (const [what, first, seen, looks, warned] of [
    ["never where the answer shows what was sent", whole, old, 0, []],
    ["never where the answer shows another form of the sent values", { ...whole, size: 5 }, old, 0, []],
    [
      "once where the answer lacks a member, and warns if the read does, too",
      { ...wanted, pinned: true },
      wanted,
      1,
      dropping("pinned", "tone"),
    ],
    ["once where the answer lacks a member, and believes a read that has it", wanted, whole, 1, []],
    ["once where the answer lacks a member, and does not warn if the read fails", wanted, undefined, 1, []],
    [
      "three times where a value stays as it was, and believes a read that shows more than the answer",
      { ...unlike, title: "New" },
      { ...whole, size: 3 },
      3,
      [
        'note n1: the service still shows 3 for size; run "pulumi refresh" to see whether the change was applied',
      ],
    ],
    [
      "twice where the first read shows the values from before the write, and believes the second",
      { ...whole, size: 3 },
      [unlike, whole],
      2,
      [],
    ],
  ] as const)
    it(`a write reads the object again only if its answer does not show the sent values: it does so ${what}`, async () => {
      const before = { looks: [unlike], state: unlike };
      const { written, ...rest } = await writtenAs(whole, first, seen ? [seen].flat() : [undefined], before);
      expect(rest).to.deep.equal({ looks, warnings: warned });
      const isSeen = looks > 0 && seen !== undefined;
      expect(written.inputs).to.deep.equal(isSeen ? [seen].flat().at(-1) : first);
      expect(written.outputs).to.deep.equal({ token: "t", seenAt: isSeen ? "now" : "then" });
    });

  it("a write believes its answer if the next read shows a former list entry instead of a new one", async () => {
    const entry = (id: string) => ({ id, name: "Ann", rights: ["read"] });
    const former = { size: 3, readers: [entry("r1")] };
    const readers = [{ name: "Ann", rights: ["write"] }];
    const first = { size: 3, readers: [entry("r2")] };
    const known = { looks: [former], state: former };
    const { written } = await writtenAs({ size: 4, readers }, first, former, known);
    expect(written.inputs).to.deep.equal(first);
  });

  for (const [what, name, from, to, said] of [
    ["repeats a number", "size", 3, 4, "3"],
    ["repeats a boolean", "pinned", true, false, "true"],
    ["repeats one of a few words", "tone", "dark", "light", '"dark"'],
    ["says that the value is absent", "size", undefined, 4, "nothing"],
    ["says that a null is absent", "size", null, 4, "nothing"],
    ["repeats no text", "title", "Old", "New", "the old value"],
    ["repeats no secret number", "code", 3, 4, "the old value"],
  ] as const)
    it(`the warning about a value that a write has not changed ${what}`, async () => {
      const [before, after] = [{ [name]: from }, { [name]: to }];
      const { warnings } = await writtenAs(after, before, before, { looks: [before], state: before });
      expect(warnings).to.deep.equal([
        `note n1: the service still shows ${said} for ${name}; run "pulumi refresh" to see whether the change was applied`,
      ]);
    });

  it("a write does not warn again of a value that is recorded as normalized", async () => {
    const { normalized } = judgementsOf(mergeWritten(noteResource().inputs, wanted, answer));
    const known = { looks: [answer], state: wanted, normalized };
    const { written, warnings, looks } = await writtenAs(wanted, answer, answer, known);
    expect({ warnings, looks }).to.deep.equal({ warnings: [], looks: 0 });
    expect(written.normalized).to.deep.equal(normalized);
  });

  it("a write warns that a value which the service keeps after two updates counts as normalized", async () => {
    const { normalized: doubted } = judgementsOf(mergeWritten(noteResource().inputs, wanted, answer));
    const { written, warnings } = await writtenAs(wanted, answer, answer, { doubted });
    expect(written.normalized).to.deep.equal(doubted);
    expect(warnings).to.deep.equal([
      "note n1: the service kept 3 for size after two updates; from now on it counts as the service's form of the declared value, and not as drift",
    ]);
  });
});

describe("The state and the errors after an update", () => {
  const updatedFrom = (state: State, inputs: PropertyMap, answered: LiveState & PropertyMap) => {
    const resource = noteResource({ service: { send: async () => answered } });
    return resource.update("n1", state, inputs, sessionFor().session);
  };

  const zoned = { ...declared, zone: "north" };

  it("an update forgets normalized forms that are gone, and keeps the values before a takeover", async () => {
    const [normalized, previous] = [{ title: "0".repeat(16) }, { size: 9 }];
    const before: State = {
      ...{ ...declared, pinned: true },
      __tracking: { normalized, undeclared: ["pinned"], previous },
    };
    expect(await updatedFrom(before, declared, live(zoned))).to.deep.equal({
      ...zoned,
      __tracking: { undeclared: ["zone"], previous },
    });
  });

  it("an update records a value that the service begins to write differently as normalized", async () => {
    const trimmed = { ...declared, size: 4, title: "trimmed" };
    const resource = noteResource({
      service: { look: async () => live(declared), send: async () => live(trimmed) },
    });
    const { session, warnings } = sessionFor();
    const state = await resource.update("n1", declared, { ...declared, size: 4 }, session);
    expect(warnings).to.deep.equal([]);
    expect(Object.keys(trackingOf(state).normalized ?? {})).to.deep.equal(["title"]);
  });

  // The read may come from a list that is older than a change.
  it("an update is sent even if a read already shows its values", async () => {
    const inputs = { ...declared, size: 4 };
    let requests = 0;
    const send = async () => {
      requests++;
      return live(inputs);
    };
    const resource = noteResource({ service: { look: async () => live(inputs), send } });
    await resource.update("n1", declared, inputs, sessionFor().session);
    expect(requests).to.equal(1);
  });

  it("an update records an answered value as unconfirmed if the state had it before the last refresh", async () => {
    const { state } = await readNote(await created(declared), { ...declared, title: "Before" });
    const after = await updatedFrom(state, { ...declared, title: "New" }, live(declared));
    expect(Object.keys(trackingOf(after).doubted ?? {})).to.deep.equal(["title"]);
    expect(trackingOf(after)).to.not.have.property("normalized");
  });

  const site = { operation: "updateNote", method: "PUT", path: "/notes/n1" };
  const missing = new MissingObject(site, "no");
  const update = "putQueryEndpoint";
  const operations = { create: update, get: "getQueryEndpoint", update } as const;
  const advice = '\nIf Note n1 no longer exists in the service, "pulumi up --refresh" recreates it';
  const later =
    "\nNote n1, which was created less than 3 minutes ago, may not be there yet; try again in 3 minutes";
  const old = {};
  const recent = {
    get createdAt() {
      return new Date().toISOString();
    },
  };
  for (const [what, error, changed, added, state = old] of [
    ["names the command that creates a missing object again", missing, {}, advice],
    ["says when to try again if the object is new", missing, {}, later, recent],
    ["gives no such advice when the service is gone", missing, { operations }, ""],
    ["gives no such advice after another error", new Error("refused"), {}, ""],
  ] as const)
    it(`the error of an update says what to do next if the object is missing: it ${what}`, async () => {
      const note = noteResource({ service: { send: () => Promise.reject(error) }, ...changed });
      const { message } = await failureOf(
        note.update("n1", { ...declared, ...state }, declared, sessionFor().session),
      );
      expect(message).to.equal(error.message + added);
    });

  // Reads may not show a new query endpoint yet.
  it("an update that recreates a query endpoint records the time of creation", async () => {
    const singleton = noteResource({ operations, service: { send: async () => live(declared) } });
    const state = await singleton.update("n1", declared, declared, sessionFor().session);
    expect(trackingOf(state)).to.have.property("createdAt");
  });
});
