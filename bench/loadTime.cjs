/** Run in a fresh process: measures loading the package, or its host including the first two calls. Prints JSON. */
const { createRequire } = require("node:module");
const { join } = require("node:path");

const requireFrom = createRequire(join(process.cwd(), "index.js"));
const loaded = () => Object.keys(require.cache);

function timed(action) {
  const start = performance.now();
  const before = loaded().length;
  action();
  return { milliseconds: performance.now() - start, modules: loaded().length - before };
}

const has = (name) =>
  loaded().some((path) => path.includes(join("node_modules", name) + require("node:path").sep));

async function main([what]) {
  // A program or the engine's host has loaded the SDK before.
  const sdk = timed(() => requireFrom(what === "program" ? "@pulumi/pulumi" : "@pulumi/pulumi/runtime"));
  let host;
  const own = timed(() => {
    host = requireFrom(what === "program" ? "pipestack" : "pipestack/host");
  });
  const figures = { sdk, own, axios: has("axios"), ajv: has("ajv") };
  if (what === "host") {
    host.Alert.configure({ config: { get: () => undefined } });
    const read = async () => {
      const start = performance.now();
      // There is no such alert; only the time to the answer matters.
      await host.Alert.read("000000000000000000000000", { threshold: 1 });
      return performance.now() - start;
    };
    figures.firstCall = await read();
    figures.secondCall = await read();
  }
  console.log(JSON.stringify(figures));
  process.exit();
}

main(process.argv.slice(2));
