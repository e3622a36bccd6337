/** Run in a fresh process: what it takes to load the package, or its host up to the first call. Prints JSON. */
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
  // What the engine's own programs have loaded before.
  const sdk = timed(() => requireFrom(what === "program" ? "@pulumi/pulumi" : "@pulumi/pulumi/runtime"));
  let host;
  const own = timed(() => {
    host = requireFrom(what === "program" ? "pipestack" : "pipestack/host");
  });
  const figures = { sdk, own, axios: has("axios"), ajv: has("ajv") };
  if (what === "host") {
    host.Alert.configure({ config: { get: () => undefined } });
    const look = async () => {
      const start = performance.now();
      // The sandbox is empty: what matters is the way to its answer.
      await host.Alert.read("000000000000000000000000", { threshold: 1 });
      return performance.now() - start;
    };
    figures.firstCall = await look();
    figures.secondCall = await look();
  }
  console.log(JSON.stringify(figures));
  process.exit();
}

main(process.argv.slice(2));
