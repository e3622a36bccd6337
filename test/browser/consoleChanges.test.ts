/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { createSandbox } from "../../sandbox/index";
import { Client } from "../sandbox/requests";
import { useConsole } from "./console";

describe("changes by hand on the console", () => {
  const tested = useConsole();

  it("is worked by keyboard: a form opens with the focus in it, closes by Escape, and gives the focus back", async () => {
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
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).to.equal(await button.textContent());
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("250");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Too many errors: ▲ above 250, every 5m" }).waitFor();
  });

  it("deletes a tile with its alert, but only when asked twice", async () => {
    const { id } = await tested.create();
    const { page } = await tested.open(`dashboards/${id}`);
    await page.getByRole("button", { name: "Edit tile Errors" }).click();
    await page.getByRole("button", { name: "Delete tile …" }).click();
    await page.getByText("This also deletes its alerts.").waitFor();
    expect(tested.sandbox.store.dashboards.get(id)?.tiles).to.have.length(6);
    await page.getByRole("button", { name: "Delete tile", exact: true }).click();
    await page.getByRole("article", { name: "Errors" }).waitFor({ state: "detached" });
    expect(tested.sandbox.store.dashboards.get(id)?.tiles.map(({ name }) => name)).to.not.include("Errors");
    expect(tested.sandbox.store.alerts.size).to.equal(0);
  });

  it("disables a key and changes scaling, and says why a change is refused", async () => {
    const { page } = await tested.open("services");
    const card = page.getByRole("region", { name: "warehouse" });
    await card.getByRole("button", { name: "Edit scaling" }).click();
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
    expect(tested.sandbox.store.services.get(tested.sandbox.credentials.serviceId)?.numReplicas).to.equal(7);

    await tested.at(page, "keys");
    await page.getByRole("button", { name: "Edit key sandbox admin" }).click();
    await page.getByLabel("State").selectOption("disabled");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "disabled" }).waitFor();
    expect((await tested.client.organizationRequest("GET", "/keys")).status).to.equal(401);
  });

  it("changes a query endpoint that names a key that is gone, and leaves that out", async () => {
    const { client, sandbox } = tested;
    const made = await client.organizationRequest("POST", "/keys", { name: "ci", roles: ["admin"] });
    const [admin] = sandbox.store.keys.keys();
    const gone = made.body.result.key.id;
    const roles = ["sql_console_admin"];
    await client.service("POST", "/serviceQueryEndpoint", { roles, openApiKeys: [gone, admin] });
    await client.organizationRequest("DELETE", `/keys/${gone}`);
    const { page } = await tested.open("services");
    await page.getByText("deleted key, sandbox admin").waitFor();
    await page.getByRole("button", { name: "Edit query endpoint" }).click();
    await page.getByLabel("Allowed origins").fill("https://a.example");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect([...sandbox.store.queryEndpoints.values()][0]).to.deep.include({
      roles,
      openApiKeys: [admin],
      allowedOrigins: "https://a.example",
    });
  });

  it("makes a dashboard, a tile, an alert, a key and a query endpoint by hand, and confirms each", async () => {
    const { store } = tested.sandbox;
    const { page, problems } = await tested.open("alerts");
    await page.getByText("One needs a dashboard with a tile.").waitFor();
    const make = async (
      view: string,
      button: string,
      entered: Record<string, string>,
      boxes: string[] = [],
    ) => {
      await tested.at(page, view);
      await page.getByRole("button", { name: button }).first().click();
      for (const [label, text] of Object.entries(entered))
        await page.getByLabel(label, { exact: true }).fill(text);
      for (const box of boxes) await page.getByLabel(box).check();
      await page.getByRole("button", { name: "Save" }).click();
    };
    const confirmed = (text: string) => page.getByRole("status").getByText(text).waitFor();
    await make("dashboards", "New dashboard", { Name: "By hand", "Tags, separated by commas": "a, b" });
    await confirmed("Saved: New dashboard");
    await page.getByRole("link", { name: "By hand" }).waitFor();
    const [dashboard] = store.dashboards.values();
    expect(dashboard).to.deep.include({ name: "By hand", tags: ["a", "b"], tiles: [] });

    await make(`dashboards/${dashboard?.id}`, "New tile", { Name: "Errors" });
    await confirmed("Saved: New tile");
    await page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();

    await make("alerts", "New alert", { Name: "Many errors", Threshold: "250" });
    await confirmed("Saved: New alert");
    await page.getByRole("cell", { name: "▲ above 250, every 5m" }).waitFor();
    expect([...store.alerts.values()]).to.have.length(1);
    expect([...store.alerts.values()][0]).to.deep.include({
      ...{ name: "Many errors", source: "tile", dashboard: dashboard?.id },
      ...{ tileId: store.dashboards.get(dashboard?.id ?? "")?.tiles[0]?.id, threshold: 250 },
      channel: { type: "webhook", webhookId: tested.client.webhookId },
    });

    await make("keys", "New key", { Name: "from the console" });
    await confirmed("Saved: New key");
    await page.getByRole("row", { name: "from the console" }).waitFor();
    const key = [...store.keys.values()].at(-1);
    expect(key).to.deep.include({ name: "from the console", roles: ["developer"] });

    await make(
      "services",
      "New query endpoint",
      { "Allowed origins, separated by commas": "https://a.example" },
      ["sql_console_admin", "Key from the console"],
    );
    await confirmed("Saved: Query endpoint of warehouse");
    expect([...store.queryEndpoints.values()][0]).to.deep.include({
      ...{ serviceId: tested.sandbox.credentials.serviceId, roles: ["sql_console_admin"] },
      ...{ openApiKeys: [key?.id], allowedOrigins: "https://a.example" },
    });
    await page.getByRole("button", { name: "Edit query endpoint" }).click();
    await page.getByText("Saved: Query endpoint of warehouse").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete query endpoint …" }).click();
    await page.getByRole("button", { name: "Delete query endpoint", exact: true }).click();
    await confirmed("Deleted: Query endpoint of warehouse");
    expect(problems).to.deep.equal([]);
  });

  it("makes, changes and deletes a saved search and a webhook, and says how many alerts use each", async () => {
    const { store } = tested.sandbox;
    await tested.create();
    const [seeded] = store.savedSearches.values();
    if (seeded) seeded.tags = ["kept"];
    const { page, problems } = await tested.open("webhooks");
    const confirmed = (text: string) => page.getByRole("status").getByText(text).waitFor();
    await page.getByRole("row", { name: "on-call generic Pages whoever is on call 1" }).waitFor();
    await page.getByRole("button", { name: "Delete webhook on-call" }).click();
    await page.getByRole("button", { name: "Delete webhook …" }).click();
    await page.getByRole("button", { name: "Delete webhook", exact: true }).click();
    await page.getByRole("alert").getByText("1 alert(s) still reference it").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "New webhook" }).click();
    await page.getByLabel("Name", { exact: true }).fill("By hand");
    await page.getByLabel("Address").fill("https://hooks.example.com/by-hand");
    await page.getByRole("button", { name: "Save" }).click();
    await confirmed("Saved: New webhook");
    await page.getByRole("row", { name: "By hand generic none 0" }).waitFor();
    await page.getByRole("button", { name: "Delete webhook By hand" }).click();
    await page.getByRole("button", { name: "Delete webhook …" }).click();
    await page.getByRole("button", { name: "Delete webhook", exact: true }).click();
    await confirmed("Deleted: Webhook By hand");
    expect([...store.webhooks.values()].map(({ name }) => name)).to.deep.equal(["on-call"]);

    await tested.at(page, "searches");
    await page.getByRole("button", { name: "Edit search Errors" }).click();
    await page.getByLabel("Query").fill("SeverityText:fatal");
    await page.getByRole("button", { name: "Save" }).click();
    await confirmed("Saved: Search Errors");
    await page.getByRole("row", { name: "Errors Logs SeverityText:fatal kept 0" }).waitFor();
    const { updatedAt, ...others } = seeded ?? ({} as never);
    expect(store.savedSearches.get(others.id)).to.deep.include({ ...others, where: "SeverityText:fatal" });

    await page.getByRole("button", { name: "New search" }).click();
    await page.getByLabel("Name", { exact: true }).fill("By hand");
    await page.getByLabel("Source").selectOption("Traces");
    await page.getByRole("button", { name: "Save" }).click();
    await confirmed("Saved: New search");
    await page.getByRole("row", { name: "By hand Traces all records none 0" }).waitFor();
    await page.getByRole("button", { name: "Edit search By hand" }).click();
    await page.getByRole("button", { name: "Delete search …" }).click();
    await page.getByRole("button", { name: "Delete search", exact: true }).click();
    await confirmed("Deleted: Search By hand");
    expect(store.savedSearches.size).to.equal(2);
    expect(problems.filter((problem) => !problem.includes("409"))).to.deep.equal([]);
  });

  it("keeps what somebody else changes while a form is open, and shows it there unless something was entered", async () => {
    const { client, sandbox } = tested;
    const [seeded] = sandbox.store.savedSearches.values();
    const { id: searchId = "", name = "", sourceId = "" } = seeded ?? {};
    const { page } = await tested.open("searches");
    const save = async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: `Edit search ${name}` }).click();
    await page.getByLabel("Query").fill("SeverityText:fatal");
    const others = { name: "Renamed", sourceId, tags: ["theirs"], where: "SeverityText:warn" };
    await client.service("PUT", `/stack/saved-searches/${searchId}`, others);
    await page.getByText("theirs").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).to.equal("Renamed");
    await save();
    expect(sandbox.store.savedSearches.get(searchId)).to.deep.include({
      ...others,
      where: "SeverityText:fatal",
    });

    const { id } = await tested.create();
    await tested.at(page, `dashboards/${id}`);
    await page.getByRole("button", { name: "Edit tile Errors" }).click();
    await page.getByLabel("Height").fill("4");
    const tiles = sandbox.store.dashboards.get(id)?.tiles ?? [];
    const further = { ...tiles[1], id: undefined, name: "Theirs", y: 20 };
    await client.service("PUT", `/stack/dashboards/${id}`, { name: "Ingestion", tiles: [...tiles, further] });
    await page.getByText("Theirs", { exact: true }).waitFor();
    await save();
    const heights = sandbox.store.dashboards.get(id)?.tiles.map(({ name, h }) => [name, h]);
    expect(heights).to.deep.include(["Errors", 4]).and.deep.include(["Theirs", 6]);
  });

  it("makes a dashboard with an alert on the product's servers, too", async () => {
    const product = await Client.start({ dialect: "clickhouse", consolePort: 0 });
    const { page } = await tested.browser.open();
    await page.goto(`${product.sandbox.consoleUrl}/#/dashboards`);
    for (const button of ["New dashboard", "New tile", "New alert"]) {
      await page.getByRole("button", { name: button }).click();
      await page.getByLabel("Name", { exact: true }).fill("By hand");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").getByText(`Saved: ${button}`).waitFor();
      const [link, view] = button === "New dashboard" ? ["By hand", "main"] : ["Alerts", "navigation"];
      await page
        .getByRole(view as "main")
        .getByRole("link", { name: link })
        .first()
        .click();
    }
    expect(product.sandbox.store.alerts.size).to.equal(1);
    await product.sandbox.close();
  });

  it("says when the sandbox is gone, and goes on by itself when it is back", async () => {
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
