/**
 * Loaded into every Node.js process of the engine tests (NODE_OPTIONS): lets Pulumi's SDK load in a third of its CPU time,
 * with the same code. `package.test.ts` runs the SDK as it is.
 */
const Module = require("node:module");
const path = require("node:path");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag while it loads, and what was compiled under other flags is not taken from the compile cache.
setFlagsFromString("--allow-natives-syntax");

// Old language hosts, such as that built from Go modules, prepare for TypeScript whatever Pulumi.yaml says.
if (process.env.PROGRAM_LANGUAGE === "javascript") process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

/** What the SDK always loads, and uses to compile TypeScript, to serialize functions and to run the CLI. */
for (const name of ["typescript", "@npmcli/arborist", "./automation"]) loadOnUse(name);

/**
 * Puts into Node's cache of modules one that is loaded when its first member is asked for. Wherever there is no SDK,
 * nothing.
 * @param {string} name
 */
function loadOnUse(name) {
  /** @type {NodeJS.Require} */
  let requireAsSdk;
  let file = "";
  try {
    const project = Module.createRequire(path.join(process.cwd(), "index.js"));
    requireAsSdk = Module.createRequire(project.resolve("@pulumi/pulumi"));
    file = requireAsSdk.resolve(name);
  } catch {
    return;
  }
  /** @type {any} */
  let loaded;
  const load = () => {
    if (loaded === undefined) {
      delete require.cache[file];
      loaded = requireAsSdk(file);
    }
    return loaded;
  };
  const module = new Module(file);
  module.filename = file;
  module.loaded = true;
  module.exports = new Proxy(
    {},
    {
      get(_target, member) {
        // So `import * as` takes the module as it is.
        if (member === "__esModule") return true;
        const exported = load();
        return member === "default" ? (exported.default ?? exported) : exported[member];
      },
      has: (_target, member) => member in load(),
    },
  );
  require.cache[file] = module;
}
