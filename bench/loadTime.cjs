/** Run in a fresh process: measures loading the package, or its host including the first two calls. Prints JSON. */
const { createRequire } = require("node:module");
const { join } = require("node:path");

const requireFrom = createRequire(join(process.cwd(), "index.js"));

async function timed(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function main(isProgram) {
  // A program or the engine's host has loaded the SDK before.
  const sdk = await timed(() => requireFrom(isProgram ? "@pulumi/pulumi" : "@pulumi/pulumi/runtime"));
  const before = Object.keys(require.cache).length;
  let loaded;
  const pipestack = await timed(() => {
    loaded = requireFrom(isProgram ? "pipestack" : "pipestack/host");
  });
  const figures = { sdk, pipestack, modules: Object.keys(require.cache).length - before };
  if (!isProgram) {
    loaded.Alert.configure({ config: { get: () => undefined } });
    // There is no such alert; only the time to the answer matters.
    const read = () => loaded.Alert.read("000000000000000000000000", { threshold: 1 });
    Object.assign(figures, { firstCall: await timed(read), secondCall: await timed(read) });
  }
  console.log(JSON.stringify(figures));
  process.exit();
}

main(process.argv[2] === "program");
