/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import type { Row } from "../../sandbox/core/kinds";
import { seededCredentials } from "../../sandbox/index";
import { listen } from "../sandbox/consoleClient";
import { edits, furnish, lastOf } from "../sandbox/consoleEdits";
import { Client } from "../sandbox/requests";
import { change, confirmed, press, useConsole } from "./console";

const { serviceId } = seededCredentials;

describe("The tables and JSON forms of the sandbox's console", () => {
  const tested = useConsole();
  const gone = { state: "detached" } as const;

  it("every kind of objects has a table, and an edit of its JSON is in the account", async () => {
    const { sandbox } = await Client.start({
      ...{ dialect: "clickhouse", consolePort: 0, stateMilliseconds: 0 },
    });
    const { page, problems } = await tested.browser.open();
    furnish(sandbox.store);
    for (const [name, { made, change: changed }] of Object.entries(edits)) {
      await page.goto(`${sandbox.consoleUrl}/#/${name}`);
      if (made) {
        await press(page, "New ");
        await change(page, made);
        await press(page, "Save", true);
        await confirmed(page, "Saved: New");
      }
      await page.getByRole("table").first().getByRole("button", { name: /^Edit/ }).last().click();
      await change(page, changed);
      await press(page, "Save", true);
      await page.getByRole("dialog").waitFor(gone);
      const events = await listen(sandbox.consoleUrl);
      const { [name]: rows } = (await events.snapshot()) as unknown as { [kind: string]: Row[] };
      events.leave();
      expect(lastOf(rows ?? []), name).to.containSubset(changed);
    }
    expect(problems).to.deep.equal([]);
    await sandbox.close();
  });

  it("a form of the console shows why JSON is refused, and keeps the text", async () => {
    const { page } = await tested.open("services");
    const form = page.getByLabel("JSON", { exact: true });
    await press(page, "Edit service warehouse");
    const service = JSON.parse(await form.inputValue());
    for (const [text, reason] of [
      ["{ numReplicas: 5 }", "This is not JSON"],
      ["[]", "The JSON must be an object."],
      [
        JSON.stringify({ ...service, numReplicas: 1 }),
        "numReplicas must be >= 2 for the first service in a warehouse",
      ],
    ] as const) {
      await form.fill(text);
      await press(page, "Save", true);
      await page.getByRole("alert").getByText(reason).waitFor();
      expect(await form.inputValue()).to.equal(text);
    }
    expect(tested.sandbox.store.services.get(serviceId)).to.include({ name: "warehouse", numReplicas: 3 });
  });

  it("the console stops and starts a service by buttons, and shows why it refuses one", async () => {
    const { sandbox } = await Client.start({
      ...{ dialect: "clickhouse", consolePort: 0, stateMilliseconds: 0 },
    });
    const { page } = await tested.browser.open();
    await page.goto(`${sandbox.consoleUrl}/#/services`);
    await press(page, "Stop service warehouse");
    await page.getByRole("row", { name: "warehouse" }).getByText("stopped").waitFor();
    await press(page, "Stop service warehouse");
    await page.getByRole("alert").waitFor();
    await press(page, "Start service warehouse");
    await page.getByRole("row", { name: "warehouse" }).getByText("running").waitFor();
    expect(await page.getByRole("alert").count()).to.equal(0);
    await sandbox.close();
  });

  it("a form of the console closes when its user goes to another page", async () => {
    const { page } = await tested.open("webhooks");
    await press(page, "Edit webhook on-call");
    await page.getByRole("dialog").waitFor();
    await page.evaluate(() => {
      location.hash = "#/keys";
    });
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.getByRole("dialog").waitFor(gone);
  });
});
