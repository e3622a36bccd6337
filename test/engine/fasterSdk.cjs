/**
 * Loaded into every Node.js process of the engine tests (NODE_OPTIONS). It lets Pulumi's SDK load in a third of its CPU
 * time, with the same code. `package.test.ts` runs the unchanged SDK.
 */
const Module = require("node:module");
const path = require("node:path");
const { setFlagsFromString } = require("node:v8");

// The SDK sets this flag while it loads, and Node's compile cache only holds code that was compiled with the same
// flags.
setFlagsFromString("--allow-natives-syntax");
// These processes end before optimized code would pay off.
setFlagsFromString("--no-opt");

// Old language hosts, such as one built from Go modules, load TypeScript whatever Pulumi.yaml says.
if (process.env.PROGRAM_LANGUAGE === "javascript") process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

const requireAsSdk = sdkOfProject();

/**
 * Modules that the SDK always loads, and that it needs only to compile TypeScript, to serialize functions, to read
 * files or to run the CLI.
 */
for (const name of [
  ...["typescript", "@npmcli/arborist", "normalize-package-data", "semver", "js-yaml"],
  "./automation",
])
  replace(name, loadedOnUse);

/** The SDK's tracing uses these modules only if the CLI is told to trace. */
for (const name of ["resources", "instrumentation", "instrumentation-grpc", "exporter-zipkin"])
  replace(`@opentelemetry/${name}`, loadedOnCall);
for (const name of ["base", "node"]) replace(`@opentelemetry/sdk-trace-${name}`, loadedOnCall);

// The SDK attaches a debugger to process all loaded code, only for messages about functions that cannot be serialized.
replace("./runtime/closure/v8Hooks", (load) => ({
  isInitializedAsync: async () => undefined,
  getSessionAsync: async () => load().getSessionAsync(),
  getScriptUrl: (/** @type {string} */ id) => load().getScriptUrl(id),
}));

// This module reads the source maps of all files in the stack trace of each declared resource.
replace("source-map-support/register", () => ({}));

/** A function that imports modules like the SDK of the project in this folder; undefined if there is no SDK. */
function sdkOfProject() {
  try {
    const project = Module.createRequire(path.join(process.cwd(), "index.js"));
    return Module.createRequire(project.resolve("@pulumi/pulumi"));
  } catch {
    return undefined;
  }
}

/**
 * Replaces the exports of a module in Node's cache of modules, if the SDK has such a module.
 * @param {string} name as the SDK imports it
 * @param {(load: () => any) => object} exportsOf gets a function that loads the module
 */
function replace(name, exportsOf) {
  let file = "";
  try {
    file = requireAsSdk?.resolve(name) ?? "";
  } catch {
    // This version of the SDK does not have the module.
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
 * Exports whose module is loaded when a member is first read.
 * @param {() => any} load
 */
function loadedOnUse(load) {
  return new Proxy(
    {},
    {
      get(_target, member) {
        // With this member, `import * as` uses the module itself.
        if (member === "__esModule") return true;
        const exported = load();
        return member === "default" ? (exported.default ?? exported) : exported[member];
      },
      has: (_target, member) => member in load(),
    },
  );
}

/**
 * Exports whose module is loaded when a member is called.
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
