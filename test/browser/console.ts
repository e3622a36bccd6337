import type { Page } from "playwright-core";
import { useConsole as useServedConsole } from "../sandbox/consoleClient";
import { webhookId } from "../sandbox/requests";
import { useBrowser } from "./browser";

export const logs = "65f1c0a2b3d4e5f607182911";

/** A dashboard with every kind of tile, an overlap and gaps. */
export const everyKind = {
  name: "Ingestion",
  tags: ["production"],
  tiles: [
    ["time", "Errors", 0, 0, 16, 6, "SeverityText:error"],
    ["number", "Events", 16, 0, 8, 6, ""],
    ["stacked_bar", "Load", 0, 6, 12, 6, ""],
    ["table", "Services", 10, 8, 6, 5, ""],
    ["time", "Not drawn", 0, 14, 8, 4, "Host:a"],
    ["heatmap", "Unknown", 8, 14, 8, 4, ""],
  ].map(([type, name, x, y, w, h, where]) => ({
    ...{ name, x, y, w, h },
    series: [
      { type, dataSource: logs, aggFn: "count", where, groupBy: type === "number" ? [] : ["ServiceName"] },
    ],
  })),
};

export function press(page: Page, name: string, exact = false) {
  return page.getByRole("button", { name, exact }).first().click();
}

export async function enter(page: Page, texts: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Changes members of the JSON in the open form of the console; those that are undefined are removed from it. */
export async function change(page: Page, members: object) {
  const form = page.getByLabel("JSON", { exact: true });
  await form.fill(JSON.stringify({ ...JSON.parse(await form.inputValue()), ...members }));
}

export function confirmed(page: Page, text: string) {
  return page.getByRole("status").getByText(text).waitFor();
}

export async function save(page: Page, title: string) {
  await press(page, "Save", true);
  await confirmed(page, `Saved: ${title}`);
}

export async function remove(page: Page, noun: string) {
  await press(page, `Delete ${noun} …`);
  await press(page, `Delete ${noun}`, true);
}

/**
 * Starts a sandbox with its console and a browser for the tests of a `describe` block. The sandbox is reset before
 * each test.
 */
export function useConsole() {
  const browser = useBrowser();
  const served = useServedConsole();
  const at = (page: Page, view: string) => page.goto(`${served.url}/#/${view}`);
  return {
    browser,
    at,
    get client() {
      return served.client;
    },
    get sandbox() {
      return served.client.sandbox;
    },
    async create(body: object = everyKind, alertName = "Too many errors") {
      const { result } = (await served.client.service("POST", "/stack/dashboards", body)).body;
      const alert = await served.client.service("POST", "/stack/alerts", {
        ...{ name: alertName, message: null, source: "tile" },
        ...{ dashboardId: result.id, tileId: result.tiles[0].id },
        ...{ threshold: 100, thresholdType: "above", interval: "5m" },
        channel: { type: "webhook", webhookId },
      });
      return { id: result.id, alertId: alert.body.result.id };
    },
    async open(view: string) {
      const opened = await browser.open();
      await at(opened.page, view);
      return opened;
    },
  };
}
