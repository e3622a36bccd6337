/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import type { Page } from "playwright-core";
import { enter, press, useConsole } from "./console";

describe("The page of the sandbox's console that sets faults", () => {
  const tested = useConsole();
  const set = () => tested.sandbox.faults.list().map(({ fault }) => fault);
  const listAlerts = () => tested.client.observability("GET", "/alerts").catch((error: Error) => error);
  const none = (page: Page) => page.getByText("No faults are set.").waitFor();

  it("the console adds a fault, shows the failed call in the journal, and clears the fault", async () => {
    const { page } = await tested.open("faults");
    await none(page);
    await press(page, "Add fault");
    await page.getByLabel("Fault", { exact: true }).selectOption("reset");
    await page.getByLabel("Operation").selectOption("listAlerts");
    await page.getByLabel("When").selectOption("after");
    await enter(page, { "Only this call, counted from now": "1" });
    await press(page, "Save", true);
    await page.getByText("call 1, after the request").waitFor();
    expect(set()).to.deep.equal([{ kind: "reset", operation: "listAlerts", nth: 1, when: "after" }]);
    expect(await listAlerts()).to.be.an("error");
    await page.getByText("1 of 1").waitFor();
    await press(page, "Clear fault reset");
    await none(page);
    expect(set()).to.deep.equal([]);
    await tested.at(page, "requests");
    await page.getByText("fault reset").waitFor();

    await tested.sandbox.faults.add({ kind: "refused", operation: "*" });
    expect(await listAlerts()).to.be.an("error");
    await tested.at(page, "faults");
    await press(page, "Clear fault refused");
    await none(page);
    expect(await listAlerts()).to.include({ status: 200 });
  });

  it("the form of a fault in the console saves a range of calls, a probability and a seed", async () => {
    const { page } = await tested.open("faults");
    await press(page, "Add fault");
    await page.getByText("Advanced").click();
    await enter(page, { "First call": "2", "Last call": "9", "Probability, 0 to 1": "0.07" });
    await enter(page, { "Seed of the random numbers": "4" });
    await press(page, "Save", true);
    await page.getByText("calls 2 to 9, 7 % chance", { exact: true }).waitFor();
    const fault = { kind: "500", operation: "*", from: 2, to: 9, probability: 0.07, seed: 4 };
    expect(set()).to.deep.equal([fault]);
  });

  for (const [kind, labels] of [
    ["409", ["Fault", "Operation", "Only this call, counted from now"]],
    ["503", ["Fault", "Operation", "When", "Only this call, counted from now", "Seconds"]],
    ["huge", ["Fault", "Operation", "When", "Only this call, counted from now", "Megabytes"]],
    ["redirect", ["Fault", "Operation", "Only this call, counted from now", "Location"]],
    ["stale", ["Fault", "Operation", "Only this call, counted from now", "Milliseconds", "Requests"]],
    ["refused", ["Fault", "Only this call, counted from now", "Milliseconds"]],
  ] as const)
    it(`the form of a ${kind} fault in the console shows only the parameters of that kind`, async () => {
      const { page } = await tested.open("faults");
      await press(page, "Add fault");
      await page.getByLabel("Fault", { exact: true }).selectOption(kind);
      await page.waitForFunction(
        (count) => document.querySelectorAll("form > .fields label").length === count,
        labels.length,
      );
      expect(await page.getByRole("dialog").locator("label:visible").allTextContents()).to.deep.equal(labels);
    });

  it("the form of a fault in the console offers only writes if the request is carried out later", async () => {
    const { page } = await tested.open("faults");
    await press(page, "Add fault");
    const reads = page.getByLabel("Operation").locator("option", { hasText: /^(list|get)/ });
    expect(await reads.count()).to.be.above(5);
    await page.getByLabel("When").selectOption({ label: "before the request is carried out later" });
    await enter(page, { Requests: "3" });
    expect(await reads.count()).to.equal(0);
    await page.getByLabel("Operation").selectOption("createAlert");
    await press(page, "Save", true);
    await page.getByText("each call, before the request is carried out later, 3 requests").waitFor();
    const fault = { kind: "500", operation: "createAlert", when: "later", requests: 3 };
    expect(set()).to.deep.equal([fault]);
  });

  it("the form of a fault in the console opens the section with an invalid field", async () => {
    const { page } = await tested.open("faults");
    await press(page, "Add fault");
    await page.getByLabel("Fault", { exact: true }).selectOption("503");
    await page.getByLabel("When").selectOption("after");
    await enter(page, { Seconds: "3" });
    await page.getByText("Advanced").click();
    await enter(page, { "First call": "0" });
    await page.getByText("Advanced").click();
    await press(page, "Save", true);
    await enter(page, { "First call": "2" });
    await press(page, "Save", true);
    await page.getByText("from call 2 on, after the request, 3 seconds", { exact: true }).waitFor();
    expect(set()).to.deep.equal([{ kind: "503", operation: "*", from: 2, when: "after", seconds: 3 }]);
  });

  it("the console shows why faults could not be cleared, until they are", async () => {
    const kinds = ["500", "502", "503"] as const;
    await tested.sandbox.faults.set(kinds.map((kind) => ({ kind, operation: "listAlerts" })));
    const { page, problems } = await tested.open("faults");
    for (const name of ["Clear fault 500", "Clear all"]) {
      await page.route(/\/faults/, (route) => route.abort());
      await press(page, name);
      await page.getByRole("alert").getByText("The sandbox does not respond.").waitFor();
      await page.unroute(/\/faults/);
      await press(page, name);
      await page.getByRole("alert").waitFor({ state: "detached" });
    }
    expect(problems.join()).to.not.include("The sandbox does not respond.");
  });
});
