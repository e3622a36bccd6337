import type { Page } from "playwright-core";
import type { Sandbox } from "../../sandbox/index";
import { Client, webhookId } from "../sandbox/requests";
import { type TestBrowser, useBrowser, type WatchedPage } from "./browser";

/** Id of the source of logs in every sandbox. */
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

/** Presses the first button with a name. */
export function press(page: Page, name: string, exact = false) {
  return page.getByRole("button", { name, exact }).first().click();
}

/** Enters texts into fields, by their labels. */
export async function enter(page: Page, texts: Readonly<Record<string, string>>) {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Waits for the confirmation of a change. */
export function confirmed(page: Page, text: string) {
  return page.getByRole("status").getByText(text).waitFor();
}

/** Saves the open form, and waits for the confirmation. */
export async function save(page: Page, title: string) {
  await press(page, "Save");
  await confirmed(page, `Saved: ${title}`);
}

/** Deletes the object of the open form, after the confirmation that it asks for. */
export async function remove(page: Page, noun: string) {
  await press(page, `Delete ${noun} …`);
  await press(page, `Delete ${noun}`, true);
}

/** A sandbox with its console, and a browser to look at it, during the tests of a `describe` block. */
export interface TestedConsole {
  readonly browser: TestBrowser;
  readonly client: Client<Sandbox>;
  readonly sandbox: Sandbox;
  /** Makes a dashboard with an alert on its first tile. */
  create(body?: object, alertName?: string): Promise<{ id: string; alertId: string }>;
  /** Shows a view, such as `alerts`, in a page that is open. */
  at(page: Page, view: string): Promise<unknown>;
  open(view: string): Promise<WatchedPage>;
}

/** Starts a console before the tests of a `describe` block, empties it before each, and ends it afterwards. */
export function useConsole(): TestedConsole {
  const browser = useBrowser();
  let client: Client<Sandbox>;
  before(async () => {
    client = await Client.start({ consolePort: 0 });
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
  });
  after(() => client.sandbox.close());
  const at = (page: Page, view: string) => page.goto(`${client.sandbox.consoleUrl}/#/${view}`);
  return {
    browser,
    at,
    get client() {
      return client;
    },
    get sandbox() {
      return client.sandbox;
    },
    async create(body = everyKind, alertName = "Too many errors") {
      const { result } = (await client.service("POST", "/stack/dashboards", body)).body;
      const alert = await client.service("POST", "/stack/alerts", {
        ...{ name: alertName, message: null, source: "tile" },
        ...{ dashboardId: result.id, tileId: result.tiles[0].id },
        ...{ threshold: 100, thresholdType: "above", interval: "5m" },
        channel: { type: "webhook", webhookId },
      });
      return { id: result.id, alertId: alert.body.result.id };
    },
    async open(view) {
      const opened = await browser.open();
      await at(opened.page, view);
      return opened;
    },
  };
}
