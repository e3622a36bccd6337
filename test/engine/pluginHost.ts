import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { resources } from "../../provider/resources/registry";

/** What runs the provider: the engine's dynamic host, or our own plugin. */
export type Host = "dynamic" | "plugin";

/** What runs the provider in tests that do not care. */
export const usualHost: Host = process.env.PIPESTACK_TEST_HOST === "plugin" ? "plugin" : "dynamic";

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
  await writeFile(
    program,
    `#!/usr/bin/env node\nrequire(${JSON.stringify(resolve("dist/provider/plugin.js"))});\n`,
  );
  await chmod(program, 0o755);
}

const members = Object.fromEntries(
  Object.entries(resources).map(([type, { inputs, outputs }]) => [
    type,
    Object.keys({ ...inputs.properties, ...outputs.properties }),
  ]),
);

/** The start of a program in JavaScript that has what a generated SDK comes to, as globals. */
export const pluginClasses = `"use strict";
globalThis.pulumi = require("@pulumi/pulumi");
const typeOf = ([type, members]) => [type, class extends pulumi.CustomResource {
  static get(name, id, state, opts) {
    return new this(name, state, { ...opts, id });
  }
  constructor(name, args, opts) {
    const outputs = Object.fromEntries(members.map((member) => [member, undefined]));
    const aliases = [{ type: "pulumi-nodejs:dynamic/pipestack:" + type }];
    super("pipestack:index:" + type, name, { ...outputs, ...args }, pulumi.mergeOptions({ aliases }, opts));
  }
}];
Object.assign(globalThis, Object.fromEntries(Object.entries(${JSON.stringify(members)}).map(typeOf)));
`;
