import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { closeFakeWorkspaces, createFakeWorkspace, fakeProvider } from "./fakeProvider";

// What the provider takes for granted about the engine and its host of dynamic providers. When one of these fails after
// an upgrade of Pulumi, the provider has to change with it.
describe("the engine with a dynamic provider", () => {
  afterEach(closeFakeWorkspaces);

  const aThing = `new Thing("a", { size: 1 });`;

  describe("and a constant __provider", () => {
    const recording = `
  async check(olds, news) { record("check", news); return { inputs: news }; },
  async diff(id, olds, news) { record("diff", { olds, news }); return { changes: olds.size !== news.size }; },
  async create(inputs) { record("create", inputs); return { id: "thing-1", outs: inputs }; },
  async read(id, props) { record("read", props); return { id, props }; },
  async update(id, olds, news) { record("update", news); return { outs: news }; },
  async delete(id, props) { record("delete", props); },`;

    it("calls it in create, update, refresh and delete, and keeps it in inputs and outputs", async () => {
      const workspace = await createFakeWorkspace(recording, aThing);
      const isKept = async () => {
        const [thing] = await workspace.things();
        const kept = [thing?.inputs?.__provider, thing?.outputs?.__provider];
        expect(kept).to.deep.equal([fakeProvider, fakeProvider]);
      };
      expect((await workspace.up()).summary).to.deep.equal({ create: 1 });
      await isKept();
      await workspace.write(`new Thing("a", { size: 2 });`);
      expect((await workspace.up()).summary).to.deep.equal({ update: 1 });
      await isKept();
      await workspace.refresh();
      await isKept();
      expect((await workspace.destroy()).summary).to.deep.equal({ delete: 1 });
      for (const method of ["create", "update", "read", "delete"]) {
        expect(await workspace.calls(method), method).to.have.length(1);
      }
    });

    it("hands it to check and diff among the properties", async () => {
      const workspace = await createFakeWorkspace(recording, aThing);
      await workspace.up();
      await workspace.write(`new Thing("a", { size: 2 });`);
      await workspace.preview();
      const before = { size: 1, __provider: fakeProvider };
      const after = { size: 2, __provider: fakeProvider };
      expect((await workspace.calls("check")).map(({ value }) => value)).to.deep.equal([before, after]);
      expect((await workspace.calls("diff")).map(({ value }) => value)).to.deep.equal([
        { olds: before, news: after },
      ]);
    });

    it("gives all resources one host process, so that they can share what it has learnt", async () => {
      const workspace = await createFakeWorkspace(
        recording,
        `for (const name of ["a", "b", "c"]) new Thing(name, { size: 1 });`,
      );
      await workspace.up();
      const creates = await workspace.calls("create");
      expect(creates).to.have.length(3);
      expect(new Set(creates.map(({ pid }) => pid))).to.have.property("size", 1);
    });

    it("reads a resource that a program gets by its id, and hands read nothing else", async () => {
      const workspace = await createFakeWorkspace(recording, `new Thing("a", {}, { id: "thing-7" });`);
      expect((await workspace.up()).summary).to.deep.equal({ read: 1 });
      const reads = (await workspace.calls("read")).map(({ value }) => value);
      expect(reads).to.deep.equal([{ __provider: fakeProvider }]);
    });

    it("takes over objects by import --file with inputs and outputs, and the next preview is clean", async () => {
      const workspace = await createFakeWorkspace("", aThing);
      const properties = { size: 1, __provider: fakeProvider };
      const resources = [
        {
          type: "pulumi-nodejs:dynamic/fake:Thing",
          name: "a",
          id: "thing-1",
          inputs: properties,
          outputs: properties,
        },
      ];
      const file = join(workspace.folder, "import.json");
      await writeFile(file, JSON.stringify({ resources }));
      await workspace.run(["import", "--file", file, "--yes", "--generate-code=false", "--protect=false"]);
      expect((await workspace.things()).map(({ id }) => id)).to.deep.equal(["thing-1"]);
      expect((await workspace.preview()).summary).to.deep.equal({ same: 1 });
    });
  });

  describe("settings and secrets", () => {
    const configured = `
  configure({ config }) { this.token = config.get("fake:token"); },
  async create(inputs) { record("create", { token: this.token }); return { id: "thing-1", outs: inputs }; },
  async read(id, props) {
    record("read", { token: this.token, variable: process.env.REMOTE });
    return { id, props };
  },`;

    it("refreshes with the environment of now and the stack configuration of the last up, decrypted", async () => {
      const workspace = await createFakeWorkspace(configured, aThing);
      await workspace.config("fake:token", "old-token", true);
      await workspace.up();
      await workspace.config("fake:token", "new-token", true);
      await workspace.refresh({ environment: { REMOTE: "now" } });
      const reads = (await workspace.calls("read")).map(({ value }) => value);
      expect(reads).to.deep.equal([{ token: "old-token", variable: "now" }]);
      expect(await workspace.stateFile()).not.to.include("old-token");
    });

    it("gives an explicit provider a configuration of its own, encrypted in the state", async () => {
      const workspace = await createFakeWorkspace(
        configured,
        `const provider = new Provider("own", { "fake:token": pulumi.secret("own-token") });
new Thing("a", { size: 1 }, { provider });
new Thing("b", { size: 1 });`,
      );
      await workspace.config("fake:token", "stack-token");
      await workspace.up();
      const tokens = (await workspace.calls("create")).map(({ value }) => value.token);
      expect(tokens).to.have.members(["own-token", "stack-token"]);
      expect(await workspace.stateFile()).not.to.include("own-token");
    });

    it("encrypts an output whose input is secret or which additionalSecretOutputs names, and no other", async () => {
      const workspace = await createFakeWorkspace(
        `async create(inputs) {
    record("create", inputs);
    return { id: "thing-1", outs: { ...inputs, copy: "plain-copy", token: "hidden-token" } };
  },`,
        `new Thing("a", { password: pulumi.secret("hidden-password") }, { additionalSecretOutputs: ["token"] });`,
      );
      await workspace.up();
      const [create] = await workspace.calls("create");
      expect(create?.value.password, "plain text for the lifecycle").to.equal("hidden-password");
      expect(await workspace.stateFile())
        .to.include("plain-copy")
        .and.not.include("hidden-");
    });
  });

  describe("and failures", () => {
    it("loses an object whose create returns undefined among its outputs", async () => {
      const workspace = await createFakeWorkspace(
        `async create(inputs) {
    record("create", inputs);
    return { id: "thing-1", outs: { ...inputs, nothing: undefined } };
  },`,
        aThing,
      );
      await workspace.up({ expect: "failure" });
      expect(await workspace.calls("create")).to.have.length(1);
      expect(await workspace.things()).to.deep.equal([]);
    });

    it("saves an object whose create fails with an id and properties, and the next up completes it", async () => {
      const workspace = await createFakeWorkspace(
        `async create(inputs) {
    throw Object.assign(new Error("half done"), { id: "thing-1", properties: inputs, reasons: ["no tiles yet"] });
  },`,
        aThing,
      );
      const { output } = await workspace.up({ expect: "failure" });
      expect(output).to.include("no tiles yet");
      const saved = (await workspace.things()).map(({ id, outputs }) => ({ id, outputs }));
      expect(saved).to.deep.equal([{ id: "thing-1", outputs: { size: 1, __provider: fakeProvider } }]);
      expect((await workspace.up()).summary).to.deep.equal({ update: 1 });
    });

    it("shows the message alone when create throws", async () => {
      const workspace = await createFakeWorkspace(`async create() { throw new Error("no room"); },`, aThing);
      const { output } = await workspace.up({ expect: "failure" });
      expect(output)
        .to.include("error: no room")
        .and.not.match(/^\s+at /m);
    });

    for (const [error, shown] of [
      [`new Error("no room")`, "a stack trace"],
      [`Object.assign(new Error("no room"), { stack: "no room" })`, "no stack trace"],
    ] as const) {
      it(`shows ${shown} when check throws ${error}`, async () => {
        const workspace = await createFakeWorkspace(`async check() { throw ${error}; },`, aThing);
        const { output } = await workspace.preview({ expect: "failure" });
        expect(output).to.include("no room");
        expect(/^\s+at /m.test(output)).to.equal(shown === "a stack trace");
      });
    }

    it("names the property that check refuses, and shows its value", async () => {
      const workspace = await createFakeWorkspace(
        `async check(olds, news) {
    return { inputs: news, failures: [{ property: "size", reason: "must be even" }] };
  },`,
        `new Thing("a", { size: 4711 });`,
      );
      const { output } = await workspace.preview({ expect: "failure" });
      expect(output).to.include("property size value {4711} has a problem: must be even");
    });

    it("shows no output whose name begins with two underscores, in previews, updates and refreshes", async () => {
      const workspace = await createFakeWorkspace(
        `async create(inputs) { return { id: "thing-1", outs: { ...inputs, token: "shown-1", __memory: "hidden-1" } }; },
  async read(id, props) { return { id, props: { ...props, token: "shown-2", __memory: "hidden-2" } }; },
  async update(id, olds, news) { return { outs: { ...news, token: "shown-3", __memory: "hidden-3" } }; },`,
        aThing,
      );
      const args = ["--diff"];
      const up = await workspace.up({ args });
      const refresh = await workspace.refresh({ args });
      await workspace.write(`new Thing("a", { size: 2 });`);
      const preview = await workspace.preview({ args });
      const update = await workspace.up({ args });
      const shown = [up, refresh, preview, update].map(({ output }) => output).join("\n");
      expect(shown)
        .to.include("shown-2")
        .and.to.not.match(/hidden|__memory/);
      const [thing] = await workspace.things();
      expect(thing?.outputs?.__memory).to.equal("hidden-3");
    });
  });
});
