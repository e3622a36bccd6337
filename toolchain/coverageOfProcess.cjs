/**
 * Loaded into every process while coverage is measured, which Node writes when a process exits (NODE_V8_COVERAGE).
 */
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const folders = ["provider", "cli"].map((name) => path.join(__dirname, "..", name) + path.sep);

// The engine ends its dynamic host by SIGINT, which by itself would end it before anything is written.
const isDynamicHost = /pulumi-resource-pulumi-nodejs|dynamic-provider/.test(process.argv[1] ?? "");
if (isDynamicHost) process.once("SIGINT", () => process.exit());

// What tsx makes of a module is a single line, too coarse to tell which lines of the source were run.
/** @type {{ _compile(this: unknown, code: string, filename: string, ...rest: unknown[]): unknown }} */
const modules = /** @type {any} */ (Module.prototype);
const compile = modules._compile;
modules._compile = function (code, filename, ...options) {
  const isOfProvider = folders.some((folder) => filename.startsWith(folder)) && filename.endsWith(".ts");
  return compile.call(this, isOfProvider ? inLines(filename) : code, filename, ...options);
};

/** @param {string} fileName */
function inLines(fileName) {
  const { ModuleKind, ScriptTarget, transpileModule } = require("typescript");
  const compilerOptions = {
    target: ScriptTarget.ES2022,
    module: ModuleKind.CommonJS,
    esModuleInterop: true,
    inlineSourceMap: true,
    inlineSources: true,
  };
  return transpileModule(readFileSync(fileName, "utf8"), { fileName, compilerOptions }).outputText;
}
