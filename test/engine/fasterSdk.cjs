/**
 * Loaded into every Node.js process of the engine tests (NODE_OPTIONS): lets Pulumi's SDK load in a third of its CPU time,
 * with the same code. `package.test.ts` runs the SDK as it is.
 */
const Module = require("node:module");
const path = require("node:path");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag while it loads, and what was compiled under other flags is not taken from the compile cache.
setFlagsFromString("--allow-natives-syntax");
// A process ends before optimized code has paid for itself.
setFlagsFromString("--no-opt");

// Old language hosts, such as that built from Go modules, prepare for TypeScript whatever Pulumi.yaml says.
if (process.env.PROGRAM_LANGUAGE === "javascript") process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

const requireAsSdk = sdkOfProject();

/** What the SDK always loads, and uses to compile TypeScript, to serialize functions, to read files and to run the CLI. */
for (const name of [
  ...["typescript", "@npmcli/arborist", "normalize-package-data", "semver", "js-yaml"],
  "./automation",
])
  replace(name, loadedOnUse);

/** Its tracing takes functions and classes out of these at once, and uses them if the CLI is told to trace. */
for (const name of ["resources", "instrumentation", "instrumentation-grpc", "exporter-zipkin"])
  replace(`@opentelemetry/${name}`, loadedOnCall);
for (const name of ["base", "node"]) replace(`@opentelemetry/sdk-trace-${name}`, loadedOnCall);

// A debugger makes digests of all that was loaded, for the messages about functions that cannot be serialized.
replace("./runtime/closure/v8Hooks", (load) => ({
  isInitializedAsync: async () => undefined,
  getSessionAsync: async () => load().getSessionAsync(),
  getScriptUrl: (/** @type {string} */ id) => load().getScriptUrl(id),
}));

// Reads the source maps of all that is on the stack where a resource is declared.
replace("source-map-support/register", () => ({}));

/** What imports as the SDK of the project in this folder does; nothing where there is none. */
function sdkOfProject() {
  try {
    const project = Module.createRequire(path.join(process.cwd(), "index.js"));
    return Module.createRequire(project.resolve("@pulumi/pulumi"));
  } catch {
    return undefined;
  }
}

/**
 * Puts other exports into Node's cache of modules, where the SDK has such a module.
 * @param {string} name as the SDK imports it
 * @param {(load: () => any) => object} exportsOf is given what loads the module
 */
function replace(name, exportsOf) {
  let file = "";
  try {
    file = requireAsSdk?.resolve(name) ?? "";
  } catch {
    // A version of the SDK without it.
  }
  if (file === "") return;
  /** @type {any} */
  let loaded;
  const load = () => {
    if (loaded === undefined) {
      delete require.cache[file];
      loaded = requireAsSdk?.(file);
    }
    return loaded;
  };
  const module = new Module(file);
  module.filename = file;
  module.loaded = true;
  module.exports = exportsOf(load);
  require.cache[file] = module;
}

/**
 * Loaded when a first member is asked for.
 * @param {() => any} load
 */
function loadedOnUse(load) {
  return new Proxy(
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
}

/**
 * Loaded when a member is called.
 * @param {() => any} load
 */
function loadedOnCall(load) {
  return new Proxy(
    {},
    {
      get: (_target, member) =>
        function (/** @type {any[]} */ ...args) {
          const exported = load()[member];
          return new.target ? Reflect.construct(exported, args) : exported(...args);
        },
    },
  );
}
