/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { createSandbox, seededCredentials } from "../../sandbox/index";
import { Client, webhookId } from "../sandbox/requests";
import { change, confirmed, press, remove, save, useConsole } from "./console";

const { serviceId } = seededCredentials;

describe("Changes that a person makes in the pages of the sandbox's console", () => {
  const tested = useConsole();
  const gone = { state: "detached" } as const;

  it("a form of the console opens and closes by keyboard, and the focus returns to its button", async () => {
    const { id } = await tested.create();
    const { page } = await tested.open(`dashboards/${id}`);
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
    await page.locator("textarea:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor(gone);
    expect(await focused()).to.equal(await button.textContent());
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await change(page, { threshold: 250 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Too many errors: ▲ above 250, every 5m" }).waitFor();
  });

  it("the console deletes a tile and its alert only after a confirmation", async () => {
    const { store } = tested.sandbox;
    const { id } = await tested.create();
    const { page } = await tested.open(`dashboards/${id}`);
    await press(page, "Edit tile Errors");
    await press(page, "Delete tile …");
    await page.getByText("This also deletes its alerts.").waitFor();
    expect(store.dashboards.get(id)?.tiles).to.have.length(6);
    await press(page, "Delete tile", true);
    await page.getByRole("article", { name: "Errors" }).waitFor(gone);
    expect(store.dashboards.get(id)?.tiles.map(({ name }) => name)).to.not.include("Errors");
    expect(store.alerts.size).to.equal(0);
  });

  it("the console disables an API key, whose requests are then refused", async () => {
    const { page } = await tested.open("keys");
    await press(page, "Edit key sandbox admin");
    await change(page, { state: "disabled" });
    await save(page, "Key sandbox admin");
    await page.getByRole("cell", { name: "disabled" }).waitFor();
    expect((await tested.client.organization("GET", "/keys")).status).to.equal(401);
  });

  it("the console creates a dashboard with a tile, an alert and a query endpoint, and says so after each", async () => {
    const { store } = tested.sandbox;
    const { page, problems } = await tested.open("dashboards");
    const make = async (view: string, noun: string, members: object) => {
      await tested.at(page, view);
      await press(page, `New ${noun}`);
      await change(page, members);
      await save(page, `New ${noun}`);
    };
    await make("dashboards", "dashboard", { name: "By hand", tags: ["a", "b"] });
    await page.getByRole("link", { name: "By hand" }).waitFor();
    const [dashboard] = store.dashboards.values();
    expect(dashboard).to.deep.include({ name: "By hand", tags: ["a", "b"], tiles: [] });

    await make(`dashboards/${dashboard?.id}`, "tile", { name: "Errors" });
    await page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();

    await make("alerts", "alert", { name: "Many errors", threshold: 250 });
    await page.getByRole("cell", { name: "▲ above 250, every 5m" }).waitFor();
    const [alert, ...others] = store.alerts.values();
    expect(others).to.deep.equal([]);
    expect(alert).to.deep.include({
      ...{ name: "Many errors", source: "tile", dashboard: dashboard?.id, threshold: 250 },
      tileId: store.dashboards.get(dashboard?.id ?? "")?.tiles[0]?.id,
      channel: { type: "webhook", webhookId },
    });

    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: "" };
    await make("queryEndpoints", "query endpoint", endpoint);
    expect([...store.queryEndpoints.values()][0]).to.deep.include({ serviceId, ...endpoint });
    await press(page, "Edit query endpoint warehouse");
    await page.getByText("Saved: New query endpoint").waitFor(gone);
    await remove(page, "query endpoint");
    await confirmed(page, "Deleted: Query endpoint warehouse");
    expect(problems).to.deep.equal([]);
  });

  it("the console creates a webhook, and deletes it unless an alert uses it", async () => {
    const { store } = tested.sandbox;
    await tested.create();
    const { page } = await tested.open("webhooks");
    await press(page, "Edit webhook on-call");
    await remove(page, "webhook");
    await page.getByRole("alert").getByText("1 alert(s) still reference it").waitFor();
    await page.keyboard.press("Escape");
    await press(page, "New webhook");
    await change(page, { name: "By hand", service: "generic", url: "https://hooks.example.com/by-hand" });
    await save(page, "New webhook");
    await press(page, "Edit webhook By hand");
    await remove(page, "webhook");
    await confirmed(page, "Deleted: Webhook By hand");
    expect([...store.webhooks.values()].map(({ name }) => name)).to.deep.equal(["on-call"]);
  });

  it("an open form of the console does not undo another client's changes", async () => {
    const { client, sandbox } = tested;
    const [{ id: searchId, name, sourceId } = {} as never] = sandbox.store.savedSearches.values();
    const { page } = await tested.open("savedSearches");
    await press(page, `Edit saved search ${name}`);
    const theirs = { name: "Renamed", sourceId, tags: ["theirs"], where: "SeverityText:warn" };
    await client.service("PUT", `/stack/saved-searches/${searchId}`, theirs);
    await page.getByRole("dialog", { name: "Saved search Renamed" }).waitFor();
    await change(page, { where: "SeverityText:fatal" });
    await client.service("PUT", `/stack/saved-searches/${searchId}`, { ...theirs, tags: ["later"] });
    await page.getByRole("cell", { name: "later", includeHidden: true }).waitFor();
    await save(page, "Saved search Renamed");
    const both = { ...theirs, tags: ["later"], where: "SeverityText:fatal" };
    expect(sandbox.store.savedSearches.get(searchId)).to.deep.include(both);

    const { id } = await tested.create();
    await tested.at(page, `dashboards/${id}`);
    await press(page, "Edit tile Errors");
    await change(page, { h: 4 });
    const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
    const further = { ...tiles[1], id: undefined, name: "Theirs", y: 20 };
    await client.service("PUT", `/stack/dashboards/${id}`, { name: "Ingestion", tiles: [...tiles, further] });
    await page.getByText("Theirs", { exact: true }).waitFor();
    await save(page, "Tile Errors");
    const heights = sandbox.store.dashboards.get(id)?.tiles.map((one) => [one.name, one.h]);
    expect(heights).to.deep.include(["Errors", 4]).and.deep.include(["Theirs", 6]);
  });

  it("the console creates a dashboard with an alert in the dialect clickhouse", async () => {
    const product = await Client.start({ dialect: "clickhouse", consolePort: 0 });
    const { page } = await tested.browser.open();
    const at = (view: string) => page.goto(`${product.sandbox.consoleUrl}/#/${view}`);
    for (const noun of ["dashboard", "tile", "alert"]) {
      const [board] = product.sandbox.store.dashboards.keys();
      await at(noun === "tile" ? `dashboards/${board}` : `${noun}s`);
      await press(page, `New ${noun}`);
      await change(page, { name: "By hand" });
      await save(page, `New ${noun}`);
      if (noun === "tile") await page.getByRole("article", { name: "By hand" }).waitFor();
    }
    expect(product.sandbox.store.alerts.size).to.equal(1);
    await product.sandbox.close();
  });

  it("the console says that the sandbox is gone, and continues by itself when it is back", async () => {
    const other = await createSandbox({ consolePort: 0 });
    const { page } = await tested.browser.open();
    await page.goto(other.consoleUrl);
    await page.getByText("Live").waitFor();
    await other.close();
    await page.getByText("Disconnected. Reconnecting …").waitFor();
    const again = await createSandbox({ consolePort: Number(new URL(other.consoleUrl).port) });
    for (const service of again.store.services.values()) service.name = "back again";
    await page.getByText("back again").last().waitFor();
    await page.getByText("Live").waitFor();
    await again.close();
  });
});
