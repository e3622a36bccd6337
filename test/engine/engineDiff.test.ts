import { expect } from "chai";
import { createFakeWorkspace, type FakeWorkspace } from "./fakeProvider";
import type { Preview, Update } from "./workspace";

// What the provider takes for granted about drift, diffs and unknown values. When one of these fails after an upgrade of
// Pulumi, the provider has to change with it.
describe("the engine, comparing", () => {
  const lifecycles = {
    Reporting: `
  async read(id, props) {
    const size = process.env.REMOTE;
    return { id, props: { ...props, size }, inputs: { size } };
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
    Recording: `
  async check(olds, news) { record("check", news.size); return { inputs: news }; },
  async diff(id, olds, news) {
    record("diff", news.size);
    return { changes: JSON.stringify(olds.size) !== JSON.stringify(news.size) };
  },
  async create(inputs) { return { id: "thing-1", outs: { ...inputs, token: "t" } }; },`,
  };
  const resized = ["Replacing", "Answering", "Indifferent"];
  const program = (size: number) => `
for (const [name, type] of Object.entries({ Reporting, Silent, Observing, Vanishing })) new type(name, { size: "1" });
for (const [name, type] of Object.entries({ ${resized} })) new type(name, { size: ${size} }, { replaceOnChanges: ["size"] });
const first = new Recording("first", { size: ${size} });
new Recording("second", { size: { list: [{ token: first.token, id: first.id }] } });`;
  const [undrifted, drifted] = [{ REMOTE: "1" }, { REMOTE: "9" }];
  const driftCheck = { args: ["--refresh", "--expect-no-changes"] };

  let workspace: FakeWorkspace;
  before(async () => {
    workspace = await createFakeWorkspace(lifecycles);
    await workspace.write(program(1));
  });
  after(() => workspace?.close());

  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const recorded = async (method: string) =>
    (await workspace.newCalls()).filter((call) => call.method === method).map(({ value }) => value);

  it("shows unknown values to check as a fixed string, at any depth", async () => {
    await workspace.preview();
    expect(await recorded("check")).to.deep.equal([1, { list: [{ token: unknown, id: unknown }] }]);
    await workspace.up();
  });

  describe("with the remote object", () => {
    let preview: Preview;
    const opsOf = (type: string) => preview.steps.filter(({ name }) => name === type).map(({ op }) => op);

    it("ends the drift check with 0 when nothing is found", () =>
      workspace.preview({ ...driftCheck, environment: undrifted, expect: 0 }));

    it("ends the drift check with 7 when read returns inputs, and shows both values", async () => {
      preview = await workspace.preview({ ...driftCheck, environment: drifted, expect: 7, json: true });
      const update = preview.json?.steps.find(({ op }) => op === "update");
      expect(update?.oldState?.inputs?.size, "drifted value").to.equal("9");
      expect(update?.newState?.inputs?.size, "declared value").to.equal("1");
    });

    it("misses drift when read returns props alone and diff does not report it", () => {
      expect(opsOf("Silent")).to.deep.equal(["refresh", "same"]);
    });

    it("does not count a changed output that is no input", () => {
      expect(opsOf("Observing")).to.deep.equal(["refresh", "same"]);
    });

    it("counts an object that is gone, and plans to create it again", () => {
      expect(opsOf("Vanishing")).to.include("create");
    });
  });

  describe("after a refresh", () => {
    let up: Update;
    const opsOf = (type: string) => up.steps.filter(({ name }) => name === type).map(({ op }) => op);

    before(async () => {
      await workspace.refresh({ environment: drifted });
      await workspace.write(program(2));
      await workspace.newCalls();
    });

    it("shows unknown values to diff as the fixed string, and an id once it is known", async () => {
      await workspace.preview();
      expect(await recorded("diff")).to.deep.equal([2, { list: [{ token: unknown, id: "thing-1" }] }]);
    });

    it("repairs in the next up what drifted, and creates what was gone", async () => {
      up = await workspace.up();
      expect(opsOf("Reporting")).to.deep.equal(["update"]);
      expect((await workspace.things("Reporting")).map(({ outputs }) => outputs?.size)).to.deep.equal(["1"]);
      expect(opsOf("Vanishing")).to.deep.equal(["create"]);
    });

    it("respects replaces and deleteBeforeReplace of diff", () => {
      expect(opsOf("Replacing")).to.deep.equal(["delete-replaced", "replace", "create-replacement"]);
      const replaced = up.steps.find(({ name, op }) => name === "Replacing" && op === "replace");
      expect(replaced?.replaceKeys).to.deep.equal(["size"]);
    });

    it("updates what replaceOnChanges names when diff answers { changes: true }", () => {
      expect(opsOf("Answering")).to.deep.equal(["update"]);
    });

    it("replaces what replaceOnChanges names when diff answers {}", () => {
      expect(opsOf("Indifferent")).to.include("replace");
    });
  });
});
