/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { inCheckout } from "../../toolchain/checkout.mjs";
import { useBrowser } from "./browser";

const titleOf = (document: string) => /^# (.+)$/m.exec(readFileSync(document, "utf8"))?.[1] ?? "";

describe("The documentation site", () => {
  const browser = useBrowser();
  let site: string;
  let pages: string[];

  before(async function () {
    this.timeout(120_000);
    site = await mkdtemp(join(tmpdir(), "pipestack-site-"));
    const { Application } = await import("typedoc");
    const app = await Application.bootstrapWithPlugins({
      options: inCheckout("typedoc.config.mjs"),
      // The test builds only the pages of docs/, since typedoc's reference of types takes three times as long.
      entryPoints: [],
      out: site,
      logLevel: "Warn",
    });
    const project = await app.convert();
    if (!project) throw new Error("typedoc has read no document");
    await app.generateOutputs(project);
    const files = readdirSync(join(site, "documents")).map((name) => `documents/${name}`);
    pages = ["index.html", ...files];
  });
  after(() => rm(site, { recursive: true, force: true }));

  const at = (path: string) => pathToFileURL(join(site, path)).href;
  const reference = (name: string) => at(`documents/Reference.${name}.html`);
  const shownIn = (page: Page) =>
    page.locator("pre:visible code").evaluateAll((blocks) => blocks.map((block) => block.className));

  it("every page of the documentation site has one main heading, which is its title", () => {
    for (const path of pages) {
      const html = readFileSync(join(site, path), "utf8");
      const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, text = ""]) =>
        text.replace(/<[^>]*>/g, ""),
      );
      const [title = ""] = /(?<=<title>).*?(?=( \| pipestack)?<\/title>)/.exec(html) ?? [];
      expect(headings, path).to.deep.equal([title]);
    }
  });

  it("every link to a document leads to a page, except to the two pages for Pulumi's registry", () => {
    const linked = pages.flatMap((path) =>
      [...readFileSync(join(site, path), "utf8").matchAll(/media\/([\w-]+\.md)"/g)].map(([, name]) => name),
    );
    expect(linked).to.have.members(["_index.md", "installation-configuration.md"]);
  });

  it("the documentation site has every document of docs/README.md, and the sidebar has its sections", async () => {
    const index = readFileSync(inCheckout("docs", "README.md"), "utf8");
    const linked = [...index.matchAll(/^\| \[[^\]]+\]\((\S+\.md)\)/gm)].map(([, path = ""]) => path);
    const titles = linked.map((path) => titleOf(inCheckout("docs", path)));
    const { page } = await browser.open();
    await page.goto(at("index.html"));
    const sidebar = page.locator(".site-menu nav");
    await sidebar.getByText("In production").waitFor();
    for (const section of [...index.matchAll(/^## (.+)$/gm)].map(([, text = ""]) => text))
      expect(await sidebar.getByText(section, { exact: true }).count(), section).to.equal(1);
    const named = pages.map(
      (path) => /<title>(.*?)( \| pipestack)?<\/title>/.exec(readFileSync(join(site, path), "utf8"))?.[1],
    );
    expect(named).to.include.members(titles);
  });

  it("a reference page shows arguments and outputs before its example programs", () => {
    const names = readdirSync(inCheckout("dist", "reference")).filter((name) => name !== "README.md");
    for (const name of names) {
      const path = join(site, "documents", `Reference.${name.replace(".md", ".html")}`);
      expect(existsSync(path), name).to.equal(true);
      const ids = [...readFileSync(path, "utf8").matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.slice(0, 3).join(), name).to.match(/^arguments,(outputs|result),example$/);
    }
  });

  it("the documentation site shows programs in the chosen language, and remembers the choice on all pages", async () => {
    const { page, problems } = await browser.open({});
    await page.goto(reference("getWebhooks"));
    expect(await shownIn(page)).to.deep.equal(["typescript"]);
    await page.getByRole("radio", { name: "TypeScript", exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("pre:visible").first().innerText()).to.include("@pipestack/sdk");
    await page.locator(".languages label", { hasText: "Python" }).click();
    expect(await shownIn(page)).to.deep.equal(["python"]);
    await page.goto(reference("SavedSearch"));
    expect(await page.getByRole("radio", { name: "Python" }).isChecked()).to.equal(true);
    // The documentation site shows shell commands whichever language the reader has selected.
    expect(await shownIn(page)).to.deep.equal(["python", "sh"]);
    // The test ignores typedoc's icons, since a page opened from a file may not load another file.
    expect(problems.filter((problem) => !problem.includes("icons.svg"))).to.deep.equal([]);
    await page.evaluate(axe.source);
    const faults = await page.evaluate('axe.run(".languages").then(({ violations }) => violations)');
    expect(faults).to.deep.equal([]);
  });

  it("without JavaScript, the documentation site shows programs in all languages", async () => {
    const { page } = await browser.open({ javaScriptEnabled: false });
    await page.goto(reference("getWebhooks"));
    expect(await shownIn(page)).to.deep.equal(["typescript", "typescript", "python", "go", "yaml"]);
  });

  it("no page of the documentation site is wider than a phone", async () => {
    const { page } = await browser.open({ viewport: { width: 375, height: 740 } });
    for (const path of ["index.html", "documents/Settings.html", "documents/Reference.Dashboard.html"]) {
      await page.goto(at(path));
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.equal(375);
    }
  });

  it("a phone shows the descriptions in reference tables without horizontal scrolling", async () => {
    const { page } = await browser.open({ viewport: { width: 375, height: 740 } });
    for (const name of ["Dashboard", "Alert", "getChartSeries"]) {
      await page.goto(reference(name));
      const beyond = await page
        .locator("tr:has(td:nth-child(3):last-child) td:last-child")
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.getBoundingClientRect().right > innerWidth)
            .map((cell) => cell.textContent),
        );
      expect(beyond, name).to.deep.equal([]);
    }
  });

  it("names of types in reference tables break only between their words, on narrow and wide screens", async () => {
    const { page } = await browser.open({});
    await page.goto(reference("Dashboard"));
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const broken = await page.locator("td a").evaluateAll((links) =>
        links
          .flatMap((link) =>
            Array.from(link.childNodes).filter(({ nodeType }) => nodeType === Node.TEXT_NODE),
          )
          .filter((word) => {
            const range = document.createRange();
            range.selectNode(word);
            return range.getClientRects().length > 1;
          })
          .map(({ textContent }) => textContent),
      );
      expect(broken, `${width}`).to.deep.equal([]);
    }
  });
});
