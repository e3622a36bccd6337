/**
 * Compiles a TypeScript project, in a process of its own since the compiler never lets go of its thread:
 * `node toolchain/compile.mjs <project> [<module> <file>]`, where the file gets the descriptions of what the module exports.
 * Prints the paths that it wrote as JSON, or the compiler's messages; writes nothing that does not compile.
 */
import { writeFileSync } from "node:fs";
import ts from "typescript";
import { inCheckout, root } from "./checkout.mjs";
import { describe } from "./descriptions.mjs";

const [project = "", described, descriptionsFile] = process.argv.slice(2);

const config = ts.getParsedCommandLineOfConfigFile(
  inCheckout(project),
  { noEmitOnError: true, listEmittedFiles: true },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]) },
);
if (config === undefined || config.errors.length > 0) fail(config?.errors ?? []);
else {
  const program = ts.createProgram(config.fileNames, config.options);
  const { diagnostics, emittedFiles = [] } = program.emit();
  if (diagnostics.length > 0) fail(diagnostics);
  else {
    if (described && descriptionsFile) {
      const text = `${JSON.stringify(describe(program, inCheckout(described)), undefined, 2)}\n`;
      writeFileSync(inCheckout(descriptionsFile), text);
      emittedFiles.push(inCheckout(descriptionsFile));
    }
    console.log(JSON.stringify(emittedFiles));
  }
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
function fail(diagnostics) {
  const host = {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (/** @type {string} */ path) => path,
    getNewLine: () => "\n",
  };
  console.error(ts.formatDiagnostics(diagnostics, host).trimEnd());
  process.exitCode = 1;
}
