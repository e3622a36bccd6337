import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { command } from "../../toolchain/command.mjs";
import { send, settingsOf } from "../serviceContents";
import { calls, forget, useFixture } from "./fixture";
import { pluginClasses } from "./pluginHost";
import type { Update } from "./workspace";

const series = `{ type: "time", aggFn: "count", where: "level:error", groupBy: [] }`;
const board = (tags: string, options = "{}") => `
const tiles = [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [${series}] }];
const board = new Dashboard("board", { name: "Ingestion", tags: ["${tags}"], tiles }, ${options});`;
const alert = `new Alert("errors", {
  ...{ dashboardId: board.id, tileId: board.tileIds.Errors, source: "tile", threshold: 5, thresholdType: "above" },
  ...{ interval: "5m", channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" } },
}, { deletedWith: board });`;
const key = (name: string, options: string, args = "") =>
  `const ${name} = new ApiKey("${name}", { roles: ["developer"]${args} }, ${options});`;

// docs/engine-options.md says for each of these options where it pays off.
for (const [host, title] of [
  ["plugin", "the plugin"],
  ["dynamic", "the dynamic host"],
] as const)
  describe(`Options of the engine in ${title}`, () => {
    const fixture = useFixture({ host });
    const writes = () => calls(fixture.sandbox).filter((line) => !line.startsWith("GET"));
    /** Applies a program to the stack of the test before, and clears the journal of the sandbox. */
    const begin = async (program: string) => {
      await fixture.apply(program);
      forget(fixture.sandbox);
    };
    const opsOf = ({ steps }: Update) =>
      steps.filter(({ op }) => op !== "same").map(({ op, name }) => `${op} ${name}`);

    /**
     * Runs commands of the Automation API with a program in its own process: a language host from Go modules knows no
     * callbacks.
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

    it("retainOnDelete leaves an object in the service, and deletedWith leaves a deletion to the service", async () => {
      await begin(`${key("kept", "{ retainOnDelete: true }")}${board("a")}${alert}`);
      await fixture.destroy();
      expect(writes()).to.deep.equal(["DELETE /stack/dashboards/{id}"]);
      const { alerts, keys } = fixture.sandbox.store;
      expect([alerts.size, [...keys.values()].map(({ name }) => name)]).to.deep.equal([
        0,
        ["sandbox admin", "kept"],
      ]);
    });

    it("protect refuses to delete an object, until the program no longer says so", async () => {
      await begin(board("a", "{ protect: true }"));
      const { output } = await fixture.apply("", { expect: "failure" });
      expect(output).to.include("protected");
      expect((await fixture.destroy({ expect: "failure" })).output).to.include("protected");
      expect(writes()).to.deep.equal([]);
      await fixture.apply(board("a"));
      await fixture.apply("");
      expect(writes()).to.deep.equal(["DELETE /stack/dashboards/{id}"]);
    });

    it("replacementTrigger makes a new key before the old one goes, with those of replaceWith", async () => {
      const keys = (trigger: number) => `${key("first", `{ replacementTrigger: ${trigger} }`)}
${key("second", "{ replaceWith: [first] }")}`;
      await begin(keys(1));
      await fixture.apply(keys(2));
      expect(writes()).to.deep.equal([...Array(2).fill("POST /keys"), ...Array(2).fill("DELETE /keys/{id}")]);
    });

    it("deleteBeforeReplace deletes a key before its replacement is made", async () => {
      const only = (keepers: string) =>
        key("only", "{ deleteBeforeReplace: true }", `, keepers: { of: "${keepers}" }`);
      await begin(only("May"));
      await fixture.apply(only("June"));
      expect(writes()).to.deep.equal(["DELETE /keys/{id}", "POST /keys"]);
    });

    it("aliases give an object another name in the program, without a write", async () => {
      await begin(key("before", "{}", `, name: "reporting"`));
      const done = await fixture.apply(
        key("after", `{ aliases: [{ name: "before" }] }`, `, name: "reporting"`),
      );
      expect([opsOf(done), writes()]).to.deep.equal([[], []]);
    });

    it("ignoreChanges takes no change of the program for one of the object", async () => {
      const options = `{ ignoreChanges: ["tags"] }`;
      await begin(board("a", options));
      const done = await fixture.apply(board("b", options));
      expect([opsOf(done), writes()]).to.deep.equal([[], []]);
      expect([...fixture.sandbox.store.dashboards.values()].map(({ tags }) => tags)).to.deep.equal([["a"]]);
    });

    it("hideDiffs leaves a property out of what a preview shows", async () => {
      await begin(board("a"));
      const shown = async (options: string) => {
        await fixture.write(board("b", options));
        const { stdout, summary } = await fixture.preview({ args: ["--diff"] });
        expect(summary.update).to.equal(1);
        return /"a"\s*=> "b"/.test(stdout);
      };
      expect([await shown("{}"), await shown(`{ hideDiffs: ["tags"] }`)]).to.deep.equal([true, false]);
    });

    it("additionalSecretOutputs encrypts an output", async () => {
      await begin(key("hidden", `{ additionalSecretOutputs: ["keyId"] }`));
      const { keyId } = await fixture.outputsOf("hidden");
      expect(keyId).to.be.a("string");
      expect(await fixture.stateFile()).to.not.include(keyId);
    });

    it(`customTimeouts ${host === "plugin" ? "ends a create and a read in time" : "has no effect"}`, async () => {
      const { faults } = fixture.sandbox;
      const expected = host === "plugin" ? "failure" : 0;
      const slow = key("slow", `{ customTimeouts: { create: "1s", read: "1s" } }`);
      await fixture.apply("");
      await faults.set([{ kind: "delay", operation: "createKey", milliseconds: 1500 }]);
      const created = await fixture.apply(slow, { expect: expected });
      await faults.clear();
      await fixture.apply(slow);
      await faults.set([{ kind: "delay", operation: "listKeys", milliseconds: 1500 }]);
      const read = await fixture.refresh({ expect: expected });
      await faults.clear();
      for (const { output } of host === "plugin" ? [created, read] : [])
        expect(output).to.include("the time limit of 1 s (customTimeouts) was over");
    });

    it("hooks run beside the steps of an object, and onError repeats a refused create", async () => {
      const hooked = `
const say = (what) => new pulumi.ResourceHook(what, async ({ newOutputs = {} }) => {
  const secret = await new Promise((done) => pulumi.output(newOutputs.keySecret).apply(done));
  console.log(what, typeof secret);
});
const onError = [new pulumi.ErrorHook("again", ({ errors }) => /is refused/.test(errors[0]))];
const hooks = { afterCreate: [say("made")], beforeDelete: [say("going")], onError };
${key("hooked", "{ hooks }")}`;
      await begin("");
      await fixture.sandbox.faults.set([{ kind: "400", operation: "createKey", nth: 1 }]);
      const output = await inline(hooked, "up", "destroy");
      expect(output).to.match(/^made string$[\s\S]*^going undefined$/m);
      expect(writes()).to.deep.equal(["POST /keys 400", "POST /keys", "DELETE /keys/{id}"]);
    });

    it("transforms give all dashboards of a program a tag", async () => {
      await inline(
        `pulumi.runtime.registerResourceTransform(({ type, props, opts }) =>
  type.endsWith(":Dashboard") ? { props: { ...props, tags: [...props.tags, "team:data"] }, opts } : undefined);
${board("a")}`,
        "up",
      );
      const [{ tags } = {}] = fixture.sandbox.store.dashboards.values();
      expect(tags).to.deep.equal(["a", "team:data"]);
    });

    it("refresh --run-program reads with the program's credentials, when those of the state no longer work", async () => {
      const { sandbox } = fixture;
      const { baseUrl, keyId = "", keySecret = "" } = settingsOf(sandbox);
      const given = { name: "old", roles: ["admin"] };
      const old = await send<{ key: { id: string }; keyId: string; keySecret: string }>(
        ...([sandbox, "POST", "/keys", given] as const),
      );
      const provided = (credentials: object) => `
const provider = new Provider("own", ${JSON.stringify({ baseUrl, ...credentials })});
${key("provided", "{ provider }")}`;
      await begin(provided({ keyId: old.keyId, keySecret: old.keySecret }));
      Object.assign(sandbox.store.keys.get(old.key.id) ?? {}, { state: "disabled" });
      await fixture.write(provided({ keyId, keySecret }));
      expect((await fixture.refresh({ expect: "failure" })).output).to.include("answered 401");
      await fixture.refresh({ args: ["--run-program"] });
      await fixture.up();
    });

    it(`pulumi:autonaming ${host === "plugin" ? "names objects by its pattern" : "names no object"}, and without chance deletes first`, async () => {
      const configure = (name: string, value: string) =>
        fixture.run(["config", "set", "--path", `pulumi:autonaming.${name}`, value]);
      const kept = (keepers: string) => key("named", "{}", `, keepers: { of: "${keepers}" }`);
      const names = () => [...fixture.sandbox.store.keys.values()].map(({ name }) => name);
      await begin("");
      await configure("pattern", `\${stack}-\${name}-\${hex(6)}`);
      const before = names();
      await fixture.apply(kept("May"));
      const [name = ""] = names().filter((one) => !before.includes(one));
      expect(name).to.match(host === "plugin" ? /^dev-named-[0-9a-f]{6}$/ : /^named$/);
      await fixture.preview({ args: ["--expect-no-changes"] });
      await fixture.run(["config", "rm", "--path", "pulumi:autonaming.pattern"]);
      await configure("mode", "verbatim");
      await fixture.preview({ args: ["--expect-no-changes"] });
      forget(fixture.sandbox);
      await fixture.apply(kept("June"));
      expect(writes()).to.deep.equal(["DELETE /keys/{id}", "POST /keys"]);
      expect(names().filter((one) => !before.includes(one))).to.deep.equal(["named"]);
    });
  });
