/**
 * This program compiles a TypeScript project in its own process, since the compiler blocks its thread: `node
 * toolchain/compile.mjs <project> [--describe <module>=<file>] [--declare <module>=<file>]…`. Each file gets the descriptions
 * or the declarations of the module's exports. The program prints the paths that it wrote as JSON, or the compiler's messages;
 * it writes nothing if the project does not compile.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import ts from "typescript";
import { inCheckout, root } from "./checkout.mjs";
import { declarationsOf } from "./declarations/declarations.mjs";
import { describe } from "./descriptions.mjs";

const several = /** @type {const} */ ({ type: "string", multiple: true });
const {
  positionals: [project = ""],
  values: { describe: described = [], declare: declared = [] },
} = parseArgs({ allowPositionals: true, options: { describe: several, declare: several } });

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
    // A TypeScript compiler that has checked the whole program has reordered the types of unions, so the declarations come from
    // a fresh compiler.
    const unchecked = declared.length > 0 ? uncheckedCopy(program) : program;
    /** @type {[string[], (module: string) => string][]} */
    const further = [
      [described, (module) => `${JSON.stringify(describe(program, module), undefined, 2)}\n`],
      [declared, (module) => declarationsOf(unchecked, module)],
    ];
    for (const [pairs, textOf] of further) {
      for (const [module = "", file = ""] of pairs.map((pair) => pair.split("="))) {
        writeFileSync(inCheckout(file), textOf(inCheckout(module)));
        emittedFiles.push(inCheckout(file));
      }
    }
    console.log(JSON.stringify(emittedFiles));
  }
}

/**
 * Makes a copy of the TypeScript program whose compiler has not checked any types yet, since the check changes the order of
 * union types.
 * @param {ts.Program} program
 */
function uncheckedCopy(program) {
  return ts.createProgram([...program.getRootFileNames()], program.getCompilerOptions(), undefined, program);
}

/** Prints the compiler's messages, and ends the process with an error. @param {readonly ts.Diagnostic[]} diagnostics */
function fail(diagnostics) {
  const host = {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (/** @type {string} */ path) => path,
    getNewLine: () => "\n",
  };
  console.error(ts.formatDiagnostics(diagnostics, host).trimEnd());
  process.exitCode = 1;
}
