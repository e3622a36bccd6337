/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { everyKind, useConsole } from "./console";

const markup = `<img src=x onerror="alert(1)"><b>bold</b>`;

describe("The pages of the sandbox's console", () => {
  const tested = useConsole();

  const openDashboard = async () => {
    const { id } = await tested.create();
    const opened = await tested.open(`dashboards/${id}`);
    const shown = () => opened.page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();
    await shown();
    return { ...opened, shown };
  };

  it("the console paints a dashboard within a second", async () => {
    const { page, shown } = await openDashboard();
    const painted = () =>
      page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity);
    // The machine may have been busy with other work, so the test loads a slow page of the console again.
    for (let times = 0; times < 3 && (await painted()) > 1000; times++) {
      await page.reload();
      await shown();
    }
    expect(await painted()).to.be.below(1000);
  });

  it("the console shows a dashboard with requests to its own address only", async () => {
    const { problems, requests } = await openDashboard();
    expect(problems).to.deep.equal([]);
    for (const address of requests) expect(new URL(address).origin).to.equal(tested.sandbox.consoleUrl);
  });

  const empty: readonly [service: string, view: string, text: string][] = [
    ["warehouse", "dashboards", "This service has no dashboards."],
    ["warehouse", "alerts", "This service has no alerts."],
    ["warehouse", "requests", "No requests yet."],
    ["reporting", "pipes", "This service has no pipes."],
    ["reporting", "savedSearches", "This service has no saved searches."],
    ["reporting", "sources", "This service has no sources."],
    ["reporting", "webhooks", "This service has no webhooks."],
    ["reporting", "savedQueries", "This service has no saved queries."],
    ["reporting", "queryApiEndpoints", "This service has no query API endpoints."],
  ];
  it("each page of the console says so when it has nothing to list", async () => {
    const { page } = await tested.browser.open();
    for (const [service, view, text] of empty) {
      await tested.at(page, view);
      await page.getByLabel("Service").selectOption(service);
      await page.getByText(text).waitFor();
    }
  });

  it("the console shows the id of every service", async () => {
    const { page } = await tested.open("services");
    const ids = [...tested.sandbox.store.services.keys()];
    expect(ids).to.have.length(2);
    for (const id of ids) await page.getByText(id, { exact: true }).waitFor({ timeout: 2000 });
  });

  it("the console shows markup in names as text", async () => {
    const { store } = tested.sandbox;
    const from = { databaseName: markup, tableName: markup };
    for (const records of [
      store.keys,
      store.services,
      store.pipes,
      store.webhooks,
      store.sources,
      store.savedSearches,
    ])
      for (const record of records.values()) {
        Object.assign(record, { name: markup });
        if ("from" in record) Object.assign(record, { from });
        if ("where" in record) Object.assign(record, { where: markup, tags: [markup] });
        if ("url" in record) Object.assign(record, { service: markup, description: markup });
        if ("scaling" in record) Object.assign(record, { state: markup });
      }
    const [first] = everyKind.tiles;
    const tile = { ...first, name: markup, series: first?.series.map((one) => ({ ...one, where: markup })) };
    const board = { name: markup, tags: [markup], tiles: [tile, { ...tile, y: 3 }] };
    const { id } = await tested.create(board, markup);
    await tested.client.observability("GET", `/${encodeURIComponent(markup)}`);
    const { page, problems } = await tested.browser.open();
    for (const view of [
      ...["services", "dashboards", `dashboards/${id}`, "alerts", "savedSearches", "sources", "webhooks"],
      ...["pipes", "keys"],
    ]) {
      await tested.at(page, view);
      await page.locator("main").getByText(markup).first().waitFor();
      expect(await page.locator("main b, main img:not([role])").count(), view).to.equal(0);
    }
    await tested.at(page, "requests");
    await page.getByText("/stack/dashboards").click();
    await page.locator("details[open] pre").nth(1).getByText("bold").waitFor();
    expect(await page.locator("main b").count()).to.equal(0);
    expect(problems).to.deep.equal([]);
  });

  it("neither the pages of the console nor the answers that they load contain a secret", async () => {
    const { client, sandbox } = tested;
    const made = (await client.organization("POST", "/keys", { name: "ci", roles: ["admin"] })).payload;
    const { id } = await tested.create();
    const { page } = await tested.browser.open();
    const answered: string[] = [];
    page.on("response", async (response) => {
      if (!response.url().endsWith("/events")) answered.push(await response.text().catch(() => ""));
    });
    for (const path of ["/stack/webhooks", "", "/pipes"]) await client.service("GET", path);
    for (const view of ["services", `dashboards/${id}`, "alerts", "webhooks", "pipes", "keys", "requests"]) {
      await tested.at(page, view);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("Live").waitFor();
      // New requests may appear in the console's journal while the test opens the journal's entries. So the test opens closed
      // entries again and again, until all are open.
      await page.waitForFunction(() => {
        for (const closed of Array.from(document.querySelectorAll(".journal details:not([open])")))
          closed.querySelector("summary")?.click();
        const [all, opened] = ["details", ".exchange:has(pre)"].map((each) =>
          document.querySelectorAll(each),
        );
        return all?.length === opened?.length;
      });
      answered.push(await page.content());
    }
    expect(answered.join()).to.include("orders-stream").and.include("9Xb4");
    const { keySecret, accessToken } = sandbox.credentials;
    const [key] = sandbox.store.keys.values();
    const [service] = sandbox.store.services.values();
    for (const secret of [
      ...[keySecret, accessToken, made.keySecret, key?.keySecretHash, service?.encryptionKey],
      ...["AccountKey", "hooks.example.com"],
    ]) {
      expect(secret).to.be.a("string").with.length.above(8);
      for (const text of answered) expect(text).to.not.include(secret);
    }
  });

  it("the console shows requests as they arrive, and announces their number to a screen reader", async () => {
    const { page } = await tested.open("requests");
    await page.getByText("No requests yet.").waitFor();
    await tested.client.service("PATCH", "/scaling", { numReplicas: 4 });
    await tested.client.observability("GET", "/nothing");
    await page.locator("[aria-live=polite]").getByText("2 new requests").waitFor();
    const texts = await page.getByRole("listitem").allTextContents();
    expect(texts).to.have.length(2);
    expect(texts[0]).to.include("404GET/api/v2/nothing");
    expect(texts[1]).to.include("200PATCH/scaling");
    await page.getByLabel("Changes only").check();
    await page.getByText("/api/v2/nothing").waitFor({ state: "detached" });
  });

  it("the console shows the answer and the whole path of every request", async () => {
    const { organizationId, serviceId } = tested.sandbox.credentials;
    const path = `/v1/organizations/${organizationId}/services/${serviceId}/stack/webhooks`;
    await tested.client.service("GET", "/stack/webhooks");
    await tested.client.observability("GET", "/nothing");
    await tested.client.service("PATCH", "/scaling", { numReplicas: 4 });
    await tested.sandbox.faults.set([{ kind: "reset", operation: "listAlerts" }]);
    await tested.client.observability("GET", "/alerts").catch(() => undefined);
    const { page } = await tested.open("requests");
    for (const [short, ...texts] of [
      ["/stack/webhooks", path, "listWebhooks", '"name": "on-call"', '"url": "[redacted]"'],
      ["/api/v2/nothing", "Cannot GET /api/v2/nothing"],
      ["/scaling", '"numReplicas": 4'],
      ["/api/v2/alerts", "The connection broke before one was sent."],
    ] as const) {
      const item = page.getByRole("listitem").filter({ hasText: short });
      await item.locator("summary").click();
      for (const text of texts) await item.getByText(text).first().waitFor();
    }
  });

  it("the console shows the time zone of each time", async () => {
    await tested.client.service("GET", "/stack/webhooks");
    const [key] = tested.sandbox.store.keys.values();
    Object.assign(key ?? {}, { usedAt: "2026-03-12T17:00:00Z" });
    for (const request of tested.sandbox.requests) request.time = "2026-03-12T00:01:02Z";
    const { page } = await tested.browser.open({ timezoneId: "Asia/Kolkata" });
    await tested.at(page, "keys");
    await page.getByRole("cell", { name: "12 Mar 2026, 22:30 GMT+5:30" }).waitFor();
    for (const time of [page.locator(".latest .time"), page.locator("time")]) {
      expect(await time.textContent()).to.equal("05:31:02 GMT+5:30");
      await tested.at(page, "requests");
    }
  });

  for (const [view, heading] of [
    ["nothing", "Nothing here"],
    ["alerts/65f1c0a2b3d4e5f607182999", "Nothing here"],
    ["dashboards/", "Dashboards"],
  ] as const)
    it(`the console shows “${heading}” at the address ${view}`, async () => {
      const { page } = await tested.open(view);
      await page.getByRole("heading", { name: heading }).waitFor();
      if (heading === "Dashboards") return;
      await page.getByText(`no page at the address #/${view}`).waitFor();
      await page.getByRole("main").getByRole("link", { name: "Services" }).click();
      await page.getByRole("heading", { name: "Services" }).waitFor();
    });

  it("the console shows the current state of an alert and all of its recipients", async () => {
    const { id, alertId } = await tested.create();
    const { store } = tested.sandbox;
    const [webhook] = store.webhooks.values();
    const nights = { ...webhook, id: "0123456789abcdef01234567", name: "night shift" };
    store.webhooks.set(nights.id, nights as NonNullable<typeof webhook>);
    const channels = [webhook, nights].map((one) => ({ type: "webhook", webhookId: one?.id }));
    // The alert now watches a saved search and has a simple threshold. Its record still has a tile and an upper threshold from
    // before this change, which the console must not show.
    Object.assign(store.alerts.get(alertId) ?? {}, { source: "search", thresholdMax: 500, channels });
    const { page } = await tested.open("alerts");
    const row = page.getByRole("row", { name: "Too many errors" });
    await row.getByText("▲ above 100").waitFor();
    const cells = (await row.getByRole("cell").allTextContents()).slice(2, 5);
    expect(cells).to.deep.equal(["saved search", "▲ above 100, every 5m", "on-call, night shift"]);
    await row.getByRole("button").click();
    const json = await page.getByLabel("JSON", { exact: true }).inputValue();
    expect(json).to.include('"threshold"').and.to.not.include("thresholdMax");
    await page.keyboard.press("Escape");
    await tested.at(page, `dashboards/${id}`);
    await page.getByRole("img", { name: /^Errors, chart over time/ }).waitFor();
    expect(await page.getByText("Too many errors").count()).to.equal(0);
  });
});
