import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { command } from "../../toolchain/command.mjs";
import { selected } from "../seed";
import { send, settingsOf } from "../serviceContents";
import { bodies, calls, forget, useFixture } from "./fixture";
import { pluginClasses } from "./pluginHost";
import type { Update } from "./workspace";

const series = `{ type: "time", aggFn: "count", where: "level:error", groupBy: [] }`;
const board = (name: string, tags: string, options = "{}", width = 6) => `
const ${name} = new Dashboard("${name}", {
  ...{ name: "${name}", tags: ["${tags}"], tiles: [{ name: "Errors", x: 0, y: 0, w: ${width}, h: 4, series: [${series}] }] },
}, ${options});`;
const alert = `new Alert("errors", {
  ...{ dashboardId: board.id, tileId: board.tileIds.Errors, source: "tile", threshold: 5, thresholdType: "above" },
  ...{ interval: "5m", channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" } },
}, { deletedWith: board });`;
const key = (name: string, options: string, args = "") =>
  `new ApiKey("${name}", { roles: ["developer"]${args} }, ${options});`;

/**
 * A program in which each resource has another resource option of the engine. The arguments change so that each option takes
 * effect.
 */
const program = (month: string, tags: string, more: string, protect: boolean, hideDiffs = "{}") => `
${key("kept", "{ retainOnDelete: true }")}
const first = ${key("first", `{ replacementTrigger: "${month}" }`)}
${key("second", "{ replaceWith: [first] }")}
${key("only", "{ deleteBeforeReplace: true }", `, keepers: { of: "${month}" }`)}
${key("encrypted", `{ additionalSecretOutputs: ["keyId"] }`)}
${board("ignored", tags, `{ ignoreChanges: ["tags"], protect: ${protect} }`)}
${board("shown", tags)}
${board("hidden", tags, hideDiffs)}
${board("board", "a")}
${alert}
${board("widened", "a", `{ replaceOnChanges: ["tiles[*].w"] }`, month === "May" ? 6 : 8)}
${key("renamed", `{ replaceOnChanges: ["name"] }`, `, name: "renamed in ${month}"`)}
${key("named", `{ replaceOnChanges: ["roles"] }`, `, name: "named in ${month}"`)}
new SavedQuery("file", { database: "system", sql: new pulumi.asset.FileAsset("./query.sql") });
${more}`;

// docs/engine-options.md says for what each of the engine's resource options is useful.
for (const [host, title] of selected(
  [
    ["plugin", "the plugin"],
    ["dynamic", "the dynamic host"],
  ] as const,
  2,
))
  describe(`Pulumi's resource options in ${title}`, () => {
    const fixture = useFixture({ host });
    const writes = () => calls(fixture.sandbox).filter((line) => !line.startsWith("GET"));
    const opsOf = ({ steps }: Update, name: string) =>
      steps.filter((step) => step.name === name).map(({ op }) => op);
    const tagsOf = (name: string) =>
      [...fixture.sandbox.store.dashboards.values()].find((one) => one.name === name)?.tags;

    /**
     * Runs commands of Pulumi's Automation API with an inline program in a Node process. Hooks and transforms are callbacks,
     * which a language host built from Go modules does not support.
     */
    const inline = async (program: string, ...commands: string[]) => {
      const classes =
        host === "plugin"
          ? pluginClasses
          : `globalThis.pulumi = require("@pulumi/pulumi");\nObject.assign(globalThis, require("pipestack"));`;
      await writeFile(
        join(fixture.folder, "inline.js"),
        `${classes}
const names = { stackName: "dev", projectName: "test", program: async () => {${program}} };
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
LocalWorkspace.selectStack(names, { workDir: __dirname }).then(async (stack) => {
  for (const command of ${JSON.stringify(commands)}) await stack[command]({ onOutput: console.log, runProgram: true });
});`,
      );
      const environment = { ...process.env, ...fixture.environment };
      const { code, output } = await command("node", ["inline.js"], { cwd: fixture.folder, environment });
      expect(code, output).to.equal(0);
      return output;
    };

    const done = {} as { refused: Update; previewed: Update; updated: Update };
    let rotated: string[];

    before(async () => {
      const { sandbox } = fixture;
      const renamed = (name: string, options: string) => key(name, options, `, name: "reporting"`);
      const writeQuery = (limit: number) =>
        writeFile(join(fixture.folder, "query.sql"), `SELECT query\nFROM query_log\nLIMIT ${limit}\n`);
      await writeQuery(1);
      await fixture.apply(program("May", "a", renamed("before", "{}"), true));
      const names = new Map([...sandbox.store.keys.values()].map(({ id, name }) => [id, name]));
      forget(sandbox);
      done.refused = await fixture.destroy({ args: ["--target", "**ignored"], expect: "failure" });
      const after = renamed("after", `{ aliases: [{ name: "before" }] }`);
      await fixture.write(program("June", "b", after, false, `{ hideDiffs: ["tags"] }`));
      await writeQuery(2);
      done.previewed = await fixture.preview({ args: ["--diff"] });
      expect(writes()).to.deep.equal([]);
      done.updated = await fixture.up();
      rotated = sandbox.requests.flatMap(({ method, path, requestBody }) => {
        const [, id = ""] = /\/keys\/?([^/]*)$/.exec(path) ?? [];
        const { name } = { name: names.get(id), ...(requestBody as { name?: string } | undefined) };
        return method === "GET" || name === undefined || !/\/keys/.test(path) ? [] : [`${method} ${name}`];
      });
    });

    it("the option protect refuses the deletion of an object", () =>
      expect(done.refused.output).to.include("protected"));

    it("replacementTrigger and replaceWith create new API keys before the old ones are deleted", () => {
      const both = rotated.filter((line) => / (first|second)$/.test(line));
      expect(both.slice(0, 2)).to.have.members(["POST first", "POST second"]);
      expect(both.slice(2)).to.have.members(["DELETE first", "DELETE second"]);
    });

    it("deleteBeforeReplace deletes an API key before its replacement is created", () => {
      expect(rotated.filter((line) => line.endsWith(" only"))).to.deep.equal(["DELETE only", "POST only"]);
    });

    it("aliases let a program rename a resource without a write", () =>
      expect(opsOf(done.updated, "after")).to.deep.equal(["same"]));

    it("ignoreChanges keeps a changed value of the program from being sent", () => {
      expect(opsOf(done.updated, "ignored")).to.deep.equal(["same"]);
      expect([tagsOf("ignored"), tagsOf("shown")]).to.deep.equal([["a"], ["b"]]);
    });

    it("replaceOnChanges replaces an object when a property changes that would otherwise be updated", () => {
      const opsOfAll = ["widened", "renamed", "named"].map((name) => opsOf(done.updated, name));
      const replaced = ["create-replacement", "replace", "delete-replaced"];
      expect(opsOfAll).to.deep.equal([replaced, replaced, ["update"]]);
    });

    it("hideDiffs hides the change of a property in a preview", () => {
      expect(opsOf(done.previewed, "hidden")).to.deep.equal(["update"]);
      expect(done.previewed.stdout.match(/"a"\s*=> "b"/g)).to.have.length(1);
    });

    it("a preview shows the changed lines of a file asset", () => {
      expect(done.previewed.stdout).to.match(/FROM query_log\n\s*- LIMIT 1\n\s*\+ LIMIT 2\n/);
    });

    it("a saved query accepts a file asset as its text", async () => {
      const sql = "SELECT query\nFROM query_log\nLIMIT 2\n";
      expect([...fixture.sandbox.store.savedQueries.values()].map((query) => query.sql)).to.deep.equal([sql]);
      expect((await fixture.outputsOf("file")).sql).to.equal(sql);
    });

    it("additionalSecretOutputs encrypts an output in the state", async () => {
      const { keyId } = await fixture.outputsOf("encrypted");
      expect(keyId).to.be.a("string");
      expect(await fixture.stateFile()).to.not.include(keyId);
    });

    it("destroy keeps an object with the option retainOnDelete", async () => {
      forget(fixture.sandbox);
      await fixture.destroy();
      const keys = [...fixture.sandbox.store.keys.values()];
      expect(keys.map(({ name }) => name)).to.deep.equal(["sandbox admin", "kept"]);
    });

    it("destroy sends no deletion of an alert with the option deletedWith", () => {
      const others = writes().filter((line) => !/\/(keys|saved-queries)\//.test(line));
      expect(others).to.deep.equal(Array(5).fill("DELETE /stack/dashboards/{id}"));
      expect(fixture.sandbox.store.alerts.size).to.equal(0);
    });

    it(`customTimeouts ${host === "plugin" ? "ends a create and a read that take longer" : "has no effect in the dynamic host"}`, async () => {
      const { faults } = fixture.sandbox;
      const expected = host === "plugin" ? "failure" : 0;
      const slow = key("slow", `{ customTimeouts: { create: "1s", read: "1s" } }`);
      await faults.set([{ kind: "delay", operation: "createKey", milliseconds: 1500 }]);
      const created = await fixture.apply(slow, { expect: expected });
      await faults.clear();
      if (host === "plugin") await fixture.up();
      await faults.set([{ kind: "delay", operation: "listKeys", milliseconds: 1500 }]);
      const read = await fixture.refresh({ expect: expected });
      await faults.clear();
      for (const { output } of host === "plugin" ? [created, read] : [])
        expect(output).to.include("the time limit of 1 s (option customTimeouts) passed");
    });

    it("resource hooks run after a create and before a delete", async () => {
      const hooked = `
const say = (what) => new pulumi.ResourceHook(what, async ({ newOutputs = {} }) => {
  const secret = await new Promise((done) => pulumi.output(newOutputs.keySecret).apply(done));
  console.log(what, typeof secret);
});
const onError = [new pulumi.ErrorHook("again", ({ errors }) => /is refused/.test(errors[0]))];
const hooks = { afterCreate: [say("made")], beforeDelete: [say("going")], onError };
pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
  type.endsWith(":Dashboard") ? { props: { ...props, tags: [...props.tags, "team:data"] }, opts } : undefined);
${board("tagged", "a")}
${key("hooked", "{ hooks }")}`;
      forget(fixture.sandbox);
      await fixture.sandbox.faults.set([{ kind: "400", operation: "createKey", nth: 1 }]);
      const output = await inline(hooked, "up", "destroy");
      expect(output).to.match(/^made string$[\s\S]*^going undefined$/m);
    });

    it("the option onError repeats a refused create", () => {
      expect(writes().filter((line) => line.includes("/keys"))).to.include.ordered.members([
        ...["POST /keys 400", "POST /keys", "DELETE /keys/{id}"],
      ]);
    });

    it("a transform of the program adds a tag to a dashboard", () => {
      const [created] = bodies(fixture.sandbox, "POST /stack/dashboards");
      expect(created).to.deep.include({ tags: ["a", "team:data"] });
    });

    const configure = (name: string, value: string) =>
      fixture.run(["config", "set", "--path", `pulumi:autonaming.${name}`, value]);
    const kept = (keepers: string) => key("named", "{}", `, keepers: { of: "${keepers}" }`);
    const names = () => [...fixture.sandbox.store.keys.values()].map(({ name }) => name);
    let namesBefore: readonly string[];

    it(`pulumi:autonaming ${host === "plugin" ? "names objects by its pattern" : "has no effect on names in the dynamic host"}`, async () => {
      await configure("pattern", `\${stack}-\${name}-\${hex(6)}`);
      namesBefore = names();
      await fixture.apply(kept("May"));
      const [name = ""] = names().filter((one) => !namesBefore.includes(one));
      expect(name).to.match(host === "plugin" ? /^dev-named-[0-9a-f]{6}$/ : /^named$/);
    });

    it("names fixed by pulumi:autonaming make a replacement delete first", async () => {
      await fixture.run(["config", "rm", "--path", "pulumi:autonaming.pattern"]);
      await configure("mode", "verbatim");
      await fixture.preview({ args: ["--expect-no-changes"] });
      forget(fixture.sandbox);
      await fixture.apply(kept("June"));
      expect(writes()).to.deep.equal(["DELETE /keys/{id}", "POST /keys"]);
      expect(names().filter((one) => !namesBefore.includes(one))).to.deep.equal(["named"]);
    });

    it("a dynamic resource reads the configuration unless a parent has a dynamic-host provider", async () => {
      await fixture.config("test:region", "eu-west-1");
      await fixture.apply(`
class Region extends pulumi.dynamic.Resource {
  constructor(name, options) {
    const provider = {
      configure({ config }) { this.region = config.get("test:region"); },
      create() { return { id: name, outs: { region: this.region ?? "none" } }; },
    };
    super(provider, name, { region: undefined }, options);
  }
}
const component = new pulumi.ComponentResource("test:index:Place", "place", {}, {
  providers: [new Provider("production", ${JSON.stringify(settingsOf(fixture.sandbox))})],
});
exports.outside = new Region("outside").region;
exports.inside = new Region("inside", { parent: component }).region;
`);
      expect(await fixture.outputs()).to.deep.equal({
        ...{ outside: "eu-west-1", inside: host === "plugin" ? "eu-west-1" : "none" },
      });
    });

    it("refresh --run-program uses the program's credentials if those in the state no longer work", async () => {
      const { sandbox } = fixture;
      const { baseUrl, keyId = "", keySecret = "" } = settingsOf(sandbox);
      const given = { name: "old", roles: ["admin"] };
      const old = await send<{ key: { id: string }; keyId: string; keySecret: string }>(
        ...([sandbox, "POST", "/keys", given] as const),
      );
      const provided = (credentials: object) => `
const provider = new Provider("own", ${JSON.stringify({ baseUrl, ...credentials })});
${key("provided", "{ provider }")}`;
      await fixture.apply(provided({ keyId: old.keyId, keySecret: old.keySecret }));
      Object.assign(sandbox.store.keys.get(old.key.id) ?? {}, { state: "disabled" });
      await fixture.write(provided({ keyId, keySecret }));
      expect((await fixture.refresh({ expect: "failure" })).output).to.include("answered 401");
      await fixture.refresh({ args: ["--run-program"] });
    });
  });
