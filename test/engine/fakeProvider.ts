import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorkspace, type StateJson, type Workspace } from "./workspace";

/** The `__provider` of the fake resource. */
export const fakeProvider = 'exports.handler=()=>require("fake/host").Thing';
const type = "pulumi-nodejs:dynamic/fake:Thing";

/** What the lifecycle recorded of one call. */
export interface Call {
  method: string;
  value: Record<string, unknown>;
  pid: number;
}

/** A workspace with an installed package `fake`, of which programs see `Thing` and `Provider` (and `pulumi`). */
export interface FakeWorkspace extends Workspace {
  /** What the lifecycle gave to `record`, by method. */
  calls(method: string): Promise<Call[]>;
  /** The resources of type Thing in the state. */
  things(): Promise<StateJson[]>;
}

const open: Workspace[] = [];

/**
 * Makes a workspace whose provider keeps what it is given, save what `lifecycle` (methods of an object literal in
 * JavaScript) does in another way. `record(method, value)` in there notes a call.
 */
export async function createFakeWorkspace(lifecycle: string, program: string): Promise<FakeWorkspace> {
  const workspace = await createWorkspace();
  open.push(workspace);
  await installFake(join(workspace.folder, "node_modules", "fake"), lifecycle);
  const fake: FakeWorkspace = {
    ...workspace,
    write: (body) =>
      workspace.write(
        `const pulumi = require("@pulumi/pulumi");\nconst { Thing, Provider } = require("fake");\n${body}`,
      ),
    async calls(method) {
      const path = join(workspace.folder, "calls.jsonl");
      if (!existsSync(path)) return [];
      const lines = (await readFile(path, "utf8")).trim().split("\n");
      return lines.map((line) => JSON.parse(line) as Call).filter((call) => call.method === method);
    },
    async things() {
      const { deployment } = await workspace.exportState();
      return (deployment.resources ?? []).filter((resource) => resource.type === type);
    },
  };
  await fake.write(program);
  return fake;
}

/** Closes what {@link createFakeWorkspace} made. */
export async function closeFakeWorkspaces(): Promise<void> {
  for (const workspace of open.splice(0)) await workspace.close();
}

async function installFake(folder: string, lifecycle: string): Promise<void> {
  const files = {
    "package.json": JSON.stringify({ name: "fake", exports: { ".": "./index.js", "./host": "./host.js" } }),
    "index.js": `const pulumi = require("@pulumi/pulumi");
exports.Thing = class extends pulumi.CustomResource {
  constructor(name, args, options) {
    const __provider = ${JSON.stringify(fakeProvider)};
    super("${type}", name, { token: undefined, ...args, __provider }, options);
  }
};
exports.Provider = class extends pulumi.ProviderResource {
  constructor(name, args) {
    super("pulumi-nodejs", name, args);
  }
};`,
    "host.js": `const { appendFileSync } = require("node:fs");
const record = (method, value) =>
  appendFileSync("calls.jsonl", JSON.stringify({ method, value, pid: process.pid }) + "\\n");
exports.Thing = {
  async check(olds, news) { return { inputs: news }; },
  async diff(id, olds, news) { return { changes: olds.size !== news.size }; },
  async create(inputs) { return { id: "thing-1", outs: inputs }; },
  async read(id, props) { return { id, props }; },
  async update(id, olds, news) { return { outs: news }; },
  async delete() {},
  ${lifecycle}
};`,
  };
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
