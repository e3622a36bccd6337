import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { llmsFile, llmsText } from "./llms.mjs";

/**
 * Writes the generated files of the project again: `npm run golden` writes all of them, `npm run golden -- <test file>…` only
 * those that the named tests compare. Look at the difference before you commit it.
 */

/** The tests that compare generated files with the sources, in this order, since a file may depend on an earlier one. */
const tests = [
  "test/unit/product/enums.test.ts",
  "test/unit/product/operations.test.ts",
  "test/unit/hosts/plugin/packageSchema.test.ts",
  "test/unit/resources/members.test.ts",
  "test/unit/toolchain/reference.test.ts",
  "test/unit/api/settingsSchema.test.ts",
  "test/unit/resources/layout.test.ts",
  "test/unit/drawing/golden.test.ts",
  "test/unit/mistakes/mistakes.test.ts",
];

whenRunAsProgram(import.meta.url, async (files) => {
  const env = { ...process.env, PIPESTACK_WRITE_GOLDEN: "1" };
  for (const file of files.length > 0 ? files : tests) {
    const { status } = spawnSync("npx", ["mocha", file], { cwd: inCheckout(), env, stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
  writeFileSync(inCheckout(llmsFile), llmsText());
});
