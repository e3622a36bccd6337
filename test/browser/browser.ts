/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installedChromium } from "../../toolchain/chromium.mjs";

const events = ["console", "pageerror", "request", "response", "dialog"] as const;

/**
 * Starts the installed Chromium before the tests of a `describe` block, closes its pages after each test, and ends it
 * afterwards.
 */
export function useBrowser() {
  let browser: Browser;
  /** The browser page that tests without options share, since a new page takes Chromium half a second. */
  let shared: Page | undefined;
  let isTaken = false;
  before(async function () {
    this.timeout(60_000);
    browser = await chromium.launch({ executablePath: installedChromium() });
  });
  afterEach(async () => {
    const contexts = browser.contexts().filter((context) => context !== shared?.context());
    await Promise.all(contexts.map((context) => context.close()));
    for (const event of events) shared?.removeAllListeners(event);
    await shared?.unrouteAll({ behavior: "ignoreErrors" });
    await shared?.goto("about:blank");
    isTaken = false;
  });
  after(() => browser?.close());
  return {
    /**
     * Opens an empty browser page. Options give the page a browser context of its own, such as that of a phone: `{ viewport: {
     * width: 390, height: 844 } }`. A page whose clock the test sets also needs a context of its own, with the options `{}`.
     */
    async open(options?: BrowserContextOptions) {
      const isShared = options === undefined && !isTaken;
      const page = (isShared ? shared : undefined) ?? (await (await browser.newContext(options)).newPage());
      if (isShared) [shared, isTaken] = [page, true];
      // Errors and warnings in the browser's console, exceptions, and violations of the page's content security policy, all of
      // which fail a test.
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
