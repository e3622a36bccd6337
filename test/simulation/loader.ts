import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import { transformSync } from "esbuild";

/** How modules are loaded. */
interface Loading {
  /** Modules outside of it are loaded as always. */
  readonly folder: string;
  sourceOf(file: string): string;
  /** What takes the place of an imported module; undefined for none. */
  substitute?(name: string, file: string): unknown;
  /** What modules find in the place of these globals. */
  readonly globals?: { readonly process: object; readonly console: object };
}

const compiled = new Map<string, string>();

/** Loads modules anew: with what they keep for the whole process empty, and without the names that tsx gives each function. */
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

/** The simulator, loaded by this loader: names of functions take a tenth of the time of a history. */
export function loadSimulator(): typeof import("./simulator") {
  const load = loaderOf({
    folder: resolve(__dirname, "../.."),
    sourceOf: (file) => readFileSync(file, "utf8"),
  });
  return load(join(__dirname, "simulator.ts")) as typeof import("./simulator");
}
