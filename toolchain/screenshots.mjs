import { mkdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { inCheckout } from "./checkout.mjs";
import { installedChromium } from "./chromium.mjs";

const folder = inCheckout("docs", "images");
const mostBytes = 200_000;

/** The time that screenshots of the console show, so that their data is always the same. */
const moment = "2026-03-12T17:00:00Z";

/**
 * Takes the screenshots in the docs anew: a dashboard and the journal of requests in the console of a sandbox, light and dark.
 */
export async function screenshots() {
  const require = createRequire(import.meta.url);
  /** @type {typeof import("playwright-core")} */
  const { chromium } = require("playwright-core");
  /** @type {typeof import("../sandbox/index.js")} */
  const { createSandbox } = require(inCheckout("sandbox", "dist", "sandbox", "index.js"));
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: installedChromium() }).catch((error) => {
    throw new Error(`No Chromium or Chrome starts; name one by CHROME_BIN. ${error.message.split("\n")[0]}`);
  });
  const sandbox = await createSandbox({ consolePort: 0 });
  try {
    const dashboardId = await fill(sandbox);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const page = await browser.newPage({
        colorScheme,
        timezoneId: "UTC",
        viewport: { width: 1200, height: 850 },
      });
      await page.clock.setFixedTime(moment);
      const take = async (/** @type {string} */ name) => {
        const path = inCheckout("docs", "images", `${name}-${colorScheme}.png`);
        await page.screenshot({ path });
        const { size } = await stat(path);
        if (size > mostBytes) throw new Error(`${path} has ${size} bytes, more than ${mostBytes}.`);
        console.log(`${path}  ${Math.round(size / 1000)} kB`);
      };
      await page.goto(`${sandbox.consoleUrl}/#/dashboards/${dashboardId}`);
      for (const tile of ["Errors", "Latency", "Load"])
        await page.getByRole("img", { name: `${tile}, chart` }).waitFor();
      await take("dashboard");
      await page.goto(`${sandbox.consoleUrl}/#/requests`);
      await page.getByText("/api/v2/alerts").click();
      await page.locator("pre").nth(1).waitFor();
      await take("requests");
      await page.close();
    }
    return true;
  } finally {
    await browser.close();
    await sandbox.close();
  }
}

/**
 * Sends the requests of a program that declares scaling, a query endpoint, a dashboard and an alert to the sandbox, for the
 * screenshots.
 * @param {import("../sandbox/index.js").Sandbox} sandbox
 * @returns {Promise<string>} the dashboard's id
 */
async function fill({ baseUrl, obsBaseUrl, store, credentials }) {
  const { organizationId, serviceId, keyId, keySecret, accessToken } = credentials;
  const service = `${baseUrl}/v1/organizations/${organizationId}/services/${serviceId}`;
  const basic = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  /**
   * Sends one request to the sandbox.
   * @param {string} method
   * @param {string} url
   * @param {object} [body]
   * @param {string} [authorization]
   * @returns {Promise<any>} the result in the answer
   */
  const call = async (method, url, body, authorization = basic) => {
    const response = await fetch(url, {
      method,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    const answer = /** @type {{ result: unknown }} */ (await response.json());
    return answer.result;
  };
  const [logs, traces] = [...store.sources.keys()];
  const [webhookId] = store.webhooks.keys();
  const grid = { Errors: [0, 0, 16, 6], Events: [16, 0, 8, 6], Latency: [0, 6, 12, 6], Load: [12, 6, 12, 6] };
  const tile = (/** @type {keyof typeof grid} */ name, /** @type {object[]} */ ...series) => {
    const [x, y, w, h] = grid[name];
    return { name, x, y, w, h, series };
  };
  const count = { dataSource: logs, aggFn: "count" };
  const errors = { ...count, type: "time", where: "SeverityText:error", groupBy: ["ServiceName"] };
  const latency = { type: "time", dataSource: traces, where: "", groupBy: [] };

  await call("PATCH", `${service}/scaling`, { numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15 });
  await call("POST", `${service}/serviceQueryEndpoint`, {
    roles: ["sql_console_read_only"],
    openApiKeys: [...store.keys.keys()],
    allowedOrigins: "https://reports.example.com",
  });
  const dashboard = await call("POST", `${service}/stack/dashboards`, {
    name: "Ingestion",
    tags: ["production"],
    tiles: [
      tile("Errors", errors),
      tile("Events", { ...count, type: "number", where: "" }),
      tile("Latency", { ...latency, aggFn: "p95" }, { ...latency, aggFn: "p50" }),
      tile("Load", { ...errors, type: "stacked_bar", where: "" }),
    ],
  });
  const alert = {
    ...{ name: "Too many errors", message: "More errors than usual while loading data" },
    ...{ source: "tile", dashboardId: dashboard.id, tileId: dashboard.tiles[0].id },
    ...{ threshold: 100, thresholdType: "above", interval: "5m" },
    channel: { type: "webhook", webhookId },
  };
  const { id } = await call("POST", `${service}/stack/alerts`, alert);
  for (const path of ["dashboards", "alerts", "alerts/65f1c0a2b3d4e5f607182999"])
    await call("GET", `${service}/stack/${path}`);
  const changed = { ...alert, threshold: 120 };
  await call("PUT", `${obsBaseUrl}/api/v2/alerts/${id}`, changed, `Bearer ${accessToken}`);
  return dashboard.id;
}
