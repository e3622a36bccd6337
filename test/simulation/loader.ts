import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import { transformSync } from "esbuild";

interface Loading {
  readonly folder: string;
  sourceOf(file: string): string;
  substitute?(name: string, file: string): unknown;
  /** Global objects that the loaded modules of the provider get in place of Node's. */
  readonly globals?: { readonly process: object; readonly console: object };
}

const compiled = new Map<string, string>();

/**
 * Returns a function that loads a module and its imports anew, so that state kept in modules begins empty. tsx would slow the
 * modules down, since it adds a name to each function.
 */
export function loaderOf({ folder, sourceOf, substitute, globals }: Loading): (file: string) => unknown {
  const modules = new Map<string, { exports: unknown }>();
  const names = ["exports", "require", "module", "__filename", "__dirname", ...Object.keys(globals ?? {})];
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const run = compileFunction(codeOf(sourceOf(file)), names, { filename: file });
    const requireReal = createRequire(file);
    const requireHere = (name: string): unknown => {
      const instead = substitute?.(name, file);
      if (instead !== undefined) return instead;
      const target = /^\..*(?<!\.json)$/.test(name) ? join(dirname(file), `${name}.ts`) : undefined;
      return target?.startsWith(folder) ? load(target) : requireReal(name);
    };
    run(module.exports, requireHere, module, file, dirname(file), ...Object.values(globals ?? {}));
    return module.exports;
  };
  return load;
}

function codeOf(source: string): string {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const { code } = transformSync(source, { loader: "ts", format: "cjs", target: "node20" });
  compiled.set(source, code);
  return code;
}

/** Loads the simulator without tsx: the function names that tsx adds take a tenth of the time of a simulated history. */
export function loadSimulator(): typeof import("./simulator") {
  const load = loaderOf({
    folder: resolve(__dirname, "../.."),
    sourceOf: (file) => readFileSync(file, "utf8"),
  });
  return load(join(__dirname, "simulator.ts")) as typeof import("./simulator");
}
