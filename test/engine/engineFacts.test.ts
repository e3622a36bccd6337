import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { type Call, createFakeWorkspace, type FakeWorkspace, fakeProvider, fakeToken } from "./fakeProvider";
import type { Update } from "./workspace";

// What the provider takes for granted about the engine and its host of dynamic providers. When one of these fails after
// an upgrade of Pulumi, the provider has to change with it.
describe("the engine with a dynamic provider", () => {
  describe("through the life of a stack", () => {
    const recording = `
  async check(olds, news) { record("check", news); return { inputs: news }; },
  async diff(id, olds, news) { record("diff", { olds, news }); return { changes: olds.size !== news.size }; },
  async create(inputs) { record("create", inputs); return { id: "thing-1", outs: inputs }; },
  async read(id, props) { record("read", props); return { id, props }; },
  async update(id, olds, news) { record("update", news); return { outs: news }; },
  async delete(id, props) { record("delete", props); },`;
    const lifecycles = {
      Thing: recording,
      Found: recording,
      Imported: recording,
      Configured: `
  configure({ config }) { this.token = config.get("fake:token"); },
  async create(inputs) { record("create", { token: this.token }); return { id: "thing-1", outs: inputs }; },
  async read(id, props) {
    record("read", { token: this.token, variable: process.env.REMOTE });
    return { id, props };
  },`,
      Secret: `
  async create(inputs) {
    record("create", inputs);
    return { id: "thing-1", outs: { ...inputs, copy: "plain-copy", token: "hidden-token" } };
  },`,
      Remembering: `
  async create(inputs) { return { id: "thing-1", outs: { ...inputs, token: "shown-1", __memory: "unseen-1" } }; },
  async read(id, props) { return { id, props: { ...props, token: "shown-2", __memory: "unseen-2" } }; },
  async update(id, olds, news) { return { outs: { ...news, token: "shown-3", __memory: "unseen-3" } }; },`,
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
new Remembering("remembering", { size: ${size} });`;

    /** What a command did, what the lifecycles recorded in it, and the state after it. */
    interface Stage extends Update {
      recorded(type: string, method: string): Call["value"][];
      things: Record<keyof typeof lifecycles, { id?: string; inputs?: object; outputs?: object }[]>;
      stateFile: string;
      calls: Call[];
    }
    let workspace: FakeWorkspace;
    let created: Stage;
    let refreshed: Stage;
    let previewed: Stage;
    let updated: Stage;
    let destroyed: Stage;

    async function stage(command: Promise<Update>): Promise<Stage> {
      const update = await command;
      const calls = await workspace.newCalls();
      const things: Record<string, object[]> = {};
      for (const type of Object.keys(lifecycles)) things[type] = await workspace.things(type);
      return {
        ...update,
        calls,
        recorded: (type, method) =>
          calls.filter((call) => call.type === type && call.method === method).map(({ value }) => value),
        things: things as Stage["things"],
        stateFile: await workspace.stateFile(),
      };
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

      const args = ["--diff"];
      await workspace.write(program(1));
      created = await stage(workspace.up({ args }));
      await workspace.config("fake:token", "new-token", true);
      refreshed = await stage(workspace.refresh({ args, environment: { REMOTE: "now" } }));
      await workspace.write(program(2));
      previewed = await stage(workspace.preview({ args }));
      updated = await stage(workspace.up({ args }));
      destroyed = await stage(workspace.destroy());
    });
    after(() => workspace?.close());

    it("calls a constant __provider in create, update, refresh and delete, and keeps it in inputs and outputs", () => {
      expect(created.recorded("Thing", "create")).to.have.length(3);
      expect(refreshed.recorded("Thing", "read")).to.have.length(3);
      expect(updated.recorded("Thing", "update")).to.have.length(1);
      expect(destroyed.recorded("Thing", "delete")).to.have.length(3);
      const constant = { __provider: fakeProvider("Thing") };
      for (const { things } of [created, refreshed, updated]) {
        expect(things.Thing).to.have.length(3);
        for (const { inputs, outputs } of things.Thing) {
          expect(inputs).to.include(constant);
          expect(outputs).to.include(constant);
        }
      }
      expect(destroyed.things.Thing).to.deep.equal([]);
    });

    it("hands __provider to check and diff among the properties", () => {
      const before = { size: 1, __provider: fakeProvider("Thing") };
      const after = { ...before, size: 2 };
      expect(previewed.recorded("Thing", "check")).to.have.deep.members([after, before, before]);
      expect(previewed.recorded("Thing", "diff")).to.have.deep.members([
        { olds: before, news: after },
        { olds: before, news: before },
        { olds: before, news: before },
      ]);
    });

    it("gives all resources one host process, so that they can share what it has learnt", () => {
      const creates = created.calls.filter(({ type, method }) => type === "Thing" && method === "create");
      expect(new Set(creates.map(({ pid }) => pid))).to.have.property("size", 1);
    });

    it("reads a resource that a program gets by its id, and hands read nothing else", () => {
      expect(created.summary.read).to.equal(1);
      expect(created.recorded("Found", "read")).to.deep.equal([{ __provider: fakeProvider("Found") }]);
    });

    it("takes over objects by import --file with inputs and outputs, and the next up leaves them alone", () => {
      expect(created.things.Imported.map(({ id }) => id)).to.deep.equal(["thing-8"]);
      expect(created.steps.filter(({ name }) => name === "imported").map(({ op }) => op)).to.deep.equal([
        "same",
      ]);
    });

    it("refreshes with the environment of now and the stack configuration of the last up, decrypted", () => {
      expect(refreshed.recorded("Configured", "read")).to.deep.include({
        token: "old-token",
        variable: "now",
      });
      expect(refreshed.stateFile).not.to.include("old-token");
    });

    it("gives an explicit provider a configuration of its own, encrypted in the state", () => {
      const tokens = created.recorded("Configured", "create").map(({ token }) => token);
      expect(tokens).to.have.members(["own-token", "old-token"]);
      expect(created.stateFile).not.to.include("own-token");
    });

    it("encrypts an output whose input is secret or which additionalSecretOutputs names, and no other", () => {
      const [create] = created.recorded("Secret", "create");
      expect(create?.password, "plain text for the lifecycle").to.equal("hidden-password");
      expect(created.stateFile).to.include("plain-copy").and.not.include("hidden-");
    });

    it("shows no output whose name begins with two underscores, in previews, updates and refreshes", () => {
      const shown = [created, refreshed, previewed, updated].map(({ output }) => output).join("\n");
      expect(shown)
        .to.include("shown-2")
        .and.to.not.match(/unseen|__memory/);
      expect(updated.things.Remembering[0]?.outputs).to.include({ __memory: "unseen-3" });
    });
  });

  describe("and failures", () => {
    let workspace: FakeWorkspace;

    before(async () => {
      workspace = await createFakeWorkspace({
        Forgetful: `
  async create(inputs) {
    record("create", inputs);
    return { id: "thing-1", outs: { ...inputs, nothing: undefined } };
  },`,
        Halved: `
  async create(inputs) {
    throw Object.assign(new Error("half done"), { id: "thing-1", properties: inputs, reasons: ["no tiles yet"] });
  },`,
        Crowded: `async create() { throw new Error("no room"); },`,
        Traced: `async check() { throw new Error("traced"); },`,
        Untraced: `async check() { throw Object.assign(new Error("untraced"), { stack: "untraced" }); },`,
        Odd: `
  async check(olds, news) {
    return { inputs: news, failures: [{ property: "size", reason: "must be even" }] };
  },`,
      });
    });
    after(() => workspace?.close());

    describe("of create", () => {
      let output: string;

      before(async () => {
        const types = ["Forgetful", "Halved", "Crowded"];
        await workspace.write(types.map((type) => `new ${type}("a", { size: 1 });`).join("\n"));
        ({ output } = await workspace.up({ args: ["--continue-on-error"], expect: "failure" }));
      });

      it("loses an object whose create returns undefined among its outputs", async () => {
        expect(await workspace.newCalls()).to.have.length(1);
        expect(await workspace.things("Forgetful")).to.deep.equal([]);
      });

      it("shows the message alone when create throws", () => {
        expect(output).to.match(/error: no room\n(?!\s+at )/);
      });

      it("saves an object whose create fails with an id and properties, and the next up completes it", async () => {
        expect(output).to.include("no tiles yet");
        const saved = (await workspace.things("Halved")).map(({ id, outputs }) => ({ id, outputs }));
        const outputs = { size: 1, __provider: fakeProvider("Halved") };
        expect(saved).to.deep.equal([{ id: "thing-1", outputs }]);
        await workspace.write(`new Halved("a", { size: 1 });`);
        expect((await workspace.up()).summary).to.deep.equal({ update: 1 });
      });
    });

    describe("of check", () => {
      /** The engine ends a preview at the first of them. */
      async function outputOf(type: string) {
        await workspace.write(`new ${type}("a", { size: 4711 });`);
        return (await workspace.preview({ expect: "failure" })).output;
      }

      it("shows the stack trace of an error", async () => {
        expect(await outputOf("Traced")).to.match(/Error: traced\n\s+at /);
      });

      it("shows no stack trace when the error's own stack is its message", async () => {
        expect(await outputOf("Untraced"))
          .to.include("untraced")
          .and.not.match(/^\s+at /m);
      });

      it("names the property that check refuses, and shows its value", async () => {
        expect(await outputOf("Odd")).to.include("property size value {4711} has a problem: must be even");
      });
    });
  });
});
