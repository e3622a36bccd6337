import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox/index";
import { settingVariables } from "../../pipestackCommand";
import { send, settingsOf } from "../../serviceContents";
import { runHere } from "./runHere";

export type ServiceFixture = ReturnType<typeof useServiceFixture>;

const series = [{ type: "time", aggFn: "count", groupBy: ["host"] }];
const tiles = [{ name: "Errors", x: 0, y: 0, w: 12, h: 4, series }];
const condition = { threshold: 5, thresholdType: "above", interval: "5m" };

/**
 * Provides a sandbox to the tests of a `describe` block, reset before each test, with a folder for the test's files and
 * functions that run commands, and create objects through the management API.
 */
export function useServiceFixture(options: SandboxOptions = {}) {
  let sandbox: Sandbox;
  let folder: string;
  const add = <Added>(path: string, body: object) => send<Added>(sandbox, "POST", path, body);
  const inService = <Added>(path: string, body: object) =>
    add<Added>(`/services/${sandbox.credentials.serviceId}${path}`, body);
  const addDashboard = (name = "Ingestion") =>
    inService<{ id: string; tiles: { id: string }[] }>("/stack/dashboards", { name, tiles });

  before(async () => {
    sandbox = await createSandbox(options);
  });
  beforeEach(async () => {
    await sandbox.reset();
    folder = await mkdtemp(join(tmpdir(), "pipestack-command-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(() => sandbox.close());
  return {
    get sandbox() {
      return sandbox;
    },
    get folder() {
      return folder;
    },
    /** Runs `pipestack` in the folder of the test's files, with the settings of the sandbox and further ones. */
    pipestack(
      args: readonly string[],
      settings: Record<string, string> = {},
      variables: Record<string, string> = {},
    ) {
      // The provider's own rate limit, which it has in this dialect, would only slow down tests.
      const ofDialect: Record<string, string> =
        options.dialect === "clickhouse" ? { dialect: "clickhouse", requestsPerSecond: "1000" } : {};
      const all = settingVariables({ ...settingsOf(sandbox), ...ofDialect, ...settings });
      return runHere([...args], folder, { ...all, ...variables });
    },
    addDashboard,
    async addAlert(body: object = {}) {
      const dashboard = await addDashboard();
      const place = { source: "tile", dashboardId: dashboard.id, tileId: dashboard.tiles[0]?.id };
      const channel = { type: "webhook", webhookId: [...sandbox.store.webhooks.keys()][0] };
      const alert = { name: "Errors", ...place, ...condition, channel, ...body };
      const { id } = await inService<{ id: string }>("/stack/alerts", alert);
      return { id, dashboardId: dashboard.id };
    },
    async addKey(body: object = {}) {
      const key = { name: "Reporting", roles: ["developer"], ...body };
      const made = await add<{ key: { id: string }; keyId: string }>("/keys", key);
      return { id: made.key.id, keyId: made.keyId };
    },
    addQueryEndpoint: (body: { openApiKeys: string[]; roles?: string[]; allowedOrigins?: string }) =>
      inService("/serviceQueryEndpoint", { roles: ["sql_console_admin"], ...body }),
  };
}
