/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { createSandbox } from "../../sandbox/src";
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

  it("lets a call go wrong, shows it in the journal, and ends that", async () => {
    const { page } = await tested.open("faults");
    await page.getByText("No faults are set.").waitFor();
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByLabel("Fault", { exact: true }).selectOption("reset");
    await page.getByLabel("Operation").selectOption("listAlerts");
    await page.getByLabel("Retry after").fill("3");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("alert")
      .getByText("fault.seconds does not apply to a fault of kind reset")
      .waitFor();
    await page.getByLabel("Retry after").fill("");
    await page.getByLabel("When").selectOption("after");
    await page.getByLabel("Only this call").fill("1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("call 1, after the request").waitFor();
    expect(tested.sandbox.faults.list().map(({ fault }) => fault)).to.deep.equal([
      { kind: "reset", operation: "listAlerts", nth: 1, when: "after" },
    ]);
    expect(await tested.client.observability("GET", "/alerts").catch((error) => error)).to.be.an("error");
    await page.getByText("1 of 1").waitFor();
    await page.getByRole("button", { name: "Clear fault reset" }).click();
    await page.getByText("No faults are set.").waitFor();
    expect(tested.sandbox.faults.list()).to.deep.equal([]);
    await tested.at(page, "requests");
    await page.getByText("fault reset").waitFor();

    await tested.sandbox.faults.add({ kind: "refused", operation: "*" });
    expect(await tested.client.observability("GET", "/alerts").catch((error) => error)).to.be.an("error");
    await tested.at(page, "faults");
    await page.getByRole("button", { name: "Clear fault refused" }).click();
    await page.getByText("No faults are set.").waitFor();
    expect((await tested.client.observability("GET", "/alerts")).status).to.equal(200);
  });

  it("lets some of a range of calls go wrong by chance", async () => {
    const { page } = await tested.open("faults");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByLabel("First call").fill("2");
    await page.getByLabel("Last call").fill("9");
    await page.getByLabel("Probability").fill("0.07");
    await page.getByLabel("Seed").fill("4");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("calls 2 to 9, 7 % chance", { exact: true }).waitFor();
    expect(tested.sandbox.faults.list().map(({ fault }) => fault)).to.deep.equal([
      { kind: "500", operation: "*", from: 2, to: 9, probability: 0.07, seed: 4 },
    ]);
  });

  it("says why a fault could not be cleared, until it could", async () => {
    await tested.sandbox.faults.set([
      { kind: "500", operation: "listAlerts" },
      { kind: "502", operation: "listAlerts" },
      { kind: "503", operation: "listAlerts" },
    ]);
    const { page, problems } = await tested.open("faults");
    const requests = /\/faults/;
    for (const name of ["Clear fault 500", "Clear all"]) {
      await page.route(requests, (route) => route.abort());
      await page.getByRole("button", { name }).click();
      await page.getByRole("alert").getByText("The sandbox does not respond.").waitFor();
      await page.unroute(requests);
      await page.getByRole("button", { name }).click();
      await page.getByRole("alert").waitFor({ state: "detached" });
    }
    expect(problems.join()).to.not.include("The sandbox does not respond.");
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
    await page.close();
    await again.close();
  });
});
