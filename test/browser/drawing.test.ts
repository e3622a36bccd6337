import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { expect } from "chai";
import fc from "fast-check";
import { documentOf } from "../../cli/draw/page";
import { picturesOf, picturesOfChange } from "../../cli/draw/pictures";
import { drawDashboard, readDashboards, type TileData } from "../../drawing";
import { layouts } from "../unit/drawing/layouts";
import { oddDashboards } from "../unit/drawing/oddDashboards";
import { useBrowser } from "./browser";

const golden = join(__dirname, "..", "unit", "drawing", "golden");

/** The only SVG elements that pictures of `pipestack draw` may contain. */
const elements = ["circle", "desc", "g", "path", "rect", "style", "svg", "text", "title"];

/** Parses pictures of dashboards in the browser, and returns what each contains, or why it cannot be parsed. */
function inspect(sources: string[]) {
  return sources.map((source) => {
    const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    const all = [root, ...Array.from(root.querySelectorAll("*"))];
    const attributes = all.flatMap((one) => Array.from(one.attributes));
    return {
      error: root.querySelector("parsererror")?.textContent ?? null,
      role: root.getAttribute("role"),
      children: Array.from(root.children)
        .slice(0, 2)
        .map((one) => `${one.localName}: ${one.textContent !== ""}`),
      elements: Array.from(new Set(all.map((one) => one.localName))).sort(),
      dangerous: attributes
        .filter(
          ({ name, value }) =>
            /^on|href|^id$|^style$/i.test(name) || /url\(|NaN|Infinity|undefined/.test(value),
        )
        .map(({ name, value }) => `${name}=${value}`),
    };
  });
}

describe("Pictures that pipestack draw makes of dashboards", () => {
  const browser = useBrowser();

  /** Inspects each golden picture in the browser, and returns what it contains, by the name of its file. */
  async function inspectGolden() {
    const files = readdirSync(golden).filter((file) => file.endsWith(".svg"));
    const sheet = readFileSync(join(golden, "style.golden.css"), "utf8");
    expect(files).to.have.length.at.least(10);
    const { page } = await browser.open();
    const found = await page.evaluate(
      inspect,
      files.map((file) =>
        readFileSync(join(golden, file), "utf8").replace('@import "style.golden.css";', () => sheet),
      ),
    );
    return found.map((picture, index) => [files[index], picture] as const);
  }

  it("pictures of dashboards are well-formed", async () => {
    for (const [file, { error }] of await inspectGolden()) expect(error, file).to.equal(null);
  });

  it("pictures of dashboards have a name and a description for screen readers", async () => {
    for (const [file, { role, children }] of await inspectGolden()) {
      expect(role, file).to.equal("img");
      expect(children, file).to.deep.equal(["title: true", "desc: true"]);
    }
  });

  it("pictures of dashboards contain nothing that runs or loads", async () => {
    for (const [file, picture] of await inspectGolden()) {
      expect(elements, file).to.include.members(picture.elements);
      expect(picture.dangerous, file).to.deep.equal([]);
    }
  });

  it("pictures of dashboards are well-formed for random answers of the service", async () => {
    const samples = fc.sample(oddDashboards, { numRuns: 400, seed: 8 });
    const pictures = samples.map(([one, alerts, data]) => {
      const [read] = readDashboards({ dashboards: [one], alerts }).dashboards;
      if (!read) throw new Error("a dashboard was not read");
      return drawDashboard(read, { data: () => (data ?? undefined) as TileData | undefined });
    });
    const { page } = await browser.open();
    const found = await page.evaluate(inspect, pictures);
    for (const [index, { error, dangerous }] of found.entries()) {
      expect(error, pictures[index]).to.equal(null);
      expect(dangerous, pictures[index]).to.deep.equal([]);
    }
  });

  describe("The page with all pictures of pipestack draw", () => {
    let folder: string;
    let address: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-page-"));
      const listed = Object.values(layouts).map(({ dashboard, alerts = [] }) => ({
        dashboards: [dashboard],
        alerts,
      }));
      const read = listed.map(readDashboards);
      const { after, ...before } = layouts.change ?? { dashboard: {} };
      const change = picturesOfChange(
        readDashboards({ dashboards: [before.dashboard], alerts: before.alerts ?? [] }),
        readDashboards({ dashboards: after ? [after.dashboard] : [], alerts: after?.alerts ?? [] }),
        () => undefined,
      );
      const pictures = read.flatMap((one) => picturesOf(one, layouts.data?.data ?? (() => undefined)));
      const page = documentOf({
        title: "Dashboards",
        origin: "As the tests have them",
        sections: [...pictures, ...change],
        alerts: ["</ul><script>alert(8)</script>"],
        alertChanges: ["</ul><script>alert(9)</script>"],
      });
      await writeFile(join(folder, "dashboards.html"), page);
      address = pathToFileURL(join(folder, "dashboards.html")).href;
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("the page of pipestack draw opens from a file without an error or a further request", async () => {
      const { page, problems, requests } = await browser.open();
      page.on("dialog", () => problems.push("a script of a name has run"));
      await page.goto(address);
      expect(problems).to.deep.equal([]);
      expect(requests).to.deep.equal([address]);
      // The page of `pipestack draw` shows each dashboard, and the comparison of two versions of a dashboard, twice: as a grid,
      // and as a stack of tiles for phones.
      const count = 2 * (Object.keys(layouts).length + 1);
      expect(await page.locator("svg[role=img]").count()).to.equal(count);
      expect(await page.locator("script, img, iframe, a[href^=javascript]").count()).to.equal(0);
      await page.getByText("<script>alert(1)</script>").first().waitFor();
    });

    it("the page of pipestack draw blocks foreign styles and requests", async () => {
      const { page, problems } = await browser.open();
      await page.goto(address);
      await page.evaluate(() => {
        const image = document.createElement("img");
        image.src = "https://example.com/pixel.png";
        const style = document.createElement("style");
        style.textContent = "body{display:none}";
        document.body.append(image, style);
      });
      await page.waitForFunction(() => document.querySelector("img")?.complete);
      expect(await page.evaluate(() => getComputedStyle(document.body).display)).to.equal("block");
      expect(problems.join("\n"))
        .to.match(/img-src|default-src/)
        .and.match(/style-src/);
    });

    for (const colorScheme of ["light", "dark"] as const) {
      it(`the ${colorScheme} page of pipestack draw is accessible on a phone`, async () => {
        const { page } = await browser.open({ colorScheme, viewport: { width: 390, height: 844 } });
        await page.goto(address);
        const [scroll, background] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          getComputedStyle(document.body).backgroundColor,
        ]);
        expect(scroll).to.be.at.most(390);
        expect(background).to.equal(colorScheme === "light" ? "rgb(245, 246, 248)" : "rgb(17, 21, 26)");
        const name = page.locator(".narrow text.tile-name:visible").first();
        expect((await name.boundingBox())?.height).to.be.above(11);
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
          const { axe } = window as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          return (await axe.run()).violations.map(
            ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`,
          );
        });
        expect(violations).to.deep.equal([]);
      });
    }

    it("a picture that pipestack draw makes shows right-to-left names at the right edge of their tiles", async () => {
      const { page } = await browser.open({ viewport: { width: 1400, height: 900 } });
      await page.goto(address);
      const name = page.locator(".wide text.tile-name[direction=rtl]").first();
      const tile = name.locator("xpath=..");
      const [text, box] = [await name.boundingBox(), await tile.locator("rect.tile").boundingBox()];
      if (!text || !box) throw new Error("the name is not shown");
      expect(text.x).to.be.above(box.x);
      expect(text.x + text.width).to.be.within(box.x + box.width - 60, box.x + box.width);
    });
  });
});
