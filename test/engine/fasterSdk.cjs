/**
 * Loaded into every Node.js process of the engine tests (NODE_OPTIONS): lets Pulumi's SDK load in a third of its CPU time,
 * with the same code. `package.test.ts` runs the SDK as it is.
 */
const Module = require("node:module");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag while it loads, and what was compiled under other flags is not taken from the compile cache.
setFlagsFromString("--allow-natives-syntax");

// Old language hosts, such as that built from Go modules, prepare for TypeScript whatever Pulumi.yaml says.
if (process.env.PROGRAM_LANGUAGE === "javascript") process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

/** What the SDK always loads, and uses to compile TypeScript, to serialize functions and to run the CLI. */
const rarelyUsed = new Set(["typescript", "@npmcli/arborist", "./automation"]);

const modules = /** @type {any} */ (Module);
const load = modules._load;
modules._load = (
  /** @type {string} */ request,
  /** @type {{ filename?: string } | undefined} */ parent,
  /** @type {boolean} */ isMain,
) => {
  const isOfSdk = /[\\/]@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "");
  return isOfSdk && rarelyUsed.has(request)
    ? loadedOnUse(() => load(request, parent, isMain))
    : load(request, parent, isMain);
};

/**
 * A module that is loaded when its first member is asked for.
 * @param {() => any} load
 */
function loadedOnUse(load) {
  return new Proxy(
    {},
    {
      get(_target, name) {
        // So `import * as` takes the module as it is.
        if (name === "__esModule") return true;
        const module = load();
        return name === "default" ? (module.default ?? module) : module[name];
      },
      has: (_target, name) => name in load(),
    },
  );
}
