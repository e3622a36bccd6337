/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import axe from "axe-core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { createSandbox, type Sandbox } from "../../sandbox/src";
import { Client, dashboard } from "../sandbox/requests";
import { useBrowser } from "./browser";

const markup = `<img src=x onerror="alert(1)"><b>bold</b>`;
const logs = "65f1c0a2b3d4e5f607182911";

/** A dashboard with every kind of tile, an overlap and gaps. */
const everyKind = {
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
    series: [{ type, dataSource: logs, aggFn: "count", where, groupBy: ["ServiceName"] }],
  })),
};

describe("the console in a browser", () => {
  const browser = useBrowser();
  let client: Client;
  let sandbox: Sandbox;
  let url: string;

  before(async () => {
    client = await Client.start({ consolePort: 0 });
    ({ sandbox } = client);
    url = sandbox.consoleUrl;
  });
  beforeEach(async () => {
    await sandbox.faults.clear();
    await sandbox.reset();
  });
  after(() => sandbox.close());

  /** Makes a dashboard with an alert on its first tile. */
  async function create(body: object = everyKind, alertName = "Too many errors") {
    const { result } = (await client.service("POST", "/stack/dashboards", body)).body;
    const alert = await client.service("POST", "/stack/alerts", {
      ...{
        name: alertName,
        message: null,
        source: "tile",
        dashboardId: result.id,
        tileId: result.tiles[0].id,
      },
      ...{ threshold: 100, thresholdType: "above", interval: "5m" },
      channel: { type: "webhook", webhookId: client.webhookId },
    });
    return { id: result.id as string, alertId: alert.body.result.id as string };
  }

  const at = (page: Page, hash: string) => page.goto(`${url}/#/${hash}`);

  it("paints within a second, asks nobody but the sandbox, and breaks no rule of its policy", async () => {
    const { id } = await create();
    const { page, problems, requests } = await browser.open();
    await at(page, `dashboards/${id}`);
    await page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();
    const painted = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    expect(painted).to.be.a("number").below(1000);
    expect(problems).to.deep.equal([]);
    for (const address of requests) expect(new URL(address).origin).to.equal(url);
  });

  describe("has no serious fault of accessibility, and nothing that sticks out,", () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [device, viewport] of [
        ["desktop", { width: 1280, height: 860 }],
        ["phone", { width: 360, height: 740 }],
      ] as const) {
        it(`in ${colorScheme} on a ${device}`, async () => {
          const { id } = await create();
          await sandbox.faults.set([{ kind: "500", operation: "createAlert", nth: 2 }]);
          await client.service("POST", "/serviceQueryEndpoint", { roles: ["sql_console_admin"] });
          await client.service("GET", "/nothing");
          const { page, problems } = await browser.open({ colorScheme, viewport });
          await at(page, "services");
          const open: Record<string, () => Promise<void>> = {
            services: () => page.getByRole("button", { name: "Change query endpoint" }).waitFor(),
            dashboards: () => page.getByRole("link", { name: "Ingestion" }).waitFor(),
            [`dashboards/${id}`]: () => page.getByRole("img", { name: /^Load, chart over time/ }).waitFor(),
            "dashboards/gone": () => page.getByText("is not there any more").waitFor(),
            alerts: () => page.getByRole("link", { name: "Ingestion › Errors" }).waitFor(),
            pipes: () => page.getByRole("heading", { name: "Reverse private endpoints" }).waitFor(),
            keys: () => page.getByText("sandbox admin", { exact: true }).waitFor(),
            requests: () => page.getByText("/stack/dashboards").waitFor(),
            faults: () => page.getByText("0 of 0").waitFor(),
          };
          for (const [hash, isShown] of Object.entries(open)) {
            await at(page, hash);
            await isShown();
            await expectAccessible(page, hash);
          }
          for (const [hash, button] of [
            ["alerts", "Change alert Too many errors"],
            ["faults", "Set a fault"],
          ] as const) {
            await at(page, hash);
            await page.getByRole("button", { name: button }).click();
            const dialog = page.getByRole("dialog");
            await expectAccessible(page, `the form of ${button}`);
            expect(
              await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
            ).to.equal(0);
            await page.keyboard.press("Escape");
            await dialog.waitFor({ state: "detached" });
          }
          expect(problems).to.deep.equal([]);
        });
      }
    }
  });

  it("says what is empty", async () => {
    const { page } = await browser.open();
    for (const [hash, text] of [
      ["dashboards", "This service has no dashboards."],
      ["alerts", "This service has no alerts."],
      ["requests", "Nothing has been asked yet."],
    ] as const) {
      await at(page, hash);
      await page.getByText(text).waitFor();
    }
    await page.getByLabel("Service").selectOption("reporting");
    await at(page, "pipes");
    await page.getByText("This service has no pipes.").waitFor();
  });

  it("shows markup in names as text", async () => {
    for (const key of sandbox.store.keys.values()) key.name = markup;
    for (const service of sandbox.store.services.values()) service.name = markup;
    for (const pipe of sandbox.store.pipes.values()) Object.assign(pipe, { name: markup, state: markup });
    const [first] = everyKind.tiles;
    const tile = { ...first, name: markup, series: first?.series.map((one) => ({ ...one, where: markup })) };
    const { id } = await create({ name: markup, tags: [markup], tiles: [tile, { ...tile, y: 3 }] }, markup);
    await client.observability("GET", `/${encodeURIComponent(markup)}`);
    const { page, problems } = await browser.open();
    for (const hash of ["services", "dashboards", `dashboards/${id}`, "alerts", "pipes", "keys"]) {
      await at(page, hash);
      await page.locator("main").getByText(markup).first().waitFor();
      expect(await page.locator("main b, main img:not([role])").count(), hash).to.equal(0);
    }
    await at(page, "requests");
    await page.getByText("/stack/dashboards").click();
    await page.locator("details[open] pre").getByText("bold").waitFor();
    expect(await page.locator("main b").count()).to.equal(0);
    expect(problems).to.deep.equal([]);
  });

  it("holds no secret anywhere in its pages, nor in what it was answered", async () => {
    const made = await client.organizationRequest("POST", "/keys", { name: "ci", roles: ["admin"] });
    const { keySecret, accessToken } = sandbox.credentials;
    const { id } = await create();
    const { page } = await browser.open();
    const answered: string[] = [];
    page.on("response", async (response) => {
      if (!response.url().endsWith("/events")) answered.push(await response.text().catch(() => ""));
    });
    for (const hash of ["services", `dashboards/${id}`, "alerts", "pipes", "keys", "requests"]) {
      await at(page, hash);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("Live").waitFor();
      answered.push(await page.content());
    }
    expect(answered.join()).to.include("orders-stream").and.include("…9Xb4");
    const [key] = sandbox.store.keys.values();
    const [service] = sandbox.store.services.values();
    for (const secret of [
      keySecret,
      accessToken,
      made.body.result.keySecret,
      key?.keySecretHash,
      service?.encryptionKey,
      "AccountKey",
      "hooks.example.com",
    ]) {
      expect(secret).to.be.a("string").with.length.above(8);
      for (const text of answered) expect(text).to.not.include(secret);
    }
  });

  it("is worked by keyboard: a form opens with the focus in it, closes by Escape, and gives the focus back", async () => {
    const { id } = await create();
    const { page } = await browser.open();
    await at(page, `dashboards/${id}`);
    const button = page.getByRole("button", { name: "Too many errors: ▲ above 100, every 5m" });
    await button.waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.textContent || document.activeElement?.tagName);
    await page.keyboard.press("Tab");
    expect(await focused()).to.equal("Skip to content");
    await page.keyboard.press("Enter");
    for (let presses = 0; (await focused()) !== (await button.textContent()); presses += 1) {
      expect(presses).to.be.below(20);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Alert Too many errors" }).waitFor();
    expect(await focused()).to.equal("INPUT");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).to.equal(await button.textContent());
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("250");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Too many errors: ▲ above 250, every 5m" }).waitFor();
  });

  it("shows requests as they come, and tells a screen reader how many", async () => {
    const { page } = await browser.open();
    await at(page, "requests");
    await page.getByText("Nothing has been asked yet.").waitFor();
    await client.service("PATCH", "/scaling", { numReplicas: 4 });
    await client.observability("GET", "/nothing");
    const [latest, first] = await Promise.all(
      ["404 GET /api/v2/nothing", "200 PATCH /scaling"].map(async (text) => {
        const [status = "", method = "", path = ""] = text.split(" ");
        const item = page.getByRole("listitem").filter({ hasText: path });
        await item.waitFor();
        expect(await item.textContent()).to.include(status + method + path);
        return item.boundingBox();
      }),
    );
    expect(latest?.y).to.be.below(first?.y ?? 0);
    await page.locator("[aria-live=polite]").getByText("2 new requests").waitFor();
    await page.getByLabel("Only what changes something").check();
    await page.getByText("/api/v2/nothing").waitFor({ state: "detached" });
    await page.getByText("/scaling").click();
    await page.getByText('"numReplicas": 4').waitFor();
  });

  it("draws a tile's values with the threshold, and marks overlaps and gaps", async () => {
    const { id, alertId } = await create();
    const { page } = await browser.open();
    await at(page, `dashboards/${id}`);
    const chart = page.getByRole("img", { name: /^Errors, chart over time/ });
    await chart.waitFor();
    expect(await chart.getAttribute("aria-label")).to.match(
      /^Errors, chart over time\. api: latest \d+, highest \d{3} at \d\d:\d\d\. .*Too many errors: ▲ above 100, every 5m$/,
    );
    const picture = () => chart.locator("canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const before = await picture();
    expect(before.length).to.be.above(5000);
    Object.assign(sandbox.store.alerts.get(alertId) ?? {}, { threshold: 300 });
    await page.getByRole("button", { name: "Too many errors: ▲ above 300, every 5m" }).waitFor();
    expect(await picture()).to.not.equal(before);
    await page.getByText(/^\d+(\.\d+)?k in the last 24h$/).waitFor();
    await page.getByText("the sandbox has no column Host").waitFor();
    await page.getByText("Load and Services overlap (x 10, y 8, 2 × 4)").waitFor();
    await page.getByText("Empty: x 16, y 14, 8 × 4").waitFor();
    await page.getByText("A tile of kind “heatmap” has no sample data.").waitFor();
    await page.getByText("7 days").click();
    await page.getByText(/^\d+(\.\d+)?[kM] in the last 7d$/).waitFor();
  });

  it("deletes a tile with its alert, but only when asked twice", async () => {
    const { id } = await create();
    const { page } = await browser.open();
    await at(page, `dashboards/${id}`);
    await page.getByRole("button", { name: "Change tile Errors" }).click();
    await page.getByRole("button", { name: "Delete tile …" }).click();
    await page.getByText("Its alerts go with it.").waitFor();
    expect(sandbox.store.dashboards.get(id)?.tiles).to.have.length(6);
    await page.getByRole("button", { name: "Delete tile", exact: true }).click();
    await page.getByRole("article", { name: "Errors" }).waitFor({ state: "detached" });
    expect(sandbox.store.dashboards.get(id)?.tiles.map(({ name }) => name)).to.not.include("Errors");
    expect(sandbox.store.alerts.size).to.equal(0);
  });

  it("disables a key and changes scaling, and says why a change is refused", async () => {
    const { page } = await browser.open();
    await at(page, "services");
    const card = page.getByRole("region", { name: "warehouse" });
    await card.getByRole("button", { name: "Change scaling" }).click();
    await page.getByLabel("Replicas", { exact: true }).fill("1");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("alert")
      .getByText("numReplicas must be >= 2 for the first service in a warehouse")
      .waitFor();
    await page.getByLabel("Replicas", { exact: true }).fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await card.getByText("7", { exact: true }).waitFor();
    expect(sandbox.store.services.get(sandbox.credentials.serviceId)?.numReplicas).to.equal(7);

    await at(page, "keys");
    await page.getByRole("button", { name: "Change key sandbox admin" }).click();
    await page.getByLabel("State").selectOption("disabled");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "disabled" }).waitFor();
    expect((await client.organizationRequest("GET", "/keys")).status).to.equal(401);
  });

  it("lets a call go wrong, shows it in the journal, and ends that", async () => {
    const { page } = await browser.open();
    await at(page, "faults");
    await page.getByText("Nothing goes wrong now.").waitFor();
    await page.getByRole("button", { name: "Set a fault" }).click();
    await page.getByLabel("What happens").selectOption("reset");
    await page.getByLabel("To which operation").selectOption("listAlerts");
    await page.getByLabel("Seconds to wait").fill("3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("fault.seconds has no meaning for one of kind reset").waitFor();
    await page.getByLabel("Seconds to wait").fill("");
    await page.getByLabel("When").selectOption("after");
    await page.getByLabel("Only to this call").fill("1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("call 1, once it was carried out").waitFor();
    expect(sandbox.faults.list().map(({ fault }) => fault)).to.deep.equal([
      { kind: "reset", operation: "listAlerts", nth: 1, when: "after" },
    ]);
    expect(await client.observability("GET", "/alerts").catch((error) => error)).to.be.an("error");
    await page.getByText("1 of 1").waitFor();
    await page.getByRole("button", { name: "Clear fault reset" }).click();
    await page.getByText("Nothing goes wrong now.").waitFor();
    expect(sandbox.faults.list()).to.deep.equal([]);
    await at(page, "requests");
    await page.getByText("fault reset").waitFor();

    await sandbox.faults.add({ kind: "refused", operation: "*" });
    expect(await client.observability("GET", "/alerts").catch((error) => error)).to.be.an("error");
    await at(page, "faults");
    await page.getByRole("button", { name: "Clear fault refused" }).click();
    await page.getByText("Nothing goes wrong now.").waitFor();
    expect((await client.observability("GET", "/alerts")).status).to.equal(200);
  });

  it("says when the sandbox is gone, and goes on by itself when it is back", async () => {
    const other = await createSandbox({ consolePort: 0 });
    const { page } = await browser.open();
    await page.goto(other.consoleUrl);
    await page.getByText("Live").waitFor();
    await other.close();
    await page.getByText("Not connected, trying again …").waitFor();
    const again = await createSandbox({ consolePort: Number(new URL(other.consoleUrl).port) });
    for (const service of again.store.services.values()) service.name = "back again";
    await page.getByRole("heading", { name: "back again" }).first().waitFor();
    await page.getByText("Live").waitFor();
    await page.close();
    await again.close();
  });

  it("shows two hundred tiles", async () => {
    const tiles = Array.from({ length: 200 }, (_, index) => ({
      ...everyKind.tiles[0],
      ...{ name: `Tile ${index}`, x: (index % 4) * 6, y: Math.floor(index / 4) * 4, w: 6, h: 4 },
    }));
    const { id } = await create({ ...dashboard, tiles });
    const { page, problems } = await browser.open();
    await at(page, `dashboards/${id}`);
    await page.getByRole("img", { name: /^Tile 199, chart over time/ }).waitFor();
    expect(await page.locator("canvas").count()).to.equal(200);
    expect(problems).to.deep.equal([]);
  });

  async function expectAccessible(page: Page, what: string) {
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ["violations"],
      });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    });
    expect(violations, what).to.deep.equal([]);
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
    expect(width[0], `width of ${what}`).to.be.at.most(width[1]);
  }
});
