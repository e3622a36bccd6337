/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installedChromium } from "../../toolchain/chromium.mjs";

/** A page of a fresh browser context, and what went on in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, exceptions, and what the page's content security policy refused. */
  readonly problems: string[];
  /** Addresses that were asked for, that of the page itself among them. */
  readonly requests: string[];
}

/** A browser that runs during the tests of a `describe` block. */
export interface TestBrowser {
  /** Opens an empty page, such as one of a phone by `{ viewport: { width: 390, height: 844 } }`. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Starts the installed Chromium before the tests of a `describe` block, closes its pages after each, and it at the end. */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  before(async function () {
    this.timeout(60_000);
    browser = await chromium.launch(installedChromium());
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  after(() => browser?.close());
  return {
    async open(options) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const problems: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => requests.push(request.url()));
      return { page, problems, requests };
    },
  };
}
