import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OrphansCommandOptions, reportOrphans } from "../../../provider/cli/orphans";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { type CommandResult, settingVariables, withoutSettings } from "../../pipestackCommand";
import { send, settingsOf } from "../../serviceContents";

/** What `pipestack orphans --json` prints. */
export interface Report {
  organizationId: string | null;
  serviceId: string | null;
  states: string[];
  orphans: {
    type: string;
    id: string;
    name: string | null;
    createdAt: string | null;
    usedAt: string | null;
    kept: string | null;
    deleted: boolean;
  }[];
}

/** A sandbox that is empty before each test, and what makes objects in it and states of them. */
export interface OrphansFixture {
  readonly sandbox: Sandbox;
  /** A folder for the files of one test. */
  readonly folder: string;
  /** Id of the key with which all requests are signed. */
  readonly signingKey: string;
  /** Runs the command in this process, which takes a fraction of the time. */
  run(options: OrphansCommandOptions, settings?: Record<string, string>): Promise<CommandResult>;
  /** Likewise with `--json`, and reads what it prints. */
  report(
    options: OrphansCommandOptions,
    settings?: Record<string, string>,
  ): Promise<CommandResult & { found: Report; ids: string[]; kept: (string | null)[] }>;
  /** Writes a file as `pulumi stack export` does, and returns its path. */
  state(resources: object[], options?: { name?: string; pending?: object[] }): Promise<string>;
  addDashboard(name?: string): Promise<{ id: string; tiles: { id: string }[] }>;
  /** An alert on a dashboard of its own. */
  addAlert(body?: object): Promise<{ id: string; dashboardId: string }>;
  addKey(body?: object): Promise<{ id: string; keyId: string }>;
  addQueryEndpoint(keyId: string): Promise<unknown>;
}

/** The options of a pipeline that deletes. */
export const deleting = { delete: true, yes: true };

/** A resource as a state has it. */
export function resource(type: string, id: string, inputs: object = {}): object {
  const urn = `urn:pulumi:dev::test::pulumi-nodejs:dynamic/pipestack:${type}::${type}-${id}`;
  return { urn, type: `pulumi-nodejs:dynamic/pipestack:${type}`, id, inputs };
}

/** Starts the sandbox before the tests of a `describe` block, empties it before each, and closes it after them. */
export function useOrphansFixture(): OrphansFixture {
  let sandbox: Sandbox;
  let folder: string;
  let service: string;

  before(async () => {
    sandbox = await createSandbox();
    service = `/services/${sandbox.credentials.serviceId}`;
  });
  beforeEach(async () => {
    await sandbox.reset();
    folder = await mkdtemp(join(tmpdir(), "pipestack-orphans-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(() => sandbox.close());

  const run: OrphansFixture["run"] = (options, settings = {}) =>
    captured(() => reportOrphans(options), settingVariables({ ...settingsOf(sandbox), ...settings }));
  const addDashboard: OrphansFixture["addDashboard"] = (name = "Ingestion") =>
    send(sandbox, "POST", `${service}/stack/dashboards`, { name, tiles: [tile] });
  return {
    get sandbox() {
      return sandbox;
    },
    get folder() {
      return folder;
    },
    get signingKey() {
      return [...sandbox.store.keys.values()].find(({ name }) => name === "sandbox admin")?.id ?? "";
    },
    run,
    async report(options, settings) {
      const result = await run({ ...options, json: true }, settings);
      if (result.stdout === "") throw new Error(result.stderr);
      const found = JSON.parse(result.stdout) as Report;
      const { orphans } = found;
      return { ...result, found, ids: orphans.map(({ id }) => id), kept: orphans.map(({ kept }) => kept) };
    },
    async state(resources, { name = "state.json", pending = [] } = {}) {
      const deployment = { manifest: {}, resources, pending_operations: pending };
      const path = join(folder, name);
      await writeFile(path, JSON.stringify({ version: 3, deployment }));
      return path;
    },
    addDashboard,
    async addAlert(body = {}) {
      const { id: dashboardId, tiles } = await addDashboard();
      const { id } = await send<{ id: string }>(sandbox, "POST", `${service}/stack/alerts`, {
        name: "Errors",
        source: "tile",
        dashboardId,
        tileId: tiles[0]?.id,
        threshold: 5,
        thresholdType: "above",
        interval: "5m",
        channel: { type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] },
        ...body,
      });
      return { id, dashboardId };
    },
    async addKey(body = {}) {
      const { key, keyId } = await send<{ key: { id: string }; keyId: string }>(sandbox, "POST", "/keys", {
        name: "Reporting",
        roles: ["developer"],
        ...body,
      });
      return { id: key.id, keyId };
    },
    addQueryEndpoint: (keyId) =>
      send(sandbox, "POST", `${service}/serviceQueryEndpoint`, {
        roles: ["sql_console_admin"],
        openApiKeys: [keyId],
      }),
  };
}

const tile = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", groupBy: ["host"] }],
};

/** Runs a command with these variables, and notes what it prints and its exit code. */
async function captured(
  command: () => Promise<void>,
  variables: Record<string, string>,
): Promise<CommandResult> {
  const { env } = process;
  const { log, error } = console;
  const result: CommandResult = { code: 0, stdout: "", stderr: "" };
  console.log = (text) => {
    result.stdout += `${text}\n`;
  };
  console.error = (text) => {
    result.stderr += `${text}\n`;
  };
  process.env = { ...withoutSettings(), ...variables };
  try {
    await command();
    result.code = Number(process.exitCode ?? 0);
  } catch (thrown) {
    result.code = 1;
    result.stderr += `error: ${(thrown as Error).message}\n`;
  } finally {
    Object.assign(console, { log, error });
    process.env = env;
    process.exitCode = undefined;
  }
  return result;
}
