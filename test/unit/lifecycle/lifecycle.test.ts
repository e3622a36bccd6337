import { expect } from "chai";
import fc from "fast-check";
import type { Data } from "../../../provider/lifecycle/data";
import {
  check,
  create,
  diff,
  type Observation,
  read,
  type State,
  update,
} from "../../../provider/lifecycle/lifecycle";
import { unknown } from "../../../provider/lifecycle/unknown";
import { failureOf } from "../api/failure";
import { organizationId, place, serviceId } from "../api/server";
import { answeredNote, validNote } from "./arbitraries";
import { noteResource, observed, sessionFor } from "./note";

const declared = { title: "Minutes", size: 3, ...place };

/** A note as it is in state after it was created from the inputs and the service answered so. */
async function created(inputs: Data, answered: Data = inputs, outputs: Data = {}): Promise<State> {
  const resource = noteResource({
    create: async () => ({ id: "n1", observation: observed(answered, outputs) }),
  });
  const { state } = await create(resource, inputs, sessionFor().session);
  return JSON.parse(JSON.stringify(state)) as State;
}

/** What a read finds of the note in that state. */
async function found(state: State, answered: Data, outputs: Data = {}) {
  const resource = noteResource({ read: async () => observed(answered, outputs) });
  const result = await read(resource, "n1", state, sessionFor().session);
  if (typeof result === "string") throw new Error(result);
  return result;
}

const changesTo = (state: State, inputs: Data, resource = noteResource()) =>
  diff(resource, "n1", state, inputs, sessionFor().session);

describe("the check", () => {
  const { session } = sessionFor();

  it("lets valid inputs pass as they are", () => {
    expect(check(noteResource(), {}, declared, session)).to.deep.equal({
      inputs: declared,
      problems: [],
      warnings: [],
    });
  });

  it("fills in where the object is, from the settings", () => {
    const given = { title: "Minutes" };
    for (const inputs of [given, { ...given, organizationId: null, serviceId: undefined }]) {
      expect(check(noteResource(), {}, inputs, session).inputs).to.deep.equal({
        ...given,
        organizationId,
        serviceId,
      });
    }
    expect(given).to.deep.equal({ title: "Minutes" });
  });

  it("leaves a declared place alone, an unknown one too", () => {
    const inputs = { title: "Minutes", organizationId: unknown, serviceId: organizationId };
    expect(check(noteResource(), {}, inputs, session)).to.deep.equal({ inputs, problems: [], warnings: [] });
  });

  it("fills in nothing that the resource has no place for", () => {
    const resource = noteResource({ placement: ["organizationId"] });
    expect(check(resource, {}, { title: "a" }, session).inputs).not.to.have.property("serviceId");
  });

  it("says how to set a place that is missing everywhere, once", () => {
    const { problems } = check(
      noteResource(),
      {},
      { title: "a" },
      sessionFor({ organizationId: undefined, serviceId: undefined }).session,
    );
    expect(problems.map(({ path }) => path)).to.deep.equal(["", ""]);
    for (const [index, name] of ["organizationId", "serviceId"].entries()) {
      expect(problems[index]?.message).to.include(
        `setting ${name} is missing; set it with "pulumi config set pipestack:${name} <value>"`,
      );
    }
  });

  it("names everything that is wrong by the schema, and then asks nothing further", () => {
    const resource = noteResource({
      problems: () => {
        throw new Error("asked about wrong inputs");
      },
      warnings: () => ["a warning"],
    });
    const { problems, warnings } = check(
      resource,
      {},
      { ...declared, title: "", size: 99, colour: "red" },
      session,
    );
    expect(problems).to.have.deep.members([
      { path: "title", message: "must be a string that is not empty" },
      { path: "size", message: "must be a whole number from 1 to 20" },
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it("asks the resource about rules over several properties, with the inputs of before where there are any", () => {
    const asked: unknown[] = [];
    const resource = noteResource({
      problems: (inputs, before) => {
        asked.push([inputs.title, before]);
        return [{ path: "size", message: "is too small for this title" }];
      },
      warnings: () => ["a warning"],
    });
    const first = check(resource, {}, declared, session);
    check(resource, { title: "Old" }, declared, session);
    expect(asked).to.deep.equal([
      ["Minutes", undefined],
      ["Minutes", { title: "Old" }],
    ]);
    expect(first.problems).to.deep.equal([{ path: "size", message: "is too small for this title" }]);
    expect(first.warnings).to.deep.equal([]);
  });

  it("warns of what is deprecated and of what the resource finds strange", () => {
    const resource = noteResource({ warnings: ({ title }) => [`${title} is a dull title`] });
    expect(check(resource, {}, { ...declared, colour: "red" }, session).warnings).to.deep.equal([
      "Note: colour is deprecated: use tone.",
      "Minutes is a dull title",
    ]);
    expect(check(noteResource(), {}, declared, session).warnings).to.deep.equal([]);
  });
});

describe("the diff", () => {
  it("is empty for what was declared before", async () => {
    expect(changesTo(await created(declared), declared)).to.deep.equal([]);
  });

  it("is empty for valid inputs whatever the service answered to them", async () => {
    await fc.assert(
      fc.asyncProperty(validNote, answeredNote, async (inputs, answered) => {
        const placed = { ...inputs, ...place };
        expect(changesTo(await created(placed, answered, { token: "t" }), placed)).to.deep.equal([]);
      }),
    );
  });

  it("names each change and its kind", async () => {
    const state = await created({ ...declared, zone: "north", labels: ["a"] });
    const { labels, ...rest } = { ...declared, zone: "south", size: 4, pinned: true, labels: 0 };
    expect(changesTo(state, rest)).to.have.deep.members([
      { path: "size", kind: "update" },
      { path: "pinned", kind: "add" },
      { path: "labels", kind: "delete" },
      { path: "zone", kind: "replace" },
    ]);
  });

  it("replaces an object that moves", async () => {
    expect(changesTo(await created(declared), { ...declared, serviceId: organizationId })).to.deep.equal([
      { path: "serviceId", kind: "replace" },
    ]);
  });

  it("does not see what was never declared, until it is", async () => {
    const state = await created(declared, { ...declared, pinned: true }, { token: "t" });
    expect(state.pinned).to.equal(true);
    expect(changesTo(state, declared)).to.deep.equal([]);
    expect(changesTo(state, { ...declared, pinned: true })).to.deep.equal([{ path: "pinned", kind: "add" }]);
  });

  it("takes a value that is not known yet for a change", async () => {
    expect(changesTo(await created(declared), { ...declared, title: unknown })).to.deep.equal([
      { path: "title", kind: "update" },
    ]);
  });

  it("gives adoptId no meaning for the object that is in state", async () => {
    const adopted = await created({ ...declared, adoptId: "n1" });
    const made = await created(declared);
    expect(changesTo(adopted, declared)).to.deep.equal([]);
    expect(changesTo(adopted, { ...declared, adoptId: "n1" })).to.deep.equal([]);
    expect(changesTo(made, { ...declared, adoptId: "n1" })).to.deep.equal([]);
    expect(changesTo(made, { ...declared, adoptId: "n2" })).to.deep.equal([
      { path: "adoptId", kind: "replace" },
    ]);
    expect(changesTo(adopted, { ...declared, adoptId: "n2" })).to.deep.equal([
      { path: "adoptId", kind: "replace" },
    ]);
  });

  it("replaces where the resource says that the settings rule out a change in place", async () => {
    const resource = noteResource({ replaces: ({ path }, id) => path === "size" && id === "n1" });
    expect(
      changesTo(await created(declared), { ...declared, size: 4, title: "b" }, resource),
    ).to.have.deep.members([
      { path: "size", kind: "replace" },
      { path: "title", kind: "update" },
    ]);
  });
});

describe("the state after a create", () => {
  it("holds the inputs and the outputs, and nothing more where there is nothing to remember", async () => {
    expect(await created(declared, declared, { token: "t" })).to.deep.equal({ ...declared, token: "t" });
  });

  it("has the declared values where the service answers others, and remembers that", async () => {
    const state = await created(declared, { ...declared, size: 5 });
    expect(state).to.include(declared);
    expect(Object.keys(state.tracking?.rewritten ?? {})).to.deep.equal(["size"]);
  });

  it("shows what was not declared, and remembers that it was not", async () => {
    const state = await created(declared, { ...declared, pinned: true, unheardOf: 1 });
    expect(state.pinned).to.equal(true);
    expect(state).not.to.have.property("unheardOf");
    expect(state.tracking).to.deep.equal({ undeclared: ["pinned"] });
  });

  it("does not look for local inputs in the answer", async () => {
    expect((await created({ ...declared, adoptId: "n1" }, { title: "Minutes", size: 3 })).tracking).to.equal(
      undefined,
    );
  });

  it("remembers what was there before", async () => {
    const resource = noteResource({
      create: async () => ({ id: "n1", observation: observed(declared), previous: { size: 9 } }),
    });
    const { id, state } = await create(resource, declared, sessionFor().session);
    expect(id).to.equal("n1");
    expect(state.tracking).to.deep.equal({ previous: { size: 9 } });
  });
});

describe("the state after an update", () => {
  const updatedFrom = async (state: State, inputs: Data, observation: Observation) => {
    const asked: unknown[][] = [];
    const resource = noteResource({
      update: async (...args) => {
        asked.push(args.slice(0, 3));
        return observation;
      },
    });
    return { asked, state: await update(resource, "n1", state, inputs, sessionFor().session) };
  };

  it("keeps outputs that the answer does not repeat, such as a secret shown once", async () => {
    const before = await created(declared, declared, { token: "once", seenAt: "then" });
    const { state } = await updatedFrom(
      before,
      { ...declared, size: 4 },
      observed({ ...declared, size: 4 }, { seenAt: "now" }),
    );
    expect(state).to.deep.equal({ ...declared, size: 4, token: "once", seenAt: "now" });
  });

  it("forgets how earlier values were rewritten, and keeps what was there before the resource", async () => {
    const before: State = {
      ...declared,
      pinned: true,
      tracking: { rewritten: { title: "0".repeat(16) }, undeclared: ["pinned"], previous: { size: 9 } },
    };
    const { state } = await updatedFrom(before, declared, observed({ ...declared, zone: "north" }));
    expect(state).to.deep.equal({
      ...declared,
      zone: "north",
      tracking: { undeclared: ["zone"], previous: { size: 9 } },
    });
  });

  it("comes from an update that is given the id, all inputs and the state", async () => {
    const before = await created(declared);
    const inputs = { ...declared, size: 4 };
    const { asked } = await updatedFrom(before, inputs, observed(inputs));
    expect(asked).to.deep.equal([["n1", inputs, before]]);
  });
});

describe("a read", () => {
  it("returns the declared inputs where nothing drifted, whatever else the service shows", async () => {
    const state = await created(declared, { ...declared, size: 5, pinned: true }, { seenAt: "then" });
    const result = await found(
      state,
      { ...declared, size: 5, pinned: false, zone: "new" },
      { seenAt: "now" },
    );
    expect(result.inputs).to.deep.equal(declared);
    expect(result.state).to.include({ ...declared, pinned: false, zone: "new", seenAt: "now" });
    expect(result.state.tracking?.undeclared).to.have.members(["pinned", "zone"]);
  });

  it("finds no drift right after a create, whatever the service answered, through state as JSON", async () => {
    await fc.assert(
      fc.asyncProperty(validNote, answeredNote, async (inputs, answered) => {
        const placed = { ...inputs, ...place };
        const state = await created(placed, answered);
        const result = await found(state, answered);
        expect(result.inputs).to.deep.equal(placed);
        expect(changesTo(result.state, placed)).to.deep.equal([]);
        expect(JSON.parse(JSON.stringify(result.state))).to.deep.equal(state);
      }),
    );
  });

  it("shows a declared property that drifted in inputs and in state, so that the diff names it", async () => {
    const { inputs, state } = await found(await created(declared), { ...declared, title: "Changed" });
    expect(inputs).to.deep.equal({ ...declared, title: "Changed" });
    expect(state).to.deep.equal(inputs);
    expect(changesTo(state, declared)).to.deep.equal([{ path: "title", kind: "update" }]);
  });

  it("never shows local inputs as drifted", async () => {
    const inputs = { ...declared, adoptId: "n1" };
    const result = await found(await created(inputs), {
      ...declared,
      adoptId: "other",
      serviceId: organizationId,
    });
    expect(result.inputs).to.deep.equal(inputs);
  });

  it("keeps outputs that the answer does not repeat, and what was there before", async () => {
    const state: State = { ...declared, token: "once", tracking: { previous: { size: 9 } } };
    expect((await found(state, declared)).state).to.deep.equal(state);
  });

  it("gives the resource the declared inputs only", async () => {
    let asked: unknown;
    const resource = noteResource({
      read: async (_id, inputs) => {
        asked = inputs;
        return observed({});
      },
    });
    const state: State = { ...declared, pinned: true, token: "t", tracking: { undeclared: ["pinned"] } };
    await read(resource, "n1", state, sessionFor().session);
    expect(asked).to.deep.equal(declared);
  });

  it("takes all that is answered for declared where an existing object is looked up", async () => {
    const answered = { title: "Found", labels: ["a"] };
    for (const state of [{}, { serviceId }]) {
      const result = await found(state, answered, { token: "t" });
      expect(result.inputs).to.deep.equal({ ...answered, organizationId, serviceId });
      expect(result.state).to.deep.equal({ ...answered, organizationId, serviceId, token: "t" });
      expect(changesTo(result.state, result.inputs)).to.deep.equal([]);
    }
  });

  for (const word of ["gone", "unseen"] as const) {
    it(`passes on that the object is ${word}`, async () => {
      const resource = noteResource({ read: async () => word });
      expect(await read(resource, "n1", await created(declared), sessionFor().session)).to.equal(word);
    });
  }

  it("fails where the resource's read fails, and so keeps the state", async () => {
    const resource = noteResource({
      read: async () => {
        throw new Error("the service is down");
      },
    });
    const error = await failureOf(read(resource, "n1", await created(declared), sessionFor().session));
    expect(error.message).to.equal("the service is down");
  });
});

describe("an output that stays as it was", () => {
  // Known before the apply as long as no zone is declared.
  const resource = noteResource({
    steadyOutputs: ({ zone }, { token }): Data =>
      zone === undefined && token !== undefined ? { token } : {},
    create: async (inputs) => ({ id: "n1", observation: observed(inputs as Data, { token: "t" }) }),
    read: async (_id, inputs) => observed(inputs as Data, { token: "t" }),
    update: async (_id, inputs) => observed(inputs as Data, { token: "t" }),
  });
  const { session } = sessionFor();
  const before = { ...declared, token: "t" };

  it("is repeated by the check among the inputs", () => {
    expect(check(resource, before, { ...declared, size: 4 }, session).inputs).to.deep.equal({
      ...declared,
      size: 4,
      token: "t",
    });
    expect(check(resource, before, { ...declared, zone: "b" }, session).inputs).to.deep.equal({
      ...declared,
      zone: "b",
    });
    expect(check(resource, {}, declared, session).inputs).to.deep.equal(declared);
  });

  it("may not be declared", () => {
    expect(check(resource, before, before, session).problems.map(({ path }) => path)).to.deep.equal([
      "token",
    ]);
  });

  it("is neither compared nor taken for declared", async () => {
    expect(
      diff(resource, "n1", { ...declared, token: "t" }, { ...declared, token: "other" }, session),
    ).to.deep.equal([]);
    expect((await create(resource, before, session)).state).to.deep.equal(before);
    expect(await update(resource, "n1", before, { ...before, size: 4 }, session)).to.deep.equal({
      ...before,
      size: 4,
    });
  });

  it("is among the inputs that a read returns, as the check would return them", async () => {
    const result = await read(resource, "n1", before, session);
    expect(result).to.deep.equal({ inputs: before, state: before });
  });
});
