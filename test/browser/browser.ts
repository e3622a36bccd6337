/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { installedChromium } from "../../toolchain/chromium.mjs";

/** What a test may have listened to. */
const events = ["console", "pageerror", "request", "response", "dialog"] as const;

/** Starts the installed Chromium before the tests of a `describe` block, leaves its pages after each, and ends it afterwards. */
export function useBrowser() {
  let browser: Browser;
  /** The page that tests without options share: a new one costs Chromium half a second. */
  let shared: Page | undefined;
  let isTaken = false;
  before(async function () {
    this.timeout(60_000);
    browser = await chromium.launch(installedChromium());
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
     * Opens an empty page. Each with options is of a context of its own, such as that of a phone by
     * `{ viewport: { width: 390, height: 844 } }`, or `{}` for one whose clock is set.
     */
    async open(options?: BrowserContextOptions) {
      const isShared = options === undefined && !isTaken;
      const page = (isShared ? shared : undefined) ?? (await (await browser.newContext(options)).newPage());
      if (isShared) [shared, isTaken] = [page, true];
      // Errors and warnings of the console, exceptions, and refusals of the page's policy.
      const problems: string[] = [];
      // Addresses that were asked for, that of the page itself among them.
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
