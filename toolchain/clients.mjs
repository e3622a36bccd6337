import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { pipeCalls, pipeProgram } from "./clientPipes.mjs";

/**
 * Tests the sandbox with API clients that others have written for ClickHouse Cloud: the command line clickhousectl, and
 * Terraform's provider. Run `node toolchain/clients.mjs --clickhousectl <program> --terraform-provider <program>` in a built
 * checkout; either option may be left out. .github/workflows/clients.yml shows how to get them. Prints each call and its
 * result, and the number of those that are not as expected here or in clientPipes.mjs; fails if there are any.
 */

/**
 * @typedef {{
 *   args: string[], body?: (made: Made) => object, keep?: string, refused?: RegExp, shows?: RegExp, repeats?: true,
 * }} Call a command of clickhousectl: its arguments, the content of its `--file`, the name under which the test keeps the id of
 *   the created object, the expected refusal or a text in the output, and whether the test repeats the command until it has the
 *   expected result, since the sandbox takes its time
 * @typedef {Record<string, string>} Made
 * @typedef {{ name: string, isFine: boolean }} Result a call, and whether its result is as expected
 */

const query = { name: "errors", sql: "SELECT 1", database: "default" };
const alert = {
  source: "saved_search",
  threshold: 5,
  thresholdType: "above",
  interval: "5m",
  displayName: "Errors",
  tags: ["team:a"],
};

/** @type {Call[]} */
const calls = [
  { args: ["org", "list"] },
  { args: ["org", "get"] },
  { args: ["org", "role", "list"] },
  { args: ["service", "list"] },
  { args: ["service", "get", "$service"] },
  { args: ["service", "backup-config", "get", "$service"] },
  { args: ["service", "private-endpoint", "get-config", "$service"] },
  { args: ["service", "scale", "$service", "--num-replicas", "4"] },
  { args: ["service", "query-endpoint", "get", "$service"], refused: /has no query endpoint/ },
  { args: ["key", "list"] },
  { args: ["key", "create", "--name", "reader", "--role-id", "$role"], keep: "key" },
  { args: ["key", "get", "$key"] },
  { args: ["query-api-endpoint", "list", "$service"] },
  {
    args: ["query-api-endpoint", "create", "$service"],
    body: ({ key = "" }) => ({ ...query, apiKeyIds: [key], roles: ["sql_console_read_only"] }),
    keep: "endpoint",
  },
  { args: ["query-api-endpoint", "get", "$service", "$endpoint"] },
  { args: ["query-api-endpoint", "delete", "$service", "$endpoint"] },
  { args: ["saved-query", "list", "$service"] },
  { args: ["clickstack", "source", "list", "$service"] },
  { args: ["clickstack", "webhook", "list", "$service"] },
  { args: ["clickstack", "dashboard", "list", "$service"] },
  { args: ["clickstack", "saved-search", "list", "$service"] },
  {
    args: ["clickstack", "alert", "create", "$service"],
    body: ({ search, webhook }) => ({
      ...alert,
      savedSearchId: search,
      channel: { type: "webhook", webhookId: webhook },
    }),
    keep: "alert",
  },
  { args: ["clickstack", "alert", "get", "$service", "$alert"] },
  { args: ["clickstack", "alert", "list", "$service"] },
  { args: ["clickstack", "alert", "delete", "$service", "$alert"] },
  { args: ["clickpipe", "list", "$service"] },
  ...pipeCalls,
  { args: ["activity", "list"] },
  { args: ["backup", "list", "$service"], refused: /the sandbox lacks this operation/ },
  { args: ["service", "upgrade-window", "get", "$service"], refused: /not found/i },
];

/** How often a command runs at most until it has the expected result. */
const mostRepetitions = 100;

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
    let text = "";
    let out = "";
    child.stdout?.on("data", (part) => {
      out += part;
      text += part;
    });
    child.stderr?.on("data", (part) => {
      text += part;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, text }));
  });
}

/**
 * Prints the result of a call.
 * @param {string} name
 * @param {boolean} isFine whether the result is as expected
 * @param {string} text the output, which is printed if the result is not as expected
 * @param {string} [word] the expected result
 * @returns {Result}
 */
function report(name, isFine, text, word = "passed ") {
  console.log(`${isFine ? word : "DIFFERS"} ${name}`);
  if (!isFine) console.log(text.trim().slice(-1500));
  return { name, isFine };
}

/**
 * Runs the commands of ClickHouse's own command line against the sandbox.
 * @param {string} program
 * @param {any} sandbox
 * @param {string} folder
 * @returns {Promise<Result[]>}
 */
async function askByCommandLine(program, sandbox, folder) {
  const { credentials, store } = sandbox;
  const serviceAccount = join(folder, "serviceAccount.json");
  await writeFile(serviceAccount, "{}");
  /** @type {Made} */
  const made = {
    ...{ organization: credentials.organizationId, service: credentials.serviceId, serviceAccount },
    role: [...store.roles.keys()][0],
    search: [...store.savedSearches.keys()][0],
    webhook: [...store.webhooks.keys()][0],
  };
  const env = {
    ...process.env,
    ...{ HOME: folder, DO_NOT_TRACK: "1" },
    ...{ CLICKHOUSE_CLOUD_API_KEY: credentials.keyId, CLICKHOUSE_CLOUD_API_SECRET: credentials.keySecret },
  };
  const place = ["cloud", "--url", sandbox.baseUrl, "--org-id", credentials.organizationId, "--json"];
  const results = [];
  for (const { args, body, keep, refused, shows = /(?:)/, repeats } of calls) {
    const command = args.map((word) => (word.startsWith("$") ? (made[word.slice(1)] ?? word) : word));
    if (body) {
      await writeFile(join(folder, "body.json"), JSON.stringify(body(made)));
      command.push("--file", join(folder, "body.json"));
    }
    const isExpected = (/** @type {{ code: number, out: string, text: string }} */ { code, out, text }) =>
      refused ? code !== 0 && refused.test(text) : code === 0 && shows.test(out);
    let ran;
    let left = repeats ? mostRepetitions : 1;
    do {
      ran = await run(program, [...place, ...command], { env, cwd: folder });
      left -= 1;
    } while (left > 0 && !isExpected(ran));
    results.push(report(`clickhousectl ${args.join(" ")}`, isExpected(ran), ran.text, refused && "refused"));
    if (keep && ran.code === 0) {
      const answer = JSON.parse(ran.out);
      made[keep] = answer.id ?? answer.key?.id ?? answer.apiKey?.id;
    }
  }
  return results;
}

/**
 * A Terraform program with types of resources that both Terraform's provider and the sandbox have, other than pipes. Its saved
 * search reads from the source with the given id.
 * @param {string} source the id of a source
 */
const objectsProgram = (source) => `
resource "clickhouse_clickstack_webhook" "hook" {
  name    = "terraform"
  service = "generic"
  url     = "https://hooks.example.com/terraform"
}
resource "clickhouse_clickstack_saved_search" "errors" {
  name      = "terraform"
  source_id = "${source}"
  where     = "SeverityText:error"
}
resource "clickhouse_clickstack_alert" "errors" {
  saved_search_id = clickhouse_clickstack_saved_search.errors.id
  channel         = { type = "webhook", webhook_id = clickhouse_clickstack_webhook.hook.id }
  threshold       = 100
  threshold_type  = "above"
  interval        = "5m"
  name            = "Too many errors"
}
data "clickhouse_services" "all" {}
`;

const requirement = `
terraform {
  required_providers { clickhouse = { source = "ClickHouse/clickhouse" } }
}
`;

/**
 * The steps of Terraform: its programs, and the expected exit status of its commands. A plan without a change has the status 0,
 * a plan with a change 2.
 * @param {any} sandbox
 */
async function* terraformSteps({ credentials, store, reset }) {
  const apply = /** @type {const} */ (["apply", "-auto-approve"]);
  const plan = /** @type {const} */ (["plan", "-detailed-exitcode"]);
  const destroy = /** @type {const} */ (["destroy", "-auto-approve"]);
  const objects = objectsProgram([...store.sources.keys()][0]);
  yield { name: "apply of all but pipes", program: objects, args: apply, expected: 0 };
  yield { name: "plan without a change of all but pipes", args: plan, expected: 0 };
  yield { name: "destroy of all but pipes", args: destroy, expected: 0 };
  const pipes = pipeProgram(credentials.serviceId, false);
  store.organization.pipeDefaults = "left out";
  yield { name: "apply of pipes", program: pipes, args: apply, expected: 0 };
  yield { name: "plan without a change of pipes", args: plan, expected: 0 };
  const changed = pipeProgram(credentials.serviceId, true);
  yield { name: "plan with a change of pipes", program: changed, args: plan, expected: 2 };
  yield { name: "apply with a change of pipes", args: apply, expected: 0 };
  yield { name: "plan without a change of changed pipes", args: plan, expected: 0 };
  yield { name: "destroy of pipes", args: destroy, expected: 0 };
  await reset();
  yield { name: "apply of pipes that show unset settings", program: pipes, args: apply, expected: 0 };
  yield { name: "plan to remove the settings that nobody set", args: plan, expected: 2 };
  yield { name: "destroy of pipes that show unset settings", args: destroy, expected: 0 };
}

/**
 * Runs Terraform's provider against the sandbox.
 * @param {string} provider
 * @param {any} sandbox
 * @param {string} folder
 * @returns {Promise<Result[]>}
 */
async function askByTerraform(provider, sandbox, folder) {
  const { credentials } = sandbox;
  await writeFile(
    join(folder, "terraformrc"),
    `provider_installation {\n  dev_overrides { "ClickHouse/clickhouse" = "${dirname(provider)}" }\n  direct {}\n}\n`,
  );
  const env = {
    ...process.env,
    ...{ TF_CLI_CONFIG_FILE: join(folder, "terraformrc"), CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" },
    ...{ CLICKHOUSE_API_URL: `${sandbox.baseUrl}/v1`, CLICKHOUSE_ORG_ID: credentials.organizationId },
    ...{ CLICKHOUSE_CLOUD_API_KEY: credentials.keyId, CLICKHOUSE_CLOUD_API_SECRET: credentials.keySecret },
    ...{ CLICKSTACK_SERVICE_ID: credentials.serviceId, PATH: process.env.PATH + delimiter },
  };
  const results = [];
  for await (const { name, program, args, expected } of terraformSteps(sandbox)) {
    if (program) await writeFile(join(folder, "main.tf"), requirement + program);
    const { code, text } = await run("terraform", [...args, "-no-color"], { env, cwd: folder });
    results.push(report(`terraform ${name}`, code === expected, text));
  }
  return results;
}

whenRunAsProgram(import.meta.url, async (args) => {
  const programOf = (/** @type {string} */ option) =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  const { createSandbox } = createRequire(import.meta.url)(inCheckout("sandbox"));
  const sandbox = await createSandbox({ dialect: "clickhouse", stateMilliseconds: 100 });
  const folder = await mkdtemp(join(tmpdir(), "clients-"));
  try {
    const [commandLine, provider] = [programOf("--clickhousectl"), programOf("--terraform-provider")];
    const results = [
      ...(commandLine ? await askByCommandLine(commandLine, sandbox, folder) : []),
      ...(provider ? await askByTerraform(provider, sandbox, folder) : []),
    ];
    const different = results.filter(({ isFine }) => !isFine);
    console.log(
      `${results.length - different.length} calls passed, ${different.length} differ from the expected`,
    );
    if (different.length > 0) throw new Error(different.map(({ name }) => name).join("\n"));
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
});
