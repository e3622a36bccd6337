import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorkspace, type StateJson, type Workspace } from "./workspace";

/** Returns the code that the Pulumi state stores as `__provider` for a fake type. */
export const fakeProvider = (type: string): string => `exports.handler=()=>require("fake/host").${type}`;

export const fakeToken = (type: string): string => `pulumi-nodejs:dynamic/fake:${type}`;

export interface Call {
  type: string;
  method: string;
  value: Record<string, unknown>;
  pid: number;
}

export interface FakeWorkspace extends Workspace {
  newCalls(): Promise<Call[]>;
  things(type: string): Promise<StateJson[]>;
}

/**
 * Makes a workspace with a package of fake resource types. Unless a type's lifecycle methods do something else, its outputs
 * equal its inputs. Inside these methods, `record(method, value)` records a call. Tests put several types into one stack, since
 * several stacks would take far more time.
 * @param lifecycles the lifecycle methods, by the name of the type
 */
export async function createFakeWorkspace(lifecycles: Record<string, string>): Promise<FakeWorkspace> {
  const workspace = await createWorkspace();
  await installFake(join(workspace.folder, "node_modules", "fake"), lifecycles);
  const names = [...Object.keys(lifecycles), "Provider"].join(", ");
  let known = 0;
  return {
    ...workspace,
    write: (body) =>
      workspace.write(
        `const pulumi = require("@pulumi/pulumi");\nconst { ${names} } = require("fake");\n${body}`,
      ),
    async newCalls() {
      const path = join(workspace.folder, "calls.jsonl");
      const lines = existsSync(path) ? (await readFile(path, "utf8")).trim().split("\n") : [];
      const calls = lines.slice(known).map((line) => JSON.parse(line) as Call);
      known = lines.length;
      return calls;
    },
    async things(type) {
      const { deployment } = await workspace.exportState();
      return (deployment.resources ?? []).filter((resource) => resource.type === fakeToken(type));
    },
  };
}

async function installFake(folder: string, lifecycles: Record<string, string>): Promise<void> {
  const types = Object.entries(lifecycles);
  const classes = types.map(
    ([type]) => `exports.${type} = class extends pulumi.CustomResource {
  constructor(name, args, options) {
    const __provider = ${JSON.stringify(fakeProvider(type))};
    super("${fakeToken(type)}", name, { token: undefined, ...args, __provider }, options);
  }
};`,
  );
  const handlers = types.map(
    ([type, lifecycle]) => `exports.${type} = lifecycle("${type}", (record) => ({ ${lifecycle} }));`,
  );
  const files = {
    "package.json": JSON.stringify({ name: "fake", exports: { ".": "./index.js", "./host": "./host.js" } }),
    "index.js": `const pulumi = require("@pulumi/pulumi");
${classes.join("\n")}
exports.Provider = class extends pulumi.ProviderResource {
  constructor(name, args) {
    super("pulumi-nodejs", name, args);
  }
};`,
    "host.js": `const { appendFileSync } = require("node:fs");
const lifecycle = (type, own) => ({
  async check(olds, news) { return { inputs: news }; },
  async diff(id, olds, news) { return { changes: olds.size !== news.size }; },
  async create(inputs) { return { id: "thing-1", outs: inputs }; },
  async read(id, props) { return { id, props }; },
  async update(id, olds, news) { return { outs: news }; },
  async delete() {},
  ...own((method, value) =>
    appendFileSync("calls.jsonl", JSON.stringify({ type, method, value, pid: process.pid }) + "\\n")),
});
${handlers.join("\n")}`,
  };
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
