/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import axe from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { press, useConsole } from "./console";

const devices = {
  desktop: { width: 1200, height: 860 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 375, height: 740 },
};

/**
 * The views of the sandbox's console, each with a text that appears once the view is complete. `ID` stands for the id of a
 * dashboard.
 */
const views = {
  services: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59",
  dashboards: "Ingestion",
  "dashboards/ID": "Load",
  "dashboards/gone": "no longer exists",
  alerts: "Ingestion › Errors",
  observability: "Pages whoever is on call",
  data: "PendingAcceptance",
  organization: "sandbox admin",
  requests: "/stack/dashboards",
  faults: "0 of 0",
  nowhere: "Nothing here",
};

const forms = [
  ["alerts", "Edit alert Too many errors"],
  ["savedSearches", "New saved search"],
  ["dashboards/ID", "New tile"],
  ["services", "Edit service warehouse"],
  ["faults", "Add fault"],
] as const;

describe("The accessibility of the sandbox's console", () => {
  const tested = useConsole();

  for (const colorScheme of ["light", "dark"] as const)
    for (const [device, viewport] of Object.entries(devices))
      it(`the ${colorScheme} console is accessible on a ${device}`, async () => {
        const { id } = await tested.create();
        await tested.sandbox.faults.set([{ kind: "500", operation: "createAlert", nth: 2 }]);
        await tested.client.service("POST", "/serviceQueryEndpoint", { roles: ["sql_console_admin"] });
        const { page, problems } = await tested.browser.open({ colorScheme, viewport });
        for (const [view, text] of Object.entries(views)) {
          await tested.at(page, view.replace("ID", id));
          await page.locator("main").getByText(text).first().waitFor();
          if (view === "dashboards/ID") await page.getByRole("img", { name: /^Load, chart/ }).waitFor();
          await expectAccessible(page, view);
          expect(await page.evaluate(brokenWords), view).to.deep.equal([]);
        }
        await tested.at(page, "requests");
        await page.getByText("/stack/dashboards").click();
        await page.locator("pre").nth(1).waitFor();
        await expectAccessible(page, "an opened request");
        for (const [view, button] of forms) {
          await tested.at(page, view.replace("ID", id));
          await press(page, button);
          const dialog = page.getByRole("dialog");
          for (const summary of await dialog.locator("summary").all()) await summary.click();
          await expectAccessible(page, `the form of ${button}`);
          const overflow = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
          expect(overflow, button).to.equal(0);
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        }
        expect(problems).to.deep.equal([]);
      });

  it("the console shows at every scroll position whether the page is connected", async () => {
    const { id } = await tested.create();
    const { page } = await tested.browser.open({ viewport: { width: 375, height: 500 } });
    for (const view of [`dashboards/${id}`, "requests", "services"]) {
      await tested.at(page, view);
      await page.getByRole("heading", { level: 1 }).waitFor();
      for (const end of [0, 100_000]) {
        await page.evaluate((top) => scrollTo(0, top), end);
        const box = await page.getByText("Live").boundingBox();
        expect(box?.y, `${view} at ${end}`).to.be.within(0, 490);
      }
    }
  });

  /** Returns the words in a page's tables that the browser has broken over two lines. */
  function brokenWords(): string[] {
    return Array.from(document.querySelectorAll("table.list :is(th, td)")).flatMap((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { index, 0: word } of (text.textContent ?? "").matchAll(/[\p{L}\d]+/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (range.getClientRects().length > 1) found.push(word);
        }
      return found;
    });
  }

  async function expectAccessible(page: Page, subject: string) {
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations: found } = await loaded.run({ resultTypes: ["violations"] });
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    });
    expect(violations, subject).to.deep.equal([]);
    const [scrolled, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(scrolled, `width of ${subject}`).to.be.at.most(width ?? 0);
  }
});
