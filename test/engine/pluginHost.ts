import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { resultMember, tokenPrefix } from "../../provider/engine/names";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { functions } from "../../provider/functions/registry";
import { offer } from "../../provider/hosts/plugin/offer";
import { declarable } from "../../provider/resources/registry";
import type { Step } from "./events";

/** The host that runs the provider: the engine's dynamic host, or the resource plugin. */
export type Host = "dynamic" | "plugin";

/**
 * Returns the host (dynamic or plugin) for tests that are valid in both hosts: the one in the environment variable `TEST_HOST`,
 * or else the given one. Each family of tests (resources, kills, secrets) uses each host in some file.
 */
export function hostUnlessTold(host: Host): Host {
  const { TEST_HOST: told } = process.env;
  return told === "plugin" || told === "dynamic" ? told : host;
}

export const tokensOf = { dynamic: "pulumi-nodejs:dynamic/pipestack:", plugin: tokenPrefix };

/**
 * Fails if the program's resources ran in another host (dynamic or plugin) than `TEST_HOST` names, since the test would prove
 * nothing about that host.
 */
export function expectToldHost(steps: readonly Step[]): void {
  const other = hostUnlessTold("dynamic") === "plugin" ? tokensOf.dynamic : tokensOf.plugin;
  const found = process.env.TEST_HOST && steps.find(({ type }) => type.startsWith(other));
  if (found) throw new Error(`TEST_HOST is ${process.env.TEST_HOST}, and yet the program has ${found.urn}`);
}

/** The Pulumi.yaml of a program that uses the plugin in the folder `plugin` beside it. */
export const pluginProjectFile = `name: test
runtime:
  name: nodejs
  options:
    typescript: false
plugins:
  providers:
    - name: pipestack
      path: plugin
`;

/** Installs the plugin in the folder in which {@link pluginProjectFile} expects it. */
export async function installPlugin(folder: string): Promise<void> {
  const program = join(folder, "plugin", "pulumi-resource-pipestack");
  await mkdir(join(folder, "plugin"));
  await writeFile(program, `#!/usr/bin/env node\nrequire(${JSON.stringify(resolve("dist/plugin.js"))});\n`);
  await chmod(program, 0o755);
}

/**
 * Replaces the package `pipestack` by classes of the plugin's SDK, so that programs of tests load the package by this name with
 * both hosts.
 */
export async function replacePackage(folder: string): Promise<void> {
  const place = join(folder, "node_modules", "pipestack");
  // The provider code in states of the dynamic host loads the module `pipestack/host`.
  const exports = { ".": "./index.js", "./host": "./dist/provider/host.js" };
  await writeFile(join(place, "package.json"), JSON.stringify({ name: "pipestack", exports }));
  await writeFile(join(place, "index.js"), `${pluginClasses}module.exports = globalThis;`);
}

const members = Object.fromEntries(
  Object.entries(declarable).map(([type, { inputs, outputs }]) => [
    type,
    Object.keys({ ...inputs.properties, ...outputs.properties }),
  ]),
);

const components = Object.entries(offer.components).map(
  ([type, { outputs }]) => [type, Object.keys(outputs.properties)] as const,
);

/**
 * The names of all provider functions, each with the property of its result that contains a list; null for none. In the dynamic
 * host a program gets only this list.
 */
const results = Object.values(functions).map((definition) => [
  definition.name,
  resultMember(definition as FunctionDefinition) ?? null,
]);

/**
 * The beginning of a JavaScript program with the classes of a generated SDK as globals. Resources get the option `import` from
 * the import file that the variable `TEST_IMPORT` names.
 */
export const pluginClasses = `"use strict";
globalThis.pulumi = require("@pulumi/pulumi");
const { TEST_IMPORT: file } = process.env;
const imported = file ? JSON.parse(require("node:fs").readFileSync(file, "utf8")).resources : [];
const typeOf = ([type, members]) => [type, class extends pulumi.CustomResource {
  static get(name, id, state, opts) {
    return new this(name, state, { ...opts, id });
  }
  constructor(name, args, opts) {
    const outputs = Object.fromEntries(members.map((member) => [member, undefined]));
    const aliases = [{ type: "pulumi-nodejs:dynamic/pipestack:" + type }];
    super("pipestack:index:" + type, name, { ...outputs, ...args }, pulumi.mergeOptions({
      aliases,
      import: imported.find((found) => found.type === "pipestack:index:" + type && found.name === name)?.id,
    }, opts));
  }
}];
Object.assign(globalThis, Object.fromEntries(Object.entries(${JSON.stringify(members)}).map(typeOf)));
for (const [type, outputs] of ${JSON.stringify(components)})
  globalThis[type] = class extends pulumi.ComponentResource {
    constructor(name, args, opts) {
      const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
      super("pipestack:index:" + type, name, { ...unset, ...args }, opts, true);
    }
  };
for (const [name, member] of ${JSON.stringify(results)}) {
  const found = (answer) => (member === null ? answer : answer[member]);
  const token = "pipestack:index:" + name;
  globalThis[name] = async (args = {}, opts) => found(await pulumi.runtime.invoke(token, args, opts));
  globalThis[name + "Output"] = (args = {}, opts) => pulumi.runtime.invokeOutput(token, args, opts).apply(found);
}
globalThis.Provider = class extends pulumi.ProviderResource {
  constructor(name, args, opts) {
    super("pipestack", name, args, opts);
  }
};
globalThis.pipestack = globalThis;
`;
