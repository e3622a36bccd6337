/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { useConsole } from "./console";

describe("faults on the console", () => {
  const tested = useConsole();

  it("lets a call go wrong, shows it in the journal, and ends that", async () => {
    const { page } = await tested.open("faults");
    await page.getByText("No faults are set.").waitFor();
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByLabel("Fault", { exact: true }).selectOption("reset");
    await page.getByLabel("Operation").selectOption("listAlerts");
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
    await page.getByText("Advanced").click();
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

  for (const [kind, labels] of [
    ["409", ["Fault", "Operation", "Only this call, counted from now"]],
    ["503", ["Fault", "Operation", "When", "Only this call, counted from now", "Seconds"]],
    ["huge", ["Fault", "Operation", "When", "Only this call, counted from now", "Megabytes"]],
    ["redirect", ["Fault", "Operation", "Only this call, counted from now", "Location"]],
    ["stale", ["Fault", "Operation", "Only this call, counted from now", "Milliseconds", "Requests"]],
    ["refused", ["Fault", "Only this call, counted from now", "Milliseconds"]],
  ] as const) {
    it(`asks of a fault ${kind} only what it takes`, async () => {
      const { page } = await tested.open("faults");
      await page.getByRole("button", { name: "Add fault" }).click();
      await page.getByLabel("Fault", { exact: true }).selectOption(kind);
      const shown = page.getByRole("dialog").locator("label:visible");
      await page.waitForFunction(
        (count) => document.querySelectorAll("form > .fields label").length === count,
        labels.length,
      );
      expect(await shown.allTextContents()).to.deep.equal(labels);
    });
  }

  it("offers only calls that change something for a fault of which only those know", async () => {
    const { page } = await tested.open("faults");
    await page.getByRole("button", { name: "Add fault" }).click();
    const reads = page.getByLabel("Operation").locator("option", { hasText: /^(list|get)/ });
    expect(await reads.count()).to.be.above(5);
    await page.getByLabel("When").selectOption({ label: "before the request is carried out later" });
    await page.getByLabel("Requests").fill("3");
    expect(await reads.count()).to.equal(0);
    await page.getByLabel("Operation").selectOption("createAlert");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("each call, before the request is carried out later, 3 requests").waitFor();
    expect(tested.sandbox.faults.list().map(({ fault }) => fault)).to.deep.equal([
      { kind: "500", operation: "createAlert", when: "later", requests: 3 },
    ]);
  });

  it("sets what a kind of fault takes, and opens what is wrong among the rest", async () => {
    const { page } = await tested.open("faults");
    await page.getByRole("button", { name: "Add fault" }).click();
    await page.getByLabel("Fault", { exact: true }).selectOption("503");
    await page.getByLabel("When").selectOption("after");
    await page.getByLabel("Seconds").fill("3");
    await page.getByText("Advanced").click();
    await page.getByLabel("First call").fill("0");
    await page.getByText("Advanced").click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("First call").fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("from call 2 on, after the request, 3 seconds", { exact: true }).waitFor();
    expect(tested.sandbox.faults.list().map(({ fault }) => fault)).to.deep.equal([
      { kind: "503", operation: "*", from: 2, when: "after", seconds: 3 },
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
});
