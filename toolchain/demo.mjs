import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inCheckout } from "./checkout.mjs";
import { cleanEnvironment } from "./environment.mjs";

const stack = "demo";
const changes = { replicas: 4, threshold: 250, keyGeneration: 2 };

/** Number of the last request that was shown. */
let lastShown = 0;

/**
 * Shows the quickstart at work: the real engine applies it to a sandbox, changes it, finds nothing more to do, and
 * removes it again. Project, state and home of Pulumi lie in a folder for temporary files, which is removed as well.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args `--keep` leaves everything running before the removal, until Ctrl-C
 */
export async function demo(pulumi, args) {
  const unknown = args.filter((argument) => argument !== "--keep");
  if (unknown.length > 0) throw new Error(`The demo knows --keep, not ${unknown.join(" ")}.`);

  // Ctrl-C reaches the running command too, and ends it in good order. Then this has to clean up.
  const interruption = new Promise((resolve) => process.once("SIGINT", resolve));
  let interrupted = false;
  interruption.then(() => {
    interrupted = true;
  });
  const folder = await realpath(await mkdtemp(join(tmpdir(), "pipestack-demo-")));
  const { createSandbox } = createRequire(import.meta.url)(inCheckout("sandbox", "dist", "index.js"));
  const sandbox = await createSandbox({ consolePort: 0 });
  try {
    const variables = await createProject(folder, sandbox);
    const environment = { ...cleanEnvironment(pulumi), ...variables };
    const run = async (...command) => {
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

    title("Change it: what would happen");
    const settings = Object.entries(changes).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    await run("config", "set-all", ...settings);
    await run("preview", "--diff");
    showCalls(sandbox);

    title("Change it");
    await run("up", "--yes", "--skip-preview");
    showCalls(sandbox);

    title("Nothing is left to do");
    await run("preview", "--expect-no-changes");
    showCalls(sandbox);

    title("Somebody changes the alert by hand");
    changeAlert(sandbox);
    await run("pipestack", "drift");
    showCalls(sandbox);

    title("Repair it");
    await run("up", "--refresh", "--yes", "--skip-preview");
    await run("pipestack", "drift");
    showCalls(sandbox);

    if (args.includes("--keep")) {
      title("Go on by hand");
      await showCommands(folder, sandbox.consoleUrl, { ...variables, PATH: environment.PATH });
      await interruption;
      console.log("\nThe sandbox is closed, and its state is removed.");
      return true;
    }

    title("Remove it");
    await run("destroy", "--yes", "--skip-preview");
    showCalls(sandbox);
    await run("stack", "rm", "--yes");
    const left = [...recordIds(sandbox)].filter((id) => !seeded.has(id));
    if (left.length > 0) throw new Error(`The sandbox still holds ${left.join(", ")}.`);
    console.log("\nEverything that the program created has been removed, and the demo's own state with it.");
    return true;
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The root project, with its program where it is and its stack's settings here, so that the checkout stays clean. */
async function createProject(folder, sandbox) {
  const project = await readFile(inCheckout("Pulumi.yaml"), "utf8");
  const program = JSON.stringify(inCheckout("examples", "quickstart"));
  await writeFile(
    join(folder, "Pulumi.yaml"),
    project.replace(/^main:.*$/m, () => `main: ${program}`),
  );
  for (const name of ["state", "home"]) await mkdir(join(folder, name));
  return {
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PIPESTACK_BASE_URL: sandbox.baseUrl,
    PIPESTACK_OBS_BASE_URL: sandbox.obsBaseUrl,
    PIPESTACK_ORGANIZATION_ID: sandbox.credentials.organizationId,
    PIPESTACK_SERVICE_ID: sandbox.credentials.serviceId,
    PIPESTACK_KEY_ID: sandbox.credentials.keyId,
    PIPESTACK_KEY_SECRET: sandbox.credentials.keySecret,
    PIPESTACK_ACCESS_TOKEN: sandbox.credentials.accessToken,
  };
}

/** Runs `pulumi` with the arguments, or `pipestack` where they begin with its name. */
function runCommand(pulumi, args, cwd, env) {
  const isOwn = args[0] === "pipestack";
  const command = isOwn
    ? [process.execPath, inCheckout("dist", "provider", "cli", "main.js"), ...args.slice(1)]
    : [pulumi.bin, ...args];
  console.log(`$ ${isOwn ? args.join(" ") : `pulumi ${args.join(" ")}`}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => {
      // That is how a report of drift ends.
      if (code === 0 || (isOwn && code === 7)) resolve();
      else reject(new Error(`${args.slice(0, 2).join(" ")} ended with exit code ${code}.`));
    });
  });
}

/** What a person does in the service's own console, and no program declares. */
function changeAlert({ store }) {
  const [alert] = store.alerts.values();
  console.log(`Threshold of "${alert.name}": ${alert.threshold}, now 9999\n`);
  alert.threshold = 9999;
}

function title(text) {
  console.log(`\n${process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text}\n${"─".repeat(text.length)}`);
}

/** What the sandbox was asked since the last time. */
function showCalls({ requests }) {
  const news = requests.filter(({ number }) => number > lastShown);
  console.log(`\nCalls to the service: ${news.length}`);
  for (const { api, method, path, status } of news) {
    const short = path.replace(/([0-9a-f]{6})[0-9a-f-]{18,30}/g, "$1…");
    console.log(`  ${status}  ${api.padEnd(13)}  ${method.padEnd(6)}  ${short}`);
  }
  lastShown = news.at(-1)?.number ?? lastShown;
}

function recordIds({ store }) {
  const records = Object.values(store.contents()).filter(Array.isArray).flat();
  return new Set(records.map(({ id }) => id));
}

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
  node ${inCheckout("dist", "provider", "cli", "main.js")} drift
  pulumi up --refresh
  pulumi config set replicas 5
  pulumi up
  pulumi destroy

The program is ${inCheckout("examples", "quickstart", "index.ts")}.
Ctrl-C closes the sandbox and removes this folder.`);
}
