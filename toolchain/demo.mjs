import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inCheckout } from "./checkout.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { createTemporaryProject } from "./temporaryProject.mjs";

/** @typedef {import("../sandbox/index.js").Sandbox} Sandbox */

const stack = "demo";
const changes = { replicas: 4, threshold: 250, keyGeneration: 2 };

/** The number of the last request to the sandbox that the demo has shown. */
let lastShown = 0;

/**
 * Runs the quickstart as a demonstration: the real engine applies it to a sandbox, changes it, finds nothing more to do and
 * removes it again. Pulumi's project, state and home folder are temporary, too.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args `--keep` stops before the removal and leaves everything running until Ctrl-C; `--dialect clickhouse`
 *   serves the APIs of ClickHouse Cloud and HyperDX
 */
export async function demo(pulumi, args) {
  const { keep, dialect } = optionsIn(args);

  // Ctrl-C also reaches the command that the demo runs and ends it, so the demo only has to clean up.
  const interruption = new Promise((resolve) => process.once("SIGINT", resolve));
  let interrupted = false;
  interruption.then(() => {
    interrupted = true;
  });
  /** @type {typeof import("../sandbox/index.js")} */
  const { createSandbox } = createRequire(import.meta.url)(
    inCheckout("sandbox", "dist", "sandbox", "index.js"),
  );
  const project = await createTemporaryProject("demo");
  const { folder } = project;
  const sandbox = await createSandbox({ consolePort: 0, dialect });
  try {
    await writeProjectFile(folder);
    const variables = { ...project.environment, ...settings(sandbox, dialect) };
    /** @type {Record<string, string | undefined>} */
    const environment = { ...cleanEnvironment(pulumi), ...variables };
    const run = async (/** @type {string[]} */ ...command) => {
      await runCommand(pulumi, command, folder, environment);
      if (interrupted) throw new Error("The demo was interrupted.");
    };

    title("A sandbox of the service");
    console.log(`Management API:    ${sandbox.baseUrl}\nObservability API: ${sandbox.obsBaseUrl}`);
    console.log(`Console:           ${sandbox.consoleUrl}`);
    const seeded = recordIds(sandbox);

    title("Apply examples/quickstart");
    await run("stack", "init", stack);
    await run("up", "--yes", "--skip-preview");
    showCalls(sandbox);

    title("Preview a change");
    const values = Object.entries(changes).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    await run("config", "set-all", ...values);
    await run("preview", "--diff");
    showCalls(sandbox);

    title("Apply the change");
    await run("up", "--yes", "--skip-preview");
    showCalls(sandbox);

    title("Nothing is left to do");
    await run("preview", "--expect-no-changes");
    showCalls(sandbox);

    title("Someone changes the alert by hand");
    changeAlert(sandbox);
    await run("pipestack", "drift");
    showCalls(sandbox);

    title("Repair it");
    await run("up", "--refresh", "--yes", "--skip-preview");
    await run("pipestack", "drift");
    showCalls(sandbox);

    if (keep) {
      title("Continue by hand");
      await showCommands(folder, sandbox.consoleUrl, { ...variables, PATH: environment.PATH ?? "" });
      await interruption;
      console.log("\nThe sandbox is closed, and its state is removed.");
      return true;
    }

    title("Remove it");
    await run("destroy", "--yes", "--skip-preview");
    showCalls(sandbox);
    await run("stack", "rm", "--yes");
    const remaining = [...recordIds(sandbox)].filter((id) => !seeded.has(id));
    if (remaining.length > 0) throw new Error(`The sandbox still holds ${remaining.join(", ")}.`);
    console.log("\nEverything that the program created has been removed, and the demo's own state with it.");
    return true;
  } finally {
    await sandbox.close();
    await project.close();
  }
}

/**
 * Writes the Pulumi.yaml of the repository's root, with the path of its program, into a temporary folder. The engine writes the
 * stack's settings beside it, so the checkout stays clean.
 * @param {string} folder
 */
async function writeProjectFile(folder) {
  const project = await readFile(inCheckout("Pulumi.yaml"), "utf8");
  const program = JSON.stringify(inCheckout("examples", "quickstart"));
  await writeFile(
    join(folder, "Pulumi.yaml"),
    project.replace(/^main:.*$/m, () => `main: ${program}`),
  );
}

/**
 * The options of the demo.
 * @param {string[]} args
 * @returns {{ keep: boolean, dialect: "neutral" | "clickhouse" }}
 */
function optionsIn(args) {
  const { values } = parseArgs({
    args,
    options: { keep: { type: "boolean", default: false }, dialect: { type: "string", default: "neutral" } },
  });
  const { keep, dialect } = values;
  if (dialect !== "neutral" && dialect !== "clickhouse")
    throw new Error("The demo has the dialects neutral and clickhouse.");
  return { keep, dialect };
}

/**
 * Makes the provider's settings for the demo's sandbox. The rate limit is lifted, since it would only slow down the demo.
 * @param {Sandbox} sandbox
 * @param {string} dialect
 */
function settings({ baseUrl, obsBaseUrl, credentials }, dialect) {
  return {
    PIPESTACK_DIALECT: dialect,
    PIPESTACK_REQUESTS_PER_SECOND: "1000",
    PIPESTACK_BASE_URL: baseUrl,
    PIPESTACK_OBS_BASE_URL: obsBaseUrl,
    PIPESTACK_ORGANIZATION_ID: credentials.organizationId,
    PIPESTACK_SERVICE_ID: credentials.serviceId,
    PIPESTACK_KEY_ID: credentials.keyId,
    PIPESTACK_KEY_SECRET: credentials.keySecret,
    PIPESTACK_ACCESS_TOKEN: credentials.accessToken,
  };
}

/**
 * Runs `pulumi` with the arguments, or `pipestack` if they begin with that name.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 */
function runCommand(pulumi, args, cwd, env) {
  const isOwn = args[0] === "pipestack";
  const program = isOwn ? process.execPath : pulumi.bin;
  const words = isOwn ? [inCheckout("dist", "cli", "main.js"), ...args.slice(1)] : args;
  console.log(`$ ${isOwn ? args.join(" ") : `pulumi ${args.join(" ")}`}`);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      // The exit code of `pipestack drift` is 7 if it reports drift.
      if (code === 0 || (isOwn && code === 7)) resolve();
      else reject(new Error(`${args.slice(0, 2).join(" ")} ended with exit code ${code}.`));
    });
  });
}

/**
 * Changes the threshold of an alert in the sandbox, as a person would in the web console.
 * @param {Sandbox} sandbox
 */
function changeAlert({ store }) {
  const [alert] = store.alerts.values();
  if (alert === undefined) throw new Error("The sandbox has no alert.");
  console.log(`Threshold of "${alert.name}": ${alert.threshold}, now 9999\n`);
  alert.threshold = 9999;
}

/** Prints the title of a step of the demo. @param {string} text */
function title(text) {
  console.log(`\n${process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text}\n${"─".repeat(text.length)}`);
}

/**
 * Prints the requests that the sandbox has received since the last time; equal requests in a row share a line. The paths appear
 * without the organization and service.
 * @param {Sandbox} sandbox
 */
function showCalls({ requests }) {
  const news = requests.filter(({ number }) => number > lastShown);
  lastShown = news.at(-1)?.number ?? lastShown;
  const lines = news.map(({ status, api, method, path }) => {
    const short = path.replace(/^\/v1\/organizations\/[^/]+(\/services\/[^/]+)?(?=\/)/, "…");
    return `  ${status}  ${api.padEnd(13)}  ${method.padEnd(6)}  ${short}`;
  });
  console.log(`\nCalls to the service: ${news.length}`);
  for (const line of new Set(lines)) {
    const count = lines.filter((entry) => entry === line).length;
    console.log(count > 1 ? `${line}  ${count} times` : line);
  }
}

/**
 * The ids of all objects in the sandbox.
 * @param {Sandbox} sandbox
 * @returns {Set<string>}
 */
function recordIds({ store }) {
  const records = Object.values(store.contents()).filter(Array.isArray).flat();
  return new Set(records.map(({ id }) => id));
}

/**
 * Prints the commands with which the user can go on after the demo.
 * @param {string} folder
 * @param {string} consoleUrl
 * @param {Record<string, string>} variables
 */
async function showCommands(folder, consoleUrl, variables) {
  const windows = process.platform === "win32";
  const [script, prefix, load] = windows
    ? ["demo.ps1", "$env:", ". .\\demo.ps1"]
    : ["demo.sh", "export ", ". ./demo.sh"];
  const lines = Object.entries(variables).map(
    ([name, value]) => `${prefix}${name}='${value.replaceAll("'", windows ? "''" : "'\\''")}'`,
  );
  await writeFile(join(folder, script), `${lines.join("\n")}\n`);
  console.log(`The sandbox keeps running. See it, and change it by hand:

  ${consoleUrl}

In another terminal:

  cd ${folder}
  ${load}
  pulumi stack output
  node ${inCheckout("dist", "cli", "main.js")} drift
  pulumi up --refresh
  pulumi config set replicas 5
  pulumi up
  pulumi destroy

The program is ${inCheckout("examples", "quickstart", "index.ts")}.
Ctrl-C closes the sandbox and removes this folder.`);
}
