import { spawnSync } from "node:child_process";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { setup } from "./setup.mjs";

/** @type {Record<string, (pulumi: import("./pulumi.mjs").Pulumi, args: string[]) => Promise<boolean>>} */
const commands = {
  async bench(pulumi, args) {
    const program = ["--require", "tsx/cjs", inCheckout("bench", "main.ts"), ...args];
    const options = { cwd: root, env: cleanEnvironment(pulumi), stdio: /** @type {const} */ ("inherit") };
    return spawnSync(process.execPath, program, options).status === 0;
  },
  demo: async (pulumi, args) => (await import("./demo.mjs")).demo(pulumi, args),
  screenshots: async () => (await import("./screenshots.mjs")).screenshots(),
  test: async (pulumi, args) => (await import("./test.mjs")).test(pulumi, args),
};

whenRunAsProgram(import.meta.url, async ([name = "", ...args]) => {
  const command = commands[name];
  if (command === undefined) throw new Error(`Run one of: ${Object.keys(commands).join(", ")}.`);
  const succeeded = await command(await setup(), args);
  process.exitCode = succeeded ? 0 : 1;
});
