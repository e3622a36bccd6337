import { expect } from "chai";
import { closeFakeWorkspaces, createFakeWorkspace } from "./fakeProvider";

// What the provider takes for granted about drift, diffs and unknown values. When one of these fails after an upgrade of
// Pulumi, the provider has to change with it.
describe("the engine, comparing", () => {
  afterEach(closeFakeWorkspaces);

  describe("with the remote object", () => {
    const program = `new Thing("a", { size: "1" });`;
    const driftCheck = { args: ["--refresh", "--expect-no-changes"] };

    it("ends the drift check with 7 when read returns inputs, and the next up repairs the drift", async () => {
      const workspace = await createFakeWorkspace(
        `async read(id, props) {
    const size = process.env.REMOTE;
    return { id, props: { ...props, size }, inputs: { size } };
  },`,
        program,
      );
      const [undrifted, drifted] = [{ REMOTE: "1" }, { REMOTE: "9" }];
      await workspace.up();
      await workspace.preview({ ...driftCheck, environment: undrifted, expect: 0 });
      const preview = await workspace.preview({ ...driftCheck, environment: drifted, expect: 7, json: true });
      const update = preview.json?.steps.find(({ op }) => op === "update");
      expect(update?.oldState?.inputs?.size, "drifted value").to.equal("9");
      expect(update?.newState?.inputs?.size, "declared value").to.equal("1");
      expect((await workspace.refresh({ environment: drifted })).summary).to.deep.equal({ update: 1 });
      expect((await workspace.up()).summary).to.deep.equal({ update: 1 });
      const [thing] = await workspace.things();
      expect(thing?.outputs?.size).to.equal("1");
    });

    it("misses drift when read returns props alone and diff does not report it", async () => {
      const workspace = await createFakeWorkspace(
        `async diff() { return {}; },
  async read(id, props) { return { id, props: { ...props, size: "9" } }; },`,
        program,
      );
      await workspace.up();
      await workspace.preview({ ...driftCheck, expect: 0 });
    });

    it("does not count a changed output that is no input", async () => {
      const workspace = await createFakeWorkspace(
        `async create(inputs) { return { id: "thing-1", outs: { ...inputs, seen: "never" } }; },
  async read(id, props) { return { id, props: { ...props, seen: "today" }, inputs: { size: props.size } }; },`,
        program,
      );
      await workspace.up();
      await workspace.preview({ ...driftCheck, expect: 0 });
    });

    it("counts an object that is gone, and plans to create it again", async () => {
      const workspace = await createFakeWorkspace(`async read() { return { id: "", props: {} }; },`, program);
      await workspace.up();
      const { summary } = await workspace.preview({ ...driftCheck, expect: 7 });
      expect(summary).to.deep.equal({ create: 1 });
    });
  });

  describe("with the last inputs", () => {
    const program = `new Thing("a", { size: 1 });`;
    const resized = `new Thing("a", { size: 2 }, { replaceOnChanges: ["size"] });`;

    it("respects replaces and deleteBeforeReplace of diff", async () => {
      const workspace = await createFakeWorkspace(
        `async diff() { return { changes: true, replaces: ["size"], deleteBeforeReplace: true }; },`,
        program,
      );
      await workspace.up();
      await workspace.write(resized);
      const { summary, steps } = await workspace.up();
      expect(summary).to.deep.equal({ replace: 1 });
      expect(steps.map(({ op }) => op)).to.deep.equal(["delete-replaced", "replace", "create-replacement"]);
      expect(steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["size"]);
    });

    for (const [answer, operation] of [
      ["{ changes: true }", "update"],
      ["{}", "replace"],
    ] as const) {
      it(`plans to ${operation} what replaceOnChanges names when diff answers ${answer}`, async () => {
        const workspace = await createFakeWorkspace(`async diff() { return ${answer}; },`, program);
        await workspace.up();
        await workspace.write(resized);
        expect((await workspace.preview()).summary).to.deep.equal({ [operation]: 1 });
      });
    }
  });

  it("shows unknown values to check and diff as a fixed string, at any depth, and an id once it is known", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const program = (size: number) => `const first = new Thing("first", { size: ${size} });
new Thing("second", { size: { list: [{ token: first.token, id: first.id }] } });`;
    const workspace = await createFakeWorkspace(
      `
  async check(olds, news) { record("check", news); return { inputs: news }; },
  async diff(id, olds, news) {
    record("diff", news);
    return { changes: JSON.stringify(olds.size) !== JSON.stringify(news.size) };
  },
  async create(inputs) { return { id: "thing-1", outs: { ...inputs, token: "t" } }; },`,
      program(1),
    );
    await workspace.preview();
    const checked = (await workspace.calls("check")).map(({ value }) => value.size);
    expect(checked).to.deep.equal([1, { list: [{ token: unknown, id: unknown }] }]);
    await workspace.up();
    await workspace.write(program(2));
    await workspace.preview();
    const compared = (await workspace.calls("diff")).map(({ value }) => value.size);
    expect(compared).to.deep.equal([2, { list: [{ token: unknown, id: "thing-1" }] }]);
  });
});
