import { spawn } from "node:child_process";
import { inCheckout, root } from "./checkout.mjs";
import { cleanEnvironment } from "./environment.mjs";

/**
 * Measures the provider (bench/main.ts says what `args` can be).
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it could be measured, whatever the figures are
 */
export function bench(pulumi, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--require", "tsx/cjs", inCheckout("bench", "main.ts"), ...args], {
      cwd: root,
      env: cleanEnvironment(pulumi),
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0));
  });
}
