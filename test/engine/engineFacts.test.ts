import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { secret } from "../../provider/engine/engineValues";
import { type Call, createFakeWorkspace, type FakeWorkspace, fakeProvider, fakeToken } from "./fakeProvider";
import type { Preview, Update } from "./workspace";

const recording = `
  async check(olds, news) { record("check", news); return { inputs: news }; },
  async diff(id, olds, news) {
    record("diff", { olds, news });
    return { changes: JSON.stringify(olds.size) !== JSON.stringify(news.size) };
  },
  async create(inputs) { record("create", inputs); return { id: "thing-1", outs: { ...inputs, token: "t" } }; },
  async read(id, props) { record("read", props); return { id, props }; },
  async update(id, olds, news) { record("update", news); return { outs: news }; },
  async delete(id, props) { record("delete", props); },`;

const lifecycles = {
  Thing: recording,
  Found: recording,
  Imported: recording,
  Dependent: recording,
  Configured: `
  configure({ config }) { this.token = config.get("fake:token"); },
  async create(inputs) { record("create", { token: this.token }); return { id: "thing-1", outs: inputs }; },
  async read(id, props) { record("read", { token: this.token, variable: process.env.REMOTE }); return { id, props }; },`,
  Secret: `
  async create(inputs) {
    record("create", inputs);
    return { id: "thing-1", outs: { ...inputs, copy: "plain-copy", token: "hidden-token" } };
  },`,
  Remembering: `
  async create(inputs) { return { id: "thing-1", outs: { ...inputs, token: "shown-1", __memory: "unseen-1" } }; },
  async read(id, props) { return { id, props: { ...props, token: "shown-2", __memory: "unseen-2" } }; },
  async update(id, olds, news) { return { outs: { ...news, token: "shown-3", __memory: "unseen-3" } }; },`,
  Reporting: `
  async read(id, props) {
    const size = process.env.REMOTE;
    return { id, props: { ...props, size }, inputs: { size } };
  },`,
  Revealing: `
  async read(id, props) {
    const marked = ${JSON.stringify(secret("refreshed-secret"))};
    return { id, props, inputs: { size: props.size, plain: "refreshed-plain", marked } };
  },`,
  Silent: `
  async diff() { return {}; },
  async read(id, props) { return { id, props: { ...props, size: "9" } }; },`,
  Observing: `
  async create(inputs) { return { id: "thing-1", outs: { ...inputs, seen: "never" } }; },
  async read(id, props) { return { id, props: { ...props, seen: "today" }, inputs: { size: props.size } }; },`,
  Vanishing: `async read(id, props) { return process.env.REMOTE === "9" ? { id: "", props: {} } : { id, props }; },`,
  Replacing: `
  async diff(id, olds, news) {
    const changes = olds.size !== news.size;
    return { changes, replaces: changes ? ["size"] : [], deleteBeforeReplace: true };
  },`,
  Answering: `async diff(id, olds, news) { return { changes: olds.size !== news.size }; },`,
  Indifferent: `async diff() { return {}; },`,
  Forgetful: `
  async create(inputs) { record("create", inputs); return { id: "thing-1", outs: { ...inputs, nothing: undefined } }; },`,
  Halved: `
  async create(inputs) {
    throw Object.assign(new Error("half done"), { id: "thing-1", properties: inputs, reasons: ["no tiles yet"] });
  },`,
  Crowded: `async create() { throw new Error("no room"); },`,
  Traced: `async check() { throw new Error("traced"); },`,
  Untraced: `async check() { throw Object.assign(new Error("untraced"), { stack: "untraced" }); },`,
  Odd: `async check(olds, news) { return { inputs: news, failures: [{ property: "size", reason: "must be even" }] }; },`,
};

const program = (size: number) => `
new Thing("a", { size: ${size} });
for (const name of ["b", "c"]) new Thing(name, { size: 1 });
new Found("found", {}, { id: "thing-7" });
new Imported("imported", { size: 1 });
const provider = new Provider("own", { "fake:token": pulumi.secret("own-token") });
new Configured("by the provider", { size: 1 }, { provider });
new Configured("by the stack", { size: 1 });
new Secret("secret", { password: pulumi.secret("hidden-password") }, { additionalSecretOutputs: ["token"] });
new Remembering("remembering", { size: ${size} });
for (const [name, type] of Object.entries({ Reporting, Revealing, Silent, Observing, Vanishing }))
  new type(name, { size: "1" });
for (const [name, type] of Object.entries({ Replacing, Answering, Indifferent }))
  new type(name, { size: ${size} }, { replaceOnChanges: ["size"] });
const first = new Dependent("first", { size: ${size} });
new Dependent("second", { size: { list: [{ token: first.token, id: first.id }] } });`;

/**
 * The result of one command of the CLI, the calls of methods that the fake provider recorded during it, and the Pulumi state
 * after it.
 */
interface Stage<Done extends Update = Update> {
  readonly done: Done;
  readonly calls: readonly Call[];
  recorded(type: string, method: string): Call["value"][];
  opsOf(name: string): string[];
  readonly things: { readonly [type: string]: { id?: string; inputs?: object; outputs?: object }[] };
  readonly stateFile: string;
}

// These tests check facts about Pulumi's engine and its dynamic host on which the provider relies. If one fails after
// an upgrade of Pulumi, the provider has to change.
describe("Pulumi's engine with a fake dynamic provider", () => {
  let workspace: FakeWorkspace;
  const stages = {} as {
    [name in
      | "planned"
      | "created"
      | "undrifted"
      | "refreshed"
      | "previewed"
      | "updated"
      | "destroyed"]: Stage;
  } & { drifted: Stage<Preview> };

  async function stage<Done extends Update>(command: Promise<Done>): Promise<Stage<Done>> {
    const done = await command;
    const calls = await workspace.newCalls();
    const things: { [type: string]: object[] } = {};
    for (const type of Object.keys(lifecycles)) things[type] = await workspace.things(type);
    const recorded: Stage["recorded"] = (type, method) =>
      calls.filter((call) => call.type === type && call.method === method).map(({ value }) => value);
    const opsOf = (wanted: string) =>
      done.steps.filter(({ name }) => name === wanted).map(({ op }) => op as string);
    return { done, calls, things, recorded, opsOf, stateFile: await workspace.stateFile() };
  }

  before(async () => {
    workspace = await createFakeWorkspace(lifecycles);
    const properties = { size: 1, __provider: fakeProvider("Imported") };
    const imported = { type: fakeToken("Imported"), name: "imported", id: "thing-8" };
    const file = join(workspace.folder, "import.json");
    const resources = [{ ...imported, inputs: properties, outputs: properties }];
    await writeFile(file, JSON.stringify({ resources }));
    await workspace.run(["import", "--file", file, "--yes", "--generate-code=false", "--protect=false"]);
    await workspace.config("fake:token", "old-token", true);

    const [diff, check] = [["--diff"], ["--refresh", "--expect-no-changes"]];
    const [same, other] = [{ REMOTE: "1" }, { REMOTE: "9" }];
    await workspace.write(program(1));
    stages.planned = await stage(workspace.preview());
    stages.created = await stage(workspace.up({ args: diff }));
    stages.undrifted = await stage(workspace.preview({ args: check, environment: same }));
    stages.drifted = await stage(
      workspace.preview({ args: check, environment: other, expect: 7, json: true }),
    );
    await workspace.config("fake:token", "new-token", true);
    stages.refreshed = await stage(workspace.refresh({ args: diff, environment: other }));
    await workspace.write(program(2));
    stages.previewed = await stage(workspace.preview({ args: diff }));
    stages.updated = await stage(workspace.up({ args: diff }));
    stages.destroyed = await stage(workspace.destroy());
  });
  after(() => workspace?.close());

  it("the engine calls the code in __provider in every step", () => {
    const { created, refreshed, updated, destroyed } = stages;
    expect(created.recorded("Thing", "create")).to.have.length(3);
    expect(refreshed.recorded("Thing", "read")).to.have.length(3);
    expect(updated.recorded("Thing", "update")).to.have.length(1);
    expect(destroyed.recorded("Thing", "delete")).to.have.length(3);
  });

  it("the engine keeps __provider in inputs and outputs until an object is destroyed", () => {
    const { created, refreshed, updated, destroyed } = stages;
    const constant = { __provider: fakeProvider("Thing") };
    for (const { things } of [created, refreshed, updated]) {
      expect(things.Thing).to.have.length(3);
      for (const { inputs, outputs } of things.Thing ?? []) {
        expect(inputs).to.include(constant);
        expect(outputs).to.include(constant);
      }
    }
    expect(destroyed.things.Thing).to.deep.equal([]);
  });

  it("the engine passes __provider to check and diff among the properties", () => {
    const before = { size: 1, __provider: fakeProvider("Thing") };
    expect(stages.previewed.recorded("Thing", "check")).to.deep.include({ ...before, size: 2 });
    const diffs = stages.previewed.recorded("Thing", "diff").map(({ news }) => news);
    expect(diffs).to.have.deep.members([{ ...before, size: 2 }, before, before]);
  });

  it("the engine runs all dynamic resources in one host process, so that they can share data", () => {
    const { calls } = stages.created;
    const creates = calls.filter(({ type, method }) => type === "Thing" && method === "create");
    expect(new Set(creates.map(({ pid }) => pid))).to.have.property("size", 1);
  });

  it("the engine reads a resource that a program gets by its id with only __provider as properties", () => {
    expect(stages.created.done.summary.read).to.equal(1);
    expect(stages.created.recorded("Found", "read")).to.deep.equal([{ __provider: fakeProvider("Found") }]);
  });

  it("an object that pulumi import --file imported with inputs and outputs is unchanged in the next update", () => {
    expect(stages.created.things.Imported?.map(({ id }) => id)).to.deep.equal(["thing-8"]);
    expect(stages.created.opsOf("imported")).to.deep.equal(["same"]);
  });

  it("a refresh uses the current environment and the decrypted configuration of the last update", () => {
    const { refreshed } = stages;
    expect(refreshed.recorded("Configured", "read")).to.deep.include({ token: "old-token", variable: "9" });
    expect(refreshed.stateFile).not.to.include("old-token");
  });

  it("an explicit provider gets its own configuration, which the state keeps encrypted", () => {
    const tokens = stages.created.recorded("Configured", "create").map(({ token }) => token);
    expect(tokens).to.have.members(["own-token", "old-token"]);
    expect(stages.created.stateFile).not.to.include("own-token");
  });

  it("the engine encrypts only outputs whose input is secret or that additionalSecretOutputs names", () => {
    const [create] = stages.created.recorded("Secret", "create");
    expect(create?.password, "plain text for the lifecycle").to.equal("hidden-password");
    expect(stages.created.stateFile).to.include("plain-copy").and.not.include("hidden-");
  });

  it("a refresh encrypts, of the inputs that its answer adds, only those that the answer marks", () => {
    expect(stages.refreshed.things.Revealing?.[0]?.inputs).to.include({ plain: "refreshed-plain" });
    expect(stages.refreshed.stateFile).to.include("refreshed-plain").and.not.include("refreshed-secret");
  });

  it("no command of the engine shows an output whose name begins with two underscores", () => {
    const { created, refreshed, previewed, updated } = stages;
    const shown = [created, refreshed, previewed, updated].map(({ done }) => done.output).join("\n");
    expect(shown)
      .to.include("shown-2")
      .and.to.not.match(/unseen|__memory/);
    expect(updated.things.Remembering?.[0]?.outputs).to.include({ __memory: "unseen-3" });
  });

  it("the engine passes each value to check and diff as a fixed string until it is known", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const sizes = stages.planned.recorded("Dependent", "check").map(({ size }) => size);
    expect(sizes).to.deep.equal([1, { list: [{ token: unknown, id: unknown }] }]);
    const later = stages.previewed
      .recorded("Dependent", "diff")
      .map(({ news }) => (news as { size: object }).size);
    expect(later).to.deep.equal([2, { list: [{ token: unknown, id: "thing-1" }] }]);
  });

  it("a preview shows the drifted and the declared value if read returns inputs", () => {
    const update = stages.drifted.done.json?.steps.find(
      ({ op, urn }) => op === "update" && urn.endsWith("::Reporting"),
    );
    expect(update?.oldState?.inputs?.size, "drifted value").to.equal("9");
    expect(update?.newState?.inputs?.size, "declared value").to.equal("1");
  });

  it("the engine misses drift if read returns only props and diff does not report the change", () => {
    for (const name of ["Silent", "Observing"])
      expect(stages.drifted.opsOf(name)).to.deep.equal(["refresh", "same"]);
  });

  it("the engine creates an object again that a refresh did not find", () => {
    expect(stages.drifted.opsOf("Vanishing")).to.include("create");
    expect(stages.updated.opsOf("Vanishing")).to.deep.equal(["create"]);
  });

  it("an update after a refresh restores drifted properties", () => {
    expect(stages.updated.opsOf("Reporting")).to.deep.equal(["update"]);
    expect(stages.updated.things.Reporting?.[0]?.outputs).to.include({ size: "1" });
  });

  it("the engine obeys replaces and deleteBeforeReplace in the answer of diff", () => {
    const { opsOf, done } = stages.updated;
    expect(opsOf("Replacing")).to.deep.equal(["delete-replaced", "replace", "create-replacement"]);
    const replaced = done.steps.find(({ name, op }) => name === "Replacing" && op === "replace");
    expect(replaced?.replaceKeys).to.deep.equal(["size"]);
  });

  it("a property in replaceOnChanges causes an update if diff returns { changes: true }", () => {
    expect(stages.updated.opsOf("Answering")).to.deep.equal(["update"]);
  });

  it("a property in replaceOnChanges causes a replacement if diff returns {}", () => {
    expect(stages.updated.opsOf("Indifferent")).to.include("replace");
  });

  let failed: Stage;

  it("the engine loses an object whose outputs contain undefined", async () => {
    const types = ["Forgetful", "Halved", "Crowded"];
    await workspace.write(types.map((type) => `new ${type}("a", { size: 1 });`).join("\n"));
    failed = await stage(workspace.up({ args: ["--continue-on-error"], expect: "failure" }));
    expect([failed.recorded("Forgetful", "create").length, failed.things.Forgetful]).to.deep.equal([1, []]);
  });

  it("the engine shows the reasons of failed creates without a stack trace", () => {
    expect(failed.done.output)
      .to.match(/error: no room\n(?!\s+at )/)
      .and.include("no tiles yet");
  });

  it("the engine keeps an object whose create fails with an id", async () => {
    const [saved] = failed.things.Halved ?? [];
    expect(saved).to.deep.include({
      id: "thing-1",
      outputs: { size: 1, __provider: fakeProvider("Halved") },
    });
    await workspace.write(`new Halved("a", { size: 1 });`);
    expect((await workspace.up()).summary).to.deep.equal({ update: 1 });
  });

  const failuresOfCheck: [what: string, type: string, shown: RegExp, hidden?: RegExp][] = [
    ["the stack trace of an error", "Traced", /Error: traced\n\s+at /],
    ["no stack trace when the error's own stack is its message", "Untraced", /untraced/, /^\s+at /m],
    [
      "the property that it refuses, with its value",
      "Odd",
      /property size value \{4711\} has a problem: must be even/,
    ],
  ];
  for (const [what, type, shown, hidden = /never/] of failuresOfCheck)
    it(`if a check fails, the engine's error shows ${what}`, async () => {
      await workspace.write(`new ${type}("a", { size: 4711 });`);
      // Pulumi's engine ends a preview at the first failed check of a resource, so each failure has a preview of its own.
      const { output } = await workspace.preview({ expect: "failure" });
      expect(output).to.match(shown);
      expect(output).to.not.match(hidden);
    });
});
