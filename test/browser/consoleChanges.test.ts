/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { createSandbox, seededCredentials } from "../../sandbox/index";
import { Client, webhookId } from "../sandbox/requests";
import { confirmed, enter, press, remove, save, useConsole } from "./console";

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
    expect(await focused()).to.equal("INPUT");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor(gone);
    expect(await focused()).to.equal(await button.textContent());
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("250");
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

  it("the console disables an API key, changes scaling, and shows why the service refuses a change", async () => {
    const { page } = await tested.open("services");
    const card = page.getByRole("region", { name: "warehouse" });
    await press(page, "Edit scaling");
    await enter(page, { Replicas: "1" });
    await press(page, "Save");
    const refusal = "numReplicas must be >= 2 for the first service in a warehouse";
    await page.getByRole("alert").getByText(refusal).waitFor();
    await enter(page, { Replicas: "7" });
    await save(page, "Scaling of warehouse");
    await card.getByText("7", { exact: true }).waitFor();
    expect(tested.sandbox.store.services.get(serviceId)?.numReplicas).to.equal(7);

    await tested.at(page, "keys");
    await press(page, "Edit key sandbox admin");
    await page.getByLabel("State").selectOption("disabled");
    await save(page, "Key sandbox admin");
    await page.getByRole("cell", { name: "disabled" }).waitFor();
    expect((await tested.client.organization("GET", "/keys")).status).to.equal(401);
  });

  it("the form of a query endpoint in the console leaves out a deleted API key", async () => {
    const { client, sandbox } = tested;
    const made = (await client.organization("POST", "/keys", { name: "ci", roles: ["admin"] })).payload.key
      .id;
    const [admin] = sandbox.store.keys.keys();
    const roles = ["sql_console_admin"];
    await client.service("POST", "/serviceQueryEndpoint", { roles, openApiKeys: [made, admin] });
    await client.organization("DELETE", `/keys/${made}`);
    const { page } = await tested.open("services");
    await page.getByText("deleted key, sandbox admin").waitFor();
    await press(page, "Edit query endpoint");
    await enter(page, { "Allowed origins, separated by commas": "https://a.example" });
    await save(page, "Query endpoint of warehouse");
    const changed = { roles, openApiKeys: [admin], allowedOrigins: "https://a.example" };
    expect([...sandbox.store.queryEndpoints.values()][0]).to.deep.include(changed);
  });

  it("the console creates a dashboard with a tile, an alert, an API key and a query endpoint, and says so after each", async () => {
    const { store } = tested.sandbox;
    const { page, problems } = await tested.open("alerts");
    await page.getByText("One needs a dashboard with a tile.").waitFor();
    const make = async (view: string, button: string, texts: Record<string, string>, title = button) => {
      await tested.at(page, view);
      await press(page, button);
      await enter(page, texts);
      await save(page, title);
    };
    await make("dashboards", "New dashboard", { Name: "By hand", "Tags, separated by commas": "a, b" });
    await page.getByRole("link", { name: "By hand" }).waitFor();
    const [dashboard] = store.dashboards.values();
    expect(dashboard).to.deep.include({ name: "By hand", tags: ["a", "b"], tiles: [] });

    await make(`dashboards/${dashboard?.id}`, "New tile", { Name: "Errors" });
    await page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();

    await make("alerts", "New alert", { Name: "Many errors", Threshold: "250" });
    await page.getByRole("cell", { name: "▲ above 250, every 5m" }).waitFor();
    const [alert, ...others] = store.alerts.values();
    expect(others).to.deep.equal([]);
    expect(alert).to.deep.include({
      ...{ name: "Many errors", source: "tile", dashboard: dashboard?.id, threshold: 250 },
      tileId: store.dashboards.get(dashboard?.id ?? "")?.tiles[0]?.id,
      channel: { type: "webhook", webhookId },
    });

    await make("keys", "New key", { Name: "from the console" });
    await page.getByRole("row", { name: "from the console" }).waitFor();
    const key = [...store.keys.values()].at(-1);
    expect(key).to.deep.include({ name: "from the console", roles: ["developer"] });

    await tested.at(page, "services");
    await press(page, "New query endpoint");
    for (const box of ["sql_console_admin", "Key from the console"]) await page.getByLabel(box).check();
    await save(page, "Query endpoint of warehouse");
    const made = { serviceId, roles: ["sql_console_admin"], openApiKeys: [key?.id], allowedOrigins: "" };
    expect([...store.queryEndpoints.values()][0]).to.deep.include(made);
    await press(page, "Edit query endpoint");
    await page.getByText("Saved: Query endpoint of warehouse").waitFor(gone);
    await remove(page, "query endpoint");
    await confirmed(page, "Deleted: Query endpoint of warehouse");
    expect(problems).to.deep.equal([]);
  });

  it("the console creates a webhook, and deletes it unless an alert uses it", async () => {
    const { store } = tested.sandbox;
    await tested.create();
    const { page } = await tested.open("webhooks");
    await page.getByRole("row", { name: "on-call generic Pages whoever is on call 1" }).waitFor();
    await press(page, "Delete webhook on-call");
    await remove(page, "webhook");
    await page.getByRole("alert").getByText("1 alert(s) still reference it").waitFor();
    await page.keyboard.press("Escape");
    await press(page, "New webhook");
    await enter(page, { Name: "By hand", Address: "https://hooks.example.com/by-hand" });
    await save(page, "New webhook");
    await page.getByRole("row", { name: "By hand generic none 0" }).waitFor();
    await press(page, "Delete webhook By hand");
    await remove(page, "webhook");
    await confirmed(page, "Deleted: Webhook By hand");
    expect([...store.webhooks.values()].map(({ name }) => name)).to.deep.equal(["on-call"]);
  });

  it("the console creates, changes and deletes a saved search, and keeps properties that its form does not show", async () => {
    const { store } = tested.sandbox;
    const [seeded] = store.savedSearches.values();
    Object.assign(seeded ?? {}, { tags: ["kept"] });
    const { updatedAt, ...others } = seeded ?? ({} as never);
    const { page, problems } = await tested.open("searches");
    await press(page, "Edit search Errors");
    await enter(page, { Query: "SeverityText:fatal" });
    await save(page, "Search Errors");
    await page.getByRole("row", { name: "Errors Logs SeverityText:fatal kept 0" }).waitFor();
    expect(store.savedSearches.get(others.id)).to.deep.include({ ...others, where: "SeverityText:fatal" });
    await press(page, "New search");
    await enter(page, { Name: "By hand" });
    await page.getByLabel("Source").selectOption("Traces");
    await save(page, "New search");
    await page.getByRole("row", { name: "By hand Traces all records none 0" }).waitFor();
    await press(page, "Edit search By hand");
    await remove(page, "search");
    await confirmed(page, "Deleted: Search By hand");
    expect(store.savedSearches.size).to.equal(2);
    expect(problems).to.deep.equal([]);
  });

  it("an open form of the console shows another client's changes in untouched fields, and does not undo them", async () => {
    const { client, sandbox } = tested;
    const [{ id: searchId, name, sourceId } = {} as never] = sandbox.store.savedSearches.values();
    const { page } = await tested.open("searches");
    await press(page, `Edit search ${name}`);
    await enter(page, { Query: "SeverityText:fatal" });
    const theirs = { name: "Renamed", sourceId, tags: ["theirs"], where: "SeverityText:warn" };
    await client.service("PUT", `/stack/saved-searches/${searchId}`, theirs);
    await page.getByText("theirs").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).to.equal("Renamed");
    await save(page, "Search Renamed");
    const both = { ...theirs, where: "SeverityText:fatal" };
    expect(sandbox.store.savedSearches.get(searchId)).to.deep.include(both);

    const { id } = await tested.create();
    await tested.at(page, `dashboards/${id}`);
    await press(page, "Edit tile Errors");
    await enter(page, { Height: "4" });
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
      await enter(page, { Name: "By hand" });
      await save(page, `New ${noun}`);
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
    await page.getByRole("heading", { name: "back again" }).first().waitFor();
    await page.getByText("Live").waitFor();
    await again.close();
  });
});
