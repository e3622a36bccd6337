import { readFile } from "node:fs/promises";

/**
 * Hides the global objects from axios in a bundle. It looks in them for the Fetch API, which the provider does not use, and Node
 * loads that API at a mere look, which takes as long as loading axios.
 * @type {import("esbuild").Plugin}
 */
export const withoutFetch = {
  name: "without-fetch",
  setup({ onLoad }) {
    const looking = /axios[/\\](dist[/\\]node[/\\]axios\.cjs|lib[/\\](utils|adapters[/\\]fetch)\.js)$/;
    onLoad({ filter: looking }, async ({ path }) => ({
      contents: `const globalThis = {};\n${await readFile(path, "utf8")}`,
    }));
  },
};
