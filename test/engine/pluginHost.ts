import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { resultMember, tokenPrefix } from "../../provider/engine/names";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { functions } from "../../provider/functions/registry";
import { offer } from "../../provider/hosts/plugin/offer";
import { declarable } from "../../provider/resources/registry";
import type { Step } from "./events";

/** What runs the provider: the engine's dynamic host, or our own plugin. */
export type Host = "dynamic" | "plugin";

/**
 * What runs the provider in tests that hold in both: what `TEST_HOST` says, else what is named. Each family of
 * tests (resources, faults, kills, secrets) names each of them somewhere.
 */
export function hostUnlessTold(host: Host): Host {
  const { TEST_HOST: told } = process.env;
  return told === "plugin" || told === "dynamic" ? told : host;
}

/** Prefixes of the tokens of types. */
export const tokensOf = { dynamic: "pulumi-nodejs:dynamic/pipestack:", plugin: tokenPrefix };

/** Fails if a test that is told its host has run resources in the other one: it would say nothing of the host. */
export function expectToldHost(steps: readonly Step[]): void {
  const other = hostUnlessTold("dynamic") === "plugin" ? tokensOf.dynamic : tokensOf.plugin;
  const found = process.env.TEST_HOST && steps.find(({ type }) => type.startsWith(other));
  if (found) throw new Error(`TEST_HOST is ${process.env.TEST_HOST}, and yet the program has ${found.urn}`);
}

/** Pulumi.yaml of a program whose resources are those of the plugin in its folder. */
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

/** Puts the plugin where {@link pluginProjectFile} says. */
export async function installPlugin(folder: string): Promise<void> {
  const program = join(folder, "plugin", "pulumi-resource-pipestack");
  await mkdir(join(folder, "plugin"));
  await writeFile(program, `#!/usr/bin/env node\nrequire(${JSON.stringify(resolve("dist/plugin.js"))});\n`);
  await chmod(program, 0o755);
}

/** Puts the classes of the plugin where programs look for the package: tests that are told their host load it by its name. */
export async function replacePackage(folder: string): Promise<void> {
  const place = join(folder, "node_modules", "pipestack");
  // A state of the dynamic host names what runs it.
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

/** The functions, and the members of their answers that hold lists; a program of the dynamic provider sees the lists alone. */
const results = Object.values(functions).map((definition) => [
  definition.name,
  resultMember(definition as FunctionDefinition) ?? null,
]);

/**
 * The start of a program in JavaScript that has what a generated SDK comes to, as globals. Resources get the option `import`
 * by the file for `pulumi import` that `TEST_IMPORT` names.
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
