import { whenRunAsProgram } from "./checkout.mjs";
import { setup } from "./setup.mjs";

/** @type {Record<string, (pulumi: import("./pulumi.mjs").Pulumi, args: string[]) => Promise<boolean>>} */
const commands = {
  bench: async (pulumi, args) => (await import("./bench.mjs")).bench(pulumi, args),
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
