import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";

/**
 * Tests the sandbox with API clients that others have written for ClickHouse Cloud: the command line clickhousectl, and
 * Terraform's provider. Run `node toolchain/clients.mjs --clickhousectl <program> --terraform-provider <program>` in a built
 * checkout; either option may be left out. .github/workflows/clients.yml shows how to get them. Prints each call and its
 * result, and fails if a result is not as expected in this file.
 */

/**
 * @typedef {{ args: string[], body?: (made: Made) => object, keep?: string, refused?: RegExp }} Call a command of
 *   clickhousectl: its arguments, the content of its `--file`, the name under which the test keeps the id of the created
 *   object, and the expected refusal if the sandbox lacks the feature
 * @typedef {Record<string, string>} Made
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
  { args: ["activity", "list"] },
  { args: ["backup", "list", "$service"], refused: /404|Cannot GET/ },
  { args: ["service", "upgrade-window", "get", "$service"], refused: /404|Cannot GET|not found/i },
];

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
 * Runs the commands of ClickHouse's own command line against the sandbox.
 * @param {string} program
 * @param {any} sandbox
 * @param {string} folder
 * @returns {Promise<string[]>} the results that differ from the expected ones
 */
async function askByCommandLine(program, sandbox, folder) {
  const { credentials, store } = sandbox;
  /** @type {Made} */
  const made = {
    ...{ organization: credentials.organizationId, service: credentials.serviceId },
    role: [...store.roles.keys()][0],
    search: [...store.savedSearches.keys()][0],
    webhook: [...store.webhooks.keys()][0],
  };
  const env = {
    ...process.env,
    ...{ HOME: folder, DO_NOT_TRACK: "1" },
    ...{ CLICKHOUSE_CLOUD_API_KEY: credentials.keyId, CLICKHOUSE_CLOUD_API_SECRET: credentials.keySecret },
  };
  const wrong = [];
  for (const { args, body, keep, refused } of calls) {
    const command = args.map((word) => (word.startsWith("$") ? (made[word.slice(1)] ?? word) : word));
    if (body) {
      await writeFile(join(folder, "body.json"), JSON.stringify(body(made)));
      command.push("--file", join(folder, "body.json"));
    }
    const place = ["cloud", "--url", sandbox.baseUrl, "--org-id", credentials.organizationId, "--json"];
    const { code, out, text } = await run(program, [...place, ...command], { env, cwd: folder });
    const isFine = refused ? code !== 0 && refused.test(text) : code === 0;
    console.log(`${isFine ? (refused ? "has not" : "passed ") : "DIFFERS"} clickhousectl ${args.join(" ")}`);
    if (!isFine) {
      console.log(text.trim().slice(0, 400));
      wrong.push(args.join(" "));
    }
    if (keep && code === 0) {
      const answer = JSON.parse(out);
      made[keep] = answer.id ?? answer.key?.id ?? answer.apiKey?.id;
    }
  }
  return wrong;
}

/**
 * A Terraform program with all types of resources that both Terraform's provider and the sandbox have. Its saved search reads
 * from the source with the given id.
 * @param {string} source the id of a source
 */
const program = (source) => `
terraform {
  required_providers { clickhouse = { source = "ClickHouse/clickhouse" } }
}
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

/**
 * Runs Terraform's provider against the sandbox.
 * @param {string} provider
 * @param {any} sandbox
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function askByTerraform(provider, sandbox, folder) {
  const { credentials, store } = sandbox;
  const [source] = [...store.sources.keys()];
  await writeFile(join(folder, "main.tf"), program(source));
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
  const wrong = [];
  /** @type {[name: string, args: string[], code: number][]} */
  const steps = [
    ["apply", ["apply", "-auto-approve", "-no-color"], 0],
    ["plan without a change", ["plan", "-detailed-exitcode", "-no-color"], 0],
    ["destroy", ["destroy", "-auto-approve", "-no-color"], 0],
  ];
  for (const [name, args, expected] of steps) {
    const { code, text } = await run("terraform", args, { env, cwd: folder });
    console.log(`${code === expected ? "passed " : "DIFFERS"} terraform ${name}`);
    if (code === expected) continue;
    console.log(text.trim().slice(-1500));
    wrong.push(`terraform ${name}`);
  }
  return wrong;
}

whenRunAsProgram(import.meta.url, async (args) => {
  const programOf = (/** @type {string} */ option) =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  const { createSandbox } = createRequire(import.meta.url)(inCheckout("sandbox"));
  const sandbox = await createSandbox({ dialect: "clickhouse" });
  const folder = await mkdtemp(join(tmpdir(), "clients-"));
  try {
    const [commandLine, provider] = [programOf("--clickhousectl"), programOf("--terraform-provider")];
    const wrong = [
      ...(commandLine ? await askByCommandLine(commandLine, sandbox, folder) : []),
      ...(provider ? await askByTerraform(provider, sandbox, folder) : []),
    ];
    if (wrong.length > 0) throw new Error(`${wrong.length} calls did not go as written: ${wrong.join("; ")}`);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
});
